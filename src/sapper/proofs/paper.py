"""Solving a paper puzzle: cells are decided, but no new number appears.

In a game a safe cell shows its number when it is revealed. On paper it only gets a dash, so a
puzzle is solved from the printed numbers, and from the cells decided before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.position import COVERED, FLAG, Position
from sapper.errors import Contradiction
from sapper.kernels import view
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.kernels.solvers.passes import solve_on_paper as kernel_solve
from sapper.proofs.constraints import Knowledge
from sapper.solvers.human import make_human_state

MAX_NUMBERS = 3
"""The largest sets of numbers that are tried."""

MAX_TRIPLE_STEPS = 5_000_000
"""The most steps for all sets of three around one number; denser boards try single numbers only.

8 neighbours take at most 16 thousand steps, 12 neighbours 52 thousand; only dense graphs take more.
"""


@dataclass(frozen=True)
class PaperResult:
    """The result of solving a paper puzzle with small sets of numbers."""

    numbers: int | None
    """The size of the largest set of numbers that a step needed; None if not solved."""
    steps: tuple[int, ...]
    """How many covered cells needed one, two, three numbers."""
    known: Knowledge
    """UNKNOWN, SAFE or MINE for each cell; revealed cells are SAFE."""

    @property
    def solved(self) -> bool:
        """Whether every covered cell was decided, so that there is exactly one solution."""
        return self.numbers is not None

    @property
    def mine_cells(self) -> Ints:
        """The cells found to be mines, ascending."""
        return np.flatnonzero(self.known == MINE).astype(np.int32)


class PaperSolver:
    """Solves paper puzzles on one board; reuses its memory from one to the next."""

    def __init__(self, board: Board):
        self.board = board
        self._marks = np.empty(len(board), dtype=np.int32)
        self._steps = np.zeros(4, dtype=np.int32)
        self._human = make_human_state(board, self._marks)

    @cached_property
    def max_numbers(self) -> int:
        """The largest sets of numbers that are tried on this board: 3, or 1 if it is dense."""
        max_neighbours = int(self.board.neighbour_counts.max())
        others = min(max_neighbours**2, len(self.board))
        return MAX_NUMBERS if others**2 * max_neighbours // 2 <= MAX_TRIPLE_STEPS else 1

    def numbers_needed(self, marks: Ints, max_numbers: int = MAX_NUMBERS) -> int:
        """Return the size of the largest set of numbers needed; 0 if *max_numbers* are not enough.

        Steps with the fewest numbers are taken first. Flags are treated as covered cells.
        """
        max_numbers = min(max_numbers, self.max_numbers)
        needed = int(kernel_solve(self._human, view(marks), max_numbers, view(self._steps)))
        if needed < 0:
            raise Contradiction("impossible position: the numbers have no solution")
        return needed

    def solve(self, position: Position, max_numbers: int = MAX_NUMBERS) -> PaperResult:
        """Solve a position from its numbers alone, with sets of at most *max_numbers* numbers."""
        numbers = self.numbers_needed(position.marks, max_numbers)
        known = np.full(len(self.board), SAFE, dtype=np.uint8)
        known[self._marks == COVERED] = UNKNOWN
        known[self._marks == FLAG] = MINE
        return PaperResult(numbers or None, tuple(map(int, self._steps[1:])), known)


def solve_on_paper(position: Position, max_numbers: int = MAX_NUMBERS) -> PaperResult:
    """Solve a position from its numbers alone, with sets of at most *max_numbers* (1 to 3) numbers.

    >>> result = solve_on_paper(Position.parse("# 1 # #"))
    >>> result.solved, result.mine_cells.tolist()
    (False, [])
    >>> solve_on_paper(Position.parse("1 # 2 # 1")).mine_cells.tolist()
    [1, 3]
    """
    return PaperSolver(position.board).solve(position, max_numbers)
