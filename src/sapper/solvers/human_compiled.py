"""The compiled human-like algorithm: the same moves as `HumanSolver`, without their steps."""

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
    """Return the kernel state for a board; *marks* and *tally* (eight counters) are updated."""
    return HumanState(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        view(np.empty(SCRATCH * len(board) + REGIONS, dtype=np.int32)),
        view(np.zeros(8, dtype=np.int64) if tally is None else tally),
    )


def solve_compiled(position: Position, limit: Limit | None = None) -> SolverResult:
    """Find all moves that strategies 1 to 7 give, applied repeatedly.

    Raises Contradiction if one or two numbers cannot be satisfied.
    """
    marks = position.marks.copy()
    state = make_human_state(position.board, marks)
    load_marks(state)
    if run_strategies(state):
        # Contradictory: the Python version finds the same contradiction and names its numbers.
        return SolverResult(position, tuple(HumanSolver(position).moves(limit)))
    found = np.flatnonzero(marks != position.marks)
    mines = marks[found] == FLAG
    deduction = Deduction("human", tuple(found[mines].tolist()), tuple(found[~mines].tolist()))
    return SolverResult(position, (deduction,) if deduction else ())
