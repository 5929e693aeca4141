"""`sapper one-click`: boards that one click wins, one or a Code Jam batch."""

from __future__ import annotations

import re
from typing import Any

import click

from sapper.cli.common import json_option, note, print_json, read_text, seed_option, write_whole
from sapper.errors import NotationError, RulesError, SapperError
from sapper.generate.one_click.boards import METHODS, OneClick, count_one_click
from sapper.generate.one_click.boards import one_click as find
from sapper.generate.one_click.code_jam import NUMBER, Case, format_answer, parse_batch
from sapper.model.board import Board
from sapper.model.deal import SEEDS, fresh_seed
from sapper.model.formats import parse_board
from sapper.model.rules import LEVELS, parse_size
from sapper.model.tilings import TILINGS
from sapper.model.tilings import tiling as make_tiling
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


@click.command(
    epilog="Methods: " + "; ".join(f"{row.name}, {row.about}" for row in METHODS.values()) + "."
)
@click.argument("numbers", metavar="[WxH/M | R C M]", nargs=-1, type=Number())
@click.option("--batch", metavar="FILE", help="Read a Code Jam file and answer every case.")
@click.option("-o", "--output", metavar="FILE", help="Write there, whole or not at all.")
@click.option("--tiling", help=f"The board: {', '.join(TILINGS)}; square unless given.")
@click.option("--board", "board_file", metavar="FILE", help="Any graph, as JSON; give M alone.")
@click.option("--method", help="How: closed on squares, varied elsewhere or with a seed.")
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
    if batch is not None:
        if numbers or board_file is not None or count:
            raise RulesError("expected --batch alone, got R C M, --board or --count beside it")
        cases = parse_batch(read_text(batch))
        varied = method == "varied" or (method is None and tiling not in (None, "square"))
        if varied and seed is None:
            seed = fresh_seed()
        texts, described = _answer_all(cases, _named(tiling), method, seed, as_json)
        notes: list[str] = []
    else:
        board, mines = _wanted(numbers, board_file, tiling)
        answer = find(board, mines, method, seed)
        texts, described = [f"{answer}\n"], _describe(answer)
        notes = [] if answer.why is None else [answer.why]
        if count:
            described["count"] = count_one_click(board, mines)
            notes.append(f"{counted(described['count'], 'layout')} with a winning click")
        seed = answer.seed
    _write("".join(texts), described, output, as_json)
    if not as_json:
        for line in notes if seed is None else [*notes, f"seed {seed}"]:
            note(line)


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


def _answer_all(
    cases: tuple[Case, ...], tiling: str, method: str | None, seed: int | None, as_json: bool
) -> tuple[list[str], dict[str, Any]]:
    """The answers as text, as JSON if that is wanted; case i has seed S + i - 1.

    Boards are let go one by one: those of a large batch would not fit side by side.
    """
    if seed is not None and seed + len(cases) > SEEDS:
        raise RulesError(f"expected seeds below {SEEDS}, got {seed} + {len(cases) - 1}")
    texts, described = [], []
    for case in cases:
        own = None if seed is None else seed + case.number - 1
        try:
            board = make_tiling(tiling, case.columns, case.rows)
            answer = find(board, case.mines, method, own)
        except SapperError as error:
            raise type(error)(f"case {case.number}: {error}") from None
        texts.append(format_answer(case.number, answer.layout))
        if as_json:
            described.append(_describe(answer))
    return texts, {"cases": described}


def _describe(answer: OneClick) -> dict[str, Any]:
    layout = answer.layout
    return {
        "possible": answer.possible,
        "text": None if layout is None else f"{layout}\n",
        "click": None if layout is None else answer.board.name(layout.click or 0),
        "why": answer.why,
        "method": answer.method,
        "seed": answer.seed,
    }


def _write(text: str, described: dict[str, Any], output: str | None, as_json: bool) -> None:
    """The text to a file where one is named; what is asked for, text or JSON, to the user."""
    if output not in (None, "-"):
        write_whole(str(output), text)
        text = ""
    if as_json:
        print_json(described)
    else:
        click.echo(text, nl=False)
