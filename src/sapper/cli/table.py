"""`sapper table`: paper tables with one solution, worksheets of them, and a check of any frame."""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.answers.worksheets import FORMATS, PAPERS, TITLE, Style, small_print, worksheet
from sapper.cli.common import (
    budget_options,
    json_option,
    make_budget,
    note,
    print_json,
    read_text,
    seed_option,
    write_whole,
)
from sapper.errors import NotationError
from sapper.generate.tables.codes import decode, encode
from sapper.generate.tables.draws import METHODS
from sapper.generate.tables.make import (
    TABLE_RUNGS,
    Table,
    TableRules,
    check_table,
    make_tables,
    table_rules,
)
from sapper.generate.tables.open_sets import OPEN_SETS
from sapper.infer.budget import Budget
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.model.notation import parse_board, parse_frame
from sapper.model.rules import parse_size
from sapper.model.tilings import TILINGS, tiling

if TYPE_CHECKING:
    from sapper.render.sheet import Sheet


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    size: str | None
    tiling: str | None
    board: str | None
    open: str | None
    open_cells: str | None
    method: str | None
    mines_share: float | None
    rung: str | None
    at_most: bool
    count: int | None
    seed: int | None
    code: str | None
    output: str | None
    paper: str
    title: str
    per_page: int | None
    large_print: bool
    high_contrast: bool
    no_solutions: bool
    check: str | None
    seconds: float
    memory: float
    as_json: bool

    @property
    def wishes(self) -> list[str]:
        """The options given that say which tables to make, and that a code says by itself."""
        given = {
            "a size": self.size,
            "--tiling": self.tiling,
            "--open": self.open,
            "--method": self.method,
            "--mines-share": self.mines_share,
            "--rung": self.rung,
            "--at-most": self.at_most or None,
            "--count": self.count,
            "--seed": self.seed,
        }
        return [name for name, value in given.items() if value is not None]

    @property
    def budget(self) -> Budget:
        """What the search may take."""
        return make_budget(self.seconds, self.memory)


@click.command()
@click.argument("size", metavar="[WxH]", required=False)
@click.option("--tiling", help=f"The board: {', '.join(TILINGS)}.")
@click.option("--board", metavar="FILE", help="Any graph, as JSON.")
@click.option("--open", help=f"The open cells: {', '.join(OPEN_SETS)}.")
@click.option("--open-cells", metavar="NAMES", help="The open cells by name: r1c1,r1c3,...")
@click.option("--method", help=f"How mines are drawn: {', '.join(METHODS)}.")
@click.option("--mines-share", type=float, metavar="P", help="Chance of a mine in a closed cell.")
@click.option("--rung", help=f"How hard: {', '.join(TABLE_RUNGS)}.")
@click.option("--at-most", is_flag=True, help="That rung or an easier one.")
@click.option("--count", type=click.IntRange(1), help="How many different tables; 1 unless given.")
@seed_option
@click.option("--code", help="Make the tables of a code at the foot of a sheet again.")
@click.option("-o", "--output", metavar="FILE", help="Write a sheet: FILE.pdf, .svg or .txt.")
@click.option("--paper", default="a4", help=f"Sheets: {', '.join(PAPERS)}.")
@click.option("--title", default=TITLE, help="Sheets: the title.")
@click.option("--per-page", type=click.IntRange(1, 80), help="Sheets: tables on a page.")
@click.option("--large-print", is_flag=True, help="Sheets: large cells and letters.")
@click.option("--high-contrast", is_flag=True, help="Sheets: black on white, heavy lines.")
@click.option("--no-solutions", is_flag=True, help="Sheets: without the solutions.")
@click.option("--check", metavar="FILE", help="Say whether this frame is a table.")
@budget_options
@json_option
def table(**given: Any) -> None:
    """Make paper tables: the printed numbers alone allow exactly one placement of the mines.

    A class set with solutions: sapper table 9x10 --rung two --count 30 -o set.pdf
    """
    options = Options(**given)
    if options.check is not None:
        others = (options.board, options.open_cells, options.code, options.output)
        if options.wishes or any(others):
            raise NotationError("expected --check without wishes about other tables, got both")
        _check(parse_frame(read_text(options.check)), options)
        return
    _check_output(options)
    rules, count, seed = _request(options)
    tables = list(_shown(make_tables(rules, count, seed, options.budget), count))
    file = None if options.board is None else Path(options.board).name
    sheet = worksheet(rules, tables, seed, _style(options), file)
    if options.output is not None:
        _write(options.output, sheet)
    if options.as_json:
        code = encode(rules, count, seed)
        print_json({"tables": [_describe(one) for one in tables], "code": code})
    elif options.output is None:
        click.echo(FORMATS[".txt"](sheet), nl=False)


