"""How `patient` guesses: the first choice of another player, thought over, put into words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sapper.infer.budget import Cancel, Limit
from sapper.infer.solvers import GameSolver
from sapper.kernels.play.rollouts import Rollout
from sapper.kernels.play.thoughtful import Thought, hesitates
from sapper.model.frame import Frame
from sapper.play.guess import Guess, Weighed
from sapper.play.patient.comparing import Comparison, Rolled
from sapper.play.patient.memory import make_rollout
from sapper.play.patient.ponder import ponder
from sapper.play.patient.settings import PatientSettings
from sapper.play.rounds import Rounds
from sapper.play.shrewd.mind import Judging
from sapper.play.thoughtful.mind import Idle, lent
from sapper.wording import counted

_idle: Idle[PatientSettings, Rollout] = {}


@dataclass(frozen=True)
class Pondered:
    """What is known so far of a guess that is being thought over."""

    frame: Frame
    samples: int
    first: int
    """The first choice, from before the roll-outs."""
    rolled: tuple[Rolled, ...]
    """The candidates, the best first."""


class Pondering(Judging):
    """Guesses by these settings; `pondered` can be read, and `hurry` called, from elsewhere."""

    def __init__(self, settings: PatientSettings):
        super().__init__(settings)
        self._patience = settings
        self._enough = Cancel()
        self.pondered: Pondered | None = None
        """The guess that is being thought over at this moment."""

    def hurry(self) -> None:
        """End the thinking about the guess at hand: the best so far is taken."""
        self._enough.set()

    def _decide(self, frame: Frame, thought: Thought, limit: Limit) -> Guess:
        first = super()._decide(frame, thought, limit)
        thought.most_interior = self._patience.most_interior(len(frame.board))
        if not hesitates(thought, thought.p):
            return first
        enough = self._enough = Cancel()

        def tell(comparison: Comparison) -> None:
            self.pondered = _pondered(frame, comparison)

        try:
            with lent(_idle, (frame.board, self._patience), make_rollout) as rollout:
                found = ponder(rollout, thought, frame.marks, self._patience, limit, tell, enough)
        finally:
            self.pondered = None
        if found is None or not found.samples:
            return first
        return explain(frame, first, found, found.winner(self._patience.gate))


class Patient(Rounds):
    """A mind whose guesses are thought over; `pondering` tells how far that is."""

    def __init__(self, frame: Frame, solvers: Iterable[GameSolver], pondering: Pondering):
        super().__init__(frame, solvers, pondering.guess)
        self.pondering = pondering


def explain(frame: Frame, first: Guess, comparison: Comparison, chosen: int) -> Guess:
    """The guess after roll-outs, with what they found of every candidate."""
    odds = dict(zip(comparison.cells, comparison.odds, strict=True))
    known = {one.cell: one for one in first.weighed}
    weighed: list[Weighed] = []
    for rolled in map(comparison.rolled, comparison.order()):
        one = known.get(rolled.cell, Weighed(rolled.cell, odds[rolled.cell]))
        found = replace(one, rate=rolled.rate, error=rolled.error, samples=rolled.samples)
        weighed.insert(0 if rolled.cell == chosen else len(weighed), found)
    return replace(
        first,
        cell=chosen,
        risk=odds[chosen],
        next_best=(weighed[1].cell, weighed[1].risk),
        because=_because(frame, first.cell, weighed),
        weighed=tuple(weighed),
        fifty_fifties=first.fifty_fifties if chosen == first.cell else (),
    )


def _because(frame: Frame, first: int, weighed: list[Weighed]) -> str:
    """Why this cell, as the end of a sentence."""
    name = frame.board.name
    best, second = weighed[:2]
    text = f"it wins {best.rate_text} of {counted(best.samples, 'sample')} played on"
    if best.cell != first:
        other = next(one for one in weighed if one.cell == first)
        return f"{text}, and {name(first)}, the first choice, {other.rate_text}"
    if (second.rate or 0.0) > (best.rate or 0.0):
        return f"{text}; {name(second.cell)} with {second.rate_text} is not clearly better"
    return f"{text}; next best {name(second.cell)} with {second.rate_text}"


def _pondered(frame: Frame, comparison: Comparison) -> Pondered:
    return Pondered(
        frame,
        comparison.samples,
        comparison.cells[0],
        tuple(comparison.rolled(i) for i in comparison.order()),
    )
