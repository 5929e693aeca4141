"""Frames without a satisfactory placement, as the papers' solvers see them.

They trust flags and leave the mine count out, so a frame may be impossible for them and possible
for somebody who doubts its flags. The exact engine finds out, and names hints that clash.
"""

from __future__ import annotations

from sapper.errors import Contradiction, OutOfBudget
from sapper.infer.budget import DEFAULT, Limit
from sapper.infer.odds.analysis import analyse
from sapper.model.frame import Frame


def refuse_impossible(frame: Frame, limit: Limit) -> None:
    """Raise Contradiction if no placement meets all hints.

    A frame that the engine cannot decide passes, with at least half of the time left.
    """
    half = limit.within(limit.left / 2)
    try:
        analyse(Frame(frame.board, frame.marks), trust_flags=True, budget=half)
    except OutOfBudget:
        if limit.cancelled:
            raise


def contradiction(frame: Frame, *hints: int, limit: Limit | None = None) -> Contradiction:
    """The error for a frame that turned out to be impossible at these hints.

    It names a set of hints of which none can be dropped, unless that takes too long to find.
    """
    try:
        refuse_impossible(frame, limit or DEFAULT.start())
    except Contradiction as error:
        return error
    names = frame.names(hints)
    return Contradiction(f"expected hints that can hold together, got {', '.join(names)}", names)
