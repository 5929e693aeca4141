"""The player `learned`: perfect end games, else the candidate that a network values most."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import PART_SOLVED, SOLVED
from sapper.kernels.players import features, network
from sapper.kernels.players.guessing import EndGameSolver, GuesserState
from sapper.kernels.players.learned import CandidateValues, LearnedState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.agents import exact_agent
from sapper.players.guess import MAX_CANDIDATES, Candidate, Guess, GuessFact
from sapper.players.networks import Weights, patch_of, patch_table, weights_for
from sapper.players.player import Compiled, CompiledGuesser, Player, PlayerSettings, StatePool
from sapper.players.reasons import explain_choice_by_facts, explain_solved, with_reason
from sapper.players.thoughtful import (
    ThoughtfulSettings,
    explain_choice,
    fact_of_part,
    make_thoughtful_state,
)

# Capacities of an end game: solutions at least and at most, sets in its memo, work of one search.
MIN_SOLUTION_CAPACITY = 256
MAX_SOLUTION_CAPACITY = 8192
MEMO_CAPACITY = 1 << 17
MAX_WORK = 400_000_000


@dataclass(frozen=True)
class LearnedSettings(PlayerSettings):
    """The settings of `learned`.

    >>> LearnedSettings().replace({"candidates": 8}).candidates
    8
    """

    end_game: int = 200
    """Solutions up to which the end game is searched; 0 turns it off."""
    nodes: int = 90_000
    """Sets of solutions that one search may visit."""
    apart: bool = True
    """Whether parts that are independent of the rest are searched separately."""
    candidates: int = 32
    """Cells that the network evaluates, the safest first."""
    ratio: float = 0.85
    """Candidates are safe at least this share as often as the safest cell."""


def make_learned_state(
    board: Board,
    weights: Weights,
    settings: LearnedSettings,
    tracked: TrackedPosition | None = None,
    images: int = 1,
) -> LearnedState:
    """Make the state of the compiled guesser for a board.

    *tracked* is a position that a game keeps up to date; *images* symmetries of a patch are
    averaged.
    """
    end_game = EndGameSolver(
        view(board.offsets),
        view(board.neighbours),
        max(MIN_SOLUTION_CAPACITY, min(settings.end_game, MAX_SOLUTION_CAPACITY)),
        MEMO_CAPACITY,
        max_solutions=settings.end_game,
        max_sparse_solutions=0.0,
        separate_parts=settings.apart,
        max_nodes=settings.nodes,
        max_work=MAX_WORK,
    )
    tracked_position = workspace.make_tracked(board) if tracked is None else tracked
    values = make_values(board, tracked_position, weights, settings, images)
    return LearnedState(tracked_position, end_game, values, tracked is not None)


def make_values(
    board: Board,
    tracked: TrackedPosition,
    weights: Weights,
    settings: LearnedSettings,
    images: int = 1,
) -> CandidateValues:
    """Make the network's values of the candidates in a tracked position."""
    table = view(patch_table(board).reshape(-1))
    inputs = features.Features(view(board.offsets), table, settings.candidates, settings.ratio)
    return CandidateValues(tracked, inputs, make_network(weights, images))


def make_network(weights: Weights, images: int = 1) -> network.Network:
    """Make the kernel's network; *images* is limited to 1 and the number of symmetries."""
    symmetries = patch_of(weights.tiling).symmetries[: max(1, images)]

    def real(name: str, parts: int = 1) -> npt.NDArray[np.float64]:
        return view(weights.real(name).reshape(-1) / parts)

    # Sums of rows are in units of 1/32 of a weight, scalars in units of 1/4096.
    return network.Network(
        {
            "image": view(np.ascontiguousarray(symmetries.reshape(-1))),
            "image_count": len(symmetries),
            "scale": 2.0 ** -(weights.shifts["rows"] + 5),
            "rows": view(weights.arrays["rows"].reshape(-1)),
            "from_scalars": real("from_scalars", 4096),
            "skip": real("skip", 4096),
            "last_bias": float(weights.real("last_bias")[0]),
            **{name: real(name) for name in ("first_bias", "middle", "second_bias", "last")},
        }
    )


def _make_state(
    board: Board, settings: LearnedSettings, tracked: TrackedPosition | None = None
) -> GuesserState:
    """Make the state for a board; without a network that of `thoughtful`."""
    weights = weights_for(board)
    if weights is None:
        return make_thoughtful_state(board, ThoughtfulSettings())
    return make_learned_state(board, weights, settings, tracked)


_POOL: StatePool[LearnedSettings, GuesserState] = StatePool(_make_state)


def learned_guesser(settings: LearnedSettings) -> CompiledGuesser[LearnedSettings]:
    """Return the guesser of `learned` with these settings."""
    return CompiledGuesser(_POOL, _explain, settings)


def _explain(
    position: Position, state: GuesserState, settings: LearnedSettings, limit: Limit
) -> Guess:
    """Return the choice with its candidates and its reason; without a network as `thoughtful`."""
    if not isinstance(state, LearnedState):
        return explain_choice(position, state, limit)
    candidates = _candidates(state)
    value = Fraction(state.wins, state.rows) if state.reason == SOLVED else None
    guess = Guess(
        int(state.chosen),
        1,
        candidates[0].risk,
        next_best=(candidates[1].cell, candidates[1].risk) if len(candidates) > 1 else None,
        candidates=(replace(candidates[0], value=value), *candidates[1:]),
        value=value,
    )
    if state.reason == SOLVED:
        return explain_solved(position, guess, limit)
    if state.reason == PART_SOLVED:
        return with_reason(guess, fact_of_part(state))
    return explain_choice_by_facts(position, guess, GuessFact("networks"), limit)


def _candidates(state: LearnedState) -> tuple[Candidate, ...]:
    """Return the chosen cell and the best of the others by the network's values."""
    chosen, probability = int(state.chosen), np.asarray(state.p.probabilities)
    inputs = state.values.features
    cells = [int(inputs.candidate[i]) for i in range(inputs.count)]
    if not cells:
        return (Candidate(chosen, float(probability[chosen])),)
    value = dict(zip(cells, map(float, state.values.value[: len(cells)]), strict=True))
    # Equal values stay in the order of the candidates, the safest first.
    order = sorted(cells, key=lambda cell: (cell != chosen, -value[cell]))
    return tuple(
        Candidate(cell, float(probability[cell]), relative_value=value[cell] - value[chosen])
        for cell in order[:MAX_CANDIDATES]
    )


LEARNED = Player(
    "learned",
    "guesses by a neural network, and plays end games perfectly",
    lambda position, _seed, settings: exact_agent(position, learned_guesser(settings).guess),
    LearnedSettings(),
    Compiled(make_guesser=_make_state),
)
