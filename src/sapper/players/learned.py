"""How `learned` guesses, with its reasons: the kernel chooses, here it is put into words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.errors import IllegalMove
from sapper.kernels.players.guessing import REASONS
from sapper.kernels.players.learned import LearnedState
from sapper.players.guess import MAX_CANDIDATES, Candidate, Guess, least_risk
from sapper.players.learned_settings import LearnedSettings
from sapper.players.learned_state import choose, make_learned_state
from sapper.players.networks import weights_for
from sapper.players.thoughtful import ThoughtfulGuesser
from sapper.players.thoughtful_settings import ThoughtfulSettings
from sapper.wording import counted, percent

# Memories that wait for the next guess on their board, as those of `thoughtful` do.
_idle: dict[tuple[Board, LearnedSettings], list[LearnedState]] = {}
MAX_IDLE = 4


class LearnedGuesser:
    """Guesses by these settings."""

    def __init__(self, settings: LearnedSettings):
        self._settings = settings

    def guess(self, position: Position, limit: Limit | None = None) -> Guess:
        """The best reveal; flags of the position are taken for mines.

        On boards without a network this is the guess of `thoughtful`, and its reason says so.
        Without a mine count, and where magnitudes leave floating point, the covered cell of least probability.
        """
        limit = limit or DEFAULT_BUDGET.start()
        if not len(position.covered):
            raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
        weights = weights_for(position.board)
        if weights is None:
            return explain_fallback(
                ThoughtfulGuesser(ThoughtfulSettings()).guess(position, limit), position.board
            )
        key = position.board, self._settings
        try:
            learned_state = _idle.get(key, []).pop()
        except IndexError:
            learned_state = make_learned_state(position.board, weights, self._settings)
        if position.mines is None or choose(
            learned_state, position.marks, position.mines, True, limit
        ):
            analysis = analyse(position, trust_flags=True, budget=limit)
            return least_risk(position, analysis.probability_array)
        found = _describe_choice(position, learned_state)
        if len(_idle) < MAX_IDLE or key in _idle:
            _idle.setdefault(key, []).append(learned_state)
        return found


def explain_fallback(guess: Guess, board: Board) -> Guess:
    """The guess of `thoughtful`, which says that it stands in."""
    what = (
        "boards as large as this"
        if board.tiling == "square"
        else f"{board.tiling or 'such'} boards"
    )
    because = guess.because or "no covered cell has lower probability"
    return replace(guess, because=f"{because} (as thoughtful: there is no network for {what})")


def _describe_choice(position: Position, learned_state: LearnedState) -> Guess:
    """What the kernel chose, in words and with what it weighed."""
    thoughtful_state, name = learned_state.t, position.board.name
    cell, why = int(thoughtful_state.chosen), REASONS[thoughtful_state.reason]
    probabilities = np.asarray(thoughtful_state.p.probabilities)
    candidates = _candidates(learned_state, cell, probabilities)
    value = Fraction(thoughtful_state.wins, thoughtful_state.rows) if why == "end game" else None
    solutions = counted(int(thoughtful_state.rows), "solution")
    if why == "end game":
        because = (
            f"perfect play wins {thoughtful_state.wins} of the {solutions} left, and begins here"
        )
        candidates = (replace(candidates[0], value=value),)
    elif why == "end game of a part":
        because = (
            f"this part can be played apart, and perfect play wins {thoughtful_state.wins} of its "
            f"{solutions}"
        )
    elif why == "certain":
        because = "it is certain to be free"
    else:
        because = (
            f"worth most of {counted(int(learned_state.features.count), 'candidate')}, as learned"
        )
        if len(candidates) > 1:
            other = candidates[1]
            assert other.worth is not None
            because += (
                f"; next {name(other.cell)} at {percent(other.risk)} "
                f"({100 * other.worth:+.2f} points)"
            )
    next_best = (candidates[1].cell, candidates[1].risk) if len(candidates) > 1 else None
    return Guess(
        *(cell, 1, float(probabilities[cell]), next_best),
        because=because,
        candidates=candidates,
        value=value,
    )


def _candidates(
    learned_state: LearnedState,
    chosen: int,
    probabilities: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> tuple[Candidate, ...]:
    """The chosen cell and the best of the others, by what the network thinks of them."""
    cells = [int(learned_state.features.candidate[i]) for i in range(learned_state.features.count)]
    values = dict(zip(cells, map(float, learned_state.value[: len(cells)]), strict=True))
    if not values:
        return (Candidate(chosen, float(probabilities[chosen])),)
    best = values[chosen]
    order = sorted(
        cells, key=lambda cell: (cell != chosen, -values[cell], probabilities[cell], cell)
    )
    return tuple(
        Candidate(cell, float(probabilities[cell]), worth=values[cell] - best)
        for cell in order[:MAX_CANDIDATES]
    )
