"""When the open set alone makes a paper puzzle unique, for all mines: the paper's theorems.

The numbers of an open set are linear in the mines: numbers = A x, with a row of A for each open
cell and a column for each closed cell. If A has full column rank, x is unique for every mine set.
That is shown in one of three ways, cheapest first: a theorem for the shape, a sweep (one number
after another has a single closed cell left), or elimination modulo a prime (full rank modulo a
prime implies full rank).

Theorem 1, rows (German and Lakshtanov, for two rows): every second row open on squares is unique
for every mine set exactly if 3 does not divide width + 1.
Theorem 2, checkerboard: with r1c1 open on squares, exactly if gcd(width + 1, height + 1) <= 2.
docs/how-it-works/paper.md has the proofs, and where they differ from the paper.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board
from sapper.generators.paper_puzzles.drawing import Mask, open_set_name

Matrix = npt.NDArray[np.int64]

PRIME = 2**31 - 1
"""Products of two residues fit into 63 bits."""

# Elimination takes cubic time: about 0.2 s for 400 closed cells, once per board.
MAX_ELIMINATION_CELLS = 400

MAX_CLOSED_CELLS = 16
"""Counting 2**16 mine sets takes 0.1 s; boards with more closed cells have plenty of puzzles."""


def always_unique_reason(board: Board, is_open: Mask) -> str | None:
    """Return why every mine set on the closed cells is unique, or None if no reason is known."""
    if 2 * int(is_open.sum()) < len(board):
        return None  # fewer numbers than closed cells: never full rank
    return _always_unique_reason(board, is_open.tobytes())


@lru_cache(maxsize=64)
def _always_unique_reason(board: Board, open_bytes: bytes) -> str | None:
    is_open = np.frombuffer(open_bytes, dtype=bool)
    theorem = theorem_for(board, open_set_name(board, is_open))
    if theorem is not None:
        is_unique, reason = theorem
        return reason if is_unique else None
    remaining = sweep(board, is_open)
    if not remaining.any():
        return "a sweep: one number after another has a single closed cell left"
    if int(remaining.sum()) > MAX_ELIMINATION_CELLS:
        return None
    matrix = coefficient_matrix(board, is_open, remaining)
    if rank_modulo(matrix, PRIME) == matrix.shape[1]:
        return f"full rank: {matrix.shape[1]} closed cells, as many independent numbers"
    return None


def theorem_for(board: Board, open_set: str | None) -> tuple[bool, str] | None:
    """Return whether a theorem makes every mine set unique, and why; None without a theorem."""
    if board.tiling != "square" or open_set not in ("checkerboard", "row"):
        return None
    width, height = board.size
    if open_set == "row":
        verb = "does not divide" if (width + 1) % 3 else "divides"
        return bool((width + 1) % 3), f"theorem 1: 3 {verb} {width} + 1"
    divisor = math.gcd(width + 1, height + 1)
    return divisor <= 2, f"theorem 2: gcd({width} + 1, {height} + 1) = {divisor}"


def sweep(board: Board, is_open: Mask) -> Mask:
    """Remove closed cells that are the last one of some number, and return those that remain."""
    remaining = ~is_open
    counts = board.count_around(remaining)
    ready: list[int] = np.flatnonzero(is_open & (counts == 1)).tolist()
    while ready:
        open_cell = ready.pop()
        for cell in board.around(open_cell):
            if remaining[cell]:
                remaining[cell] = False
                neighbours = board.around(int(cell))
                counts[neighbours] -= 1
                ready += [
                    int(other) for other in neighbours if is_open[other] and counts[other] == 1
                ]
    return remaining


def coefficient_matrix(board: Board, is_open: Mask, closed: Mask | None = None) -> Matrix:
    """Return the matrix A: a row per open cell beside a closed one, a column per closed cell."""
    columns = np.flatnonzero(~is_open if closed is None else closed)
    column_of_cell = np.full(len(board), -1)
    column_of_cell[columns] = np.arange(len(columns))
    rows = []
    for cell in np.flatnonzero(is_open):
        adjacent = column_of_cell[board.around(int(cell))]
        row = np.zeros(len(columns), dtype=np.int64)
        row[adjacent[adjacent >= 0]] = 1
        if row.any():
            rows.append(row)
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(columns))


def rank_modulo(matrix: Matrix, prime: int) -> int:
    """Return the rank modulo a prime below 2**31, which never exceeds the true rank."""
    return len(eliminate(matrix, prime)[1])


def eliminate(matrix: Matrix, prime: int) -> tuple[Matrix, list[int]]:
    """Return the reduced row echelon form modulo a prime, and its pivot columns."""
    rows = matrix % prime
    pivots: list[int] = []
    for column in range(rows.shape[1]):
        top = len(pivots)
        nonzero_rows = np.flatnonzero(rows[top:, column])
        if not len(nonzero_rows):
            continue
        pivot = top + int(nonzero_rows[0])
        rows[[top, pivot]] = rows[[pivot, top]]
        rows[top] = rows[top] * pow(int(rows[top, column]), -1, prime) % prime
        others = np.flatnonzero(rows[:, column])
        others = others[others != top]
        rows[others] = (rows[others] - rows[others, column, None] * rows[top]) % prime
        pivots.append(column)
    return rows, pivots


# Counting all puzzles of a small board.


def count_paper_puzzles(board: Board, is_open: Mask, varied: bool = False) -> int | None:
    """Count the different puzzles with at least one mine; return None if the board is too large.

    A mine set gives a puzzle if no other mine set gives the same numbers.
    """
    closed = int((~is_open).sum())
    if closed > MAX_CLOSED_CELLS:
        return None
    matrix = coefficient_matrix(board, is_open).astype(np.int32)
    mine_sets = (np.arange(1 << closed)[:, None] >> np.arange(closed)) & 1
    numbers = mine_sets.astype(np.int32) @ matrix.T
    if varied:
        numbers = numbers[((numbers > 0) & (numbers < matrix.sum(axis=1))).all(axis=1)]
    if not len(numbers):
        return 0
    distinct, counts = np.unique(numbers, axis=0, return_counts=True)
    # All numbers 0 is the mine set without mines, or not unique.
    return int(((counts == 1) & distinct.any(axis=1)).sum())


def no_puzzle_reason(board: Board, is_open: Mask, varied: bool = True) -> str | None:
    """Return why an open set has no puzzle at all, where that can be shown."""
    if count_paper_puzzles(board, is_open, varied) != 0:
        return None
    noun = "varied paper puzzle" if varied else "paper puzzle"
    return f"no {noun} of {board} exists: every mine set has the same numbers as another"
