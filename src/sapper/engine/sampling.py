"""Solutions drawn from a position: each satisfactory one with the same chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.board.position import FLAG, Position
from sapper.board.random_stream import RandomStream
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.engine.conflicts import contradiction_error
from sapper.errors import OutOfBudget, RulesError
from sapper.kernels import view
from sapper.kernels.tracked import sampling as kernel

# So many solutions are drawn between two looks at the clock.
BATCH = 4096


def draw_solutions(
    position: Position, count: int, seed: int, trust_flags: bool, limit: Limit
) -> npt.NDArray[np.bool_]:
    """A row of all cells for each solution, true where a mine lies; the same for the same seed."""
    board = position.board
    if count * len(board) > limit.memory:
        raise OutOfBudget(
            f"expected to need at most {limit.memory / 1e9:g} GB, "
            f"got {count:,} solutions of {len(board):,} cells"
        )
    stream = RandomStream(seed)
    rows = np.empty((count, len(board)), dtype=np.uint8)
    with workspace.follow(board, limit) as tracked:
        status = workspace.ask(tracked, position.marks, position.mines, trust_flags, limit)
        if status == workspace.IMPRECISE:
            raise OutOfBudget("expected counts that floating point can hold, got a wider range")
        if status == workspace.OK:
            if position.mines is None and tracked.interior:
                raise RulesError("expected a mine count to draw the interior by, got none")
            tracked.make_room()
            for start in range(0, count, BATCH):
                limit.check(f"{start:,} of {count:,} solutions")
                some = rows[start : start + BATCH]
                kernel.draw_solutions(tracked, stream.state, len(some), view(some.reshape(-1)))
            return rows.view(np.bool_)
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        status = workspace.run(ws, board, position.marks, position.mines, limit)
        raise contradiction_error(ws, position, status, limit)


def counter_example(
    position: Position, cell: int, mine: bool, limit: Limit
) -> npt.NDArray[np.bool_] | None:
    """A solution in which a covered cell is a mine, or is free; None where there is none.

    Flags are trusted. The same question always gets the same solution.
    """
    marks = position.marks.copy()
    marks[cell] = FLAG if mine else workspace.KNOWN_SAFE
    row = np.empty(len(marks), dtype=np.uint8)
    with workspace.follow(position.board, limit) as tracked:
        status = workspace.ask(tracked, marks, position.mines, True, limit)
        if status in (workspace.NO_SOLUTION, workspace.WRONG_COUNT):
            return None
        if status:
            raise OutOfBudget("expected counts that floating point can hold, got a wider range")
        tracked.make_room()
        kernel.draw_solutions(tracked, RandomStream(0).state, 1, view(row))
    return row.view(np.bool_)
