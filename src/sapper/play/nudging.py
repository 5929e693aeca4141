"""Nudges with the best guess that Sapper knows, where nothing is certain."""

from __future__ import annotations

from dataclasses import replace

from sapper.infer.budget import DEFAULT, Budget, Cancel, started
from sapper.infer.proofs.nudges import Nudge
from sapper.infer.proofs.nudges import nudge as prove
from sapper.model.frame import FLAG, Frame
from sapper.percent import percent
from sapper.play.guess import Guess
from sapper.play.players import advise


def nudge(
    frame: Frame,
    degree: int = 1,
    *,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
    level: int | None = None,
) -> Nudge:
    """A nudge of a degree from 1 (where to look) to 4 (do it); *level* is its older name.

    What is certain is told by its proof, as `sapper.infer.proofs.nudges` does; where nothing is,
    the guess of `thoughtful`, from degree 3 on with its cell and its reason.

    >>> print(nudge(Frame.parse("# 1 # # #", mines=2), 3).text)
    No blank is certainly free. The best guess is a mine with odds of 50.0 %: reveal r1c3,
    because perfect play wins 2 of the 4 placements left, and begins here.
    """
    limit = started(budget, cancel)
    degree = degree if level is None else level
    found = prove(frame, degree, budget=limit)
    if found.certain or found.odds is None or frame.mines is None:
        return found
    why = advise(frame, "thoughtful", budget=limit).why
    # Nobody is sent onto a cell that they have flagged themselves.
    if not isinstance(why, Guess) or why.risk is None or frame.marks[why.cell] == FLAG:
        return found
    name = frame.board.name(why.cell)
    text = f"No blank is certainly free. The best guess is a mine with odds of {percent(why.risk)}"
    reason = f", because {why.because}" if why.because else ""
    move = (f"reveal {name}",)
    return replace(
        found,
        text=text + (f": reveal {name}{reason}." if degree >= 3 else "."),
        moves=move if degree >= 3 else (),
        play=move if degree >= 4 else (),
        odds=why.risk,
    )
