"""The player `thoughtful`: perfect end games, else a look two moves ahead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import (
    BEST_FOUND,
    BY_NETWORK,
    FORCED_GUESS,
    LEAST_RISK,
    PART_SOLVED,
    SAFER_NOW,
    SOLVED,
    UNKNOWN,
)
from sapper.kernels.players.fifty_fifty import FiftyFiftyShapes
from sapper.kernels.players.guessing import EndGameSolver, GuesserState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.kernels.ties import quantise
from sapper.players.agents import exact_agent
from sapper.players.guess import MAX_CANDIDATES, Candidate, FiftyFifty, Guess, GuessFact
from sapper.players.player import Compiled, CompiledGuesser, Player, PlayerSettings, StatePool
from sapper.players.reasons import explain_choice_by_facts, explain_solved, with_reason

# Capacities of an end game: more solutions than the default limits allow, and a memo of more sets
# of solutions than the default number of nodes.
SOLUTION_CAPACITY = 8192
MEMO_CAPACITY = 1 << 19
MAX_WORK = 400_000_000
"""Work (solutions times cells) of one end game: about a second."""
BLOCK = 4096
"""Cells whose second steps are found at once, which takes about 1 kB each."""
MIN_CHANCE = 0.001
"""Fifty-fifties below this chance are not mentioned."""

State = TypeVar("State", bound=ThoughtfulState)


@dataclass(frozen=True)
class ThoughtfulSettings(PlayerSettings):
    """Weights and limits of `thoughtful`; the defaults are the best that were measured.

    >>> ThoughtfulSettings().replace({"blend": 1.0}).blend
    1.0
    """

    end_game: int = 400
    """Solutions up to which the end game is searched; 0 turns it off."""
    thin_end_game: float = 250.0
    """The same for solutions times d cubed, with d the share of safe cells; 0 turns it off."""
    nodes: int = 300_000
    """Sets of solutions that one search may visit."""
    apart: bool = True
    """Whether parts that are independent of the rest are searched separately."""
    look_ahead: bool = True
    """Whether candidates are scored by what follows; else the end game and least probability."""
    ratio: float = 0.9
    """Candidates of the frontier are safe at least this share as often as the safest cell."""
    inner_ratio: float = 0.95
    """The same for the interior."""
    few_inner: int = 30
    """In smaller interiors every cell is a candidate; in larger ones only special cells."""
    small_region: int = 8
    """Regions of fewer unknown cells are postponed."""
    blend: float = 0.8
    """The weight of the safest following cell; the second safest has the rest."""
    fifty_fifty: float = 0.9
    """The weight of the influence on fifty-fifties; 0 turns it off."""
    enablers: int = 3
    """Unknown enablers that a fifty-fifty may have."""
    enabler_chance: float = 0.025
    """A fifty-fifty that lacks one enabler counts for that enabler above this chance."""
    coin_tosses: bool = True
    """Whether unavoidable fifty-fifties are guessed at once."""
    domination: bool = True
    """Whether a cell that would be next anyway, and is safer now, is revealed first."""
    progress: float = 0.001
    """The weight of a certain cell that follows."""


def make_thoughtful_state(board: Board, settings: ThoughtfulSettings) -> ThoughtfulState:
    """Make the state of the compiled guesser for a board."""
    return build_state(ThoughtfulState, board, settings)


def build_state(
    state_class: type[State], board: Board, settings: ThoughtfulSettings, **more: float
) -> State:
    """Make a state of ThoughtfulState or of a subclass, which may have *more* fields to set."""
    starts, cells = two_steps_away(board)
    return state_class(
        workspace.make_tracked(board),
        EndGameSolver(
            view(board.offsets),
            view(board.neighbours),
            SOLUTION_CAPACITY,
            MEMO_CAPACITY,
            max_solutions=settings.end_game,
            max_sparse_solutions=settings.thin_end_game,
            separate_parts=settings.apart,
            max_nodes=settings.nodes,
            max_work=MAX_WORK,
        ),
        FiftyFiftyShapes(view(board.offsets), view(board.neighbours), settings.enablers),
        view(starts),
        view(cells),
        {
            "look_ahead": settings.look_ahead,
            "ratio": settings.ratio,
            "inner_ratio": settings.inner_ratio,
            "few_inner": _few_inner(board, settings),
            "few_around": _few_around(board),
            "small_region": settings.small_region,
            "blend": settings.blend,
            "progress": settings.progress,
            "influence_weight": settings.fifty_fifty,
            "min_enabler_chance": settings.enabler_chance,
            "coin_tosses": settings.coin_tosses,
            "domination": settings.domination,
            **more,
        },
    )


def _few_inner(board: Board, settings: ThoughtfulSettings) -> int:
    """Return the size of the interior below which all its cells are candidates.

    With more than 8 neighbours a number says little about each, and the cells that are special on
    squares are no better than others: scoring all gains 0.7 points on triangular boards (16x16/30),
    1.5 with more mines (16x16/45).
    """
    many_neighbours = board.neighbour_counts.max(initial=0) > 8
    return max(settings.few_inner, len(board) + 1) if many_neighbours else settings.few_inner


def _few_around(board: Board) -> int:
    """Return the number of neighbours of a corner: 3 on squares, more on triangular boards."""
    counts = board.neighbour_counts
    return max(3, int(counts.min())) if counts.min() < counts.max() else 3


def two_steps_away(board: Board) -> tuple[Ints, Ints]:
    """Return for each cell those two steps away that share most neighbours with it.

    The result is an array of starts and one of cells. On the square board these are the four cells
    in the same row or column.
    """
    blocks = [
        _two_steps_away(board, board.cells[start : start + BLOCK])
        for start in range(0, len(board), BLOCK)
    ]
    counts = np.concatenate([[0], *(counts for counts, _ in blocks)])
    cells = np.concatenate([*(cells for _, cells in blocks), np.zeros(1)]).astype(np.int32)
    return np.cumsum(counts, dtype=np.int32), cells


def _two_steps_away(
    board: Board, block: range
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the number of such cells of each cell of a block, and all of them."""
    offsets, neighbours, counts = board.offsets, board.neighbours, board.neighbour_counts
    first = slice(offsets[block.start], offsets[block.stop])
    size = len(board)
    sources = np.repeat(np.arange(block.start, block.stop), counts[block.start : block.stop])
    steps = counts[neighbours[first]]
    # The places in `neighbours` of the second steps.
    places = np.repeat(offsets[neighbours[first]] - np.cumsum(steps) + steps, steps)
    ends = neighbours[places + np.arange(len(places))]
    # A pair of cells is one number.
    pairs, shared = np.unique(np.repeat(sources, steps) * size + ends, return_counts=True)
    near = np.isin(pairs, sources * size + neighbours[first]) | (pairs // size == pairs % size)
    pairs, shared = pairs[~near], shared[~near]
    cells = pairs // size - block.start
    most = np.zeros(len(block), dtype=np.int64)
    np.maximum.at(most, cells, shared)
    best = shared == most[cells]
    return np.bincount(cells[best], minlength=len(block)), pairs[best] % size


_POOL: StatePool[ThoughtfulSettings, GuesserState] = StatePool(make_thoughtful_state)


def thoughtful_guesser(settings: ThoughtfulSettings) -> CompiledGuesser[ThoughtfulSettings]:
    """Return the guesser of `thoughtful` with these settings."""
    return CompiledGuesser(
        _POOL, lambda position, state, _, limit: explain_choice(position, state, limit), settings
    )


def explain_choice(position: Position, state: GuesserState, limit: Limit) -> Guess:
    """Return the choice of a ThoughtfulState with its candidates and its reason."""
    assert isinstance(state, ThoughtfulState)
    cell, reason = int(state.chosen), int(state.reason)
    candidates = _candidates(state, cell, reason)
    fifty_fifties = () if reason in (SOLVED, PART_SOLVED) else _fifty_fifties(state, cell, reason)
    guess = Guess(
        cell,
        1,
        candidates[0].risk,
        next_best=(candidates[1].cell, candidates[1].risk) if len(candidates) > 1 else None,
        candidates=candidates,
        fifty_fifties=fifty_fifties,
        value=candidates[0].value,
    )
    if reason == SOLVED:
        return explain_solved(position, guess, limit)
    if reason in (PART_SOLVED, FORCED_GUESS, SAFER_NOW):
        return with_reason(guess, _fact(state, guess))
    return explain_choice_by_facts(position, guess, _fact(state, guess), limit)


def _candidates(state: ThoughtfulState, chosen: int, reason: int) -> tuple[Candidate, ...]:
    """Return the chosen cell and the best of the others: by score, else by probability."""
    probability: list[float] = np.asarray(state.p.probabilities).tolist()
    score: list[float] = np.asarray(state.score).tolist()
    influence = np.asarray(state.influence)
    scored = {int(state.candidate[i]) for i in range(state.candidates)}
    unknown: Iterable[int] = np.flatnonzero(np.asarray(state.p.known) == UNKNOWN).tolist()

    def candidate(cell: int) -> Candidate:
        known_score = score[cell] if cell in scored and score[cell] >= 0 else None
        by_network = reason == BY_NETWORK
        return Candidate(
            cell,
            probability[cell],
            None if by_network else known_score,
            0.0 if reason in (SOLVED, PART_SOLVED) else float(influence[cell]),
            Fraction(state.wins, state.rows) if cell == chosen and reason == SOLVED else None,
            # Networks give the best candidate the score 1.
            known_score - 1.0 if by_network and known_score is not None else None,
        )

    others = sorted(
        (cell for cell in (scored or unknown) if cell != chosen),
        key=lambda cell: (
            -quantise(score[cell]) if cell in scored else 0.0,
            quantise(probability[cell]),
            cell,
        ),
    )
    return tuple(map(candidate, (chosen, *others[: MAX_CANDIDATES - 1])))


def _fifty_fifties(state: ThoughtfulState, cell: int, reason: int) -> tuple[FiftyFifty, ...]:
    """Return the fifty-fifties that a reveal of the cell would decide, the likeliest first.

    Very unlikely ones are left out, except for a forced guess, which is one of them.
    """
    shapes = state.shapes
    if state.influence_weight <= 0:
        return ()
    own = list(shapes.member_shape[shapes.member_start[cell] : shapes.member_start[cell + 1]])
    enabled = [
        i
        for i in shapes.enabled_shape[shapes.enabled_start[cell] : shapes.enabled_start[cell + 1]]
        if shapes.unknown[i] == 1 and shapes.last_unknown[i] == cell
    ]
    known = np.asarray(state.p.known)
    fifty_fifties = []
    for i in own + enabled:
        if shapes.chance[i] <= (0.0 if reason == FORCED_GUESS else MIN_CHANCE):
            continue
        cells = [int(shapes.cell[4 * i + j]) for j in range(4)]
        enablers = [int(shapes.enabler[j]) for j in range(*shapes.enabler_start[i : i + 2])]
        fifty_fifties.append(
            FiftyFifty(
                tuple(c for c in cells[:2] if c >= 0),
                tuple(c for c in cells[2:] if c >= 0),
                tuple(c for c in enablers if known[c] == UNKNOWN),
                # The mines may be in either set.
                2 * float(shapes.chance[i]),
            )
        )
    return tuple(sorted(fifty_fifties, key=lambda fifty_fifty: -quantise(fifty_fifty.chance)))


def fact_of_part(state: GuesserState) -> GuessFact:
    """Return the reason for a cell by perfect play in an independent part (PART_SOLVED)."""
    return GuessFact("part", own=state.wins / state.rows)


def _fact(state: ThoughtfulState, guess: Guess) -> GuessFact:
    """Return the reason for which this cell was chosen."""
    reason = state.reason
    pairs = [cell for pair in guess.fifty_fifties for cell in (*pair.one, *pair.other)]
    partner = tuple(cell for cell in pairs if cell != guess.cell)[:1]
    if reason == PART_SOLVED:
        return fact_of_part(state)
    if reason == FORCED_GUESS:
        return GuessFact("forced", partner)
    if reason == SAFER_NOW:
        return GuessFact("next_anyway", (int(state.second_choice),))
    if reason == LEAST_RISK:
        return GuessFact("safest")
    if reason == BEST_FOUND:
        return GuessFact("unfinished")
    if partner and guess.candidates[0].influence >= MIN_CHANCE:
        return GuessFact("decides", partner, guess.fifty_fifties[0].chance)
    return GuessFact("networks" if reason == BY_NETWORK else "look_ahead")


THOUGHTFUL = Player(
    "thoughtful",
    "looks two moves ahead before it guesses, and plays end games perfectly",
    lambda position, _seed, settings: exact_agent(position, thoughtful_guesser(settings).guess),
    ThoughtfulSettings(),
    Compiled(make_guesser=lambda board, settings, _tracked: make_thoughtful_state(board, settings)),
)
