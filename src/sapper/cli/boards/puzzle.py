"""`sapper puzzle`: positions from real games in which something is certain, to train on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sapper.cli.boards.sheet_options import check_output, sheet_options, write_sheet
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
from sapper.cli.workers import Workers, with_progress, worker_options
from sapper.engine.budget import Budget
from sapper.generators.puzzles.make import Puzzle, PuzzleRules, puzzle_rules
from sapper.generators.puzzles.make import puzzles as find_puzzles
from sapper.lab.runners import RUNNERS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.puzzles import TITLE, puzzle_json, puzzle_sheet
from sapper.serialize.worksheets import SheetStyle


@click.command(
    cls=CommandWithLists,
    lists={"Difficulties": name_rows(DIFFICULTIES), "Runners": name_rows(RUNNERS)},
)
@choice_option("--difficulty", "Difficulty of the moves", DIFFICULTIES.names, default="two")
@count_option
@seed_option
@tiling_option
@click.option(
    "--size",
    metavar="SIZE",
    help="Size of the games: a level or WxH/M. [11x11/25, triangles 12x9/22]",
)
@board_option
@sheet_options(TITLE)
@budget_options()
@worker_options
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
    workers: Workers,
    as_json: bool,
    **style: Any,
) -> None:
    """Find positions of real games in which something is certain, but nothing easier works.

    Mines that easier steps give are flagged, and the flags are right; every certain move of the
    difficulty is an answer. The same seed always gives the same puzzle.
    """
    check_output(output)
    sheet_style = SheetStyle(**style, solutions=not no_solutions)
    seeds = seed_range(seed, count)
    games = None
    if board is not None or size is not None:
        games = read_rules(size, board, tiling, None)
    rules = puzzle_rules(difficulty, None if games else tiling, games)
    found = workers.map_batches(partial(_puzzles, rules, budget), seeds)
    puzzles = list(with_progress(found, "puzzles", count))
    write_sheet(
        puzzle_sheet(rules, puzzles, sheet_style, board and Path(board).name), output, as_json
    )
    if as_json:
        print_json({"puzzles": [puzzle_json(one) for one in puzzles]})


def _puzzles(rules: PuzzleRules, budget: Budget, seeds: Iterable[int]) -> Iterator[Puzzle]:
    return (one for seed in seeds for one in find_puzzles(rules, 1, seed, budget))
