"""Text formats of frames and layouts: one parse and one format each, liberal in, canonical out.

docs/formats.md has the grammar. A frame of a tiling is rows of marks under optional header lines;
a frame of a graph is JSON. Text that begins with WxHxM is JSMinesweeper's, whose letters then hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from sapper.errors import NotationError
from sapper.model.board import Board, Ints
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.model.json_forms import (
    Size,
    any_board_from_json,
    at,
    frame_from_json,
    frame_to_json,
    layout_from_json,
    layout_to_json,
    read_json,
    read_size,
    write_json,
)
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
_COUNT = re.compile(r"\d{1,9}", re.ASCII)
# What a line may hold besides the cells: white space within a row is decoration.
_BLANKS = re.compile(r"\s+")


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
        return frame_from_json(read_json(text))
    header, rows = _split(text)
    jsm = _JSM_SIZE.fullmatch(rows[0][1]) if rows and not header else None
    if jsm is not None:
        size = _checked(Size("square", int(jsm[1]), int(jsm[2])), rows[0][0])
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
        return write_json(frame_to_json(frame))
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
        return layout_from_json(read_json(text))
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
        return write_json(layout_to_json(layout))
    header = "" if board.tiling == "square" else f"layout: {board}\n"
    marks = layout.mines.astype(np.int32)
    if layout.click is not None:
        marks[layout.click] = CLICK
    return header + _write_rows(marks, board, LAYOUT_MARKS)


def parse_board(text: str) -> Board:
    """Read a board from the JSON of a frame, a layout, or of nothing but cells and edges."""
    return any_board_from_json(read_json(text))


def _is_json(text: str) -> bool:
    return text.removeprefix("\ufeff").lstrip().startswith("{")


def _is_layout(text: str) -> bool:
    if _is_json(text):
        return "layout" in read_json(text)
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


def _size_of(entry: tuple[int, str] | None, rows: Lines) -> Size:
    """The board that the header names; without one a square board as large as the rows."""
    if entry is None:
        return _checked(Size("square", len(_BLANKS.sub("", rows[0][1])), len(rows)), rows[0][0])
    number, text = entry
    return _checked(at(f"line {number}", lambda: read_size(text)), number)


def _checked(size: Size, number: int) -> Size:
    at(f"line {number}", lambda: check_size(*size))
    return size


def _read_count(number: int, text: str) -> int:
    if _COUNT.fullmatch(text) is None:
        raise NotationError(f"line {number}: expected a number of mines, got {text!r:.60}")
    return int(text)


def _read_rows(rows: Lines, size: Size, marks: Mapping[str, int]) -> Ints:
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
