"""What every covered cell may show, for all of them at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.tracked import values as kernel


def find_values(
    position: Position, trust_flags: bool, limit: Limit
) -> npt.NDArray[np.float64] | None:
    """A row for each cell: the probability that it is free and shows 0, 1, 2 and so on.

    None where the position is for the general engine, which has to be asked number by number.
    """
    board = position.board
    if len(board) > workspace.MAX_TRACKED_CELLS:
        return None
    found = np.zeros((len(board), int(board.neighbour_counts.max(initial=0)) + 1))
    with workspace.follow(board, limit) as tracked:
        tracked.allocate_lists()
        status = workspace.ask(tracked, position.marks, position.mines, trust_flags, limit)
        if status == workspace.OK:
            status = kernel.cell_values(tracked, view(found))
    return found if status == workspace.OK else None
