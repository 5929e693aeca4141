"""`sapper table`: paper tables with one solution, worksheets of them, and a check of any frame."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sapper.answers.spelling import Json
from sapper.answers.wishes import Wish, of_code, rules_of, short_seed
from sapper.answers.worksheets import TITLE, WRITERS, table_json, worksheet
from sapper.cli.boards.sheets import check_output, sheet_options, write_sheet
from sapper.cli.groups import Listing, described
from sapper.cli.numbers import Number, Whole
from sapper.cli.options import (
    budget_options,
    file_option,
    json_option,
    name_option,
    seed_option,
    tiling_option,
)
from sapper.cli.progress import Workforce, runner_options, watched
from sapper.cli.reading import read_frame, read_text
from sapper.cli.writing import note, print_json
from sapper.errors import NotationError
from sapper.generate.tables.codes import encode
from sapper.generate.tables.draws import METHODS
from sapper.generate.tables.make import (
    Table,
    TableRules,
    check_table,
    different,
    make_table,
    seeds_from,
    table_rungs,
)
from sapper.generate.tables.open_sets import OPEN_SETS
from sapper.infer.budget import Budget
from sapper.lab.runners import RUNNERS
from sapper.model.frame import Frame

# The options that say which tables to make, and that a code says by itself.
WISHES = {
    "size": "a size",
    "tiling": "--tiling",
    "open": "--open",
    "method": "--method",
    "mines_share": "--mines-share",
    "rung": "--rung",
    "at_most": "--at-most",
    "count": "--count",
    "seed": "--seed",
}


@click.command(cls=Listing, lists={"Runners": described(RUNNERS)})
@click.argument("size", metavar="[WxH]", required=False)
@tiling_option
@file_option("--board", help="Any graph, as JSON.")
@name_option("--open", "The open cells", OPEN_SETS)
@click.option("--open-cells", metavar="CELLS", help="The open cells by name: r1c1,r1c3,...")
@name_option("--method", "How mines are drawn", METHODS)
@click.option(
    "--mines-share", type=Number(), metavar="P", help="Chance of a mine in a closed cell."
)
@name_option("--rung", "How hard", table_rungs())
@click.option("--at-most", is_flag=True, help="That rung or an easier one.")
@click.option("--count", type=Whole(1), metavar="N", help="How many different tables. [1]")
@seed_option
@click.option(
    "--code", metavar="CODE", help="Make the tables of a code at the foot of a sheet again."
)
@sheet_options(TITLE, "tables")
@file_option("--check", help="Say whether this frame is a table.")
@budget_options()
@runner_options
@json_option
def table(
    code: str | None,
    output: str | None,
    check: str | None,
    no_solutions: bool,
    budget: Budget,
    workforce: Workforce,
    as_json: bool,
    **given: Any,
) -> None:
    """Make paper tables: the printed numbers alone allow exactly one placement of the mines.

    \b
    A class set with solutions:
      sapper table 9x10 --rung two --count 30 -o set.pdf

    The FILE of --check is a frame as text, or - for standard input; # is a cell to find:

    \b
      2 # 2
      # 3 #
      1 # 1
    """
    given = {key: value for key, value in given.items() if value is not None and value is not False}
    if check is not None:
        if given.keys() & {*WISHES, "board", "open_cells"} or code or output:
            raise NotationError("expected --check without wishes about other tables, got both")
        _check(read_frame(check), budget, as_json)
        return
    check_output(output)
    file = given.get("board")
    if file is not None:
        if given.keys() & {"size", "tiling"}:
            raise NotationError("expected a size or --board, got both")
        given["board"] = read_text(file)
    wish = _wish(code, {**given, "solutions": not no_solutions})
    rules = rules_of(wish)
    # A budget holds for each table, whoever makes it.
    made = workforce.spread(partial(_made, rules, budget), seeds_from(wish.seed))
    tables = list(watched(different(rules, made, wish.count), "tables", wish.count))
    sheet = worksheet(rules, tables, wish.seed, wish, file and Path(file).name)
    if output is not None:
        write_sheet(output, sheet)
    if as_json:
        again = encode(rules, wish.count, wish.seed)
        print_json({"tables": [_describe(one) for one in tables], "code": again})
    elif output is None:
        click.echo(WRITERS[".txt"].write(sheet), nl=False)


def _wish(code: str | None, given: dict[str, Any]) -> Wish:
    """What to make: of the code, or of the options."""
    if code is None:
        return Wish(**{"seed": short_seed(), **given})
    other = next((words for key, words in WISHES.items() if key in given), None)
    if other is not None:
        raise NotationError(f"expected a code without other wishes about its tables, got {other}")
    return of_code(code, Wish(**given))


def _made(rules: TableRules, budget: Budget, seeds: Iterable[int]) -> Iterator[Table]:
    return (make_table(rules, seed, budget) for seed in seeds)


def _describe(one: Table) -> Json:
    return {
        "frame": f"{one.frame}\n",
        "solution": list(one.solution),
        **table_json(one),
        "seed": one.seed,
    }


# Checking.


def _check(frame: Frame, budget: Budget, as_json: bool) -> None:
    """Say whether a frame is a table, and show its solution or two of them."""
    verdict = check_table(frame, budget)
    found = verdict.table
    if as_json:
        print_json(
            {
                "unique": found is not None,
                "solutions": [list(names) for names in verdict.solutions],
                "rung": found and found.rung,
                "unique_by": found and found.unique_by,
                "why": found and found.why,
            }
        )
        return
    if frame.mines is not None:
        note("the mine count is not used: a table speaks by its hints alone")
    if found is not None:
        click.echo(f"a table: one solution, rung {found.rung} ({found.why})")
    else:
        click.echo("not a table: two solutions, which differ in the marked cells")
    for names in verdict.solutions:
        click.echo("\n" + _solved(frame, set(names), verdict.solutions))


def _solved(frame: Frame, mines: set[str], solutions: tuple[tuple[str, ...], ...]) -> str:
    from sapper.render.text import draw

    frame = frame.without_flags()
    blanks = frame.names(frame.blanks)
    glyphs = {name: "cross" if name in mines else "dash" for name in blanks}
    differing = set(solutions[0]) ^ set(solutions[-1])
    return draw(frame, glyphs=glyphs, outlined=differing, zeros=True, colour=sys.stdout.isatty())
