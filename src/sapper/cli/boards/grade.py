"""`sapper grade`: how hard a layout is from its click."""

from __future__ import annotations

import click

from sapper.cli.groups import Listing, described
from sapper.cli.options import budget_options, json_option
from sapper.cli.reading import layout_argument, read_layouts
from sapper.cli.writing import print_json
from sapper.generate.grade import Grade
from sapper.generate.grade import grade as grade_layout
from sapper.infer.budget import Budget
from sapper.infer.ladder.rungs import RUNGS
from sapper.wording import counted


@click.command(cls=Listing, lists={"Rungs": described(RUNGS)})
@layout_argument
@budget_options()
@json_option
def grade(file: str, budget: Budget, as_json: bool) -> None:
    """Grade the layout in FILE: the hardest rung it needs, cells on each rung, guesses.

    Every move of the lowest rung that moves is made, again and again; when there is none, the free
    cell of least odds is opened and counts as a guess. Several layouts may stand one after the
    other, also as `sapper deal --json` prints them; each is answered, with --json a line each.
    """
    for number, layout in enumerate(read_layouts(file)):
        result = grade_layout(layout, budget=budget)
        if as_json:
            print_json({"rung": result.rung, "steps": result.steps, "guesses": result.guesses})
        else:
            click.echo("" if number == 0 else "\n", nl=False)
            _report(result)


def _report(result: Grade) -> None:
    guesses = "1 guess" if result.guesses == 1 else f"{result.guesses:,} guesses"
    click.echo(f"rung {result.rung}, {guesses}")
    for rung in RUNGS:
        click.echo(f"{rung.name:>6} {counted(result.steps[rung.name], 'cell')}")
