"""`sapper lab`: campaigns played, kept, reported, compared and drawn."""

from __future__ import annotations

import click

from sapper.cli.groups import Group

# Each lives in sapper.cli.lab.<module> under its own name, imported when it is called.
COMMANDS = {name: f"lab.{name}" for name in ("run", "report", "merge", "compare", "plot")}


@click.group(cls=Group, modules=COMMANDS)
def lab() -> None:
    """Measure how strong players are: win rates with error bars, on one machine or many."""
