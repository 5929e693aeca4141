"""Patches: the cells around a cell as the input of a network, with the same slots everywhere.

The slots are the cells within some steps of a cell, in the order of their positions relative to it:
row by row, from left to right. The patch of a triangle that points down is rotated by 180 degrees.
So a network needs one set of weights for a tiling, and has the symmetries of the patch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.tilings import TILINGS, tiling

Points = npt.NDArray[np.float64]

STEPS = {"square": 4, "torus": 4, "hexagonal": 4, "triangular": 2, "triangular-edge": 4}
"""The number of steps from the centre of a patch, by tiling: squares have 9x9 cells."""
# Centres are at least half a cell apart; coordinates are compared in thousandths.
GRAIN = 1000


@dataclass(frozen=True)
class Patch:
    """The slots of a tiling."""

    away: Points
    """The centre of each slot, relative to that of the cell."""
    symmetries: Ints
    """A row for each symmetry, the identity first: the slot that each slot takes its cell from."""

    @property
    def slots(self) -> int:
        """The number of slots."""
        return len(self.away)


@lru_cache(maxsize=8)
def patch_of(name: str) -> Patch:
    """Return the slots of a tiling, found on a board that is large enough.

    >>> patch_of("square").slots, len(patch_of("square").symmetries)
    (81, 8)
    >>> patch_of("hexagonal").slots, len(patch_of("hexagonal").symmetries)
    (61, 12)
    """
    flat = "square" if TILINGS.find(name).wraps else name
    size = 4 * STEPS[name] + 9
    board = tiling(flat, size, size)
    middles, turned = _middles_and_turned(board)
    middle = board.middle if turned[board.middle] == 0 else board.middle + 1
    near = {middle}
    for _ in range(STEPS[name]):
        near |= {int(c) for cell in near for c in board.around(cell)}
    away = middles[sorted(near)] - middles[middle]
    away = away[np.lexsort((_grains(away[:, 0]), _grains(away[:, 1])))]
    return Patch(away, _symmetries(away))


def patch_table(board: Board) -> Ints:
    """Return a row for each cell: the cell in each slot around it, or -1 off the board."""
    assert board.tiling is not None
    patch = patch_of(board.tiling)
    middles, turned = _middles_and_turned(board)
    width, height = board.size
    wraps = TILINGS.find(board.tiling).wraps
    keys = _keys(middles)
    order = np.argsort(keys)
    table = np.empty((len(board), patch.slots), np.int32)
    for slot, step in enumerate(patch.away):
        there = middles + np.where(turned[:, None] == 1, -step, step)
        if wraps:
            there = there % (width, height)
        wanted = _keys(there)
        at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(board) - 1)
        found = order[at]
        table[:, slot] = np.where(keys[found] == wanted, found, -1)
    return table


def _middles_and_turned(board: Board) -> tuple[Points, Ints]:
    """Return the centres, and 1 for each cell with the outline of the first, rotated; else 0."""
    outlines = np.array([board.outline(cell) for cell in board.cells])
    middles = outlines.mean(axis=1)
    grains = _grains(outlines - middles[:, None])
    rows, first, row_of = np.unique(
        grains.reshape(len(board), -1), axis=0, return_index=True, return_inverse=True
    )
    numbers: dict[Any, int] = {}
    number_of_row = np.zeros(len(rows), np.int32)
    for row in np.argsort(first):
        corners = tuple(sorted(map(tuple, grains[first[row]].tolist())))
        number_of_row[row] = numbers.setdefault(corners, len(numbers))
    return middles, number_of_row[row_of.reshape(-1)]


def _grains(values: Points) -> npt.NDArray[np.int64]:
    return np.rint(values * GRAIN).astype(np.int64)


def _keys(points: Points) -> npt.NDArray[np.int64]:
    """Return a number for each point; points that are equal up to rounding have the same."""
    # Coarser than GRAIN, and shifted so that centres are not rounded at a boundary.
    x, y = (np.floor(points[:, i] * 16 + 0.37).astype(np.int64) for i in (0, 1))
    return (y + (1 << 20)) * (1 << 24) + x + (1 << 20)


def _symmetries(away: Points) -> Ints:
    """Return the rotations and reflections of the slots as permutations."""
    grains = [tuple(point) for point in _grains(away).tolist()]
    found = []
    for mirror in (1, -1):
        for k in range(24):
            angle = k * pi / 12
            turn = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
            image = _grains((away * (mirror, 1)) @ turn.T)
            index = [_nearest(grains, point) for point in image.tolist()]
            if len(set(index)) == len(grains) and -1 not in index:
                found.append(index)
    return np.array(found, np.int32)


def _nearest(grains: list[tuple[int, ...]], point: list[int]) -> int:
    """Return the slot at a point, up to rounding, or -1."""
    for i, (x, y) in enumerate(grains):
        if abs(x - point[0]) <= 2 and abs(y - point[1]) <= 2:
            return i
    return -1
