"""Open sets, and methods to draw the mines of a paper puzzle.

An open set says which cells show their numbers: a small pattern of O (open) and # (closed) that is
repeated over rows and columns. The set `fewest` has no pattern: numbers are removed while the
solution stays unique.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board
from sapper.board.random_stream import RandomStream
from sapper.errors import RulesError, Unavailable

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OpenSet:
    """An entry of OPEN_SETS."""

    name: str
    about: str
    pattern: str = ""
    """Rows of O and #, separated by slashes; empty for `fewest`."""
    by_tiling: dict[str, str] = field(default_factory=dict)
    """Other patterns for some tilings."""


# The order is part of worksheet codes (worksheet_codes.py).
OPEN_SETS: dict[str, OpenSet] = {
    row.name: row
    for row in (
        OpenSet("checkerboard", "every second cell, starting with r1c1", "O#/#O"),
        OpenSet("row", "every second row, starting with the first", "O/#"),
        OpenSet(
            "pattern",
            "few cells that make every mine set unique on nearly all sizes",
            "OOO/#O#/O##",
            # Found by search over all patterns of period up to 2x4 and 3x3.
            {
                "torus": "O#OO/OO##",
                "hexagonal": "O#",
                "triangular": "OOO#/OO##",
                "triangular-edge": "O#/#O",
            },
        ),
        OpenSet("fewest", "numbers are removed while the solution stays unique"),
    )
}


def open_cells(board: Board, name: str) -> Mask:
    """Return the open cells of a named set as a mask; not for `fewest`."""
    entry = OPEN_SETS[name]
    if board.tiling is None:
        raise RulesError(
            f"the open set {name!r} needs a tiling; on a graph choose 'fewest' or name the cells"
        )
    rows = entry.by_tiling.get(board.tiling, entry.pattern).split("/")
    tile = np.array([[letter == "O" for letter in line] for line in rows], dtype=bool)
    width, height = board.size
    repeats = (-(-height // tile.shape[0]), -(-width // tile.shape[1]))
    mask: Mask = np.tile(tile, repeats)[:height, :width].reshape(-1)
    return mask


def open_set_name(board: Board, is_open: Mask) -> str | None:
    """Return the name of an open set, if it has one."""
    if board.tiling is not None:
        for name, entry in OPEN_SETS.items():
            if entry.pattern and np.array_equal(open_cells(board, name), is_open):
                return name
    return None


def check_open(board: Board, is_open: Mask) -> None:
    """Raise RulesError if no cell is closed, or if a closed cell has no open neighbour."""
    if is_open.all():
        raise RulesError(f"the open set leaves no cells to find on {board}")
    isolated = np.flatnonzero(~is_open & (board.count_around(is_open) == 0))
    if len(isolated):
        raise RulesError(
            f"every closed cell needs an open neighbour: {board.name(int(isolated[0]))} has none "
            f"({len(isolated)} of {int((~is_open).sum())} closed cells)"
        )


Mines = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Method:
    """An entry of METHODS."""

    name: str
    about: str
    draw: Callable[[Board, Mask, float, RandomStream], Mines | None]
    """Draw a mine in each closed cell with the given probability; None if the draw failed."""


def draw_plain(board: Board, is_open: Mask, density: float, stream: RandomStream) -> Mines:
    """Draw each closed cell independently."""
    mines = np.zeros(len(board), dtype=np.uint8)
    for cell in np.flatnonzero(~is_open):
        mines[cell] = stream.bernoulli(density)
    return mines


def draw_varied(board: Board, is_open: Mask, density: float, stream: RandomStream) -> Mines | None:
    """Draw mines so that no number is 0 and none equals the number of its closed cells.

    Cells are drawn row by row. The last closed cell around an open one is forced if the others are
    all empty (it must be a mine) or all mines (it must not). On squares that is the paper's second
    algorithm and, in the last row, its third: there a cell is the last one both for the cell above
    it and for the one to its left, whose demands never conflict, and the cell before the last
    corner also for that corner, where they may. Returns None after a conflict.
    """
    mines = np.zeros(len(board), dtype=np.uint8)
    count = np.zeros(len(board), dtype=np.int32)
    last = _last_closed_neighbours(board, is_open)
    total = board.count_around(~is_open)
    for cell in np.flatnonzero(~is_open).tolist():
        must = any(count[number] == 0 for number in last[cell])
        must_not = any(count[number] == total[number] - 1 for number in last[cell])
        if must and must_not:
            return None
        # Always drawn, so that a forced cell does not shift the draws after it.
        drawn = stream.bernoulli(density)
        if must or (drawn and not must_not):
            mines[cell] = 1
            count[board.around(cell)] += 1
    return mines


# The order is part of worksheet codes (worksheet_codes.py).
METHODS: dict[str, Method] = {
    row.name: row
    for row in (
        Method("plain", "each closed cell is drawn independently", draw_plain),
        Method("varied", "no number is 0 or all of its closed cells", draw_varied),
    )
}


def check_method(board: Board, is_open: Mask, method: str) -> None:
    """Raise Unavailable for `varied` if some number can only be 0 or all of its closed cells."""
    if method != "varied":
        return
    too_few = np.flatnonzero(is_open & (board.count_around(~is_open) < 2))
    if len(too_few):
        raise Unavailable(
            f"no varied paper puzzle of {board}: {board.name(int(too_few[0]))} has fewer than two "
            "closed neighbours, so its number is always 0 or all of them"
        )


def _last_closed_neighbours(board: Board, is_open: Mask) -> dict[int, list[int]]:
    """Return for each closed cell the open cells of which it is the last closed neighbour."""
    last: dict[int, list[int]] = {int(cell): [] for cell in np.flatnonzero(~is_open)}
    for number in np.flatnonzero(is_open):
        closed = [int(cell) for cell in board.around(int(number)) if not is_open[cell]]
        if closed:
            last[max(closed)].append(int(number))
    return last
