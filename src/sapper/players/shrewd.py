"""The player `shrewd`: compares the best candidates of a network with those of `thoughtful`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.engine.budget import Limit
from sapper.formats.openings import Opening, OpeningTable, openings_for
from sapper.kernels import view
from sapper.kernels.codes import FROM_TABLE
from sapper.kernels.players.guessing import GuesserState
from sapper.kernels.players.shrewd import ShrewdState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.players.agents import exact_agent
from sapper.players.guess import Candidate, Guess, GuessFact
from sapper.players.learned import LearnedSettings, make_network, make_values
from sapper.players.networks import Weights, second_weights_for, weights_for
from sapper.players.player import ADDED_LATER, Compiled, CompiledGuesser, Player, StatePool
from sapper.players.reasons import with_reason
from sapper.players.thoughtful import (
    ThoughtfulSettings,
    build_state,
    explain_choice,
    make_thoughtful_state,
    thoughtful_guesser,
)


@dataclass(frozen=True)
class ShrewdSettings(ThoughtfulSettings):
    """The settings of `shrewd`: those of `thoughtful`, networks, and the weights of all values.

    >>> ShrewdSettings().replace({"keep": 8}).keep
    8
    """

    end_game: int = 2000
    """Solutions up to which the end game is searched; 0 turns it off."""
    thin_end_game: float = 1000.0
    """The same for solutions times d cubed, with d the share of safe cells; 0 turns it off."""
    nodes: int = 150_000
    """Sets of solutions that one search may visit."""
    network: bool = True
    """Whether networks are used; else it plays as `thoughtful`, as on boards without a network."""
    many: int = 32
    """Cells that the first network evaluates, the safest first."""
    many_ratio: float = 0.85
    """Evaluate only cells whose probability of being safe is at least this share of the highest."""
    keep: int = 3
    """How many of them are compared with the choice of `thoughtful`, the best first."""
    keep_ahead: int = 1
    """How many other candidates of `thoughtful` are compared with it, by score."""
    first_weight: float = 0.05
    """The weight of the first network."""
    second_weight: float = 0.93
    """The weight of the second network; without one, the first has this weight too."""
    images: int = 8
    """Symmetries over which the second network is averaged; 1 uses the position as it is."""
    ahead: float = 0.01
    """The weight of the safety of the second safest cell after the move."""
    influence: float = 0.02
    """The weight of the influence on fifty-fifties."""
    margin: float = 0.003
    """How much higher the value of another cell must be to replace the choice of `thoughtful`."""
    openings: bool = field(default=True, metadata={ADDED_LATER: True})
    """Whether moves of the table of openings are played; boards without a network have none."""


def uses_networks(board: Board, settings: ShrewdSettings) -> bool:
    """Return whether networks are turned on and there is one for the board."""
    return settings.network and weights_for(board) is not None


def make_shrewd_state(
    board: Board,
    settings: ShrewdSettings,
    first: Weights | None = None,
    second: Weights | None = None,
) -> ShrewdState:
    """Make the state of the compiled guesser; by default with the networks of the package."""
    if first is None:
        first, second = weights_for(board), second_weights_for(board)
    assert first is not None
    first_weight = settings.first_weight
    if second is None:
        first_weight += settings.second_weight
    elif settings.second_weight <= 0:
        second = None
    state = build_state(
        ShrewdState,
        board,
        settings,
        keep=settings.keep,
        keep_ahead=settings.keep_ahead,
        first_weight=first_weight,
        second_weight=settings.second_weight,
        ahead_weight=settings.ahead,
        influence_bonus=settings.influence,
        margin=settings.margin,
    )
    evaluated = LearnedSettings(candidates=settings.many, ratio=settings.many_ratio)
    state.use_networks(
        make_values(board, state.p, first, evaluated),
        None if second is None else make_network(second, settings.images),
    )
    openings = openings_for(board) if settings.openings else OpeningTable()
    state.use_openings(
        view(openings.keys),
        view(openings.ln_solutions),
        view(openings.moves),
        openings.max_revealed,
    )
    return state


def make_guesser_state(board: Board, settings: ShrewdSettings) -> ThoughtfulState:
    """Make the state for a board: that of `thoughtful` if there are no networks."""
    make = make_shrewd_state if uses_networks(board, settings) else make_thoughtful_state
    return make(board, settings)


_POOL: StatePool[ShrewdSettings, GuesserState] = StatePool(make_guesser_state)


def shrewd_guesser(settings: ShrewdSettings) -> CompiledGuesser[ShrewdSettings]:
    """Return the guesser of `shrewd` with these settings."""
    return CompiledGuesser(_POOL, explain_guess, settings)


def default_guesser(board: Board) -> CompiledGuesser[Any]:
    """Return the guesser for hints: `shrewd` if there is a network, else `thoughtful`."""
    settings = ShrewdSettings()
    if uses_networks(board, settings):
        return shrewd_guesser(settings)
    return thoughtful_guesser(ThoughtfulSettings())


def explain_guess(
    position: Position, state: GuesserState, settings: ShrewdSettings, limit: Limit
) -> Guess:
    """Return the choice, as `thoughtful` explains it unless it is from the table of openings."""
    if isinstance(state, ShrewdState) and state.reason == FROM_TABLE:
        return explain_opening(state, openings_for(position.board).openings[state.opening])
    return explain_choice(position, state, limit)


def explain_opening(state: ShrewdState, opening: Opening) -> Guess:
    """Return a move of the table of openings, with what the study measured."""
    risks = np.asarray(state.p.probabilities)
    candidates = tuple(
        Candidate(cell, float(risks[cell]), rate=rate, error=error, samples=opening.samples)
        for cell, rate, error in (
            (opening.move, opening.rate, opening.rate_error),
            (opening.instead, opening.instead_rate, opening.instead_error),
        )
    )
    guess = Guess(
        opening.move,
        1,
        candidates[0].risk,
        next_best=(opening.instead, candidates[1].risk),
        candidates=candidates,
    )
    rates = opening.rate, opening.instead_rate
    return with_reason(
        guess, GuessFact("simulated", (opening.instead,), *rates, samples=opening.samples)
    )


SHREWD = Player(
    "shrewd",
    "compares the best guesses of thoughtful and learned by a second network",
    lambda position, _seed, settings: exact_agent(position, shrewd_guesser(settings).guess),
    ShrewdSettings(),
    Compiled(make_guesser=lambda board, settings, _tracked: make_guesser_state(board, settings)),
)
