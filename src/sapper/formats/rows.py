"""Formats with one character for each cell: Sapper's, JSMinesweeper's and minesweepr's.

docs/formats.md has the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import tiling
from sapper.errors import NotationError, UnknownName, unknown_name
from sapper.formats.json_format import Size, checked_size, error_place, read_size

# One character for each mark; the first one of a mark is written, the others are only read.
MARKS: dict[str, int] = {
    ".": 0,
    **{digit: int(digit) for digit in "123456789"},
    **{letter: 10 + i for i, letter in enumerate("abc")},
    "#": COVERED,
    "F": FLAG,
    "0": 0,
    "?": COVERED,
    "H": COVERED,
}
JSM_MARKS: dict[str, int] = {
    **{digit: int(digit) for digit in "012345678"},
    "H": COVERED,
    "F": FLAG,
    "M": FLAG,
    "?": FLAG,
}
MINESWEEPR_MARKS: dict[str, int] = {
    ".": 0,
    **{digit: int(digit) for digit in "012345678"},
    "x": COVERED,
    "*": FLAG,
}
EMPTY, MINE, CLICK = 0, 1, 2
LAYOUT_MARKS: dict[str, int] = {".": EMPTY, "*": MINE, "c": CLICK, "C": CLICK}

# The value is stripped afterwards: a lazy group before \s* would take quadratic time.
_HEADER = re.compile(r"\s*([A-Za-z][A-Za-z_-]{0,40})\s*:(.*)")
HEADERS = ("board", "mines", "layout")
_JSM_SIZE = re.compile(r"\s*(\d{1,5})[xX](\d{1,5})[xX](\d{1,9})\s*", re.ASCII)
_COUNT = re.compile(r"\d{1,9}", re.ASCII)
_WHITE_SPACE = re.compile(r"\s+")

NumberedLines = list[tuple[int, str]]


def read_position(text: str) -> Position:
    r"""Read rows of marks under optional header lines.

    >>> read_position("mines: 1\n 1 # F").marks.tolist()
    [1, -1, -2]
    """
    header, rows = _split_header(text)
    if "layout" in header:
        raise NotationError(f"line {header['layout'][0]}: expected a position, got a layout")
    size = _size_of(header.get("board"), rows)
    mines = None if "mines" not in header else _read_count(*header["mines"])
    marks = read_rows(rows, size, MARKS)
    return Position(tiling(*size), marks, mines)


def write_position(position: Position) -> str:
    """Write a position of a tiling."""
    _require_tiling(position.board)
    header = "" if position.board.tiling == "square" else f"board: {position.board}\n"
    if position.mines is not None:
        header += f"mines: {position.mines}\n"
    return header + write_rows(position.marks, position.board, MARKS)


def is_layout(text: str) -> bool:
    """Return whether there is a header `layout`, or only mines, empty cells and a click."""
    header, rows = _split_header(text)
    if header:
        return "layout" in header
    used = set(_WHITE_SPACE.sub("", "".join(row for _, row in rows)))
    return used <= LAYOUT_MARKS.keys() and used != {"."}


def read_layout(text: str) -> Layout:
    r"""Read rows of mines and empty cells under an optional header line.

    >>> layout = read_layout("*..\n..c")
    >>> layout.mine_count, layout.click
    (1, 5)
    """
    header, rows = _split_header(text)
    if "board" in header or "mines" in header:
        line_number = next(iter(header.values()))[0]
        raise NotationError(f"line {line_number}: expected a layout, got a position")
    size = _size_of(header.get("layout"), rows)
    marks = read_rows(rows, size, LAYOUT_MARKS)
    clicks = np.flatnonzero(marks == CLICK)
    if len(clicks) > 1:
        raise NotationError(f"expected at most one click, got {len(clicks)}")
    return Layout(tiling(*size), marks == MINE, int(clicks[0]) if len(clicks) else None)


def write_layout(layout: Layout) -> str:
    """Write a layout of a tiling."""
    _require_tiling(layout.board)
    header = "" if layout.board.tiling == "square" else f"layout: {layout.board}\n"
    marks = layout.mine_mask.astype(np.int32)
    if layout.click is not None:
        marks[layout.click] = CLICK
    return header + write_rows(marks, layout.board, LAYOUT_MARKS)


def is_jsm(text: str) -> bool:
    """Return whether the first line is WxHxM."""
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    return _JSM_SIZE.fullmatch(first) is not None


def read_jsm(text: str) -> Position:
    r"""Read JSMinesweeper's rows under WxHxM.

    >>> print(read_jsm("3x1x1\nH1F"))
    mines: 1
    #1F
    """
    _, rows = _split_header(text)
    match = _JSM_SIZE.fullmatch(rows[0][1])
    if match is None:
        raise NotationError(f"line {rows[0][0]}: expected 30x16x99, got {rows[0][1].strip()!r:.60}")
    width, height, mines = map(int, match.groups())
    size = checked_size(f"line {rows[0][0]}", Size("square", width, height))
    marks = read_rows(rows[1:], size, JSM_MARKS)
    return Position(tiling(*size), marks, mines)


def write_jsm(position: Position) -> str:
    """Write a position of a square board whose mine count is known."""
    width, height = require_square(position, needs_mine_count=True)
    rows = write_rows(position.marks, position.board, JSM_MARKS)
    return f"{width}x{height}x{position.mines}\n{rows}"


def is_minesweepr(text: str) -> bool:
    """Return whether rows have an `x`, or both mines and numbers: Sapper's formats do not."""
    rows = [_WHITE_SPACE.sub("", row) for row in text.removeprefix("\ufeff").splitlines()]
    rows = list(filter(None, rows))
    used = set("".join(rows))
    if not used <= MINESWEEPR_MARKS.keys() or (is_jsm(text) and not _begins_with_cells(rows)):
        return False
    return "x" in used or ("*" in used and not used.isdisjoint("012345678"))


