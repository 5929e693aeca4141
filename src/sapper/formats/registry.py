"""The table of formats: which text is which, read liberally and written canonically.

A text is asked for by the newest row first and by the plainest last, so that a row added to FORMATS
is heard before those that read almost anything. docs/formats.md has the grammar of each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.errors import NotationError
from sapper.formats.binary import is_mbf, is_replay, parse_hex, read_mbf, write_mbf
from sapper.formats.json_format import (
    any_board_from_json,
    board_to_json,
    is_json,
    layout_from_json,
    layout_to_json,
    position_from_json,
    position_to_json,
    read_json,
    read_size,
    write_json,
)
from sapper.formats.links import (
    is_jsm_link,
    is_ptta_link,
    read_jsm_link,
    read_ptta_link,
    write_jsm_link,
    write_ptta_link,
)
from sapper.formats.rows import (
    is_jsm,
    is_layout,
    is_minesweepr,
    read_jsm,
    read_layout,
    read_minesweepr,
    read_position,
    write_jsm,
    write_layout,
    write_minesweepr,
    write_position,
)
from sapper.formats.tatham import is_tatham, read_tatham, write_tatham
from sapper.formats.toollib import (
    is_array,
    is_board_file,
    read_array,
    read_board_file,
    write_array,
    write_board_file,
)
from sapper.registry import Registry
from sapper.values import check_type

PositionOrLayout = Position | Layout
Wanted = type[Position] | type[Layout] | None
P = TypeVar("P", Position, Layout)

MINE_COUNT, CLICK = "the mine count", "the click"

SAVED_GAME = "sapper: game 1"
"""The first line of a saved game."""


@dataclass(frozen=True)
class Format:
    """A row of FORMATS: how a text is recognised, read and written."""

    name: str
    about: str
    holds: tuple[type, ...]
    """Position, Layout or both."""
    sniff: Callable[[str], bool]
    """Whether a text looks like this format; it may still have mistakes."""
    read: Callable[[str, Wanted], PositionOrLayout]
    """The position of a text; which kind is wanted matters only where the text leaves it open."""
    write: Callable[[Any], str]
    """A position that it holds as text, with its last line ended."""
    loses: tuple[str, ...] = ()
    """What it has no place for: MINE_COUNT, CLICK."""
    binary: bool = False
    """Whether its files are bytes; its text is their hex digits."""


def _read_json(text: str, wanted: Wanted) -> PositionOrLayout:
    data = read_json(text)
    if wanted is Layout or (wanted is None and "layout" in data):
        return layout_from_json(data)
    return position_from_json(data)


def _write_json(position: PositionOrLayout) -> str:
    if isinstance(position, Position):
        return write_json(position_to_json(position))
    return write_json(layout_to_json(position))


FORMATS = Registry(
    "format",
    (
        Format(
            "position",
            "rows of numbers, covered cells and flags",
            (Position,),
            lambda text: True,
            lambda text, wanted: read_position(text),
            write_position,
        ),
        Format(
            "layout",
            "rows of mines and empty cells",
            (Layout,),
            is_layout,
            lambda text, wanted: read_layout(text),
            write_layout,
        ),
        Format(
            "jsminesweeper",
            "JSMinesweeper's rows under WxHxM",
            (Position,),
            is_jsm,
            lambda text, wanted: read_jsm(text),
            write_jsm,
        ),
        Format(
            "json",
            "positions and layouts of any board",
            (Position, Layout),
            is_json,
            _read_json,
            _write_json,
        ),
        Format(
            "minesweepr",
            "minesweepr's rows with x for a covered cell",
            (Position,),
            is_minesweepr,
            lambda text, wanted: read_minesweepr(text),
            write_minesweepr,
            loses=(MINE_COUNT,),
        ),
        Format(
            "array",
            "ms_toollib's rows of numbers",
            (Position, Layout),
            is_array,
            read_array,
            write_array,
            loses=(MINE_COUNT, CLICK),
        ),
        Format(
            "board",
            "ms_toollib's .board files",
            (Position, Layout),
            is_board_file,
            read_board_file,
            write_board_file,
            loses=(CLICK,),
        ),
        Format(
            "tatham",
            "game IDs of Tatham's Mines",
            (Layout,),
            is_tatham,
            lambda text, wanted: read_tatham(text),
            write_tatham,
        ),
        Format(
            "ptta",
            "links of PTTACGfans' calculator and of LlamaSweeper",
            (Layout,),
            is_ptta_link,
            lambda text, wanted: read_ptta_link(text),
            write_ptta_link,
            loses=(CLICK,),
        ),
        Format(
            "jsm-link",
            "JSMinesweeper's links",
            (Position,),
            is_jsm_link,
            lambda text, wanted: read_jsm_link(text),
            write_jsm_link,
        ),
        Format(
            "mbf",
            "boards of Minesweeper X and Arbiter (.mbf, .abf) as bytes or hex digits",
            (Layout,),
            is_mbf,
            lambda text, wanted: read_mbf(text),
            write_mbf,
            loses=(CLICK,),
            binary=True,
        ),
    ),
)


def detect_format(text: str, wanted: Wanted = None) -> Format:
    """The format of a text, among those that hold what is wanted.

    >>> detect_format("3x1x1\\nH1F").name, detect_format("*.c").name, detect_format("*.c", Position).name
    ('jsminesweeper', 'layout', 'position')
    """
    rows = [row for row in FORMATS.values() if wanted is None or wanted in row.holds]
    return next((row for row in reversed(rows) if row.sniff(text)), rows[0])


def parse_any(text: str) -> PositionOrLayout:
    """Read a position or a layout, whichever the text is."""
    check_type(text, str, "text")
    _refuse_games(text, "position or a layout")
    return detect_format(text).read(text, None)


def parse_position(text: str) -> Position:
    """Read a position in any format.

    >>> parse_position("mines: 1\\n 1 # F").marks.tolist()
    [1, -1, -2]
    """
    return _parse(text, Position)


def parse_layout(text: str) -> Layout:
    """Read a layout in any format.

    >>> parse_layout("*..\\n..c").mine_count
    1
    """
    return _parse(text, Layout)


def _parse(text: str, wanted: type[P]) -> P:
    check_type(text, str, "text")
    _refuse_games(text, wanted.__name__.lower())
    other = Layout if wanted is Position else Position
    mistaken = f"expected a {wanted.__name__.lower()}, got a {other.__name__.lower()}"
    if wanted is Position and is_mbf(text) and _reads(text, Layout):
        # Its hex digits are marks too, and would make one long row.
        raise NotationError(mistaken)
    try:
        position = detect_format(text, wanted).read(text, wanted)
    except NotationError as error:
        if (
            detect_format(text).holds == (wanted,)
            or mistaken in str(error)
            or not _reads(text, other)
        ):
            raise
        raise NotationError(mistaken) from None
    assert isinstance(position, wanted)
    return position


def _reads(text: str, wanted: type[PositionOrLayout]) -> bool:
    try:
        detect_format(text, wanted).read(text, wanted)
    except NotationError:
        return False
    return True


def _refuse_games(text: str, wanted: str) -> None:
    if is_saved_game(text):
        raise NotationError(f"expected a {wanted}, got a saved game")
    if is_replay(text):
        raise NotationError(f"expected a {wanted}, got a replay")


def format_position(position: Position) -> str:
    """Write a position: text for a tiling, JSON for a graph."""
    return FORMATS["json" if position.board.tiling is None else "position"].write(position)


def format_layout(layout: Layout) -> str:
    """Write a layout: text for a tiling, JSON for a graph."""
    return FORMATS["json" if layout.board.tiling is None else "layout"].write(layout)


def convert(position: PositionOrLayout, name: str) -> str:
    """A position in the format of that name."""
    row = FORMATS.find(name)
    if not isinstance(position, row.holds):
        kind = type(position).__name__.lower()
        raise NotationError(f"expected a format that holds a {kind}, got {row.name!r}")
    return row.write(position)


def lost(position: PositionOrLayout, name: str) -> tuple[str, ...]:
    """What of a position the format of that name has no place for.

    >>> lost(Position.parse("1#", mines=1), "minesweepr")
    ('the mine count',)
    """
    has = MINE_COUNT if isinstance(position, Position) else CLICK
    there = position.mines if isinstance(position, Position) else position.click
    return tuple(part for part in FORMATS.find(name).loses if part == has and there is not None)


def encode_file(text: str, name: str) -> bytes:
    """What a file of that format holds, from its text."""
    data = parse_hex(text) if FORMATS.find(name).binary else None
    return text.encode() if data is None else data


def parse_board(text: str) -> Board:
    """Read a board: a tiling and its size, or the JSON of a board, a position or a layout."""
    check_type(text, str, "text")
    return any_board_from_json(read_json(text)) if is_json(text) else tiling(*read_size(text))


def format_board(board: Board) -> str:
    """Write a board: its tiling and size, or the JSON of a graph on one line."""
    return board.title if board.tiling is not None else write_json(board_to_json(board)).rstrip()


def is_game(text: str) -> bool:
    """Whether a text is a saved game, or the hex digits of a replay."""
    return is_saved_game(text) or is_replay(text)


def is_saved_game(text: str) -> bool:
    """Whether a text is a saved game of `sapper.Session`, of this version or another."""
    return text.lstrip("\ufeff \r\n\t").startswith(SAVED_GAME.split()[0])


def split_texts(text: str) -> list[str]:
    """The positions that stand one after the other in a text, each as a text of its own.

    They are parted by empty lines, or are JSON objects, a line each; an answer of `sapper deal`,
    `table` or `puzzle` gives those within it.

    >>> split_texts("*.c\\n\\n..c")
    ['*.c', '..c']
    """
    if is_saved_game(text) or is_board_file(text):
        return [text]
    if is_json(text):
        return [one for value in _json_values(text) for one in _texts_within(value)]
    blocks = [block.strip("\n") for block in re.split(r"\n(?:[^\S\n]*\n)+", text) if block.strip()]
    found: list[str] = []
    for block in blocks:
        # A header may stand apart from its rows.
        if found and all(":" in line for line in found[-1].splitlines()):
            block = f"{found.pop()}\n{block}"
        found.append(block)
    return found if len(found) > 1 else [text]


def _json_values(text: str) -> Iterator[tuple[str, Any]]:
    """JSON values one after the other: the text of each, and what it holds."""
    decoder, at = json.JSONDecoder(), len(text) - len(text.lstrip("\ufeff \t\r\n"))
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            # Read again, and refused, by the reader of positions.
            yield text[at:], None
            return
        yield text[at:end], value
        at = end + len(text[end:]) - len(text[end:].lstrip())


def _texts_within(found: tuple[str, Any]) -> Iterator[str]:
    text, value = found
    for many, key in (("layouts", "text"), ("tables", "position"), ("puzzles", "position")):
        rows = value.get(many) if isinstance(value, dict) else None
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            yield from (str(row.get(key, "")) for row in rows)
            return
    yield text
