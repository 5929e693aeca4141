"""How many tables an open set has in all: every mine set of a small board, by the hints it makes.

Two mine sets with the same hints spoil each other. So the tables are the hints that occur once.
"""

from __future__ import annotations

import numpy as np

from sapper.errors import Unavailable
from sapper.generate.tables.open_sets import Mask
from sapper.generate.tables.theorems import system
from sapper.infer.ladder.rungs import pairs_tell_more
from sapper.model.board import Board

MOST_CLOSED = 16
"""2**16 mine sets are counted in 0.1 s; boards with more closed cells have tables in plenty."""


def tables_in_all(board: Board, is_open: Mask, varied: bool = False) -> int | None:
    """The number of different tables with a mine; None where the board is too large to count."""
    closed = int((~is_open).sum())
    if closed > MOST_CLOSED:
        return None
    matrix = system(board, is_open).astype(np.int32)
    sets = (np.arange(1 << closed)[:, None] >> np.arange(closed)) & 1
    hints = sets.astype(np.int32) @ matrix.T
    if varied:
        hints = hints[((hints > 0) & (hints < matrix.sum(axis=1))).all(axis=1)]
    if not len(hints):
        return 0
    different, times = np.unique(hints, axis=0, return_counts=True)
    # Without a mine all hints are 0, and where others have these hints too, none is a table.
    return int(((times == 1) & different.any(axis=1)).sum())


def reason_for_none(board: Board, is_open: Mask, varied: bool = True) -> str | None:
    """Why an open set has no table at all, where that can be shown; else None."""
    if tables_in_all(board, is_open, varied) != 0:
        return None
    kind = "varied table" if varied else "table"
    return f"no {kind} of {board} exists: each mine set has the same hints as another"


def check_pairs(board: Board) -> None:
    """Refuse to look for tables that need two hints where two never tell more than one."""
    if not pairs_tell_more(board):
        raise Unavailable(
            f"no table of {board} needs exactly two hints: no two cells share two neighbours"
        )
