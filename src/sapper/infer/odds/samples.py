"""Placements drawn from a frame: each satisfactory one with the same chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.errors import OutOfBudget, RulesError
from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.infer.proofs.contradictions import name_clash
from sapper.kernels import view
from sapper.kernels.odds import samples as kernel
from sapper.model.frame import FLAG, Frame
from sapper.model.stream import Stream

# So many placements are drawn between two looks at the clock.
AT_ONCE = 4096


def draw_placements(
    frame: Frame, count: int, seed: int, trust_flags: bool, limit: Limit
) -> npt.NDArray[np.bool_]:
    """A row of all cells for each placement, true where a mine lies; the same for the same seed."""
    board = frame.board
    if count * len(board) > limit.memory:
        raise OutOfBudget(
            f"expected to need at most {limit.memory / 1e9:g} GB, "
            f"got {count:,} placements of {len(board):,} cells"
        )
    stream = Stream(seed)
    rows = np.empty((count, len(board)), dtype=np.uint8)
    with engine.follow(board, limit) as position:
        status = engine.ask(position, frame.marks, frame.mines, trust_flags, limit)
        if status == engine.IMPRECISE:
            raise OutOfBudget("expected counts that floating point can hold, got a wider range")
        if status == engine.OK:
            if frame.mines is None and position.interior:
                raise RulesError("expected a mine count to draw the interior by, got none")
            position.make_room()
            for start in range(0, count, AT_ONCE):
                limit.check(f"{start:,} of {count:,} placements")
                some = rows[start : start + AT_ONCE]
                kernel.draw_many(position, stream.state, len(some), view(some.reshape(-1)))
            return rows.view(np.bool_)
    with engine.borrow(limit, trust_flags) as ws:
        status = engine.run(ws, board, frame.marks, frame.mines, limit)
        raise name_clash(ws, frame, status, limit)


def counter_example(
    frame: Frame, cell: int, mine: bool, limit: Limit
) -> npt.NDArray[np.bool_] | None:
    """A placement in which a blank is a mine, or is free; None where there is none.

    Flags are trusted. The same question always gets the same placement.
    """
    marks = frame.marks.copy()
    marks[cell] = FLAG if mine else engine.OPEN
    row = np.empty(len(marks), dtype=np.uint8)
    with engine.follow(frame.board, limit) as position:
        status = engine.ask(position, marks, frame.mines, True, limit)
        if status in (engine.NO_PLACEMENT, engine.WRONG_COUNT):
            return None
        if status:
            raise OutOfBudget("expected counts that floating point can hold, got a wider range")
        position.make_room()
        kernel.draw_many(position, Stream(0).state, 1, view(row))
    return row.view(np.bool_)