def _begins_with_cells(rows: list[str]) -> bool:
    """Return whether a first row such as 1x11x1 is cells, not the size of the rows below it."""
    size = _JSM_SIZE.fullmatch(rows[0])
    assert size is not None
    is_size = [int(size[1])] * int(size[2]) == [len(row) for row in rows[1:]]
    return not is_size and len(rows) > 1 and len(set(map(len, rows))) == 1


def read_minesweepr(text: str) -> Position:
    r"""Read minesweepr's rows; its known mines become flags, and there is no mine count.

    >>> print(read_minesweepr("x1.\n*1."))
    #1.
    F1.
    """
    _, rows = _split_header(text)
    size = _size_of(None, rows)
    return Position(tiling(*size), read_rows(rows, size, MINESWEEPR_MARKS))


def write_minesweepr(position: Position) -> str:
    """Write a position of a square board, without its mine count.

    A position that would be read as another format is refused: it needs a covered cell, or a flag
    and a number.
    """
    require_square(position)
    text = write_rows(position.marks, position.board, MINESWEEPR_MARKS)
    if not is_minesweepr(text):
        raise NotationError(
            f"expected a position with a covered cell, or with flags and numbers, got {position!r}"
        )
    return text


def require_square(
    position_or_layout: Position | Layout, needs_mine_count: bool = False
) -> tuple[int, int]:
    """Return width and height of a square board with numbers up to 8; else raise NotationError.

    With *needs_mine_count*, a position must have a mine count.
    """
    expected, fits = "layout", position_or_layout.board.tiling == "square"
    if isinstance(position_or_layout, Position):
        expected = "position with its mine count" if needs_mine_count else "position"
        fits = fits and position_or_layout.marks.max() < 9
        fits = fits and not (needs_mine_count and position_or_layout.mines is None)
    if not fits:
        raise NotationError(f"expected a square {expected}, got {position_or_layout!r}")
    return position_or_layout.board.size


def _require_tiling(board: Board) -> None:
    if board.tiling is None:
        raise NotationError("a graph can only be written as JSON")


