"""Random solutions of a position, each with the same probability."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import RandomStream, check_seed
from sapper.engine import workspace
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.conflicts import engine_contradiction
from sapper.errors import OutOfBudget, RulesError
from sapper.kernels import view
from sapper.kernels.tracked import sampling as kernel
from sapper.kernels.tracked.marks import remove_components
from sapper.kernels.tracked.state import TrackedPosition
from sapper.values import check_int, check_type

# The number of solutions drawn between two checks of the limit.
BATCH_SIZE = 4096


@overload
def sample(
    position: Position,
    count: int,
    seed: int = 1,
    layouts: Literal[False] = False,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> npt.NDArray[np.bool_]: ...


@overload
def sample(
    position: Position,
    count: int,
    seed: int = 1,
    *,
    layouts: Literal[True],
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> list[Layout]: ...


def sample(
    position: Position,
    count: int,
    seed: int = 1,
    layouts: bool = False,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> npt.NDArray[np.bool_] | list[Layout]:
    """Draw *count* solutions of a position uniformly at random.

    Return a boolean array of shape (count, cells), true for mines; with *layouts*, a list of
    layouts. The same seed gives the same solutions. Flags count as covered unless trusted.

    Raise Contradiction for a position without solutions, RulesError for one with an interior but
    no mine count, and OutOfBudget where the search or the array exceeds *budget*.

    >>> rows = sample(Position.parse("# 1 #", mines=1), 1000)
    >>> rows.sum(axis=1).tolist() == [1] * 1000, bool(400 < rows[:, 0].sum() < 600)
    (True, True)
    """
    check_type(position, Position, "a position")
    count, seed = check_int(count, "a number of solutions"), check_seed(seed)
    if count < 0:
        raise RulesError(f"expected at least 0 solutions, got {count}")
    rows = draw_solutions(position, count, seed, trust_flags, start_limit(budget, cancel))
    return [Layout(position.board, row) for row in rows] if layouts else rows


def draw_solutions(
    position: Position, count: int, seed: int, trust_flags: bool, limit: Limit
) -> npt.NDArray[np.bool_]:
    """Draw solutions as `sample` does, under a limit that is already running."""
    board = position.board
    if count * len(board) > limit.memory:
        raise limit.memory_error(f"{count:,} solutions of {len(board):,} cells")
    stream = RandomStream(seed)
    rows = np.empty((count, len(board)), dtype=np.uint8)
    with workspace.BorrowedTracked(board, limit) as tracked:
        status = _analyse_without_reuse(tracked, position.marks, position.mines, trust_flags, limit)
        if status == workspace.IMPRECISE:
            raise OutOfBudget(workspace.OUT_OF_RANGE)
        if status == workspace.OK:
            if position.mines is None and tracked.interior:
                raise RulesError("cannot sample the interior without a mine count")
            tracked.allocate_lists()
            for start in range(0, count, BATCH_SIZE):
                limit.check(f"{start:,} of {count:,} solutions")
                batch = rows[start : start + BATCH_SIZE]
                kernel.draw_solutions(tracked, stream.state, len(batch), view(batch.reshape(-1)))
            return rows.view(np.bool_)
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        status = workspace.run(ws, board, position.marks, position.mines, limit)
        raise engine_contradiction(ws, position, status, limit)


def _analyse_without_reuse(
    tracked: TrackedPosition, marks: Ints, mines: int | None, trust_flags: bool, limit: Limit
) -> int:
    """Analyse marks without the components of earlier positions, which would change the draws."""
    tracked.position_known = False
    remove_components(tracked)
    return workspace.run_tracked(tracked, marks, mines, trust_flags, limit)


def find_solution_with(
    position: Position, cell: int, is_mine: bool, limit: Limit
) -> npt.NDArray[np.bool_] | None:
    """Return a solution in which a covered cell is a mine or safe; None if there is none.

    Flags are trusted. The same arguments always give the same solution.
    """
    marks = position.marks.copy()
    marks[cell] = FLAG if is_mine else workspace.KNOWN_SAFE
    row = np.empty(len(marks), dtype=np.uint8)
    with workspace.BorrowedTracked(position.board, limit) as tracked:
        status = _analyse_without_reuse(tracked, marks, position.mines, True, limit)
        if status in (workspace.NO_SOLUTION, workspace.WRONG_COUNT):
            return None
        if status:
            raise OutOfBudget(workspace.OUT_OF_RANGE)
        tracked.allocate_lists()
        kernel.draw_solutions(tracked, RandomStream(0).state, 1, view(row))
    return row.view(np.bool_)
