"""`sapper one-click`: find a board that one click wins, or answer a batch of Code Jam.

A batch of "Minesweeper Master" is a line with the number of cases, then a line `R C M` for each:
rows, columns, mines. docs/formats.md shows examples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import click

from sapper.board.board import MAX_CELLS, Board
from sapper.board.layout import Layout
from sapper.board.random_stream import random_seed, seed_range
from sapper.board.rules import LEVELS, parse_size
from sapper.board.tilings import tiling as make_tiling
from sapper.cli.input import read_text
from sapper.cli.options import (
    CommandWithLists,
    choice_option,
    file_option,
    json_option,
    name_rows,
    seed_option,
    tiling_option,
)
from sapper.cli.output import print_note, write_or_print
from sapper.errors import NotationError, RulesError, SapperError
from sapper.formats.registry import parse_board
from sapper.generators.one_click import ONE_CLICK_METHODS, OneClickResult, count_one_click
from sapper.generators.one_click import one_click as find_one_click
from sapper.serialize.cells import Json
from sapper.wording import count_text

USAGE = (
    "expected WxH/M (width x height / mines), R C M (rows, columns, mines), "
    "M with --board FILE, or --batch FILE"
)
# The answer to a batch is built in memory before it is written; larger batches can be split.
MAX_BATCH_CELLS = 2**28
# Only digits: int() would also accept signs, underscores and the digits of other scripts.
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
# The start of an argument that is a size.
_SIZE_START = re.compile(r"\d+[xX\u00d7]", re.ASCII)


class _SizeOrNumber(click.ParamType[int | str]):
    """A level or a size, as text, or a number of at most nine digits, as in a batch."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Parse a number; return a size unchanged."""
        text = str(value)
        if _SIZE_START.match(text) or text.lower() in LEVELS:
            return text
        if _NUMBER.fullmatch(text) is None:
            self.fail(f"expected a number from 0 to 999999999, got {text!r:.60}", param, ctx)
        return int(value)


class _Output(NamedTuple):
    """What the command prints: text or JSON to standard output, notes to standard error."""

    text: str
    json: Json
    notes: tuple[str, ...]


@click.command(cls=CommandWithLists, lists={"Methods": name_rows(ONE_CLICK_METHODS)})
@click.argument("arguments", metavar="[WxH/M | R C M]", nargs=-1, type=_SizeOrNumber())
@file_option("--batch", help="Answer every case of a Code Jam input file.")
@file_option("-o", "--output", help="Write the boards to a file; - for standard output.")
@tiling_option
@file_option("--board", "board_file", help="Use any graph, as JSON; give only M.")
@choice_option(
    "--method", "Method", ONE_CLICK_METHODS, "closed on squares; varied elsewhere or with a seed"
)
@seed_option
@click.option("--count", is_flag=True, help="Also count all such layouts.")
@json_option
def one_click(
    arguments: tuple[int | str, ...],
    batch: str | None,
    output: str | None,
    tiling: str | None,
    board_file: str | None,
    method: str | None,
    seed: int | None,
    count: bool,
    as_json: bool,
) -> None:
    """Find a board that one click wins, or say why there is none.

    WxH/M is width x height / mines, as in all other commands; R C M is rows, columns and mines, as
    in the contest: 7x4/12 and 4 7 12 are the same board. The click is shown as c. If there is no
    board, the answer is Impossible, and the reason goes to standard error.
    """
    if batch is None:
        result = _answer_one(arguments, board_file, tiling, method, seed, count)
    elif arguments or board_file is not None or count:
        raise RulesError("--batch cannot be combined with R C M, --board or --count")
    else:
        result = _answer_batch(parse_batch(read_text(batch)), tiling, method, seed)
    write_or_print(output, result.text, result.json if as_json else None)
    for line in () if as_json else result.notes:
        print_note(line)


def _answer_one(
    arguments: tuple[int | str, ...],
    board_file: str | None,
    tiling: str | None,
    method: str | None,
    seed: int | None,
    count: bool,
) -> _Output:
    board, mines = _parse_board(arguments, board_file, tiling)
    result = find_one_click(board, mines, method, seed)
    answer = _result_json(result)
    notes = [] if result.reason is None else [result.reason]
    if count:
        answer["count"] = count_one_click(board, mines)
        notes.append(f"{count_text(answer['count'], 'layout')} with a winning click")
    return _Output(f"{result}\n", answer, (*notes, *_seed_notes(result.seed)))


