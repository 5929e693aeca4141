"""Solving a table as on paper: blanks become mines or free, and no new hint ever appears.

In a game a free cell shows its hint when it is revealed. On paper it only gets a dash, so a table
is solved from the hints that are printed, and what was found before is carried along.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.errors import Contradiction
from sapper.infer.proofs.evidence import Known
from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.kernels.ladder.passes import replay as replay_on
from sapper.model.board import Board, Ints
from sapper.model.frame import BLANK, FLAG, Frame

MOST_HINTS = 3
"""The largest sets of hints that the replay looks at."""

MOST_TRIPLES = 5_000_000
"""Steps for all sets of three around one hint; beyond it only single hints are looked at.

8 neighbours take 16 thousand steps at most, 12 neighbours 52 thousand: only dense graphs are more.
"""


@dataclass(frozen=True)
class Replay:
    """How far deduction from small sets of hints goes."""

    hints: int | None
    """The largest number of hints that a step needed; None when it is stuck."""
    steps: tuple[int, ...]
    """How many blanks needed one, two, three hints."""
    known: Known
    """UNKNOWN, FREE or MINE for each cell; revealed cells are FREE."""

    @property
    def solved(self) -> bool:
        """Whether every blank was decided, which shows that there is one placement only."""
        return self.hints is not None

    @property
    def mine_cells(self) -> Ints:
        """The cells found to be mines, ascending."""
        return np.flatnonzero(self.known == MINE).astype(np.int32)


class TableSolver:
    """Replays frames of one board; keeps its working memory from one to the next."""

    def __init__(self, board: Board):
        self.board = board
        self._marks = np.empty(len(board), dtype=np.int32)
        self._steps = np.zeros(4, dtype=np.int32)
        self._ladder = make_ladder(board, self._marks)

    @cached_property
    def most_hints(self) -> int:
        """The largest sets of hints that are looked at on this board: 3, or 1 where it is dense."""
        most = int(self.board.neighbour_counts.max())
        others = min(most**2, len(self.board))
        return MOST_HINTS if others**2 * most // 2 <= MOST_TRIPLES else 1

    def hints_needed(self, marks: Ints, most: int = MOST_HINTS) -> int:
        """The largest number of hints that a step needs; 0 when *most* hints are not enough.

        Takes every step that fewest hints allow, again and again.
        Flags are blanks here: only hints count.
        """
        most = min(most, self.most_hints)
        hardest = int(replay_on(self._ladder, view(marks), most, view(self._steps)))
        if hardest < 0:
            raise Contradiction("expected hints that allow a placement, got hints that allow none")
        return hardest

    def replay(self, frame: Frame, most: int = MOST_HINTS) -> Replay:
        """Solve a frame from its hints alone as far as sets of *most* hints go."""
        hardest = self.hints_needed(frame.marks, most)
        known = np.full(len(self.board), FREE, dtype=np.uint8)
        known[self._marks == BLANK], known[self._marks == FLAG] = UNKNOWN, MINE
        return Replay(hardest or None, tuple(map(int, self._steps[1:])), known)


def replay(frame: Frame, most: int = MOST_HINTS) -> Replay:
    """Solve a frame from its hints alone as far as sets of *most* hints (1 to 3) go.

    >>> found = replay(Frame.parse("# 1 # #"))
    >>> found.solved, found.mine_cells.tolist()
    (False, [])
    >>> replay(Frame.parse("1 # 2 # 1")).mine_cells.tolist()
    [1, 3]
    """
    return TableSolver(frame.board).replay(frame, most)
