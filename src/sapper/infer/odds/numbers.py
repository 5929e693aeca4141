"""What every blank may show, for all of them at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.kernels import view
from sapper.kernels.odds import numbers as kernel
from sapper.model.frame import Frame


def find_numbers(frame: Frame, trust_flags: bool, limit: Limit) -> npt.NDArray[np.float64] | None:
    """A row for each cell: the probability that it is free and shows 0, 1, 2 and so on.

    None where the frame is for the general engine, which has to be asked number by number.
    """
    board = frame.board
    if len(board) > engine.MOST_CELLS:
        return None
    found = np.zeros((len(board), int(board.neighbour_counts.max(initial=0)) + 1))
    with engine.follow(board, limit) as position:
        position.make_room()
        status = engine.ask(position, frame.marks, frame.mines, trust_flags, limit)
        if status == engine.OK:
            status = kernel.numbers(position, view(found))
    return found if status == engine.OK else None
