"""Text formats of frames and layouts: one parse and one format each, liberal in, canonical out.

docs/formats.md has the grammar. A frame of a tiling is rows of marks under optional header lines;
a frame of a graph is JSON. Text that begins with WxHxM is JSMinesweeper's, whose letters then hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sapper.errors import NotationError, RulesError
from sapper.model.board import Board, Ints, Outline, Point, is_name
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.model.layout import Layout
from sapper.model.tilings import check_size, tiling

# One character a mark; the first spelling of a mark is the canonical one.
MARKS: dict[str, int] = {
    ".": 0,
    **{digit: int(digit) for digit in "123456789"},
    **{letter: 10 + i for i, letter in enumerate("abc")},
    "#": BLANK,
    "F": FLAG,
    "0": 0,
    "?": BLANK,
    "H": BLANK,
}
JSM_MARKS: dict[str, int] = {
    **{digit: int(digit) for digit in "012345678"},
    "H": BLANK,
    "F": FLAG,
    "M": FLAG,
    "?": FLAG,
}
FREE, MINE, CLICK = 0, 1, 2
LAYOUT_MARKS: dict[str, int] = {".": FREE, "*": MINE, "c": CLICK, "C": CLICK}

# The value is stripped afterwards: a lazy group before \s* would take quadratic time.
_HEADER = re.compile(r"\s*(board|mines|layout)\s*:(.*)")
_JSM_SIZE = re.compile(r"\s*(\d{1,5})x(\d{1,5})x(\d{1,9})\s*", re.ASCII)
_BOARD = re.compile(r"(\S+)\s+(\d{1,9})\s*x\s*(\d{1,9})", re.ASCII)
_COUNT = re.compile(r"\d{1,9}", re.ASCII)
# What a line may hold besides the cells: white space within a row is decoration.
_BLANKS = re.compile(r"\s+")

T = TypeVar("T")


def parse_position(text: str) -> Frame | Layout:
    """Read a frame or a layout, whichever the text is.

    A layout says so in its header or JSON, or holds nothing but mines, empty cells and a click.
    """
    return parse_layout(text) if _is_layout(text) else parse_frame(text)


def parse_frame(text: str) -> Frame:
    """Read a frame.

    >>> parse_frame("mines: 1\\n 1 # F").marks.tolist()
    [1, -1, -2]
    """
    if _is_json(text):
        return _frame_from_json(_read_json(text))
    header, rows = _split(text)
    jsm = _JSM_SIZE.fullmatch(rows[0][1]) if rows and not header else None
    if jsm is not None:
        size = _checked(_Size("square", int(jsm[1]), int(jsm[2])), rows[0][0])
        marks = _read_rows(rows[1:], size, JSM_MARKS)
        return Frame(tiling(*size), marks, int(jsm[3]))
    if "layout" in header:
        raise NotationError(f"line {header['layout'][0]}: expected a frame, got a layout")
    size = _size_of(header.get("board"), rows)
    mines = None if "mines" not in header else _read_count(*header["mines"])
    marks = _read_rows(rows, size, MARKS)
    return Frame(tiling(*size), marks, mines)


def format_frame(frame: Frame) -> str:
    """Write a frame: text for a tiling, JSON for a graph."""
    board = frame.board
    if board.tiling is None:
        return _write_json(_frame_to_json(frame))
    header = "" if board.tiling == "square" else f"board: {board}\n"
    if frame.mines is not None:
        header += f"mines: {frame.mines}\n"
    return header + _write_rows(frame.marks, board, MARKS)


def parse_layout(text: str) -> Layout:
    """Read a layout.

    >>> layout = parse_layout("*..\\n..c")
    >>> layout.mine_count, layout.click
    (1, 5)
    """
    if _is_json(text):
        return _layout_from_json(_read_json(text))
    header, rows = _split(text)
    if "board" in header or "mines" in header:
        number = next(iter(header.values()))[0]
        raise NotationError(f"line {number}: expected a layout, got a frame")
    size = _size_of(header.get("layout"), rows)
    marks = _read_rows(rows, size, LAYOUT_MARKS)
    clicks = np.flatnonzero(marks == CLICK)
    if len(clicks) > 1:
        raise NotationError(f"expected at most one click, got {len(clicks)}")
    return Layout(tiling(*size), marks == MINE, int(clicks[0]) if len(clicks) else None)


def format_layout(layout: Layout) -> str:
    """Write a layout: text for a tiling, JSON for a graph."""
    board = layout.board
    if board.tiling is None:
        return _write_json(_layout_to_json(layout))
    header = "" if board.tiling == "square" else f"layout: {board}\n"
    marks = layout.mines.astype(np.int32)
    if layout.click is not None:
        marks[layout.click] = CLICK
    return header + _write_rows(marks, board, LAYOUT_MARKS)


def _is_json(text: str) -> bool:
    return text.removeprefix("\ufeff").lstrip().startswith("{")


def _is_layout(text: str) -> bool:
    if _is_json(text):
        return "layout" in _read_json(text)
    header, rows = _split(text)
    if header:
        return "layout" in header
    used = set(_BLANKS.sub("", "".join(row for _, row in rows)))
    return used <= LAYOUT_MARKS.keys() and used != {"."}


Lines = list[tuple[int, str]]


def _split(text: str) -> tuple[dict[str, tuple[int, str]], Lines]:
    """The header, with the line number of each entry, and the numbered lines of the rows."""
    header: dict[str, tuple[int, str]] = {}
    rows: Lines = []
    gap = 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip():
            gap = number if rows else 0
            continue
        match = _HEADER.fullmatch(line)
        if gap or (match and rows):
            raise NotationError(f"line {number}: expected one position, got more: {line!r:.60}")
        if match is None:
            rows.append((number, line))
        elif match[1] in header:
            raise NotationError(f"line {number}: expected one {match[1]!r}, got a second")
        else:
            header[match[1]] = (number, match[2].strip())
    if not rows:
        raise NotationError("expected rows of cells, got none")
    return header, rows


class _Size(NamedTuple):
    """A tiling with its width and height: a board that is not built before its rows are read."""

    tiling: str
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.tiling} {self.width}x{self.height}"


def _size_of(entry: tuple[int, str] | None, rows: Lines) -> _Size:
    """The board that the header names; without one a square board as large as the rows."""
    if entry is None:
        return _checked(_Size("square", len(_BLANKS.sub("", rows[0][1])), len(rows)), rows[0][0])
    number, text = entry
    return _checked(_at(f"line {number}", lambda: _read_size(text)), number)


def _read_size(text: str) -> _Size:
    match = _BOARD.fullmatch(text)
    if match is None:
        raise NotationError(f"expected a board such as 'square 9x9', got {text!r:.60}")
    return _Size(match[1], int(match[2]), int(match[3]))


def _checked(size: _Size, number: int) -> _Size:
    _at(f"line {number}", lambda: check_size(*size))
    return size


def _read_count(number: int, text: str) -> int:
    if _COUNT.fullmatch(text) is None:
        raise NotationError(f"line {number}: expected a number of mines, got {text!r:.60}")
    return int(text)


def _read_rows(rows: Lines, size: _Size, marks: Mapping[str, int]) -> Ints:
    _, width, height = size
    if len(rows) != height:
        raise NotationError(f"expected {height} rows for {size}, got {len(rows)}")
    unknown = -128
    table = np.full(128, unknown, dtype=np.int8)
    for letter, mark in marks.items():
        table[ord(letter)] = mark
    cells = np.empty((height, width), dtype=np.int32)
    for row, (number, line) in enumerate(rows):
        packed = _BLANKS.sub("", line)
        if len(packed) != width:
            raise NotationError(
                f"line {number}: expected {width} cells, got {len(packed)}: {line.strip()!r:.60}"
            )
        codes = np.frombuffer(packed.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        cells[row] = np.where(codes < 128, table[codes & 127], unknown)
    if (cells == unknown).any():
        row, column = (int(i) for i in np.argwhere(cells == unknown)[0])
        letter = _BLANKS.sub("", rows[row][1])[column]
        known = " ".join(marks)
        raise NotationError(
            f"line {rows[row][0]}, cell {column + 1}: expected one of {known}, got {letter!r}"
        )
    return cells.reshape(-1)


def _write_rows(values: Ints, board: Board, marks: Mapping[str, int]) -> str:
    width, height = board.size
    lowest = min(marks.values())
    letters = [""] * (max(marks.values()) - lowest + 1)
    for letter, mark in reversed(list(marks.items())):
        letters[mark - lowest] = letter
    table = np.frombuffer("".join(letters).encode(), dtype=np.uint8)
    text = np.full((height, width + 1), ord("\n"), dtype=np.uint8)
    text[:, :width] = table[values - lowest].reshape(height, width)
    return text.tobytes().decode("ascii")


# JSON: the form for any graph. A tiling may be named in place of cells and edges.

_BOARD_KEYS = {"board", "cells", "edges", "positions", "outlines"}


def _read_json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotationError(f"{place}: expected JSON, got an error: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise NotationError(f"expected JSON of a frame or layout, got {error}") from None
    if not isinstance(data, dict):
        raise NotationError(f"expected a JSON object, got {type(data).__name__}")
    return data


def _write_json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _frame_from_json(data: dict[str, Any]) -> Frame:
    _known_keys(data, _BOARD_KEYS | {"mines", "hints", "flags"})
    board = board_from_json(data)
    hints = _take(data, "hints", dict, {})
    for name, hint in hints.items():
        if type(hint) is not int or not 0 <= hint < 2**31:
            raise NotationError(f"hints: expected a number for {name!r:.60}, got {hint!r:.60}")
    mines = data.get("mines")
    if mines is not None and (type(mines) is not int or not 0 <= mines < 2**31):
        raise NotationError(f"mines: expected a number, got {mines!r:.60}")
    return _at("hints or flags", lambda: Frame.of(board, hints, _names(data, "flags"), mines))


def _frame_to_json(frame: Frame) -> dict[str, Any]:
    data = board_to_json(frame.board)
    if frame.mines is not None:
        data["mines"] = frame.mines
    data["hints"] = {frame.board.name(int(c)): int(frame.marks[c]) for c in frame.revealed}
    data["flags"] = list(frame.names(frame.flags))
    return data


def _layout_from_json(data: dict[str, Any]) -> Layout:
    _known_keys(data, _BOARD_KEYS | {"layout", "click"})
    board = board_from_json(data)
    mask = np.zeros(len(board), dtype=np.uint8)
    for name in _names(data, "layout"):
        mask[_at("layout", lambda name=name: board.cell(name))] = 1  # type: ignore[misc]
    click = data.get("click")
    if click is not None and not isinstance(click, str):
        raise NotationError(f"click: expected a cell's name, got {click!r:.60}")
    try:
        return Layout(board, mask, None if click is None else board.cell(click))
    except (NotationError, RulesError) as error:
        raise NotationError(f"click: {error}") from None


def _layout_to_json(layout: Layout) -> dict[str, Any]:
    data = board_to_json(layout.board)
    data["layout"] = [layout.board.name(int(c)) for c in np.flatnonzero(layout.mines)]
    if layout.click is not None:
        data["click"] = layout.board.name(layout.click)
    return data


def parse_board(text: str) -> Board:
    """Read a board from the JSON of a frame, a layout, or of nothing but cells and edges."""
    data = _read_json(text)
    _known_keys(data, _BOARD_KEYS | {"mines", "hints", "flags", "layout", "click"})
    return board_from_json(data)


def board_from_json(data: Mapping[str, Any]) -> Board:
    """The board of a JSON object: cells and edges, or a tiling's name and size."""
    if "board" in data:
        if "cells" in data or "edges" in data:
            raise NotationError("expected a board or its cells and edges, got both")
        spec = _take(data, "board", str, "")
        return _at("board", lambda: tiling(*_read_size(spec)))
    edges = _take(data, "edges", list, [])
    cells = _names(data, "cells") if "cells" in data else None
    if cells is not None and len(set(cells)) != len(cells):
        raise NotationError("cells: expected different names, got one twice")
    for edge in edges:
        if not isinstance(edge, list) or len(edge) != 2 or not all(map(is_name, edge)):
            raise NotationError(f"edges: expected pairs of names, got {edge!r:.60}")
    positions = {name: _point(at) for name, at in _take(data, "positions", dict, {}).items()}
    outlines = {name: _outline(at) for name, at in _take(data, "outlines", dict, {}).items()}
    return _at(
        "cells and edges",
        lambda: Board.from_edges(
            [(a, b) for a, b in edges],
            cells,
            outlines=outlines or None,
            positions=positions or None,
        ),
    )


