"""`sapper worksheet` and `sapper puzzle`: puzzles to print and to train on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
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
from sapper.generators.paper_puzzles.drawing import METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.make import check_paper_puzzle
from sapper.generators.puzzles import Puzzle, PuzzleRules, puzzle_rules
from sapper.generators.puzzles import puzzles as find_puzzles
from sapper.generators.worksheet_codes import encode
from sapper.generators.worksheets import first_problems, problem_seeds, problems_of_seeds
from sapper.lab.runners import RUNNERS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.worksheet import PAPER_SIZES, SheetStyle, Worksheet
from sapper.serialize.generated import puzzle_json
from sapper.serialize.worksheet_options import (
    WorksheetOptions,
    options_from_code,
    rules_from_options,
    short_seed,
)
from sapper.serialize.worksheets import (
    PUZZLE_TITLE,
    WORKSHEET_KINDS,
    WRITERS,
    find_writer,
    puzzle_sheet,
    small_print_warning,
)
from sapper.serialize.worksheets import worksheet as make_sheet


def sheet_options(title: str) -> Decorator:
    """Return -o and the options of a worksheet's style."""
    return combine(
        file_option("-o", "--output", help="Write a worksheet: FILE.pdf, .svg or .txt."),
        choice_option("--paper", "Worksheet: paper size", PAPER_SIZES, default="a4"),
        click.option("--title", default="", help=f"Worksheet: title. [default: {title}]"),
        click.option(
            "--per-page", type=WholeNumber(), metavar="N", help="Worksheet: puzzles per page."
        ),
        click.option("--large-print", is_flag=True, help="Worksheet: large cells and letters."),
        click.option("--high-contrast", is_flag=True, help="Worksheet: black on white."),
        click.option("--no-solutions", is_flag=True, help="Worksheet: without solutions."),
    )


def check_writable(output: str | None) -> None:
    """Raise an error before any work is done if the file cannot be written."""
    if output is None:
        return
    find_writer(output)
    folder = Path(output).parent
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "no write permission", output)


def write_sheet(sheet: Worksheet, output: str | None, as_json: bool) -> None:
    """Write the file of -o and print how to make it again; without -o print the text."""
    if output is None:
        if not as_json:
            click.echo(WRITERS[".txt"].write(sheet), nl=False)
        return
    writer = find_writer(output)
    write_atomically(output, writer.write(sheet))
    warning = small_print_warning(sheet) if writer is not WRITERS[".txt"] else None
    if warning is not None:
        print_note(warning)
    print_note(sheet.footer[-1])


# The options that a worksheet code contains, by the names of their parameters.
_CODED_OPTIONS = {
    "kind": "--kind",
    "size": "a size",
    "tiling": "--tiling",
    "open": "--open",
    "method": "--method",
    "mine_density": "--mine-density",
    "difficulty": "--difficulty",
    "or_easier": "--or-easier",
    "count": "--count",
    "seed": "--seed",
}


@click.command(
    cls=CommandWithLists,
    lists={
        "Kinds": name_rows(WORKSHEET_KINDS),
        "Open cells": name_rows(OPEN_SETS),
        "Methods": name_rows(METHODS),
        "Runners": name_rows(RUNNERS),
    },
)
@click.argument("size", metavar="[WxH]", required=False)
@choice_option("--kind", "What the worksheet asks for", WORKSHEET_KINDS, "puzzle")
@tiling_option
@file_option("--board", help="Use any graph, as JSON.")
@choice_option("--open", "Cells that show their numbers", OPEN_SETS)
@click.option(
    "--open-cells", metavar="CELLS", help="Cells that show their numbers, by name: r1c1,r1c3,..."
)
@choice_option("--method", "How the mines are drawn", METHODS)
@click.option(
    "--mine-density",
    type=Number(),
    metavar="P",
    help="Mines as a share of the cells that may hold one, from 0 to 1.",
)
@choice_option("--difficulty", "Difficulty of the hardest step", DIFFICULTIES)
@click.option("--or-easier", is_flag=True, help="With --difficulty: also accept easier puzzles.")
@click.option("--count", type=WholeNumber(1), metavar="N", help="How many puzzles. [default: 1]")
@seed_option
@click.option("--code", metavar="CODE", help="Make the worksheet with this code again.")
@sheet_options("by kind")
@file_option("--check", help="Check whether this position has exactly one solution.")
@budget_options()
@worker_options(NO_WORKERS)
@json_option
def worksheet(
    code: str | None,
    output: str | None,
    check: str | None,
    no_solutions: bool,
    budget: Budget,
    workers: Workers,
    as_json: bool,
    **arguments: Any,
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
    arguments = {
        key: value for key, value in arguments.items() if value is not None and value is not False
    }
    if check is not None:
        if arguments.keys() & {*_CODED_OPTIONS, "board", "open_cells"} or code or output:
            raise NotationError("--check cannot be combined with options for new puzzles")
        _check(read_position(check), budget, as_json)
        return
    check_writable(output)
    file = arguments.get("board")
    if file is not None:
        if arguments.keys() & {"size", "tiling"}:
            raise NotationError("--board cannot be combined with a size or --tiling")
        arguments["board"] = read_text(file)
    options = _options(code, {**arguments, "solutions": not no_solutions})
    rules = rules_from_options(options)
    make_problems = partial(problems_of_seeds, rules, budget)
    seeds = problem_seeds(rules, options.count, options.seed)
    candidates = workers.map_batches(make_problems, seeds)
    distinct = first_problems(rules, candidates, options.count)
    kind = WORKSHEET_KINDS[rules.kind]
    problems = list(with_progress(distinct, kind.plural, options.count))
    sheet = make_sheet(rules, problems, options.seed, options, file and Path(file).name)
    write_sheet(sheet, output, as_json)
    if as_json:
        sheet_code = encode(rules, options.count, options.seed)
        print_json(
            {kind.json_key: [kind.json(problem) for problem in problems], "code": sheet_code}
        )


def _options(code: str | None, arguments: dict[str, Any]) -> WorksheetOptions:
    if code is None:
        return WorksheetOptions(**{"seed": short_seed(), **arguments})
    conflicting = next((option for key, option in _CODED_OPTIONS.items() if key in arguments), None)
    if conflicting is not None:
        raise NotationError(f"--code cannot be combined with {conflicting}")
    return options_from_code(code, WorksheetOptions(**arguments))


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
@sheet_options(PUZZLE_TITLE)
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
    no_solutions: bool,
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
    sheet_style = SheetStyle(**style, solutions=not no_solutions)
    seeds = seed_range(seed, count)
    game_rules = None
    if board is not None or size is not None:
        game_rules = read_rules(size, board, tiling, None)
    rules = puzzle_rules(difficulty, None if game_rules else tiling, game_rules)
    results = workers.map_batches(partial(_training_puzzles, rules, budget), seeds)
    puzzles = list(with_progress(results, "puzzles", count))
    sheet = puzzle_sheet(rules, puzzles, sheet_style, board and Path(board).name)
    write_sheet(sheet, output, as_json)
    if as_json:
        print_json({"puzzles": list(map(puzzle_json, puzzles))})


def _training_puzzles(rules: PuzzleRules, budget: Budget, seeds: Iterable[int]) -> Iterator[Puzzle]:
    return (puzzle for seed in seeds for puzzle in find_puzzles(rules, 1, seed, budget))
