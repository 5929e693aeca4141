"""The player `patient`: as `shrewd`, but roll-outs confirm or change most guesses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.position import COVERED, Position
from sapper.engine import workspace
from sapper.engine.budget import MAX_SECONDS, Budget, Cancel, Limit
from sapper.errors import NotationError
from sapper.kernels import view
from sapper.kernels.games.game_state import GameState
from sapper.kernels.games.rollouts import RolloutState
from sapper.kernels.players.guessing import EndGameSolver, GuesserState, needs_rollouts
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.agents import ExactSolver, SolverAgent, strategy_solvers
from sapper.players.guess import Candidate, Guess, GuessFact
from sapper.players.learned import LearnedSettings, make_learned_state
from sapper.players.networks import weights_for
from sapper.players.player import Compiled, CompiledGuesser, Player, StatePool
from sapper.players.reasons import ComparedMove, win_facts, with_reason
from sapper.players.rollouts import (
    Comparison,
    RolloutResult,
    compare_best,
    compare_by_rollouts,
)
from sapper.players.shrewd import ShrewdSettings, explain_guess, make_guesser_state
from sapper.players.thoughtful import make_thoughtful_state
from sapper.solvers.human import make_human_state

# Capacities of an end game in a roll-out: solutions, and sets of solutions in its memo.
SOLUTION_CAPACITY = 2048
SET_CAPACITY = 1 << 17
# The capacity of the roll-outs' memo of guesses: positions without a certain move.
MEMO_CAPACITY = 1 << 18
# Limits of one end game search in a roll-out; beyond them the inner player guesses.
MAX_NODES = 3_000
MAX_WORK = 2_000_000

LEAST_SAMPLES = 20
"""With fewer samples the first choice is kept: their standard error is too inaccurate."""
INNER_PLAYERS = ("careful", "thoughtful", "learned", "shrewd")
"""The players that may finish the game in a roll-out."""
OPENING_SHARE = 15 / 16
"""No roll-outs while the interior is at least this share of the board. These few positions occur in
many games, so a wrong choice by too few samples would be repeated in all of them."""


@dataclass(frozen=True)
class PatientSettings(ShrewdSettings):
    """The settings of `shrewd`, and those of the roll-outs.

    >>> PatientSettings().replace({"seconds": 2}).seconds
    2.0
    """

    keep: int = 6
    """How many cells of the first network are compared with the choice of `thoughtful`."""
    keep_ahead: int = 2
    """How many other candidates of `thoughtful` are compared with it, by score."""
    samples: int = 3000
    """Samples of a guess, at most."""
    seconds: float = 0.0
    """Seconds for a guess, instead of a number of samples; 0 uses samples."""
    candidates: int = 10
    """Cells that are compared by roll-outs, at most."""
    interior: int = 350
    """No roll-outs if the interior has this many cells or more."""
    first_error: float = 0.02
    """The standard deviation of the error of `shrewd` where it expects a difference of one point
    between win chances; it grows with the fourth root of the difference."""
    least_lead: float = 0.008
    """How far another cell must be ahead to replace the choice of `shrewd`."""
    least_gain: float = 0.0003
    """End the roll-outs if knowing the better cell would raise the win chance by less than this;
    with `seconds` they use all of their time."""
    inner: str = "learned"
    """The player that finishes a roll-out: careful, thoughtful, learned (else careful, on boards
    without a network) or shrewd."""
    inner_candidates: int = 8
    """Cells that the network of `learned` evaluates at a guess in a roll-out, the safest first."""
    inner_end_game: int = 200
    """Up to this many solutions a roll-out ends with the exact win chance."""

    def max_interior(self, cells: int) -> int:
        """Return the size of the interior from which there are no roll-outs on a board.

        >>> PatientSettings().max_interior(480), PatientSettings().max_interior(64)
        (350, 60)
        """
        return min(self.interior, int(OPENING_SHARE * cells))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.inner not in INNER_PLAYERS:
            expected = " or ".join(INNER_PLAYERS)
            raise NotationError(f"inner: expected {expected}, got {self.inner!r:.60}")
        if self.candidates < 2:
            raise NotationError(f"candidates: expected 2 or more, got {self.candidates}")
        if self.inner_candidates < 1:
            raise NotationError(
                f"inner_candidates: expected 1 or more, got {self.inner_candidates}"
            )
        if not self.first_error:
            raise NotationError("first_error: expected more than 0, got 0")
        if self.samples < 1 and not self.seconds:
            raise NotationError(f"samples: expected 1 or more, got {self.samples}")


def make_rollout_state(board: Board, settings: PatientSettings) -> RolloutState:
    """Make the state of roll-outs on a board."""
    game = _make_game(board)
    return RolloutState(
        workspace.make_tracked(board),
        game,
        EndGameSolver(
            view(board.offsets),
            view(board.neighbours),
            SOLUTION_CAPACITY,
            SET_CAPACITY,
            max_solutions=settings.inner_end_game,
            max_sparse_solutions=0.0,
            separate_parts=False,
            max_nodes=MAX_NODES,
            max_work=MAX_WORK,
        ),
        _make_inner_guesser(board, settings, game.tracked),
        MEMO_CAPACITY,
    )


def _make_inner_guesser(
    board: Board, settings: PatientSettings, tracked: TrackedPosition
) -> GuesserState | None:
    """Make the guesser of the inner player; None for `careful`, which needs none."""
    if settings.inner == "thoughtful":
        return make_thoughtful_state(board, settings)
    if settings.inner == "shrewd":
        return make_guesser_state(board, settings)
    weights = weights_for(board) if settings.inner == "learned" else None
    if weights is None:
        return None
    # The roll-out searches the end game itself.
    learned_settings = LearnedSettings(
        end_game=0, candidates=settings.inner_candidates, ratio=settings.many_ratio
    )
    return make_learned_state(board, weights, learned_settings, tracked)


def _make_game(board: Board) -> GameState:
    """Make a game that starts at a position; it has no layout to generate."""
    marks = np.full(len(board), COVERED, dtype=np.int32)
    return GameState(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        make_human_state(board, marks),
        workspace.make_tracked(board),
        view(np.zeros(1, np.int32)),
        0,
        0,
    )


def _make_state(board: Board, settings: PatientSettings) -> ThoughtfulState:
    """Make the state of `shrewd`, which decides whether a guess needs roll-outs."""
    state = make_guesser_state(board, settings)
    state.max_interior = settings.max_interior(len(board))
    return state


_GUESSERS: StatePool[PatientSettings, GuesserState] = StatePool(_make_state)
_ROLLOUTS: StatePool[PatientSettings, RolloutState] = StatePool(make_rollout_state)


@dataclass(frozen=True)
class RolloutProgress:
    """The results of the roll-outs for a guess so far."""

    position: Position
    samples: int
    first: int
    """The choice before the roll-outs."""
    results: tuple[RolloutResult, ...]
    """The candidates, the present choice first, then by win rate."""


class PatientGuesser(CompiledGuesser[PatientSettings]):
    """The guesser of `patient`; other threads may read `progress` and call `finish_early`."""

    def __init__(self, settings: PatientSettings):
        super().__init__(_GUESSERS, self._confirm, settings)
        self._stop = Cancel()
        self.progress: RolloutProgress | None = None
        """The progress of the running roll-outs, None if there are none."""

    def finish_early(self) -> None:
        """End the running roll-outs and choose the best cell so far."""
        self._stop.set()

    def _confirm(
        self, position: Position, state: GuesserState, settings: PatientSettings, limit: Limit
    ) -> Guess:
        """Return the first choice, or a cell that roll-outs find better."""
        first = explain_guess(position, state, settings, limit)
        if not needs_rollouts(state):
            return first
        assert isinstance(state, ThoughtfulState)
        stop = self._stop = Cancel()

        def on_progress(comparison: Comparison) -> None:
            results = tuple(comparison.result(i) for i in comparison.order())
            self.progress = RolloutProgress(
                position, comparison.samples, comparison.cells[0], results
            )

        try:
            with _ROLLOUTS.borrow(position.board, settings) as rollouts:
                compared = _compare(
                    rollouts, state, position.marks, settings, limit, on_progress, stop
                )
        finally:
            self.progress = None
        return first if compared is None else explain_rollouts(first, compared)


def _compare(
    rollouts: RolloutState,
    guesser: ThoughtfulState,
    marks: Ints,
    settings: PatientSettings,
    limit: Limit,
    on_progress: Callable[[Comparison], None] | None = None,
    stop: Cancel | None = None,
) -> Comparison | None:
    """Return the candidates of a guesser compared by roll-outs, None if there were too few."""
    comparison = compare_best(
        guesser, settings.candidates, settings.first_error, settings.least_lead
    )
    answered = compare_by_rollouts(
        rollouts,
        comparison,
        marks,
        int(guesser.mines),
        limit,
        samples=settings.samples,
        seconds=settings.seconds,
        # A user who gives seconds can watch the search, and end it.
        least_gain=0.0 if settings.seconds else settings.least_gain,
        on_progress=on_progress,
        stop=stop,
    )
    return comparison if answered and comparison.samples >= LEAST_SAMPLES else None


class PatientAgent(SolverAgent):
    """An agent whose guesses are confirmed by roll-outs of its `guesser`."""

    def __init__(self, position: Position, settings: PatientSettings):
        self.guesser = PatientGuesser(settings)
        solvers = *strategy_solvers(position), ExactSolver(position)
        super().__init__(position, solvers, self.guesser.guess)


def explain_rollouts(first: Guess, comparison: Comparison) -> Guess:
    """Return the guess after roll-outs, with the results of every cell that had any."""
    order = [i for i in comparison.order() if comparison.result(i).samples]
    risk = dict(zip(comparison.cells, comparison.probabilities, strict=True))
    known = {candidate.cell: candidate for candidate in first.candidates}
    candidates: list[Candidate] = []
    for i in order:
        result = comparison.result(i)
        candidate = known.get(result.cell, Candidate(result.cell, risk[result.cell]))
        candidates.append(
            replace(candidate, rate=result.rate, error=result.error, samples=result.samples)
        )
    chosen = comparison.cells[order[0]]
    guess = replace(
        first,
        cell=chosen,
        risk=risk[chosen],
        next_best=(candidates[1].cell, candidates[1].risk),
        candidates=tuple(candidates),
        fifty_fifties=first.fifty_fifties if chosen == first.cell else (),
    )
    return with_reason(guess, *_rollout_facts(chosen, order, comparison, risk))


def _rollout_facts(
    chosen: int, order: list[int], comparison: Comparison, risk: dict[int, float]
) -> tuple[GuessFact, ...]:
    """Return what the roll-outs say about the chosen cell."""
    # A first choice is kept if the lead of another cell is small: then that one is the best.
    by_lead = sorted(order, key=lambda i: -comparison.lead(i, 0)[0])
    rows = []
    for i in by_lead:
        result = comparison.result(i)
        lead, error = comparison.lead(by_lead[0], i)
        rows.append(ComparedMove(result.cell, risk[result.cell], result.rate, lead, error))
    facts = win_facts(chosen, rows, are_all=False)
    return (*facts, GuessFact("small_lead")) if facts[0].kind == "behind" else facts


class PatientRollouts:
    """Roll-outs for the guesses of the batch kernel."""

    def __init__(self, board: Board, settings: PatientSettings):
        self.state = make_rollout_state(board, settings)
        self._settings = settings

    def choose(
        self, guesser: ThoughtfulState, marks: Ints, budget: Budget, cancel: Cancel | None
    ) -> int:
        """Return the first choice or a better cell; only `seconds` limits the time."""
        settings = self._settings
        budget = budget if settings.seconds else replace(budget, seconds=MAX_SECONDS)
        compared = _compare(self.state, guesser, marks, settings, budget.start(cancel))
        return int(guesser.chosen) if compared is None else compared.winner()


PATIENT = Player(
    "patient",
    "tries each guess of shrewd on random layouts before it decides",
    lambda position, _seed, settings: PatientAgent(position, settings),
    PatientSettings(),
    Compiled(
        make_guesser=lambda board, settings, _tracked: _make_state(board, settings),
        make_rollouts=PatientRollouts,
    ),
)
