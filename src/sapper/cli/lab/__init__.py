"""`sapper lab`: play campaigns, store, report, compare and plot their results."""

from __future__ import annotations

import click

from sapper.cli.commands import LAB
from sapper.cli.groups import Group


@click.group(cls=Group, sections={"Commands": LAB})
def lab() -> None:
    """Measure how strong players are: win rates with error bars, on one machine or many."""
