"""JSON of boards, rules, positions and layouts; the only format for graphs.

A tiling may be named in place of cells and edges.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sapper.board.board import Board, is_cell_name
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.board.tilings import check_size, tiling
from sapper.errors import NotationError, RulesError

T = TypeVar("T")

_SIZE = re.compile(r"(\S+)\s+(\d{1,9})\s*[xX\u00d7]\s*(\d{1,9})", re.ASCII)
MAX_DIGITS = 20
_BOARD_KEYS = {"board", "cells", "edges", "positions", "outlines"}
_POSITION_KEYS = {"mines", "numbers", "flags"}
_LAYOUT_KEYS = {"layout", "click"}


class Size(NamedTuple):
    """A tiling with width and height, for checks before the board is built."""

    tiling: str
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.tiling} {self.width}x{self.height}"


def read_size(text: str) -> Size:
    """Read a tiling with its size, such as 'hexagonal 9x9'."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise NotationError(f"expected a board such as 'square 9x9', got {text!r:.60}")
    return Size(match[1], int(match[2]), int(match[3]))


def checked_size(place: str, size: Size) -> Size:
    """Return a size; raise NotationError, with its place in the text, if there is no such board."""
    with error_place(place):
        check_size(*size)
    return size


def is_json(text: str) -> bool:
    """Return whether a text begins with a brace."""
    return text.removeprefix("\ufeff").lstrip().startswith("{")


