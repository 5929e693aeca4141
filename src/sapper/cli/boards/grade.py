"""`sapper grade`: how hard a layout is from its click."""

from __future__ import annotations

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import layout_argument, read_layouts
from sapper.cli.options import budget_options, json_option
from sapper.cli.output import print_json
from sapper.engine.budget import Budget
from sapper.generators.grading import Grade
from sapper.generators.grading import grade as grade_layout
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.wording import counted


@click.command(cls=CommandWithLists, lists={"Difficulties": name_rows(DIFFICULTIES)})
@layout_argument
@budget_options()
@json_option
def grade(file: str, budget: Budget, as_json: bool) -> None:
    """Grade the layout in FILE: the hardest difficulty it needs, cells on each difficulty, guesses.

    Every move of the lowest difficulty that moves is made, again and again; when there is none, the free
    cell of least probability is opened and counts as a guess. Several layouts may stand one after the
    other, also as `sapper deal --json` prints them; each is answered, with --json a line each.
    """
    for number, layout in enumerate(read_layouts(file)):
        result = grade_layout(layout, budget=budget)
        if as_json:
            print_json(
                {"difficulty": result.difficulty, "steps": result.steps, "guesses": result.guesses}
            )
        else:
            click.echo("" if number == 0 else "\n", nl=False)
            _report(result)


def _report(result: Grade) -> None:
    guesses = "1 guess" if result.guesses == 1 else f"{result.guesses:,} guesses"
    click.echo(f"difficulty {result.difficulty}, {guesses}")
    for difficulty in DIFFICULTIES.values():
        click.echo(f"{difficulty.name:>6} {counted(result.steps[difficulty.name], 'cell')}")
