"""How `patient` guesses: the first choice of another player, thought over, put into words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sapper.board.position import Position
from sapper.engine.budget import Cancel, Limit
from sapper.kernels.games.rollouts import RolloutState
from sapper.kernels.players.thoughtful import ThoughtfulState, needs_rollouts
from sapper.players.agents import SolverAgent
from sapper.players.comparison import Comparison, RolloutResult
from sapper.players.guess import Candidate, Guess
from sapper.players.patient_settings import PatientSettings
from sapper.players.patient_state import make_rollout_state
from sapper.players.rollouts import compare_by_rollouts
from sapper.players.shrewd import ShrewdGuesser
from sapper.players.thoughtful import IdleStates, borrow_state
from sapper.solvers.registry import IncrementalSolver
from sapper.wording import counted

_idle: IdleStates[PatientSettings, RolloutState] = {}


@dataclass(frozen=True)
class RolloutProgress:
    """What is known so far of a guess that is being thought over."""

    position: Position
    samples: int
    first: int
    """The first choice, from before the roll-outs."""
    rolled: tuple[RolloutResult, ...]
    """The candidates, the best first."""


class PatientGuesser(ShrewdGuesser):
    """Guesses by these settings; `progress` can be read, and `hurry` called, from elsewhere."""

    def __init__(self, settings: PatientSettings):
        super().__init__(settings)
        self._patience = settings
        self._enough = Cancel()
        self.progress: RolloutProgress | None = None
        """The guess that is being thought over at this moment."""

    def hurry(self) -> None:
        """End the thinking about the guess at hand: the best so far is taken."""
        self._enough.set()

    def _decide(self, position: Position, thoughtful_state: ThoughtfulState, limit: Limit) -> Guess:
        first = super()._decide(position, thoughtful_state, limit)
        thoughtful_state.max_interior = self._patience.max_interior(len(position.board))
        if not needs_rollouts(thoughtful_state, thoughtful_state.p):
            return first
        enough = self._enough = Cancel()

        def tell(comparison: Comparison) -> None:
            self.progress = _progress(position, comparison)

        try:
            with borrow_state(
                _idle, (position.board, self._patience), make_rollout_state
            ) as rollout:
                found = compare_by_rollouts(
                    rollout, thoughtful_state, position.marks, self._patience, limit, tell, enough
                )
        finally:
            self.progress = None
        if found is None or not found.samples:
            return first
        return explain(position, first, found, found.winner(self._patience.gate))


class PatientAgent(SolverAgent):
    """A mind whose guesses are thought over; `guesser` tells how far that is."""

    def __init__(
        self, position: Position, solvers: Iterable[IncrementalSolver], guesser: PatientGuesser
    ):
        super().__init__(position, solvers, guesser.guess)
        self.guesser = guesser


def explain(position: Position, first: Guess, comparison: Comparison, chosen: int) -> Guess:
    """The guess after roll-outs, with what they found of every candidate."""
    probabilities = dict(zip(comparison.cells, comparison.probabilities, strict=True))
    known = {one.cell: one for one in first.candidates}
    candidates: list[Candidate] = []
    for rolled in map(comparison.rolled, comparison.order()):
        one = known.get(rolled.cell, Candidate(rolled.cell, probabilities[rolled.cell]))
        found = replace(one, rate=rolled.rate, error=rolled.error, samples=rolled.samples)
        candidates.insert(0 if rolled.cell == chosen else len(candidates), found)
    return replace(
        first,
        cell=chosen,
        risk=probabilities[chosen],
        next_best=(candidates[1].cell, candidates[1].risk),
        because=_because(position, first.cell, candidates),
        candidates=tuple(candidates),
        fifty_fifties=first.fifty_fifties if chosen == first.cell else (),
    )


def _because(position: Position, first: int, candidates: list[Candidate]) -> str:
    """Why this cell, as the end of a sentence."""
    name = position.board.name
    best, second = candidates[:2]
    text = f"it wins {best.rate_text} of {counted(best.samples, 'sample')} played on"
    if best.cell != first:
        other = next(one for one in candidates if one.cell == first)
        return f"{text}, and {name(first)}, the first choice, {other.rate_text}"
    if (second.rate or 0.0) > (best.rate or 0.0):
        return f"{text}; {name(second.cell)} with {second.rate_text} is not clearly better"
    return f"{text}; next best {name(second.cell)} with {second.rate_text}"


def _progress(position: Position, comparison: Comparison) -> RolloutProgress:
    return RolloutProgress(
        position,
        comparison.samples,
        comparison.cells[0],
        tuple(comparison.rolled(i) for i in comparison.order()),
    )
