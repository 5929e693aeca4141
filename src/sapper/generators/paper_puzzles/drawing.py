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
Mines = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class OpenSet:
    """An entry of OPEN_SETS."""

    name: str
    about: str
    pattern: str = ""
    """Rows of O and #, separated by slashes; empty for `fewest`."""
    by_tiling: dict[str, str] = field(default_factory=dict)
    """Other patterns for some tilings."""


OPEN_SETS: dict[str, OpenSet] = {
    entry.name: entry
    for entry in (
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
    pattern = np.array([[character == "O" for character in row] for row in rows], dtype=bool)
    width, height = board.size
    repeats = (-(-height // pattern.shape[0]), -(-width // pattern.shape[1]))
    mask: Mask = np.tile(pattern, repeats)[:height, :width].reshape(-1)
    return mask


def open_set_name(board: Board, is_open: Mask) -> str | None:
    """Return the name of an open set, if it has one."""
    if board.tiling is not None:
        for name, entry in OPEN_SETS.items():
            if entry.pattern and np.array_equal(open_cells(board, name), is_open):
                return name
    return None


def check_open_set(board: Board, is_open: Mask) -> None:
    """Raise RulesError if no cell is closed, or if a closed cell has no open neighbour."""
    if is_open.all():
        raise RulesError(f"the open set leaves no cells to find on {board}")
    isolated = np.flatnonzero(~is_open & (board.count_around(is_open) == 0))
    if len(isolated):
        raise RulesError(
            f"every closed cell needs an open neighbour: {board.name(int(isolated[0]))} has none "
            f"({len(isolated)} of {int((~is_open).sum())} closed cells)"
        )


@dataclass(frozen=True)
class DrawingMethod:
    """An entry of DRAWING_METHODS."""

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
    it and for the one to its left, which never force it both ways; the cell before the last corner
    is also the last one for that corner, and there they may. Returns None after such a conflict.
    """
    mines = np.zeros(len(board), dtype=np.uint8)
    mine_counts = np.zeros(len(board), dtype=np.int32)
    completed_by = _open_cells_completed_by(board, is_open)
    closed_counts = board.count_around(~is_open)
    for cell in np.flatnonzero(~is_open).tolist():
        completed = completed_by[cell]
        must_be_mine = any(mine_counts[c] == 0 for c in completed)
        must_be_empty = any(mine_counts[c] == closed_counts[c] - 1 for c in completed)
        if must_be_mine and must_be_empty:
            return None
        # Always drawn, so that a forced cell does not shift the draws after it.
        drawn_mine = stream.bernoulli(density)
        if must_be_mine or (drawn_mine and not must_be_empty):
            mines[cell] = 1
            mine_counts[board.around(cell)] += 1
    return mines


DRAWING_METHODS: dict[str, DrawingMethod] = {
    entry.name: entry
    for entry in (
        DrawingMethod("plain", "each closed cell is drawn independently", draw_plain),
        DrawingMethod(
            "varied", "no number is 0, or equals the number of its closed cells", draw_varied
        ),
    )
}


def check_method(board: Board, is_open: Mask, method: str) -> None:
    """Raise Unavailable for `varied` if some open cell has fewer than two closed neighbours."""
    if method != "varied":
        return
    too_few = np.flatnonzero(is_open & (board.count_around(~is_open) < 2))
    if len(too_few):
        raise Unavailable(
            f"no varied paper puzzle of {board}: {board.name(int(too_few[0]))} has fewer than two "
            "closed neighbours, so its number is always 0 or all of them"
        )


def _open_cells_completed_by(board: Board, is_open: Mask) -> dict[int, list[int]]:
    """Return for each closed cell the open cells whose last closed neighbour it is."""
    completed_by: dict[int, list[int]] = {int(cell): [] for cell in np.flatnonzero(~is_open)}
    for open_cell in np.flatnonzero(is_open).tolist():
        closed = [int(cell) for cell in board.around(open_cell) if not is_open[cell]]
        if closed:
            completed_by[max(closed)].append(open_cell)
    return completed_by
