"""`sapper deal`: layouts."""

from __future__ import annotations

from typing import Any

import click

from sapper.cli.common import json_option, note, print_json_list, seed_option
from sapper.errors import RulesError
from sapper.model.deal import SEEDS, Deal, fresh_seed
from sapper.model.deal import deal as deal_one
from sapper.model.rules import LEVELS, PROMISES, Rules
from sapper.model.tilings import TILINGS


@click.command(epilog="Levels: " + ", ".join(f"{name} {size}" for name, size in LEVELS.items()))
@click.argument("size", metavar="SIZE")
@click.option("--tiling", default="square", help=f"The board: {', '.join(TILINGS)}.")
@seed_option
@click.option("--first", metavar="NAME", help="The first click, such as r3c5; the middle cell.")
@click.option("--rule", default="zero", help=f"What it is promised: {', '.join(PROMISES)}.")
@click.option("--count", default=1, type=click.IntRange(1), help="How many; seeds S, S + 1, ...")
@json_option
def deal(
    size: str,
    tiling: str,
    seed: int | None,
    first: str | None,
    rule: str,
    count: int,
    as_json: bool,
) -> None:
    """Deal layouts of SIZE, a level's name or WIDTHxHEIGHT/MINES."""
    rules = Rules.parse(size, tiling, rule)
    start = fresh_seed() if seed is None else seed
    if start + count > SEEDS:
        raise RulesError(f"expected seeds below {SEEDS}, got {start} + {count - 1}")
    deals = (deal_one(rules, start + i, first) for i in range(count))
    if as_json:
        print_json_list("layouts", map(_describe, deals))
        return
    for i, one in enumerate(deals):
        click.echo(("\n" if i else "") + str(one.layout))
    note(f"seed {start}" if count == 1 else f"seeds {start} to {start + count - 1}")


def _describe(one: Deal) -> dict[str, Any]:
    layout = one.layout
    return {
        "text": f"{layout}\n",
        "first": layout.board.name(one.first),
        "seed": one.seed,
        "bbbv": layout.bbbv,
        "openings": layout.openings,
        "islands": layout.islands,
    }
