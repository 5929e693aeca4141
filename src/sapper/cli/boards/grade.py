"""`sapper grade`: how difficult a layout is from its click."""

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
    """Grade the layout in FILE: difficulty, cells revealed at each difficulty, and guesses.

    All moves of the lowest possible difficulty are made, again and again; when there are none, the
    safe cell of least mine probability is revealed, which counts as a guess. A file may contain
    several layouts, also as `sapper generate --json` prints them; with --json each gives a line.
    """
    for number, layout in enumerate(read_layouts(file)):
        result = grade_layout(layout, budget=budget)
        if as_json:
            print_json(
                {
                    "difficulty": result.difficulty,
                    "revealed_by_difficulty": result.revealed_by_difficulty,
                    "guesses": result.guesses,
                }
            )
        else:
            click.echo(("\n" if number else "") + _report(result))


def _report(result: Grade) -> str:
    guesses = "1 guess" if result.guesses == 1 else f"{result.guesses:,} guesses"
    counts = result.revealed_by_difficulty
    lines = [f"{name:>6} {counted(counts[name], 'cell')}" for name in DIFFICULTIES]
    return "\n".join([f"difficulty {result.difficulty}, {guesses}", *lines])
