"""`sapper perfect`: what perfect play is worth on a small board."""

from __future__ import annotations

from time import perf_counter

import click

from sapper.cli.common import json_option, make_budget, print_json
from sapper.cli.numbers import Number
from sapper.model.rules import BEST_FIRST, RULES, Rules
from sapper.model.tilings import TILINGS
from sapper.play.endgame.perfect import perfect as solve


@click.command()
@click.argument("size", metavar="SIZE")
@click.option("--rule", help=f"What it is promised: {', '.join(RULES)}. [zero]")
@click.option("--tiling", help=f"The board: {', '.join(TILINGS)}. [square]")
@click.option("--first", metavar="NAME", help="The first click, such as r1c1; else the best.")
@click.option(
    "--memory", default=2.0, show_default=True, type=Number(), help="Gigabytes that it may take."
)
@click.option(
    "--seconds", default=60.0, show_default=True, type=Number(), help="Time that it may take."
)
@json_option
def perfect(
    size: str,
    rule: str | None,
    tiling: str | None,
    first: str | None,
    memory: float,
    seconds: float,
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
    found = solve(rules, first, budget=make_budget(seconds, memory))
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
                "deals": found.deals,
                "rule": rules.rule,
            }
        )
        return
    click.echo(f"{found} = {100 * float(found.value):.4f} % of the deals are won")
    click.echo(f"first click: {' '.join(names)}")
