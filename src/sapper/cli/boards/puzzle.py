"""`sapper puzzle`: positions from real games in which something is certain, to train with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sapper.answers.puzzles import TITLE, puzzle_json, puzzle_sheet
from sapper.answers.worksheets import WRITERS, Style
from sapper.cli.boards.sheets import check_output, sheet_options, write_sheet
from sapper.cli.common import (
    board_option,
    budget_options,
    json_option,
    make_budget,
    print_json,
    read_rules,
    seed_option,
)
from sapper.cli.numbers import Whole
from sapper.cli.progress import runner_options, spread_out, watched
from sapper.errors import RulesError
from sapper.generate.puzzles.make import Puzzle, PuzzleRules, make_puzzles, puzzle_rules
from sapper.infer.budget import Budget
from sapper.infer.ladder.rungs import RUNGS
from sapper.model.deal import SEEDS, fresh_seed
from sapper.model.tilings import TILINGS


@click.command()
@click.option(
    "--rung", default="two", show_default=True, help=f"How hard: {', '.join(RUNGS.names)}."
)
@click.option("--count", default=1, type=Whole(1), help="How many; seeds S, S + 1, ...")
@seed_option
@click.option("--tiling", help=f"The board: {', '.join(TILINGS)}. [square]")
@click.option("--size", help="Of the games: a level or WxH/M. [11x11/25, triangles 12x9/22]")
@board_option
@sheet_options(TITLE, "puzzles")
@budget_options
@runner_options
@json_option
def puzzle(
    rung: str,
    count: int,
    seed: int | None,
    tiling: str | None,
    size: str | None,
    board: str | None,
    output: str | None,
    no_solutions: bool,
    seconds: float,
    memory: float,
    jobs: int | None,
    runner: str,
    scheduler: str | None,
    as_json: bool,
    **looks: Any,
) -> None:
    """Find positions of real games in which something is certain and nothing easier moves.

    Mines that easier steps give are flagged, and the flags are trusted; every certain move of the
    rung is an answer. The same seed gives the same puzzle for ever.
    """
    check_output(output)
    style = Style(**looks, solutions=not no_solutions)
    start = fresh_seed() if seed is None else seed
    if start + count > SEEDS:
        raise RulesError(f"expected seeds below {SEEDS}, got {start} + {count - 1}")
    games = None
    if board is not None or size is not None:
        games = read_rules(size, board, tiling, None)
    rules = puzzle_rules(rung, None if games else tiling, games)
    make = partial(_made, rules, make_budget(seconds, memory))
    seeds = range(start, start + count)
    made = spread_out(make, seeds, jobs=jobs, runner=runner, scheduler=scheduler)
    puzzles = list(watched(made, "puzzles", count))
    sheet = puzzle_sheet(rules, puzzles, style, board and Path(board).name)
    if output is not None:
        write_sheet(output, sheet)
    if as_json:
        print_json({"puzzles": [puzzle_json(one) for one in puzzles]})
    elif output is None:
        click.echo(WRITERS[".txt"].write(sheet), nl=False)


def _made(rules: PuzzleRules, budget: Budget, seeds: Iterable[int]) -> Iterator[Puzzle]:
    return (one for seed in seeds for one in make_puzzles(rules, 1, seed, budget))
