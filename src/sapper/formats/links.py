"""Links of other programs: JSMinesweeper's analyses, layouts of PTTACGfans' calculator.

LlamaSweeper and minesweeper.online write both. The part before the `?` is ignored.
"""

from __future__ import annotations

import re
from itertools import groupby
from urllib.parse import parse_qs

import numpy as np

from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import tiling
from sapper.errors import NotationError
from sapper.formats.json_format import Size, checked_size, error_place
from sapper.formats.rows import require_square

JSM = "https://davidnhill.github.io/JSMinesweeper/index.html"
PTTA = "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/"

_LINK = re.compile(r"(?:\S*\?)?(\S+=\S*)", re.ASCII)
_BOARD = re.compile(r"(\d{1,5})x(\d{1,5})x(\d{1,9})", re.ASCII)

# JSMinesweeper has a symbol for each state of a cell (a number, I: mine found by its solver,
# H: covered, F: flag, O: number with too many flags), and each symbol has some of the digits.
# A run of equal cells is its length, written in the digits of their symbol.
_DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_DIGIT_COUNTS = {
    "0": 10, "1": 7, "2": 5, "3": 5, "4": 4, "5": 3, "6": 3, "7": 1, "8": 1,
    "I": 4, "H": 10, "F": 8, "O": 1,
}  # fmt: skip
_FOUND_MINE, _FLAG, _OVERFLAGGED = "I", "F", "O"
# Found mines become covered cells. Flags and found mines reduce the numbers around them.
_MARKS = {**{str(n): n for n in range(9)}, _FOUND_MINE: COVERED, "H": COVERED, _FLAG: FLAG}
# A few digits can encode any number of cells, so larger boards are refused.
MAX_LINK_CELLS = 100_000
# The digits before the cells: two for the width, two for the height, four for the mines.
_HEADER_DIGITS = 8

