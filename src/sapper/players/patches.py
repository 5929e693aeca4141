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


@dataclass(frozen=True)
class Patch:
    """The slots of a tiling."""

    offsets: Points
    """The centre of each slot, relative to that of the cell."""
    symmetries: Ints
    """A row for each symmetry, the identity first: the slot that each slot takes its cell from."""

    @property
    def slots(self) -> int:
        """The number of slots."""
        return len(self.offsets)


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
    centres, rotated = _centres_and_rotated(board)
    middle = board.middle if rotated[board.middle] == 0 else board.middle + 1
    cells = {middle}
    for _ in range(STEPS[name]):
        cells |= {int(neighbour) for cell in cells for neighbour in board.around(cell)}
    offsets = centres[sorted(cells)] - centres[middle]
    offsets = offsets[np.lexsort((_rounded(offsets[:, 0]), _rounded(offsets[:, 1])))]
    return Patch(offsets, _symmetries(offsets))


def patch_table(board: Board) -> Ints:
    """Return a row for each cell: the cell in each slot around it, or -1 off the board."""
    assert board.tiling is not None
    patch = patch_of(board.tiling)
    centres, rotated = _centres_and_rotated(board)
    width, height = board.size
    wraps = TILINGS.find(board.tiling).wraps
    keys = _keys(centres)
    order = np.argsort(keys)
    table = np.empty((len(board), patch.slots), np.int32)
    for slot, offset in enumerate(patch.offsets):
        targets = centres + np.where(rotated[:, None] == 1, -offset, offset)
        if wraps:
            targets = targets % (width, height)
        wanted = _keys(targets)
        ranks = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(board) - 1)
        cells = order[ranks]
        table[:, slot] = np.where(keys[cells] == wanted, cells, -1)
    return table


def _centres_and_rotated(board: Board) -> tuple[Points, Ints]:
    """Return the centres, and 1 for each cell with the outline of the first, rotated; else 0."""
    outlines = np.array([board.outline(cell) for cell in board.cells])
    centres = outlines.mean(axis=1)
    corners = _rounded(outlines - centres[:, None])
    rows, first, row_of = np.unique(
        corners.reshape(len(board), -1), axis=0, return_index=True, return_inverse=True
    )
    numbers: dict[Any, int] = {}
    number_of_row = np.zeros(len(rows), np.int32)
    for row in np.argsort(first):
        shape = tuple(sorted(map(tuple, corners[first[row]].tolist())))
        number_of_row[row] = numbers.setdefault(shape, len(numbers))
    return centres, number_of_row[row_of.reshape(-1)]


def _rounded(values: Points) -> npt.NDArray[np.int64]:
    """Return coordinates in thousandths; centres are at least half a cell apart."""
    return np.rint(values * 1000).astype(np.int64)


def _keys(points: Points) -> npt.NDArray[np.int64]:
    """Return a number for each point; points that are equal up to rounding have the same."""
    # Coarser than _rounded, and shifted so that centres are not rounded at a boundary.
    x, y = (np.floor(points[:, i] * 16 + 0.37).astype(np.int64) for i in (0, 1))
    return (y + (1 << 20)) * (1 << 24) + x + (1 << 20)


def _symmetries(offsets: Points) -> Ints:
    """Return the rotations and reflections of the slots as permutations."""
    points = _rounded(offsets).tolist()
    symmetries = []
    for mirror in (1, -1):
        for k in range(24):
            angle = k * pi / 12
            rotation = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
            image = _rounded((offsets * (mirror, 1)) @ rotation.T)
            index = [_slot_at(points, point) for point in image.tolist()]
            if len(set(index)) == len(points) and -1 not in index:
                symmetries.append(index)
    return np.array(symmetries, np.int32)


def _slot_at(points: list[list[int]], point: list[int]) -> int:
    """Return the slot at a point, up to rounding, or -1."""
    for i, (x, y) in enumerate(points):
        if abs(x - point[0]) <= 2 and abs(y - point[1]) <= 2:
            return i
    return -1