def board_to_json(board: Board) -> dict[str, Any]:
    """A board as a JSON object that `board_from_json` reads back."""
    if board.tiling is not None:
        return {"board": str(board)}
    data: dict[str, Any] = {
        "cells": list(board.names),
        "edges": [[board.name(a), board.name(b)] for a, b in board.edges()],
    }
    positions = {board.name(cell): board.position(cell) for cell in board.cells}
    if all(positions.values()):
        data["positions"] = positions
    if board.has_outlines:
        data["outlines"] = {board.name(cell): board.outline(cell) for cell in board.cells}
    return data


def _known_keys(data: Mapping[str, Any], known: set[str]) -> None:
    for key in data:
        if key not in known:
            raise NotationError(f"expected keys among {', '.join(sorted(known))}, got {key!r:.60}")


def _take(data: Mapping[str, Any], key: str, kind: type[T], default: T) -> T:
    value = data.get(key, default)
    if not isinstance(value, kind):
        raise NotationError(f"{key}: expected {_JSON_NAMES[kind]}, got {value!r:.60}")
    return value


_JSON_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "text"}


def _names(data: Mapping[str, Any], key: str) -> list[str]:
    names: list[str] = _take(data, key, list, [])
    for name in names:
        if not is_name(name):
            raise NotationError(f"{key}: expected names without white space, got {name!r:.60}")
    return names


def _point(value: Any) -> Point:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(type(x) in (int, float) and abs(x) < 1e6 for x in value)
    ):
        raise NotationError(f"expected a point as [x, y], got {value!r:.60}")
    return float(value[0]), float(value[1])


def _outline(value: Any) -> Outline:
    if not isinstance(value, list) or len(value) < 3:
        raise NotationError(f"outlines: expected at least three points, got {value!r:.60}")
    return tuple(map(_point, value))


def _at(place: str, read: Callable[[], T]) -> T:
    """Run a reader of the model; what it refuses is an error of the text at that place."""
    try:
        return read()
    except (NotationError, RulesError) as error:
        raise NotationError(f"{place}: {error}") from None
