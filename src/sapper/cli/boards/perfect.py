"""`sapper perfect`: what perfect play is worth on a small board."""

from __future__ import annotations

from time import perf_counter

import click

from sapper.board.rules import BEST_FIRST, Rules
from sapper.cli.options import budget_options, json_option, rule_option, tiling_option
from sapper.cli.output import print_json
from sapper.engine.budget import Budget
from sapper.players.endgame.perfect import perfect as solve


@click.command()
@click.argument("size", metavar="SIZE")
@rule_option
@tiling_option
@click.option("--first", metavar="CELL", help="The first click, such as r1c1. [the best]")
@budget_options(seconds=60.0)
@json_option
def perfect(
    size: str,
    rule: str | None,
    tiling: str | None,
    first: str | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Find the exact chance of winning SIZE with perfect play, and the best first clicks.

    SIZE is WIDTHxHEIGHT/MINES. Every layout is looked at, so only small boards can be solved:
    5x5/5 takes seconds.
    """
    rules = Rules.parse(size, tiling, rule)
    if first is not None and first.lower() == BEST_FIRST:
        first = None
    start = perf_counter()
    found = solve(rules, first, budget=budget)
    took = perf_counter() - start
    names = [rules.board.name(cell) for cell in found.first]
    if as_json:
        print_json(
            {
                "value": str(found),
                "win_rate": float(found.value),
                "first": names,
                "seconds": took,
                "wins": found.wins,
                "layouts": found.layouts,
                "rule": rules.rule,
            }
        )
        return
    click.echo(f"{found} = {100 * float(found.value):.4f} % of the deals are won")
    click.echo(f"first click: {' '.join(names)}")
