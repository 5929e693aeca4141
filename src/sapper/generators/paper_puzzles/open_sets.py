"""Open sets: which cells of a paper puzzle show their numbers, by name and for every tiling.

A set is a small pattern of O (open) and # (closed) that is repeated over rows and columns. The set
`fewest` has no pattern: numbers are removed while the solution stays unique.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board
from sapper.errors import RulesError

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OpenSet:
    """A row of OPEN_SETS."""

    name: str
    about: str
    pattern: str = ""
    """Rows of O and #, separated by slashes; empty for `fewest`."""
    by_tiling: dict[str, str] = field(default_factory=dict)
    """Other patterns for some tilings."""


# The order is part of worksheet codes (codes.py).
OPEN_SETS: dict[str, OpenSet] = {
    row.name: row
    for row in (
        OpenSet("checkerboard", "every second cell, r1c1 among them", "O#/#O"),
        OpenSet("row", "every second row, the first among them", "O/#"),
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
    row = OPEN_SETS[name]
    if board.tiling is None:
        raise RulesError(
            f"the open set {name!r} needs a tiling; on a graph choose 'fewest' or name the open cells"
        )
    rows = row.by_tiling.get(board.tiling, row.pattern).split("/")
    tile = np.array([[letter == "O" for letter in line] for line in rows], dtype=bool)
    width, height = board.size
    repeats = (-(-height // tile.shape[0]), -(-width // tile.shape[1]))
    mask: Mask = np.tile(tile, repeats)[:height, :width].reshape(-1)
    return mask


def named(board: Board, is_open: Mask) -> str | None:
    """Return the name of an open set, if it has one."""
    if board.tiling is None:
        return None
    return next(
        (
            name
            for name, row in OPEN_SETS.items()
            if row.pattern and np.array_equal(open_cells(board, name), is_open)
        ),
        None,
    )


def check_open(board: Board, is_open: Mask) -> None:
    """Raise RulesError if no cell is closed, or if a closed cell has no open neighbour."""
    if is_open.all():
        raise RulesError(f"the open set leaves no cells to find on {board}")
    seen = np.zeros(len(board), dtype=bool)
    for cell in np.flatnonzero(is_open):
        seen[board.around(int(cell))] = True
    lost = np.flatnonzero(~is_open & ~seen)
    if len(lost):
        raise RulesError(
            f"every closed cell needs an open neighbour: {board.name(int(lost[0]))} has none "
            f"({len(lost)} of {int((~is_open).sum())} closed cells)"
        )