# What to make.


def _request(options: Options) -> tuple[TableRules, int, int]:
    """Rules, count and seed: of the code, or of the options."""
    board = _board(options)
    if options.code is not None:
        if options.wishes:
            raise NotationError(
                f"expected a code without other wishes about its tables, got {options.wishes[0]}"
            )
        code = decode(options.code)
        own = None if board is None else _own_cells(board, options)
        if own is None and options.open_cells is not None and code.tiling in TILINGS:
            own = _own_cells(tiling(code.tiling, *code.size), options)
        return code.rules(board, own), code.count, code.seed
    if board is None:
        raise NotationError("expected a size such as 9x10, --board, --code or --check, got none")
    rules = table_rules(
        board,
        open=_own_cells(board, options) or options.open,
        method=options.method,
        share=options.mines_share,
        rung=options.rung,
        at_most=options.at_most,
    )
    # Six digits unless the user has a seed: short enough to be copied from a sheet by hand.
    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    return rules, options.count or 1, seed


def _board(options: Options) -> Board | None:
    if options.board is not None:
        if options.size is not None or options.tiling is not None:
            raise NotationError("expected a size or --board, got both")
        return parse_board(read_text(options.board))
    if options.size is None:
        return None
    width, height, mines = parse_size(options.size)
    if mines is not None:
        raise NotationError(
            f"expected a size without mines such as 9x10 (see --mines-share), got {options.size!r}"
        )
    return tiling(options.tiling or "square", width, height)


def _own_cells(board: Board, options: Options) -> tuple[int, ...] | None:
    if options.open_cells is None:
        return None
    if options.open is not None:
        raise NotationError("expected --open or --open-cells, got both")
    names = re.findall(r"[^\s,]+", options.open_cells)
    if not names:
        raise NotationError("expected names of open cells such as r1c1,r1c3, got none")
    return tuple(sorted({board.cell(name) for name in names}))


def _shown(tables: Iterator[Table], count: int) -> Iterable[Table]:
    """The tables, under a progress bar where somebody watches."""
    if count == 1 or not sys.stderr.isatty():
        return tables
    from rich.console import Console
    from rich.progress import track

    return track(tables, "tables", total=count, console=Console(stderr=True), transient=True)


def _describe(one: Table) -> dict[str, Any]:
    return {
        "frame": f"{one.frame}\n",
        "solution": list(one.solution),
        "rung": one.rung,
        "unique_by": one.unique_by,
        "why": one.why,
        "hints": len(one.frame.revealed),
        "tries": one.tries,
        "seed": one.seed,
    }


# Sheets.


def _check_output(options: Options) -> None:
    """Refuse what cannot be written before any work is done."""
    if options.paper not in PAPERS:
        raise NotationError(f"expected a paper ({', '.join(PAPERS)}), got {options.paper!r:.60}")
    if options.output is None:
        return
    path = Path(options.output)
    if path.suffix.lower() not in FORMATS:
        raise NotationError(f"expected a file {', '.join(FORMATS)}, got {options.output!r:.200}")
    folder = path.parent
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "no permission to write there", str(path))


def _write(output: str, sheet: Sheet) -> None:
    suffix = Path(output).suffix.lower()
    write_whole(output, FORMATS[suffix](sheet))
    small = small_print(sheet) if suffix != ".txt" else None
    if small is not None:
        note(small)
    note(sheet.footer[-1])


def _style(options: Options) -> Style:
    return Style(
        options.paper,
        options.title,
        options.per_page,
        options.large_print,
        options.high_contrast,
        not options.no_solutions,
    )


# Checking.


def _check(frame: Frame, options: Options) -> None:
    """Say whether a frame is a table, and show its solution or two of them."""
    verdict = check_table(frame, options.budget)
    found = verdict.table
    if options.as_json:
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
