"""`sapper worksheet` and `sapper puzzle`: puzzles to print and to train on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import click

from sapper.board.position import Position
from sapper.board.random_stream import seed_range
from sapper.cli.input import read_position, read_rules, read_text
from sapper.cli.options import (
    CommandWithLists,
    Decorator,
    Number,
    WholeNumber,
    board_option,
    budget_options,
    choice_option,
    combine,
    count_option,
    file_option,
    json_option,
    name_rows,
    seed_option,
    tiling_option,
)
from sapper.cli.output import print_json, print_note, write_atomically
from sapper.cli.workers import NO_WORKERS, Workers, with_progress, worker_options
from sapper.engine.budget import Budget
from sapper.errors import NotationError
from sapper.generators.paper_puzzles.drawing import DRAWING_METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.make import check_paper_puzzle
from sapper.generators.puzzles import Puzzle, PuzzleRules, puzzle_rules
from sapper.generators.puzzles import puzzles as find_puzzles
from sapper.lab.runners import RUNNERS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.generated import puzzle_json
from sapper.worksheets.files import WRITERS, find_writer, small_print_warning
from sapper.worksheets.make import problem_rules, short_seed
from sapper.worksheets.make import worksheet as make_sheet
from sapper.worksheets.options import OPTIONS, SheetStyle, WorksheetOptions
from sapper.worksheets.registry import WORKSHEET_KINDS
from sapper.worksheets.sheet import Worksheet
from sapper.worksheets.training_puzzles import puzzle_sheet


def table_option(name: str) -> Decorator:
    """Return the option or argument of a row of the table of worksheet options."""
    row = OPTIONS[name]
    flag = f"--{name.replace('_', '-')}"
    about = f"{row.about}, such as {row.example}." if row.example else f"{row.about}."
    if name == "size":
        return click.argument("size", metavar="[WxH]", required=False)
    if name == "seed":
        return seed_option
    if name == "board":
        return file_option(flag, help=about)
    if row.choices:
        return choice_option(flag, row.about, row.choices, row.default or row.empty)
    if isinstance(row.default, bool):
        if row.default:
            flag, about = f"--no-{flag[2:]}", f"Without {row.label.lower()}."
        return click.option(flag, name, flag_value=not row.default, default=None, help=about)
    if row.limits is None:
        return click.option(flag, metavar="TEXT", help=about)
    number = WholeNumber if isinstance(row.limits[0], int) else Number
    about += f" [default: {row.default or row.empty}]"
    return click.option(flag, type=number(*row.limits), metavar="N", help=about)


output_option = file_option("-o", "--output", help="Write a worksheet: FILE.pdf, .svg or .txt.")
style_options = combine(*(table_option(entry.name) for entry in fields(SheetStyle)))


def check_writable(output: str | None) -> None:
    """Raise an error before any work is done if the file cannot be written."""
    if output is None:
        return
    find_writer(output)
    folder = Path(output).parent
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "no write permission", output)


def write_sheet(sheet: Worksheet, seed: int, output: str | None, as_json: bool) -> None:
    """Write the file of -o and print the seed; without -o print the text."""
    if output is None:
        if not as_json:
            click.echo(WRITERS[".txt"].write(sheet), nl=False)
        return
    writer = find_writer(output)
    write_atomically(output, writer.write(sheet))
    warning = small_print_warning(sheet) if writer is not WRITERS[".txt"] else None
    if warning is not None:
        print_note(warning)
    print_note(f"seed {seed}")


@click.command(
    cls=CommandWithLists,
    lists={
        "Kinds": name_rows(WORKSHEET_KINDS),
        "Open cells": name_rows(OPEN_SETS),
        "Methods": name_rows(DRAWING_METHODS),
        "Runners": name_rows(RUNNERS),
    },
)
@combine(*map(table_option, OPTIONS))
@output_option
@file_option("--check", help="Check whether this position has exactly one solution.")
@budget_options()
@worker_options(NO_WORKERS)
@json_option
def worksheet(
    output: str | None,
    check: str | None,
    budget: Budget,
    workers: Workers,
    as_json: bool,
    **values: Any,
) -> None:
    """Make a worksheet for a class, with its solutions.

    \b
    Paper puzzles: the printed numbers have exactly one solution.
      sapper worksheet 9x10 --difficulty two --count 30 -o puzzles.pdf

    \b
    Which cell is safe, and why? Lines for the proof, a key with the smallest proofs.
      sapper worksheet 6x6 --kind proof --count 6 -o proofs.pdf

    \b
    Probabilities as fractions, with an exact key.
      sapper worksheet 5x5 --kind probability --count 9 -o fractions.pdf

    The FILE of --check is a position as text, or - for standard input; # is a cell to find:

    \b
      2 # 2
      # 3 #
      1 # 1
    """  # noqa: D301
    given = {name: value for name, value in values.items() if value is not None}
    if check is not None:
        if given or output:
            raise NotationError("--check cannot be combined with options for new puzzles")
        _check(read_position(check), budget, as_json)
        return
    check_writable(output)
    if "board" in given:
        given["board"] = read_text(given["board"])
    options = WorksheetOptions(**{"seed": short_seed(), **given})
    rules = problem_rules(options)
    kind = WORKSHEET_KINDS.find(options.kind)
    seeds = kind.seeds(options.seed, options.count)
    made = workers.map_batches(partial(kind.problems, rules, budget), seeds)
    selected = kind.select(rules, made, options.count)
    problems = list(with_progress(selected, kind.plural, options.count))
    write_sheet(make_sheet(options, problems), options.seed, output, as_json)
    if as_json:
        print_json({kind.json_key: [kind.json(problem) for problem in problems]})


def _check(position: Position, budget: Budget, as_json: bool) -> None:
    """Print whether a position is a paper puzzle, with its solution, or two if it is not."""
    check = check_paper_puzzle(position, budget)
    puzzle = check.puzzle
    if as_json:
        print_json(
            {
                "unique": puzzle is not None,
                "solutions": [list(names) for names in check.solutions],
                "difficulty": puzzle and puzzle.difficulty,
                "unique_by": puzzle and puzzle.unique_by,
                "reason": puzzle and puzzle.reason,
            }
        )
        return
    if position.mines is not None:
        print_note("the mine count is not used: a paper puzzle has only numbers")
    if puzzle is not None:
        click.echo(f"one solution, difficulty {puzzle.difficulty} ({puzzle.reason})")
    else:
        click.echo("two or more solutions; two that differ in the marked cells:")
    for names in check.solutions:
        click.echo("\n" + _draw_solution(position, set(names), check.solutions))


def _draw_solution(
    position: Position, mines: set[str], solutions: tuple[tuple[str, ...], ...]
) -> str:
    from sapper.render.text import draw

    position = position.without_flags()
    covered = position.names(position.covered)
    glyphs = {name: "cross" if name in mines else "dash" for name in covered}
    differing = set(solutions[0]) ^ set(solutions[-1])
    terminal = sys.stdout.isatty()
    return draw(position, glyphs=glyphs, outlined=differing, zeros=True, colour=terminal)


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
    help="Size of the games: a level or WxH/M. [default: 11x11/25; with triangles 12x9/22]",
)
@board_option
@output_option
@style_options
@budget_options()
@worker_options(NO_WORKERS)
@json_option
def puzzle(
    difficulty: str,
    count: int,
    seed: int | None,
    tiling: str | None,
    size: str | None,
    board: str | None,
    output: str | None,
    budget: Budget,
    workers: Workers,
    as_json: bool,
    **style: Any,
) -> None:
    """Find positions of real games that have certain moves of a difficulty, and none easier.

    Mines that easier steps find are flagged, and these flags are correct; every certain move of the
    difficulty is an answer. The same seed always gives the same puzzle.
    """
    check_writable(output)
    given = {name: value for name, value in style.items() if value is not None}
    sheet_style = SheetStyle(**given)
    seeds = seed_range(seed, count)
    game_rules = None
    if board is not None or size is not None:
        game_rules = read_rules(size, board, tiling, None)
    rules = puzzle_rules(difficulty, None if game_rules else tiling, game_rules)
    results = workers.map_batches(partial(_training_puzzles, rules, budget), seeds)
    puzzles = list(with_progress(results, "puzzles", count))
    write_sheet(puzzle_sheet(rules, puzzles, sheet_style), seeds[0], output, as_json)
    if as_json:
        print_json({"puzzles": list(map(puzzle_json, puzzles))})


def _training_puzzles(rules: PuzzleRules, budget: Budget, seeds: Iterable[int]) -> Iterator[Puzzle]:
    return (puzzle for seed in seeds for puzzle in find_puzzles(rules, 1, seed, budget))