# PTTACGfans' names of sizes, and its digits; each digit encodes five cells.
_NAMED_SIZES = {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
_BASE_32 = "0123456789abcdefghijklmnopqrstuv"


def _digit_meanings() -> dict[str, tuple[str, int, int]]:
    """Return the symbol, the value and the base of each digit."""
    meanings, start = {}, 0
    for symbol, base in _DIGIT_COUNTS.items():
        for value, digit in enumerate(_DIGITS[start : start + base]):
            meanings[digit] = symbol, value, base
        start += base
    return meanings


_DIGIT_MEANINGS = _digit_meanings()


def _parameters(text: str) -> dict[str, str]:
    """Return the parameters of a link; none if the text is not a link."""
    match = _LINK.fullmatch(text.removeprefix("\ufeff").strip())
    if match is None:
        return {}
    try:
        values_by_key = parse_qs(match[1], keep_blank_values=True, max_num_fields=20)
    except ValueError:
        return {}
    return {key: values[-1] for key, values in values_by_key.items()}


def is_jsm_link(text: str) -> bool:
    """Return whether a text is a link with `analysis=` or with `board=WxHxM`."""
    parameters = _parameters(text)
    return "analysis" in parameters or _BOARD.fullmatch(parameters.get("board", "")) is not None


def read_jsm_link(text: str) -> Position:
    """Read the position of JSMinesweeper's link; with a board alone every cell is covered.

    >>> print(read_jsm_link("?board=3x1x1"))
    mines: 1
    ###
    """
    parameters = _parameters(text)
    if "analysis" in parameters:
        return _read_analysis(parameters["analysis"])
    match = _BOARD.fullmatch(parameters["board"])
    assert match is not None
    width, height, mines = map(int, match.groups())
    size = _link_size("board", width, height)
    return Position.initial(tiling(*size), mines)


def write_jsm_link(position: Position) -> str:
    """Write a position of a square board with its mine count as JSMinesweeper's link."""
    width, height = require_square(position, needs_mine_count=True)
    mines = position.mines or 0
    if width * height > MAX_LINK_CELLS or max(width, height) >= len(_DIGITS) ** 2:
        raise NotationError(f"the board is too large for a link: {position!r}")
    flags = position.board.count_around(position.marks == FLAG)
    marks = position.marks - np.where(position.marks >= 0, flags, 0)
    overflagged = np.flatnonzero((position.marks >= 0) & (marks < 0))
    if len(overflagged):
        name = position.board.name(int(overflagged[0]))
        raise NotationError(f"there are more flags around {name} than its number")
    symbol_of = {mark: symbol for symbol, mark in _MARKS.items() if symbol != _FOUND_MINE}
    symbols = "".join(symbol_of[mark] for mark in marks.tolist())
    runs = "".join(_encode_run(symbol, len(list(run))) for symbol, run in groupby(symbols))
    # "a" is the digit 0.
    sides = _encode_number(width).rjust(2, "a") + _encode_number(height).rjust(2, "a")
    header = sides + _encode_number(mines).rjust(4, "a")
    return f"{JSM}?board={width}x{height}x{mines}&analysis={header}{runs}\n"


def _read_analysis(code: str) -> Position:
    bad = next((digit for digit in code if digit not in _DIGIT_MEANINGS), None)
    if bad is not None:
        raise NotationError(f"analysis: expected letters and digits, got {bad!r}")
    if len(code) <= _HEADER_DIGITS:
        raise NotationError(
            f"analysis: expected a board after {_HEADER_DIGITS} digits, got {code!r:.60}"
        )
    width, height, mines = map(_decode_number, (code[:2], code[2:4], code[4:_HEADER_DIGITS]))
    size = _link_size("analysis", width, height)
    symbols = _decode_runs(code[_HEADER_DIGITS:], width * height)
    if _OVERFLAGGED in symbols:
        raise NotationError("analysis: a number has more flags around it than it shows")
    board = tiling(*size)
    marks = np.array([_MARKS[symbol] for symbol in symbols])
    known_mines = board.count_around(np.array([s in (_FLAG, _FOUND_MINE) for s in symbols]))
    with error_place("analysis"):
        return Position(board, marks + np.where(marks >= 0, known_mines, 0), mines)


def _link_size(place: str, width: int, height: int) -> Size:
    size = checked_size(place, Size("square", width, height))
    if width * height > MAX_LINK_CELLS:
        raise NotationError(
            f"{place}: expected at most {MAX_LINK_CELLS:,} cells, got {width}x{height}"
        )
    return size


def _decode_runs(code: str, total: int) -> str:
    """Return the symbols of *total* cells from their run-length code."""
    symbols = ""
    for symbol, run in groupby(code, lambda digit: _DIGIT_MEANINGS[digit][0]):
        count = 0
        for digit in run:
            _, value, base = _DIGIT_MEANINGS[digit]
            # In base 1 every digit is one cell. The count is capped, so that it cannot overflow.
            count = min(count + 1 if base == 1 else count * base + value, total + 1)
        symbols += symbol * count
        if len(symbols) > total:
            raise NotationError(f"analysis: expected {total} cells, got more")
    if len(symbols) < total:
        raise NotationError(f"analysis: expected {total} cells, got {len(symbols)}")
    return symbols


def _encode_run(symbol: str, length: int) -> str:
    digits = "".join(digit for digit, meaning in _DIGIT_MEANINGS.items() if meaning[0] == symbol)
    return digits * length if len(digits) == 1 else _encode_number(length, digits)


def _decode_number(code: str) -> int:
    value = 0
    for digit in code:
        value = value * len(_DIGITS) + _DIGITS.index(digit)
    return value


def _encode_number(value: int, digits: str = _DIGITS) -> str:
    code = ""
    while value:
        value, digit = divmod(value, len(digits))
        code = digits[digit] + code
    return code


def is_ptta_link(text: str) -> bool:
    """Return whether a text is a link with `b=` and `m=`."""
    parameters = _parameters(text)
    return "b" in parameters and "m" in parameters


def read_ptta_link(text: str) -> Layout:
    """Read the layout of a PTTACGfans or LlamaSweeper link: five cells a digit.

    >>> print(read_ptta_link("?b=32&m=gg"))
    *..
    ..*
    """
    parameters = _parameters(text)
    size = checked_size("b", Size("square", *_side_lengths(parameters["b"])))
    cells, code = size.width * size.height, parameters["m"].lower()
    if len(code) != (cells + 4) // 5:
        raise NotationError(f"m: expected {(cells + 4) // 5} characters, got {len(code)}")
    bad = next((digit for digit in code if digit not in _BASE_32), None)
    if bad is not None:
        raise NotationError(f"m: expected characters from 0 to v, got {bad!r}")
    bits = "".join(f"{_BASE_32.index(digit):05b}" for digit in code)
    if "1" in bits[cells:]:
        raise NotationError(f"m: expected mines on {cells} cells, got one beyond the last")
    return Layout(tiling(*size), [bit == "1" for bit in bits[:cells]])


def _side_lengths(text: str) -> tuple[int, int]:
    """Return width and height: a named size, or both with the same number of digits."""
    if text in _NAMED_SIZES:
        return _NAMED_SIZES[text]
    if not (text.isascii() and text.isdecimal() and len(text) % 2 == 0 and len(text) <= 10):
        raise NotationError(f"b: expected 1, 2, 3, or a size such as 4005, got {text!r:.60}")
    half = len(text) // 2
    return int(text[:half]), int(text[half:])


def write_ptta_link(layout: Layout) -> str:
    """Write a square layout as a PTTACGfans link, without its click."""
    width, height = require_square(layout)
    digits = max(len(str(width)), len(str(height)))
    names = {size: name for name, size in _NAMED_SIZES.items()}
    size = names.get((width, height), f"{width:0{digits}}{height:0{digits}}")
    bits = "".join(map(str, layout.mine_mask.tolist()))
    bits += "0" * (-len(bits) % 5)
    code = "".join(_BASE_32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))
    return f"{PTTA}?b={size}&m={code}\n"
