"""Solving a table as on paper: covered cells become mines or free, and no new number ever appears.

In a game a free cell shows its number when it is revealed. On paper it only gets a dash, so a table
is solved from the numbers that are printed, and what was found before is carried along.
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
from sapper.kernels.solvers.paper import solve_on_paper as replay_on
from sapper.proofs.constraints import Knowledge
from sapper.solvers.human_compiled import make_human_state

MAX_NUMBERS = 3
"""The largest sets of numbers that the replay looks at."""

MAX_TRIPLE_STEPS = 5_000_000
"""Steps for all sets of three around one number; beyond it only single numbers are looked at.

8 neighbours take 16 thousand steps at most, 12 neighbours 52 thousand: only dense graphs are more.
"""


@dataclass(frozen=True)
class PaperResult:
    """How far deduction from small sets of numbers goes."""

    numbers: int | None
    """The largest number of numbers that a step needed; None when it is stuck."""
    steps: tuple[int, ...]
    """How many covered cells needed one, two, three numbers."""
    known: Knowledge
    """UNKNOWN, SAFE or MINE for each cell; revealed cells are SAFE."""

    @property
    def solved(self) -> bool:
        """Whether every covered cell was decided, which shows that there is one solution only."""
        return self.numbers is not None

    @property
    def mine_cells(self) -> Ints:
        """The cells found to be mines, ascending."""
        return np.flatnonzero(self.known == MINE).astype(np.int32)


class PaperSolver:
    """Replays positions of one board; keeps its working memory from one to the next."""

    def __init__(self, board: Board):
        self.board = board
        self._marks = np.empty(len(board), dtype=np.int32)
        self._steps = np.zeros(4, dtype=np.int32)
        self._ladder = make_human_state(board, self._marks)

    @cached_property
    def max_numbers(self) -> int:
        """The largest sets of numbers that are looked at on this board: 3, or 1 where it is dense."""
        most = int(self.board.neighbour_counts.max())
        others = min(most**2, len(self.board))
        return MAX_NUMBERS if others**2 * most // 2 <= MAX_TRIPLE_STEPS else 1

    def numbers_needed(self, marks: Ints, most: int = MAX_NUMBERS) -> int:
        """The largest number of numbers that a step needs; 0 when *most* numbers are not enough.

        Takes every step that fewest numbers allow, again and again.
        Flags are covered cells here: only numbers count.
        """
        most = min(most, self.max_numbers)
        hardest = int(replay_on(self._ladder, view(marks), most, view(self._steps)))
        if hardest < 0:
            raise Contradiction(
                "expected numbers that allow a solution, got numbers that allow none"
            )
        return hardest

    def solve_on_paper(self, position: Position, most: int = MAX_NUMBERS) -> PaperResult:
        """Solve a position from its numbers alone as far as sets of *most* numbers go."""
        hardest = self.numbers_needed(position.marks, most)
        known = np.full(len(self.board), SAFE, dtype=np.uint8)
        known[self._marks == COVERED], known[self._marks == FLAG] = UNKNOWN, MINE
        return PaperResult(hardest or None, tuple(map(int, self._steps[1:])), known)


def solve_on_paper(position: Position, most: int = MAX_NUMBERS) -> PaperResult:
    """Solve a position from its numbers alone as far as sets of *most* numbers (1 to 3) go.

    >>> found = solve_on_paper(Position.parse("# 1 # #"))
    >>> found.solved, found.mine_cells.tolist()
    (False, [])
    >>> solve_on_paper(Position.parse("1 # 2 # 1")).mine_cells.tolist()
    [1, 3]
    """
    return PaperSolver(position.board).solve_on_paper(position, most)
