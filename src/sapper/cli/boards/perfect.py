"""`sapper perfect`: the value of perfect play on a small board."""

from __future__ import annotations

from time import perf_counter

import click

from sapper.board.rules import BEST_FIRST, Rules
from sapper.cli.input import rules_options
from sapper.cli.options import budget_options, json_option
from sapper.cli.output import print_json
from sapper.engine.budget import Budget
from sapper.players.perfect import perfect as solve


@click.command()
@rules_options
@click.option("--first", metavar="CELL", help="First click, such as r1c1. [default: the best]")
@budget_options(seconds=60.0)
@json_option
def perfect(rules: Rules, first: str | None, budget: Budget, as_json: bool) -> None:
    """Compute the exact chance of winning SIZE with perfect play, and the best first clicks.

    SIZE is WIDTHxHEIGHT/MINES. All layouts are enumerated, so only small boards can be solved:
    5x5/5 takes seconds.
    """
    if first is not None and first.lower() == BEST_FIRST:
        first = None
    start = perf_counter()
    solved = solve(rules, first, budget=budget)
    seconds = perf_counter() - start
    names = [rules.board.name(cell) for cell in solved.first]
    if as_json:
        print_json(
            {
                "value": str(solved),
                "win_rate": float(solved.value),
                "first": names,
                "seconds": seconds,
                "wins": solved.wins,
                "layouts": solved.layouts,
                "rule": rules.rule,
            }
        )
        return
    click.echo(f"{solved} = {100 * float(solved.value):.4f}% of the layouts are won")
    click.echo(f"first click: {' '.join(names)}")
