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
from sapper.cli.groups import Listing, described
from sapper.cli.options import (
    board_option,
    budget_options,
    count_option,
    json_option,
    name_option,
    seed_option,
    seeds_of,
    tiling_option,
)
from sapper.cli.progress import Workforce, runner_options, watched
from sapper.cli.reading import read_rules
from sapper.cli.writing import print_json
from sapper.generate.puzzles.make import Puzzle, PuzzleRules, make_puzzles, puzzle_rules
from sapper.infer.budget import Budget
from sapper.infer.ladder.rungs import RUNGS
from sapper.lab.runners import RUNNERS


@click.command(cls=Listing, lists={"Rungs": described(RUNGS), "Runners": described(RUNNERS)})
@name_option("--rung", "How hard", RUNGS.names, default="two")
@count_option
@seed_option
@tiling_option
@click.option(
    "--size", metavar="SIZE", help="Of the games: a level or WxH/M. [11x11/25, triangles 12x9/22]"
)
@board_option
@sheet_options(TITLE, "puzzles")
@budget_options()
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
    budget: Budget,
    workforce: Workforce,
    as_json: bool,
    **looks: Any,
) -> None:
    """Find positions of real games in which something is certain and nothing easier moves.

    Mines that easier steps give are flagged, and the flags are trusted; every certain move of the
    rung is an answer. The same seed gives the same puzzle for ever.
    """
    check_output(output)
    style = Style(**looks, solutions=not no_solutions)
    seeds = seeds_of(seed, count)
    games = None
    if board is not None or size is not None:
        games = read_rules(size, board, tiling, None)
    rules = puzzle_rules(rung, None if games else tiling, games)
    made = workforce.spread(partial(_made, rules, budget), seeds)
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