def read_json(text: str) -> dict[str, Any]:
    """Read one JSON object; raise NotationError with the place of a mistake."""
    try:
        data = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_parse_object, parse_int=_parse_integer
        )
    except NotationError:
        raise
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotationError(f"{place}: invalid JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise NotationError(f"invalid JSON: {error}") from None
    if not isinstance(data, dict):
        raise NotationError(f"expected a JSON object, got {type(data).__name__}")
    return data


def _parse_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise NotationError(f"the JSON key {repeated!r:.60} occurs twice")
    return data


def _parse_integer(digits: str) -> int:
    # Python's error for thousands of digits has another form; no valid number has more than 20.
    if len(digits) > MAX_DIGITS:
        raise NotationError(
            f"expected numbers of at most {MAX_DIGITS} digits, got one of {len(digits):,}"
        )
    return int(digits)


def write_json(data: dict[str, Any]) -> str:
    """Write a JSON object on one line."""
    return json.dumps(data, ensure_ascii=False) + "\n"


def position_from_json(data: dict[str, Any]) -> Position:
    """Read a position from a JSON object."""
    _check_keys(data, _BOARD_KEYS | _POSITION_KEYS)
    board = board_from_json(data)
    numbers = _get(data, "numbers", dict, {})
    for name, number in numbers.items():
        _check_count(number, f"numbers, {name!r:.60}")
    mines = data.get("mines")
    if mines is not None:
        _check_count(mines, "mines")
    flags = _get_names(data, "flags")
    with error_place("numbers or flags"):
        return Position.of(board, numbers, flags, mines)


def position_to_json(position: Position) -> dict[str, Any]:
    """Return a position as a JSON object that `position_from_json` reads back."""
    data = board_to_json(position.board)
    if position.mines is not None:
        data["mines"] = position.mines
    revealed = position.revealed
    numbers = position.marks[revealed].tolist()
    data["numbers"] = dict(zip(position.names(revealed), numbers, strict=True))
    data["flags"] = list(position.names(position.flags))
    return data


def layout_from_json(data: dict[str, Any]) -> Layout:
    """Read a layout from a JSON object."""
    _check_keys(data, _BOARD_KEYS | _LAYOUT_KEYS)
    board = board_from_json(data)
    mask = np.zeros(len(board), dtype=np.uint8)
    for name in _get_names(data, "layout"):
        with error_place("layout"):
            mask[board.cell(name)] = 1
    click = data.get("click")
    if click is not None and not isinstance(click, str):
        raise NotationError(f"click: expected a cell's name, got {click!r:.60}")
    with error_place("click"):
        return Layout(board, mask, None if click is None else board.cell(click))


def layout_to_json(layout: Layout) -> dict[str, Any]:
    """Return a layout as a JSON object that `layout_from_json` reads back."""
    data = board_to_json(layout.board)
    data["layout"] = [layout.board.name(int(c)) for c in layout.mine_cells]
    if layout.click is not None:
        data["click"] = layout.board.name(layout.click)
    return data


def rules_from_json(data: Mapping[str, Any]) -> Rules:
    """Read rules from a JSON object: a board, its mines and the rule of the first click."""
    _check_keys(data, _BOARD_KEYS | {"mines", "rule"})
    _check_count(data.get("mines"), "mines")
    return Rules(board_from_json(data), data["mines"], _get(data, "rule", str, "zero"))


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Return rules as a JSON object that `rules_from_json` reads back."""
    return board_to_json(rules.board) | {"mines": rules.mines, "rule": rules.rule}


def any_board_from_json(data: Mapping[str, Any]) -> Board:
    """Read the board from the JSON object of a board, a position or a layout."""
    _check_keys(data, _BOARD_KEYS | _POSITION_KEYS | _LAYOUT_KEYS)
    return board_from_json(data)


def board_from_json(data: Mapping[str, Any]) -> Board:
    """Read a board from a JSON object: cells and edges, or a tiling's name and size."""
    if "board" in data:
        if len(_BOARD_KEYS & data.keys()) > 1:
            raise NotationError("expected either a board or its cells and edges, got both")
        text = _get(data, "board", str, "")
        with error_place("board"):
            return tiling(*read_size(text))
    edges = _get(data, "edges", list, [])
    cells = _get_names(data, "cells") if "cells" in data else None
    points = _get(data, "positions", dict, {}) or None
    outlines = _get(data, "outlines", dict, {}) or None
    with error_place("cells and edges"):
        return Board.from_edges(edges, cells, outlines=outlines, points=points)


def board_to_json(board: Board) -> dict[str, Any]:
    """Return a board as a JSON object that `board_from_json` reads back."""
    if board.tiling is not None:
        return {"board": str(board)}
    data: dict[str, Any] = {
        "cells": list(board.names),
        "edges": [[board.name(a), board.name(b)] for a, b in board.edges()],
    }
    points = {board.name(cell): board.point(cell) for cell in board.cells}
    if all(points.values()):
        data["positions"] = points
    if board.has_outlines:
        data["outlines"] = {board.name(cell): board.outline(cell) for cell in board.cells}
    return data


def _check_keys(data: Mapping[str, Any], known: set[str]) -> None:
    for key in data:
        if key not in known:
            raise NotationError(f"unknown key {key!r:.60}; the keys are {', '.join(sorted(known))}")


def _check_count(value: object, place: str) -> None:
    if type(value) is not int or not 0 <= value < 2**31:
        raise NotationError(
            f"{place}: expected a whole number from 0 to {2**31 - 1}, got {value!r:.60}"
        )


def _get(data: Mapping[str, Any], key: str, expected: type[T], default: T) -> T:
    """Return the value of a key; raise NotationError if it has another type than *expected*."""
    value = data.get(key, default)
    if not isinstance(value, expected):
        raise NotationError(f"{key}: expected {_JSON_TYPE_NAMES[expected]}, got {value!r:.60}")
    return value


_JSON_TYPE_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "text"}


def _get_names(data: Mapping[str, Any], key: str) -> list[str]:
    names: list[str] = _get(data, key, list, [])
    for name in names:
        if not is_cell_name(name):
            raise NotationError(f"{key}: expected names without white space, got {name!r:.60}")
    return names


@contextmanager
def error_place(place: str) -> Iterator[None]:
    """Raise errors from the block as NotationError that starts with the place in the text."""
    try:
        yield
    except (NotationError, RulesError) as error:
        raise NotationError(f"{place}: {error}") from None
