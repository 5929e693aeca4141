"""`sapper table`: paper tables with one solution, worksheets of them, and a check of any position."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sapper.board.position import Position
from sapper.cli.boards.sheet_files import check_output, sheet_options, write_sheet
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import read_position, read_text
from sapper.cli.number_types import Number, WholeNumber
from sapper.cli.options import (
    budget_options,
    choice_option,
    file_option,
    json_option,
    seed_option,
    tiling_option,
)
from sapper.cli.output import print_json, print_note
from sapper.cli.workers import WorkerOptions, with_progress, worker_options_decorator
from sapper.engine.budget import Budget
from sapper.errors import NotationError
from sapper.generators.paper_puzzles.codes import encode
from sapper.generators.paper_puzzles.make import (
    PaperPuzzle,
    PaperPuzzleRules,
    check_paper_puzzle,
    make_paper_puzzle,
    paper_difficulties,
    seeds_from,
    without_repeats,
)
from sapper.generators.paper_puzzles.methods import METHODS
from sapper.generators.paper_puzzles.open_sets import OPEN_SETS
from sapper.lab.runners import RUNNERS
from sapper.serialize.cells import Json
from sapper.serialize.worksheet_options import (
    WorksheetOptions,
    options_from_code,
    rules_from_options,
    short_seed,
)
from sapper.serialize.worksheets import TITLE, WRITERS, paper_puzzle_json, worksheet

# The options that say which tables to make, and that a code says by itself.
WORKSHEET_OPTIONS = {
    "size": "a size",
    "tiling": "--tiling",
    "open": "--open",
    "method": "--method",
    "mine_density": "--mines-share",
    "difficulty": "--difficulty",
    "or_easier": "--at-most",
    "count": "--count",
    "seed": "--seed",
}


@click.command(cls=CommandWithLists, lists={"Runners": name_rows(RUNNERS)})
@click.argument("size", metavar="[WxH]", required=False)
@tiling_option
@file_option("--board", help="Any graph, as JSON.")
@choice_option("--open", "The open cells", OPEN_SETS)
@click.option("--open-cells", metavar="CELLS", help="The open cells by name: r1c1,r1c3,...")
@choice_option("--method", "How mines are drawn", METHODS)
@click.option(
    "--mines-share", type=Number(), metavar="P", help="Chance of a mine in a closed cell."
)
@choice_option("--difficulty", "How hard", paper_difficulties())
@click.option("--at-most", is_flag=True, help="That difficulty or an easier one.")
@click.option("--count", type=WholeNumber(1), metavar="N", help="How many different tables. [1]")
@seed_option
@click.option(
    "--code", metavar="CODE", help="Make the tables of a code at the foot of a sheet again."
)
@sheet_options(TITLE, "tables")
@file_option("--check", help="Say whether this position is a table.")
@budget_options()
@worker_options_decorator
@json_option
def table(
    code: str | None,
    output: str | None,
    check: str | None,
    no_solutions: bool,
    budget: Budget,
    worker_options: WorkerOptions,
    as_json: bool,
    **given: Any,
) -> None:
    """Make paper tables: the printed numbers alone allow exactly one solution of the mines.

    \b
    A class set with solutions:
      sapper table 9x10 --difficulty two --count 30 -o set.pdf

    The FILE of --check is a position as text, or - for standard input; # is a cell to find:

    \b
      2 # 2
      # 3 #
      1 # 1
    """
    given = {key: value for key, value in given.items() if value is not None and value is not False}
    if check is not None:
        if given.keys() & {*WORKSHEET_OPTIONS, "board", "open_cells"} or code or output:
            raise NotationError("expected --check without wishes about other tables, got both")
        _check(read_position(check), budget, as_json)
        return
    check_output(output)
    file = given.get("board")
    if file is not None:
        if given.keys() & {"size", "tiling"}:
            raise NotationError("expected a size or --board, got both")
        given["board"] = read_text(file)
    options = _options(code, {**given, "solutions": not no_solutions})
    rules = rules_from_options(options)
    # A budget holds for each table, whoever makes it.
    made = worker_options.map_batches(partial(_made, rules, budget), seeds_from(options.seed))
    tables = list(
        with_progress(without_repeats(rules, made, options.count), "tables", options.count)
    )
    sheet = worksheet(rules, tables, options.seed, options, file and Path(file).name)
    if output is not None:
        write_sheet(output, sheet)
    if as_json:
        again = encode(rules, options.count, options.seed)
        print_json({"tables": [_describe(one) for one in tables], "code": again})
    elif output is None:
        click.echo(WRITERS[".txt"].write(sheet), nl=False)


def _options(code: str | None, given: dict[str, Any]) -> WorksheetOptions:
    """What to make: of the code, or of the options."""
    if code is None:
        return WorksheetOptions(**{"seed": short_seed(), **given})
    other = next((words for key, words in WORKSHEET_OPTIONS.items() if key in given), None)
    if other is not None:
        raise NotationError(f"expected a code without other wishes about its tables, got {other}")
    return options_from_code(code, WorksheetOptions(**given))


def _made(rules: PaperPuzzleRules, budget: Budget, seeds: Iterable[int]) -> Iterator[PaperPuzzle]:
    return (make_paper_puzzle(rules, seed, budget) for seed in seeds)


def _describe(one: PaperPuzzle) -> Json:
    return {
        "position": f"{one.position}\n",
        "solution": list(one.solution),
        **paper_puzzle_json(one),
        "seed": one.seed,
    }


# Checking.


def _check(position: Position, budget: Budget, as_json: bool) -> None:
    """Say whether a position is a table, and show its solution or two of them."""
    verdict = check_paper_puzzle(position, budget)
    found = verdict.table
    if as_json:
        print_json(
            {
                "unique": found is not None,
                "solutions": [list(names) for names in verdict.solutions],
                "difficulty": found and found.difficulty,
                "unique_by": found and found.unique_by,
                "reason": found and found.reason,
            }
        )
        return
    if position.mines is not None:
        print_note("the mine count is not used: a table speaks by its numbers alone")
    if found is not None:
        click.echo(f"a table: one solution, difficulty {found.difficulty} ({found.reason})")
    else:
        click.echo("not a table: two solutions, which differ in the marked cells")
    for names in verdict.solutions:
        click.echo("\n" + _solved(position, set(names), verdict.solutions))


def _solved(position: Position, mines: set[str], solutions: tuple[tuple[str, ...], ...]) -> str:
    from sapper.render.text import draw

    position = position.without_flags()
    covered = position.names(position.covered)
    glyphs = {name: "cross" if name in mines else "dash" for name in covered}
    differing = set(solutions[0]) ^ set(solutions[-1])
    return draw(position, glyphs=glyphs, outlined=differing, zeros=True, colour=sys.stdout.isatty())
