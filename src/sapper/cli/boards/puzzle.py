"""`sapper puzzle`: positions from real games in which something is certain, to train with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sapper.cli.boards.sheet_files import check_output, sheet_options, write_sheet
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import read_rules
from sapper.cli.options import (
    board_option,
    budget_options,
    choice_option,
    count_option,
    json_option,
    seed_option,
    seed_range,
    tiling_option,
)
from sapper.cli.output import print_json
from sapper.cli.workers import WorkerOptions, with_progress, worker_options_decorator
from sapper.engine.budget import Budget
from sapper.generators.puzzles.make import Puzzle, PuzzleRules, make_puzzles, puzzle_rules
from sapper.lab.runners import RUNNERS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.puzzles import TITLE, puzzle_json, puzzle_sheet
from sapper.serialize.worksheets import WRITERS, SheetStyle


@click.command(
    cls=CommandWithLists,
    lists={"Difficulties": name_rows(DIFFICULTIES), "Runners": name_rows(RUNNERS)},
)
@choice_option("--difficulty", "How hard", DIFFICULTIES.names, default="two")
@count_option
@seed_option
@tiling_option
@click.option(
    "--size", metavar="SIZE", help="Of the games: a level or WxH/M. [11x11/25, triangles 12x9/22]"
)
@board_option
@sheet_options(TITLE, "puzzles")
@budget_options()
@worker_options_decorator
@json_option
def puzzle(
    difficulty: str,
    count: int,
    seed: int | None,
    tiling: str | None,
    size: str | None,
    board: str | None,
    output: str | None,
    no_solutions: bool,
    budget: Budget,
    worker_options: WorkerOptions,
    as_json: bool,
    **looks: Any,
) -> None:
    """Find positions of real games in which something is certain and nothing easier moves.

    Mines that easier steps give are flagged, and the flags are trusted; every certain move of the
    difficulty is an answer. The same seed gives the same puzzle for ever.
    """
    check_output(output)
    style = SheetStyle(**looks, solutions=not no_solutions)
    seeds = seed_range(seed, count)
    games = None
    if board is not None or size is not None:
        games = read_rules(size, board, tiling, None)
    rules = puzzle_rules(difficulty, None if games else tiling, games)
    made = worker_options.map_batches(partial(_made, rules, budget), seeds)
    puzzles = list(with_progress(made, "puzzles", count))
    sheet = puzzle_sheet(rules, puzzles, style, board and Path(board).name)
    if output is not None:
        write_sheet(output, sheet)
    if as_json:
        print_json({"puzzles": [puzzle_json(one) for one in puzzles]})
    elif output is None:
        click.echo(WRITERS[".txt"].write(sheet), nl=False)


def _made(rules: PuzzleRules, budget: Budget, seeds: Iterable[int]) -> Iterator[Puzzle]:
    return (one for seed in seeds for one in make_puzzles(rules, 1, seed, budget))
