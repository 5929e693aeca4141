"""`sapper one-click`: boards that one click wins, one or a Code Jam batch."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import click

from sapper.board.board import Board
from sapper.board.random_stream import random_seed
from sapper.board.rules import LEVELS, parse_size
from sapper.board.tilings import tiling as make_tiling
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import read_text
from sapper.cli.options import (
    choice_option,
    file_option,
    json_option,
    seed_option,
    seed_range,
    tiling_option,
)
from sapper.cli.output import print_json, print_note, write_or_print
from sapper.errors import NotationError, RulesError, SapperError
from sapper.formats.registry import parse_board
from sapper.generators.one_click.boards import METHODS, OneClickResult, count_one_click
from sapper.generators.one_click.boards import one_click as find
from sapper.generators.one_click.code_jam import NUMBER, Case, format_answer, parse_batch
from sapper.serialize.cells import Json
from sapper.wording import counted

USAGE = (
    "expected WxH/M (width x height / mines), R C M (rows, columns, mines), "
    "M with --board FILE, or --batch FILE"
)


# What begins like this is meant as a size.
_SIZE = re.compile(r"\d+[xX\u00d7]", re.ASCII)


class Number(click.ParamType[int | str]):
    """A number as batches have it, digits alone, at most nine; or a size as everything else."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Read a number, or leave a size to be read with its mines."""
        if _SIZE.match(str(value)) or str(value).lower() in LEVELS:
            return str(value)
        if NUMBER.fullmatch(str(value)) is None:
            self.fail(f"expected a number from 0 to 999999999, got {str(value)!r:.60}", param, ctx)
        return int(value)


@click.command(cls=CommandWithLists, lists={"Methods": name_rows(METHODS)})
@click.argument("numbers", metavar="[WxH/M | R C M]", nargs=-1, type=Number())
@file_option("--batch", help="Read a Code Jam file and answer every case.")
@file_option("-o", "--output", help="Write there, whole or not at all.")
@tiling_option
@file_option("--board", "board_file", help="Any graph, as JSON; give M alone.")
@choice_option("--method", "How", METHODS, "closed on squares; varied elsewhere or with a seed")
@seed_option
@click.option("--count", is_flag=True, help="Also say how many such layouts there are.")
@json_option
def one_click(
    numbers: tuple[int | str, ...],
    batch: str | None,
    output: str | None,
    tiling: str | None,
    board_file: str | None,
    method: str | None,
    seed: int | None,
    count: bool,
    as_json: bool,
) -> None:
    """Make a board that one click wins, or say why there is none.

    WxH/M is width x height / mines, as for every other command; R C M is rows, columns and mines,
    as in the contest: 7x4/12 and 4 7 12 are the same board.
    The click is shown as c. Impossible is an answer: its reason goes to standard error.
    """
    if batch is None:
        told = _one(numbers, board_file, tiling, method, seed, count)
    elif numbers or board_file is not None or count:
        raise RulesError("expected --batch alone, got R C M, --board or --count beside it")
    else:
        told = _all_of(parse_batch(read_text(batch)), tiling, method, seed, as_json)
    if output is not None:
        write_or_print(output, told.text)
    if as_json:
        print_json(told.answer)
        return
    if output is None:
        click.echo(told.text, nl=False)
    for line in told.notes:
        print_note(line)


class Output(NamedTuple):
    """What is said: boards as text and as JSON, and what stands beside them."""

    text: str
    answer: Json
    notes: tuple[str, ...]


def _one(
    numbers: tuple[int | str, ...],
    board_file: str | None,
    tiling: str | None,
    method: str | None,
    seed: int | None,
    count: bool,
) -> Output:
    board, mines = _wanted(numbers, board_file, tiling)
    found = find(board, mines, method, seed)
    answer = _describe(found)
    notes = [] if found.reason is None else [found.reason]
    if count:
        answer["count"] = count_one_click(board, mines)
        notes.append(f"{counted(answer['count'], 'layout')} with a winning click")
    return Output(f"{found}\n", answer, (*notes, *_noted(found.seed)))


def _noted(seed: int | None) -> tuple[str, ...]:
    return () if seed is None else (f"seed {seed}",)


def _wanted(
    numbers: tuple[int | str, ...], board_file: str | None, tiling: str | None
) -> tuple[Board, int]:
    if board_file is not None and tiling is not None:
        raise RulesError("expected --tiling or --board, got both")
    match numbers:
        case [int(mines)] if board_file is not None:
            return parse_board(read_text(board_file)), mines
        case [str(size)] if board_file is None:
            columns, rows, wanted = parse_size(size)
            if wanted is None:
                raise NotationError(f"expected a size with mines such as 7x4/12, got {size!r:.60}")
            return make_tiling(_named(tiling), columns, rows), wanted
        case [int(rows), int(columns), int(mines)] if board_file is None:
            return make_tiling(_named(tiling), columns, rows), mines
        case _:
            raise RulesError(f"{USAGE}, got {' '.join(map(str, numbers)) or 'nothing':.60}")


def _named(tiling: str | None) -> str:
    return "square" if tiling is None else tiling


def _all_of(
    cases: tuple[Case, ...], tiling: str | None, method: str | None, seed: int | None, as_json: bool
) -> Output:
    """The answers of a batch, as JSON too if that is wanted; case i has seed S + i - 1.

    Boards are let go one by one: those of a large batch would not fit side by side.
    """
    if method == "varied" or (method is None and tiling not in (None, "square")):
        seed = random_seed() if seed is None else seed
    seeds = [None] * len(cases) if seed is None else seed_range(seed, len(cases))
    texts, answers = [], []
    for case, own in zip(cases, seeds, strict=True):
        try:
            board = make_tiling(_named(tiling), case.columns, case.rows)
            found = find(board, case.mines, method, own)
        except SapperError as error:
            raise type(error)(f"case {case.number}: {error}") from None
        texts.append(format_answer(case.number, found.layout))
        if as_json:
            answers.append(_describe(found))
    return Output("".join(texts), {"cases": answers}, _noted(seed))


def _describe(found: OneClickResult) -> Json:
    layout = found.layout
    return {
        "possible": found.possible,
        "text": None if layout is None else f"{layout}\n",
        "click": None if layout is None else found.board.name(layout.click or 0),
        "reason": found.reason,
        "method": found.method,
        "seed": found.seed,
    }
