"""Methods to draw the mines of a paper puzzle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board
from sapper.board.random_stream import RandomStream
from sapper.errors import Unavailable
from sapper.generators.paper_puzzles.open_sets import Mask

Mines = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Method:
    """A row of METHODS."""

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
    total = _closed_neighbour_counts(board, is_open)
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


# The order is part of worksheet codes (codes.py).
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
    tight = np.flatnonzero(is_open & (_closed_neighbour_counts(board, is_open) < 2))
    if len(tight):
        raise Unavailable(
            f"no varied paper puzzle of {board}: {board.name(int(tight[0]))} has fewer than two "
            "closed neighbours, so its number is always 0 or all of them"
        )


def _closed_neighbour_counts(board: Board, is_open: Mask) -> npt.NDArray[np.int32]:
    around = np.zeros(len(board), dtype=np.int32)
    for cell in np.flatnonzero(~is_open):
        around[board.around(int(cell))] += 1
    return around


def _last_closed_neighbours(board: Board, is_open: Mask) -> dict[int, list[int]]:
    """Return for each closed cell the open cells of which it is the last closed neighbour."""
    last: dict[int, list[int]] = {int(cell): [] for cell in np.flatnonzero(~is_open)}
    for number in np.flatnonzero(is_open):
        closed = [int(cell) for cell in board.around(int(number)) if not is_open[cell]]
        if closed:
            last[max(closed)].append(int(number))
    return last
