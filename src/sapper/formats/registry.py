"""The registry of formats: detect, read, split and write texts of positions and layouts.

`detect_format` tries the formats from the last to the first, so that a format added to FORMATS
is tried before those that accept almost any text. docs/formats.md has the grammar of each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.errors import NotationError
from sapper.formats import json_format, links, rows, tatham, toollib
from sapper.formats.binary import is_mbf, is_picture, is_replay, parse_hex, read_mbf, write_mbf
from sapper.formats.json_format import read_json, write_json
from sapper.registry import Registry

PositionOrLayout = Position | Layout
ResultType = type[Position] | type[Layout]
P = TypeVar("P", Position, Layout)

MINE_COUNT, CLICK = "the mine count", "the click"

SAVED_GAME = "sapper: game 1"
"""The first line of a saved game."""


@dataclass(frozen=True)
class Format:
    """An entry of FORMATS."""

    name: str
    about: str
    result_types: tuple[ResultType, ...]
    """The types that it can hold: Position, Layout or both."""
    sniff: Callable[[str], bool]
    """Return whether a text looks like this format; it may still have mistakes."""
    read: Callable[[str, ResultType | None], PositionOrLayout]
    """Read a text; the type is needed only where the text may be either."""
    write: Callable[[Any], str]
    """Write a position or layout as text that ends with a newline."""
    omits: tuple[str, ...] = ()
    """The parts of a position or layout that the format cannot express: MINE_COUNT, CLICK."""
    binary: bool = False
    """Whether its files are binary; its text is then their hex digits."""


def _single_type(read: Callable[[str], P]) -> Callable[[str, ResultType | None], P]:
    """Adapt the reader of a format that can hold only one type."""
    return lambda text, result_type: read(text)


def _read_json(text: str, result_type: ResultType | None) -> PositionOrLayout:
    data = read_json(text)
    if result_type is Layout or (result_type is None and "layout" in data):
        return json_format.layout_from_json(data)
    return json_format.position_from_json(data)


def _write_json(position_or_layout: PositionOrLayout) -> str:
    if isinstance(position_or_layout, Position):
        return write_json(json_format.position_to_json(position_or_layout))
    return write_json(json_format.layout_to_json(position_or_layout))


def _read_picture(text: str) -> Position:
    from sapper.pictures.reading import read  # above this package: it uses the engine

    return read(parse_hex(text) or b"").position


def _write_picture(position: object) -> str:
    raise NotationError("the format 'picture' can only be read; sapper show --svg draws a picture")


FORMATS = Registry(
    "format",
    (
        Format(
            "position",
            "rows of numbers, covered cells and flags",
            (Position,),
            lambda text: True,
            _single_type(rows.read_position),
            rows.write_position,
        ),
        Format(
            "layout",
            "rows of mines and empty cells",
            (Layout,),
            rows.is_layout,
            _single_type(rows.read_layout),
            rows.write_layout,
        ),
        Format(
            "jsminesweeper",
            "JSMinesweeper's rows under WxHxM",
            (Position,),
            rows.is_jsm,
            _single_type(rows.read_jsm),
            rows.write_jsm,
        ),
        Format(
            "json",
            "positions and layouts of any board",
            (Position, Layout),
            json_format.is_json,
            _read_json,
            _write_json,
        ),
        Format(
            "minesweepr",
            "minesweepr's rows with x for a covered cell",
            (Position,),
            rows.is_minesweepr,
            _single_type(rows.read_minesweepr),
            rows.write_minesweepr,
            omits=(MINE_COUNT,),
        ),
        Format(
            "array",
            "ms_toollib's rows of numbers",
            (Position, Layout),
            toollib.is_array,
            toollib.read_array,
            toollib.write_array,
            omits=(MINE_COUNT, CLICK),
        ),
        Format(
            "board",
            "ms_toollib's .board files",
            (Position, Layout),
            toollib.is_board_file,
            toollib.read_board_file,
            toollib.write_board_file,
            omits=(CLICK,),
        ),
        Format(
            "tatham",
            "game IDs of Tatham's Mines",
            (Layout,),
            tatham.is_tatham,
            _single_type(tatham.read_tatham),
            tatham.write_tatham,
        ),
        Format(
            "ptta",
            "links of PTTACGfans' calculator and of LlamaSweeper",
            (Layout,),
            links.is_ptta_link,
            _single_type(links.read_ptta_link),
            links.write_ptta_link,
            omits=(CLICK,),
        ),
        Format(
            "jsm-link",
            "JSMinesweeper's links",
            (Position,),
            links.is_jsm_link,
            _single_type(links.read_jsm_link),
            links.write_jsm_link,
        ),
        Format(
            "mbf",
            "boards of Minesweeper X and Arbiter (.mbf, .abf) as bytes or hex digits",
            (Layout,),
            is_mbf,
            _single_type(read_mbf),
            write_mbf,
            omits=(CLICK,),
            binary=True,
        ),
        Format(
            "picture",
            "screenshots of any program (PNG, JPEG, GIF, WebP, BMP), which can only be read",
            (Position,),
            is_picture,
            _single_type(_read_picture),
            _write_picture,
            omits=(MINE_COUNT,),
            binary=True,
        ),
    ),
)


def detect_format(text: str, result_type: ResultType | None = None) -> Format:
    r"""Return the format of a text, among those that can hold *result_type*.

    >>> [detect_format(text).name for text in ("3x1x1\nH1F", "*.c")]
    ['jsminesweeper', 'layout']
    >>> detect_format("*.c", Position).name
    'position'
    """
    formats = [
        entry
        for entry in FORMATS.values()
        if result_type is None or result_type in entry.result_types
    ]
    return next((entry for entry in reversed(formats) if entry.sniff(text)), formats[0])


def parse_any(text: str) -> PositionOrLayout:
    """Read a position or a layout in any format."""
    _refuse_games(text, "position or a layout")
    return detect_format(text).read(text, None)


def _parse(result_type: type[P], text: str) -> P:
    """Read a position, or a layout, in any format."""
    name = result_type.__name__.lower()
    _refuse_games(text, name)
    other: ResultType = Layout if result_type is Position else Position
    wrong_type = NotationError(f"expected a {name}, got a {other.__name__.lower()}")
    if result_type is Position and is_mbf(text) and _is_readable(text, Layout):
        # Its hex digits would be read as one long row of numbers.
        raise wrong_type
    try:
        position_or_layout = detect_format(text, result_type).read(text, result_type)
    except NotationError:
        if detect_format(text).result_types == (result_type,) or not _is_readable(text, other):
            raise
        raise wrong_type from None
    assert isinstance(position_or_layout, result_type)
    return position_or_layout


def _is_readable(text: str, result_type: ResultType) -> bool:
    try:
        detect_format(text, result_type).read(text, result_type)
    except NotationError:
        return False
    return True


def _refuse_games(text: str, expected: str) -> None:
    if is_saved_game(text):
        raise NotationError(f"expected a {expected}, got a saved game")
    if is_replay(text):
        raise NotationError(f"expected a {expected}, got a replay")


def refuse_binary(text: str, expected: str) -> None:
    """Raise NotationError for a text that is the hex digits of a binary format."""
    found = detect_format(text)
    if found.binary:
        raise NotationError(f"expected {expected}, got the format {found.name!r}")


def write_text(position_or_layout: PositionOrLayout) -> str:
    """Write a position or a layout: rows for a tiling, JSON for a graph."""
    name = type(position_or_layout).__name__.lower()
    return FORMATS["json" if position_or_layout.board.tiling is None else name].write(
        position_or_layout
    )


def parse_board(text: str) -> Board:
    """Read a board: a tiling and its size, or the JSON of a board, a position or a layout."""
    if json_format.is_json(text):
        return json_format.any_board_from_json(read_json(text))
    refuse_binary(text, "a board")
    return tiling(*json_format.read_size(text))


# How `sapper.board` reads and writes its classes.
PARSERS: dict[type, Callable[[str], Any]] = {
    Board: parse_board,
    Position: partial(_parse, Position),
    Layout: partial(_parse, Layout),
    Rules: lambda text: json_format.rules_from_json(read_json(text)),
}
WRITERS: dict[type, Callable[[Any], str]] = {
    Board: lambda graph: write_json(json_format.board_to_json(graph)),
    Position: write_text,
    Layout: write_text,
    Rules: lambda rules: write_json(json_format.rules_to_json(rules)),
}


def convert(position_or_layout: PositionOrLayout, name: str) -> str:
    """Write a position or a layout in the format of that name."""
    entry = FORMATS.find(name)
    if not isinstance(position_or_layout, entry.result_types):
        raise NotationError(
            f"the format {entry.name!r} cannot hold a {type(position_or_layout).__name__.lower()}"
        )
    return entry.write(position_or_layout)


def omitted_parts(position_or_layout: PositionOrLayout, name: str) -> tuple[str, ...]:
    """Return the parts of a position or a layout that the format of that name cannot express.

    >>> omitted_parts(Position.parse("1#", mines=1), "minesweepr")
    ('the mine count',)
    """
    if isinstance(position_or_layout, Position):
        part, is_present = MINE_COUNT, position_or_layout.mines is not None
    else:
        part, is_present = CLICK, position_or_layout.click is not None
    return (part,) if is_present and part in FORMATS.find(name).omits else ()


def is_game(text: str) -> bool:
    """Return whether a text is a saved game, or the hex digits of a replay."""
    return is_saved_game(text) or is_replay(text)


def is_saved_game(text: str) -> bool:
    """Return whether a text is a saved game of `sapper.Session`, of any version."""
    return text.lstrip("\ufeff \r\n\t").startswith(SAVED_GAME.split()[0])


def split_texts(text: str) -> list[str]:
    r"""Split a text that contains several positions or layouts.

    They are separated by empty lines, or are JSON objects that each begin on a new line; the JSON
    output of `sapper generate`, `worksheet` or `puzzle` is split into those that it contains.

    >>> split_texts("*.c\n\n..c")
    ['*.c', '..c']
    """
    if is_saved_game(text) or toollib.is_board_file(text):
        return [text]
    if json_format.is_json(text):
        return [part for value in _json_objects(text) for part in _texts_within(*value)]
    blocks = [block.strip("\n") for block in re.split(r"\n(?:[^\S\n]*\n)+", text) if block.strip()]
    parts: list[str] = []
    for block in blocks:
        # A header may be separated from its rows by an empty line.
        if parts and all(":" in line for line in parts[-1].splitlines()):
            block = f"{parts.pop()}\n{block}"
        parts.append(block)
    return parts if len(parts) > 1 else [text]


def _json_objects(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the text and the value of each JSON object in a text."""
    decoder = json.JSONDecoder()
    text = text.lstrip("\ufeff \t\r\n")
    while text:
        try:
            _, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            end = len(text)
        # With the rest of its line, which must be empty.
        end += len(text[end:].partition("\n")[0])
        yield text[:end], read_json(text[:end])
        text = text[end:].lstrip()


def _texts_within(text: str, value: dict[str, Any]) -> Iterator[str]:
    """Yield the positions or layouts in the JSON output of a command, or else the text itself."""
    for key in ("layouts", "paper_puzzles", "puzzles", "exercises"):
        items = value.get(key)
        if isinstance(items, list) and all(isinstance(item, dict) for item in items):
            for item in items:
                yield str(item.get("text" if key == "layouts" else "position", ""))
            return
    yield text
