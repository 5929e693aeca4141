"""How `learned` guesses, with its reasons: the kernel chooses, here it is put into words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from sapper.errors import IllegalMove
from sapper.infer.budget import DEFAULT, Limit
from sapper.infer.odds.analysis import analyse
from sapper.kernels.play.guessing import REASONS
from sapper.kernels.play.learned import Learner
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.percent import percent
from sapper.play.guess import MOST_WEIGHED, Guess, Weighed, least_odds
from sapper.play.learned.memory import choose, make_learner
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import weights_for
from sapper.play.thoughtful.mind import Thinking
from sapper.play.thoughtful.settings import ThoughtfulSettings
from sapper.wording import counted

# Memories that wait for the next guess on their board, as those of `thoughtful` do.
_idle: dict[tuple[Board, LearnedSettings], list[Learner]] = {}
MOST_IDLE = 4


class Learning:
    """Guesses by these settings."""

    def __init__(self, settings: LearnedSettings):
        self._settings = settings

    def guess(self, frame: Frame, limit: Limit | None = None) -> Guess:
        """The best reveal; flags of the frame are taken for mines.

        On boards without a network this is the guess of `thoughtful`, and its reason says so.
        Without a mine count, and where magnitudes leave floating point, the blank of least odds.
        """
        limit = limit or DEFAULT.start()
        if not len(frame.blanks):
            raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
        weights = weights_for(frame.board)
        if weights is None:
            return instead(Thinking(ThoughtfulSettings()).guess(frame, limit), frame.board)
        key = frame.board, self._settings
        try:
            learner = _idle.get(key, []).pop()
        except IndexError:
            learner = make_learner(frame.board, weights, self._settings)
        if frame.mines is None or choose(learner, frame.marks, frame.mines, True, limit):
            analysis = analyse(frame, trust_flags=True, budget=limit)
            return least_odds(frame, analysis.probability)
        found = _told(frame, learner)
        if len(_idle) < MOST_IDLE or key in _idle:
            _idle.setdefault(key, []).append(learner)
        return found


def instead(guess: Guess, board: Board) -> Guess:
    """The guess of `thoughtful`, which says that it stands in."""
    what = (
        "boards as large as this"
        if board.tiling == "square"
        else f"{board.tiling or 'such'} boards"
    )
    because = guess.because or "no blank has lower odds"
    return replace(guess, because=f"{because} (as thoughtful: there is no network for {what})")


def _told(frame: Frame, learner: Learner) -> Guess:
    """What the kernel chose, in words and with what it weighed."""
    thought, name = learner.t, frame.board.name
    cell, why = int(thought.chosen), REASONS[thought.reason]
    odds = np.asarray(thought.p.odds)
    weighed = _weighed(learner, cell, odds)
    value = Fraction(thought.wins, thought.rows) if why == "end game" else None
    placements = counted(int(thought.rows), "placement")
    if why == "end game":
        because = f"perfect play wins {thought.wins} of the {placements} left, and begins here"
        weighed = (replace(weighed[0], value=value),)
    elif why == "end game of a part":
        because = (
            f"this part can be played apart, and perfect play wins {thought.wins} of its "
            f"{placements}"
        )
    elif why == "certain":
        because = "it is certain to be free"
    else:
        because = f"worth most of {counted(int(learner.looks.count), 'candidate')}, as learned"
        if len(weighed) > 1:
            other = weighed[1]
            assert other.worth is not None
            because += (
                f"; next {name(other.cell)} at {percent(other.risk)} "
                f"({100 * other.worth:+.2f} points)"
            )
    next_best = (weighed[1].cell, weighed[1].risk) if len(weighed) > 1 else None
    return Guess(
        *(cell, 1, float(odds[cell]), next_best), because=because, weighed=weighed, value=value
    )


def _weighed(
    learner: Learner, chosen: int, odds: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> tuple[Weighed, ...]:
    """The chosen cell and the best of the others, by what the network thinks of them."""
    cells = [int(learner.looks.candidate[i]) for i in range(learner.looks.count)]
    values = dict(zip(cells, map(float, learner.value[: len(cells)]), strict=True))
    if not values:
        return (Weighed(chosen, float(odds[chosen])),)
    best = values[chosen]
    order = sorted(cells, key=lambda cell: (cell != chosen, -values[cell], odds[cell], cell))
    return tuple(
        Weighed(cell, float(odds[cell]), worth=values[cell] - best) for cell in order[:MOST_WEIGHED]
    )