def _split_header(text: str) -> tuple[dict[str, tuple[int, str]], NumberedLines]:
    """Return the header, with the line number of each entry, and the numbered rows."""
    header: dict[str, tuple[int, str]] = {}
    rows: NumberedLines = []
    had_empty_line = False
    for line_number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip():
            had_empty_line = bool(rows)
            continue
        match = _HEADER.fullmatch(line)
        if had_empty_line:
            raise NotationError(
                f"line {line_number}: expected one position, got more: {line!r:.60}"
            )
        if match and rows:
            expected = "headers before the rows, or an empty line between two positions"
            raise NotationError(f"line {line_number}: expected {expected}, got {line!r:.60}")
        if match is None:
            rows.append((line_number, line))
            continue
        key = match[1].lower()
        if match[2].startswith("//"):
            expected = "a link to a position (analysis=, board=, b= and m=, or a game ID)"
            raise NotationError(
                f"line {line_number}: expected {expected}, got {line.strip()!r:.60}"
            )
        if key not in HEADERS:
            raise UnknownName(f"line {line_number}: {unknown_name('header', match[1], HEADERS)}")
        if key in header:
            raise NotationError(f"line {line_number}: the header {key!r} occurs twice")
        header[key] = (line_number, match[2].strip())
    if not rows:
        raise NotationError("expected rows of cells, got none")
    return header, rows


def _size_of(entry: tuple[int, str] | None, rows: NumberedLines) -> Size:
    """Return the size in the header, or that of a square board with these rows."""
    if entry is None:
        line_number, first = rows[0]
        size = Size("square", len(_WHITE_SPACE.sub("", first)), len(rows))
        return checked_size(f"line {line_number}", size)
    line_number, text = entry
    with error_place(f"line {line_number}"):
        size = read_size(text)
    return checked_size(f"line {line_number}", size)


def _read_count(line_number: int, text: str) -> int:
    if _COUNT.fullmatch(text) is None:
        raise NotationError(f"line {line_number}: expected a number of mines, got {text!r:.60}")
    return int(text)


def read_rows(rows: NumberedLines, size: Size, marks: Mapping[str, int]) -> Ints:
    """Return the marks of numbered lines, checked against the size."""
    _, width, height = size
    if len(rows) != height:
        raise NotationError(f"expected {height} rows for {size}, got {len(rows)}")
    unknown = -128
    table = np.full(128, unknown, dtype=np.int8)
    for character, mark in marks.items():
        table[ord(character)] = mark
    cells = np.empty((height, width), dtype=np.int32)
    for row, (line_number, line) in enumerate(rows):
        characters = _WHITE_SPACE.sub("", line)
        if len(characters) != width:
            raise NotationError(
                f"line {line_number}: expected {width} cells, got {len(characters)}: "
                f"{line.strip()!r:.60}"
            )
        code_points = np.frombuffer(
            characters.encode("utf-32-le", "surrogatepass"), dtype=np.uint32
        )
        cells[row] = np.where(code_points < 128, table[code_points & 127], unknown)
    if (cells == unknown).any():
        row, column = (int(i) for i in np.argwhere(cells == unknown)[0])
        character = _WHITE_SPACE.sub("", rows[row][1])[column]
        known = " ".join(marks)
        raise NotationError(
            f"line {rows[row][0]}, cell {column + 1}: expected one of {known}, got {character!r}"
        )
    return cells.reshape(-1)


def write_rows(values: Ints, board: Board, marks: Mapping[str, int]) -> str:
    """Write marks as lines, with the first character of each mark."""
    width, height = board.size
    lowest = min(marks.values())
    characters = [""] * (max(marks.values()) - lowest + 1)
    for character, mark in reversed(list(marks.items())):
        characters[mark - lowest] = character
    table = np.frombuffer("".join(characters).encode(), dtype=np.uint8)
    text = np.full((height, width + 1), ord("\n"), dtype=np.uint8)
    text[:, :width] = table[values - lowest].reshape(height, width)
    return text.tobytes().decode("ascii")
