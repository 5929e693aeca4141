"""How many tables an open set has in all: every mine set of a small board, by the numbers it makes.

Two mine sets with the same numbers spoil each other. So the tables are the numbers that occur once.
"""

from __future__ import annotations

import numpy as np

from sapper.board.board import Board
from sapper.errors import Unavailable
from sapper.generators.paper_puzzles.open_sets import Mask
from sapper.generators.paper_puzzles.theorems import system
from sapper.proofs.difficulty import pairs_are_useful

MAX_CLOSED = 16
"""2**16 mine sets are counted in 0.1 s; boards with more closed cells have tables in plenty."""


def count_paper_puzzles(board: Board, is_open: Mask, varied: bool = False) -> int | None:
    """The number of different tables with a mine; None where the board is too large to count."""
    closed = int((~is_open).sum())
    if closed > MAX_CLOSED:
        return None
    matrix = system(board, is_open).astype(np.int32)
    sets = (np.arange(1 << closed)[:, None] >> np.arange(closed)) & 1
    numbers = sets.astype(np.int32) @ matrix.T
    if varied:
        numbers = numbers[((numbers > 0) & (numbers < matrix.sum(axis=1))).all(axis=1)]
    if not len(numbers):
        return 0
    different, times = np.unique(numbers, axis=0, return_counts=True)
    # Without a mine all numbers are 0, and where others have these numbers too, none is a table.
    return int(((times == 1) & different.any(axis=1)).sum())


def no_puzzle_reason(board: Board, is_open: Mask, varied: bool = True) -> str | None:
    """Why an open set has no table at all, where that can be shown; else None."""
    if count_paper_puzzles(board, is_open, varied) != 0:
        return None
    kind = "varied table" if varied else "table"
    return f"no {kind} of {board} exists: each mine set has the same numbers as another"


def check_pairs(board: Board) -> None:
    """Refuse to look for tables that need two numbers where two never tell more than one."""
    if not pairs_are_useful(board):
        raise Unavailable(
            f"no table of {board} needs exactly two numbers: no two cells share two neighbours"
        )
