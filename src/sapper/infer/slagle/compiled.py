"""The human-like algorithm, compiled: the same moves as `HumanSolver`, without their reasons."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.infer.budget import Limit
from sapper.infer.slagle.human import HumanSolver
from sapper.infer.solution import Deduction, Solution
from sapper.kernels import view
from sapper.kernels.ladder.human import REGIONS, SCRATCH, Ladder, begin, moves
from sapper.model.board import Board, Ints
from sapper.model.frame import FLAG, Frame


def make_ladder(board: Board, marks: Ints, tally: npt.NDArray[np.int64] | None = None) -> Ladder:
    """The kernel's state for a board; *marks* and *tally* (eight counters) are written to."""
    return Ladder(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        view(np.empty(SCRATCH * len(board) + REGIONS, dtype=np.int32)),
        view(np.zeros(8, dtype=np.int64) if tally is None else tally),
    )


def quick_moves(frame: Frame, limit: Limit | None = None) -> Solution:
    """All that strategies 1 to 7 find on a frame until nothing moves.

    Raises Contradiction where one hint, or two, cannot be met.
    """
    marks = frame.marks.copy()
    work = make_ladder(frame.board, marks)
    begin(work)
    if moves(work):
        # Hints clash: the readable twin meets the same clash and can say which hints led to it.
        return Solution(frame, tuple(HumanSolver(frame).moves(limit)))
    found = np.flatnonzero(marks != frame.marks)
    mines = marks[found] == FLAG
    deduction = Deduction("human", tuple(found[mines].tolist()), tuple(found[~mines].tolist()))
    return Solution(frame, (deduction,) if deduction else ())
