"""The human-like algorithm, compiled: the same moves as `HumanSolver`, without their reasons."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import FLAG, Position
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.solvers.human import REGIONS, SCRATCH, HumanState, load_marks, run_strategies
from sapper.solvers.human import HumanSolver
from sapper.solvers.result import Deduction, SolverResult


def make_human_state(
    board: Board, marks: Ints, tally: npt.NDArray[np.int64] | None = None
) -> HumanState:
    """The kernel's state for a board; *marks* and *tally* (eight counters) are written to."""
    return HumanState(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        view(np.empty(SCRATCH * len(board) + REGIONS, dtype=np.int32)),
        view(np.zeros(8, dtype=np.int64) if tally is None else tally),
    )


def solve_compiled(position: Position, limit: Limit | None = None) -> SolverResult:
    """All that strategies 1 to 7 find on a position until nothing moves.

    Raises Contradiction where one number, or two, cannot be met.
    """
    marks = position.marks.copy()
    work = make_human_state(position.board, marks)
    load_marks(work)
    if run_strategies(work):
        # Numbers clash: the readable twin meets the same clash and can say which numbers led to it.
        return SolverResult(position, tuple(HumanSolver(position).moves(limit)))
    found = np.flatnonzero(marks != position.marks)
    mines = marks[found] == FLAG
    deduction = Deduction("human", tuple(found[mines].tolist()), tuple(found[~mines].tolist()))
    return SolverResult(position, (deduction,) if deduction else ())
