"""Which cells of a table are open: sets by name, for every board of a tiling.

A set is a small pattern of O (open) and # (closed) that is repeated over rows and columns,
or `fewest`, which has no pattern: numbers are taken away while the solution stays the only one.
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
    """One row of OPEN_SETS."""

    name: str
    about: str
    pattern: str = ""
    """Rows of O and #, separated by a stroke; empty for `fewest`."""
    by_tiling: dict[str, str] = field(default_factory=dict)
    """Other patterns for some tilings."""


OPEN_SETS: dict[str, OpenSet] = {
    row.name: row
    for row in (
        OpenSet("checkerboard", "every second cell, r1c1 among them", "O#/#O"),
        OpenSet("row", "every second row, the first among them", "O/#"),
        OpenSet(
            "pattern",
            "as few as make every mine set unique on (nearly) any size of the tiling",
            "OOO/#O#/O##",
            # Found by search over all patterns of period up to 2x4 and 3x3.
            {
                "torus": "O#OO/OO##",
                "hexagonal": "O#",
                "triangular": "OOO#/OO##",
                "triangular-edge": "O#/#O",
            },
        ),
        OpenSet("fewest", "numbers are taken away while the solution stays the only one"),
    )
}


def open_cells(board: Board, name: str) -> Mask:
    """The open cells of a named set, as a mask; not for `fewest`, which depends on the mines."""
    row = OPEN_SETS[name]
    if board.tiling is None:
        raise RulesError(f"expected --open fewest or --open-cells on a graph, got {name!r}")
    rows = row.by_tiling.get(board.tiling, row.pattern).split("/")
    tile = np.array([[letter == "O" for letter in line] for line in rows], dtype=bool)
    width, height = board.size
    repeats = (-(-height // tile.shape[0]), -(-width // tile.shape[1]))
    mask: Mask = np.tile(tile, repeats)[:height, :width].reshape(-1)
    return mask


def named(board: Board, is_open: Mask) -> str | None:
    """The name of an open set, if it has one."""
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
    """Refuse an open set that leaves nothing to find, or a closed cell that no number can see."""
    if is_open.all():
        raise RulesError(f"expected an open set that leaves cells to find, got all of {board} open")
    seen = np.zeros(len(board), dtype=bool)
    for cell in np.flatnonzero(is_open):
        seen[board.around(int(cell))] = True
    lost = np.flatnonzero(~is_open & ~seen)
    if len(lost):
        raise RulesError(
            f"expected an open cell next to every closed one, got none next to "
            f"{board.name(int(lost[0]))} ({len(lost)} of {int((~is_open).sum())} closed cells)"
        )
