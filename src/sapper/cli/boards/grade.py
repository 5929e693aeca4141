"""`sapper grade`: how hard a layout is from its click."""

from __future__ import annotations

import click

from sapper.cli.common import (
    budget_options,
    json_option,
    make_budget,
    position_argument,
    print_json,
    read_text,
)
from sapper.generate.grade import grade as grade_layout
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.solution import counted
from sapper.model.layout import Layout


@click.command(epilog="Rungs: " + "; ".join(f"{rung.name}, {rung.about}" for rung in RUNGS) + ".")
@position_argument
@budget_options
@json_option
def grade(file: str, seconds: float, memory: float, as_json: bool) -> None:
    """Grade the layout in FILE: the hardest rung it needs, cells on each rung, guesses.

    Every move of the lowest rung that moves is made, again and again; when there is none, the free
    cell of least odds is opened and counts as a guess.
    """
    result = grade_layout(Layout.parse(read_text(file)), budget=make_budget(seconds, memory))
    if as_json:
        print_json({"rung": result.rung, "steps": result.steps, "guesses": result.guesses})
        return
    guesses = "1 guess" if result.guesses == 1 else f"{result.guesses:,} guesses"
    click.echo(f"rung {result.rung}, {guesses}")
    for rung in RUNGS:
        click.echo(f"{rung.name:>6} {counted(result.steps[rung.name], 'cell')}")
