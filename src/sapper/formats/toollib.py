"""ms_toollib's formats: arrays of numbers, and `.board` files.

Both can hold a position or a layout.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import numpy as np

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import tiling
from sapper.errors import NotationError
from sapper.formats.json_format import Size, checked_size
from sapper.formats.rows import NumberedLines, read_rows, require_square, write_rows

MINE = -1
# ms_toollib's codes of cells in an array, besides the numbers 0 to 8.
_ARRAY_COVERED, _ARRAY_FLAG = 10, 11
# The mark of each code: 12 is proven safe and 18 is pressed, both still covered; 14 is a wrong
# flag, 15 and 16 are mines shown at the end.
_ARRAY_MARKS = {**{n: n for n in range(9)}, _ARRAY_COVERED: COVERED, 12: COVERED, 18: COVERED}
_ARRAY_MARKS |= {_ARRAY_FLAG: FLAG, 14: FLAG, 15: FLAG, 16: FLAG}

# The characters of the section [view]: exploded mines and mines shown at the end become flags; a
# wrong flag stays a flag.
VIEW_MARKS: dict[str, int] = {
    **{digit: int(digit) for digit in "012345678"},
    "U": COVERED,
    "F": FLAG,
    "?": COVERED,
    "X": FLAG,
    "@": FLAG,
    "#": FLAG,
}
# The characters of the section [real], which has the layout.
REAL_MARKS: dict[str, int] = {**{digit: int(digit) for digit in "012345678"}, "*": MINE, "@": MINE}
_EMOJI = str.maketrans(
    {"⬜": "U", "🚩": "F", "❓": "?", "💥": "X", "💣": "@", "❌": "#", "\ufe0f": "", "\u20e3": ""}
)

BOARD_FILE = "# MINESWEEPER-BOARD"
_VERSION = "v0.1"
_ENTRY = re.compile(r"\s*(\w+)\s*:(.*)")
_COUNT = re.compile(r"\d{1,9}", re.ASCII)


def is_array(text: str) -> bool:
    """Return whether a text begins with two brackets."""
    return re.match(r"\ufeff?\s*\[\s*\[", text) is not None


def read_array(text: str, result_type: type[Position] | type[Layout] | None) -> Position | Layout:
    """Read rows of numbers: a layout if -1 is among them, else a position.

    >>> print(read_array("[[10, 1], [11, 1]]", None))
    #1
    F1
    """
    rows = _rows_of_numbers(text)
    size = checked_size("array", Size("square", len(rows[0]), len(rows)))
    values = np.array(rows, dtype=np.int32).reshape(-1)
    if result_type is Layout or (result_type is None and (values == MINE).any()):
        return _checked_layout(size, values)
    bad = next((value for value in values.tolist() if value not in _ARRAY_MARKS), None)
    if bad is not None:
        known = ", ".join(map(str, sorted(_ARRAY_MARKS)))
        raise NotationError(f"expected cells as {known}, got {bad}")
    return Position(tiling(*size), [_ARRAY_MARKS[value] for value in values.tolist()])


def write_array(position_or_layout: Position | Layout) -> str:
    """Write a square position or layout as rows of numbers, without mine count and click."""
    width, height = require_square(position_or_layout)
    if isinstance(position_or_layout, Layout):
        if not position_or_layout.mine_count:
            raise NotationError(
                "a layout without mines cannot be written: it would read as a position"
            )
        values = np.where(position_or_layout.mine_mask > 0, MINE, position_or_layout.numbers)
    else:
        marks = position_or_layout.marks
        values = np.where(
            marks == FLAG, _ARRAY_FLAG, np.where(marks == COVERED, _ARRAY_COVERED, marks)
        )
    return json.dumps(values.reshape(height, width).tolist()) + "\n"


def _rows_of_numbers(text: str) -> list[list[int]]:
    try:
        rows = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise NotationError("expected rows of numbers such as [[0, 1], [10, 11]]") from None
    if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
        raise NotationError("expected a list of rows, none of them empty")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise NotationError(f"row {number}: expected {len(rows[0])} cells, got {len(row)}")
        bad = next(
            (x for x in row if type(x) is not int or not MINE <= x <= max(_ARRAY_MARKS)), None
        )
        if bad is not None:
            raise NotationError(f"row {number}: expected cells from -1 to 18, got {bad!r:.60}")
    return rows


def _checked_layout(size: Size, values: Ints) -> Layout:
    """Return the layout of a board with mines and numbers; the numbers must be right."""
    layout = Layout(tiling(*size), values == MINE)
    wrong = np.flatnonzero((values != MINE) & (values != layout.numbers))
    if len(wrong):
        cell = int(wrong[0])
        raise NotationError(
            f"expected {layout.numbers[cell]} at {layout.board.name(cell)}, got {values[cell]}"
        )
    return layout


def is_board_file(text: str) -> bool:
    """Return whether the first line is that of a `.board` file."""
    return text.removeprefix("\ufeff").lstrip().startswith(BOARD_FILE)


def read_board_file(
    text: str, result_type: type[Position] | type[Layout] | None
) -> Position | Layout:
    r"""Read the position of a `.board` file, or its layout.

    Without a *result_type*, the layout is read only if the file has no position.

    >>> text = BOARD_FILE + " v0.1\nrows: 1\ncolumns: 3\nmines: 1\n[view]\nU1F"
    >>> print(read_board_file(text, None))
    mines: 1
    #1F
    """
    entries, sections = _split_board_file(text)
    width, height = _number_entry(entries, "columns"), _number_entry(entries, "rows")
    size = checked_size("board", Size("square", width, height))
    mines = _number_entry(entries, "mines")
    has_position = "view" in sections
    is_layout = result_type is Layout or (result_type is None and not has_position)
    section = "real" if is_layout else "view"
    if section not in sections:
        raise NotationError(f"expected a section [{section}], got {', '.join(sections) or 'none'}")
    marks = read_rows(sections[section], size, REAL_MARKS if section == "real" else VIEW_MARKS)
    if section == "view":
        return Position(tiling(*size), marks, mines)
    layout = _checked_layout(size, marks)
    if layout.mine_count != mines:
        raise NotationError(f"expected {mines} mines, got {layout.mine_count}")
    return layout


def write_board_file(position_or_layout: Position | Layout) -> str:
    """Write a square layout, or a position with its mine count, as a `.board` file."""
    width, height = require_square(position_or_layout, needs_mine_count=True)
    if isinstance(position_or_layout, Position):
        section, mines = "view", position_or_layout.mines
        rows = write_rows(position_or_layout.marks, position_or_layout.board, VIEW_MARKS)
    else:
        section, mines = "real", position_or_layout.mine_count
        values = np.where(
            position_or_layout.mine_mask > 0, MINE, position_or_layout.numbers
        ).astype(np.int32)
        rows = write_rows(values, position_or_layout.board, REAL_MARKS)
    header = f"{BOARD_FILE} {_VERSION}\n# Render: ascii\n\n"
    entries = f"rows: {height}\ncolumns: {width}\nmines: {mines}\ngame_mode: classic\n\n"
    return f"{header}{entries}[{section}]\n{rows}"


def _split_board_file(text: str) -> tuple[dict[str, str], dict[str, NumberedLines]]:
    """Return the entries, and the numbered lines of each section."""
    lines = text.removeprefix("\ufeff").lstrip().splitlines()
    version = lines[0].removeprefix(BOARD_FILE).strip()
    if version != _VERSION:
        raise NotationError(f"line 1: expected {BOARD_FILE} {_VERSION}, got {version!r:.60}")
    entries: dict[str, str] = {}
    sections: dict[str, NumberedLines] = {}
    rows: NumberedLines | None = None
    for line_number, line in enumerate(lines[1:], start=2):
        section = line.strip().strip("[]")
        entry = _ENTRY.fullmatch(line)
        if section in ("real", "view") and line.strip() == f"[{section}]":
            if section in sections:
                raise NotationError(f"line {line_number}: expected one [{section}], got a second")
            rows = sections[section] = []
        elif rows is not None and line.strip():
            rows.append((line_number, line.translate(_EMOJI)))
        elif rows is None and entry is not None:
            entries.setdefault(entry[1], entry[2].strip())
        elif line.strip() and not line.lstrip().startswith("#"):
            raise NotationError(
                f"line {line_number}: expected 'key: value', got {line.strip()!r:.60}"
            )
    return entries, sections


def _number_entry(entries: Mapping[str, str], key: str) -> int:
    text = entries.get(key, "")
    if _COUNT.fullmatch(text) is None:
        raise NotationError(f"{key}: expected a number, got {text!r:.60}")
    return int(text)