def _answer_batch(
    cases: tuple[Case, ...], tiling: str | None, method: str | None, seed: int | None
) -> _Output:
    """Answer all cases of a batch; case i has the seed *seed* + i - 1.

    Boards are discarded at once: those of a large batch would not fit into memory together.
    """
    if method == "varied" or (method is None and tiling not in (None, "square")):
        seed = random_seed() if seed is None else seed
    seeds = [None] * len(cases) if seed is None else seed_range(seed, len(cases))
    texts, answers = [], []
    for case, case_seed in zip(cases, seeds, strict=True):
        try:
            board = make_tiling(tiling or "square", case.columns, case.rows)
            result = find_one_click(board, case.mines, method, case_seed)
        except SapperError as error:
            raise type(error)(f"case {case.number}: {error}") from None
        texts.append(format_answer(case.number, result.layout))
        answers.append(_result_json(result))
    return _Output("".join(texts), {"cases": answers}, _seed_notes(seed))


def _parse_board(
    arguments: tuple[int | str, ...], board_file: str | None, tiling: str | None
) -> tuple[Board, int]:
    if board_file is not None and tiling is not None:
        raise RulesError("--tiling and --board cannot be combined")
    match arguments:
        case [int(mines)] if board_file is not None:
            return parse_board(read_text(board_file)), mines
        case [str(size)] if board_file is None:
            columns, rows, count = parse_size(size)
            if count is None:
                raise NotationError(f"expected a size with mines such as 7x4/12, got {size!r:.60}")
            return make_tiling(tiling or "square", columns, rows), count
        case [int(rows), int(columns), int(mines)] if board_file is None:
            return make_tiling(tiling or "square", columns, rows), mines
        case _:
            raise RulesError(f"{USAGE}, got {' '.join(map(str, arguments)) or 'nothing':.60}")


def _result_json(result: OneClickResult) -> Json:
    layout = result.layout
    return {
        "possible": result.possible,
        "text": None if layout is None else f"{layout}\n",
        "click": None if layout is None else result.board.name(layout.click or 0),
        "reason": result.reason,
        "method": result.method,
        "seed": result.seed,
    }


def _seed_notes(seed: int | None) -> tuple[str, ...]:
    return () if seed is None else (f"seed {seed}",)


@dataclass(frozen=True)
class Case:
    """One case of a batch; `number` counts from 1."""

    number: int
    rows: int
    columns: int
    mines: int


def parse_batch(text: str) -> tuple[Case, ...]:
    r"""Parse a batch; errors name the case.

    >>> parse_batch("1\n5 5 23\n")
    (Case(number=1, rows=5, columns=5, mines=23),)
    """
    first, *lines = text.rstrip().split("\n")
    if _NUMBER.fullmatch(first.strip()) is None:
        raise NotationError(f"line 1: expected the number of cases, got {first.strip()!r:.60}")
    count = int(first)
    if len(lines) > count:
        extra = f"{lines[count].strip()!r:.60}"
        raise NotationError(f"case {count + 1}: expected the end after {count} cases, got {extra}")
    cases = tuple(_parse_case(number, line) for number, line in enumerate(lines, start=1))
    if len(cases) < count:
        raise NotationError(
            f"case {len(cases) + 1}: expected R C M, got the end; line 1 says {count} cases"
        )
    total = 0
    for case in cases:
        total += case.rows * case.columns
        if total > MAX_BATCH_CELLS:
            raise NotationError(
                f"case {case.number}: expected at most {MAX_BATCH_CELLS:,} cells in a batch, "
                f"got {total:,}"
            )
    return cases


def _parse_case(number: int, line: str) -> Case:
    words, got = line.split(), f"got {line.strip()!r:.60}"
    if len(words) != 3 or not all(map(_NUMBER.fullmatch, words)):
        raise NotationError(
            f"case {number}: expected three numbers R C M from 0 to 999999999, {got}"
        )
    rows, columns, mines = map(int, words)
    cells = rows * columns
    if not 1 <= cells <= MAX_CELLS:
        raise NotationError(f"case {number}: expected from 1 to {MAX_CELLS:,} cells, {got}")
    if mines >= cells:
        raise NotationError(f"case {number}: expected fewer mines than {cells} cells, {got}")
    return Case(number, rows, columns, mines)


def format_answer(number: int, layout: Layout | None) -> str:
    """Return the answer to a case: a header line, then the rows of the board or "Impossible"."""
    if layout is None:
        return f"Case #{number}:\nImpossible\n"
    # On a tiling other than squares the text begins with a header line.
    rows = str(layout).removeprefix(f"layout: {layout.board}\n")
    return f"Case #{number}:\n{rows}\n"
