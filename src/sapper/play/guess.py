"""Guesses: what a player reveals when nothing is certain, and how it chooses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.errors import IllegalMove
from sapper.kernels import view
from sapper.kernels.deal import below, seed_state
from sapper.kernels.games import LUCK_SALT, SAME_ODDS
from sapper.model.frame import Frame

Odds = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Guess:
    """A reveal that may hit a mine: with its risk, and the next best one, where they are known."""

    cell: int
    among: int
    """How many blanks were as good as this one, itself included."""
    risk: float | None = None
    next_best: tuple[int, float] | None = None
    by: str = "guess"
    hints: tuple[int, ...] = ()

    def reason(self, frame: Frame) -> str:
        """The guess as a sentence.

        >>> Guess(0, 2, 0.125, (1, 0.125)).reason(Frame.parse("##"))
        'guess at 12.5 % risk, one of 2 equals; next best r1c2 at 12.5 %'
        """
        if self.risk is None:
            return f"guess, one of {self.among} blanks"
        equals = f", one of {self.among} equals" if self.among > 1 else ""
        after = ""
        if self.next_best is not None:
            cell, risk = self.next_best
            after = f"; next best {frame.board.name(cell)} at {_percent(risk)}"
        return f"guess at {_percent(self.risk)} risk{equals}{after}"


class Luck:
    """The random numbers of a player, the same for the same seed everywhere.

    xoshiro256**, seeded as deals are, from the game's seed XOR 0x706C61796572 ('player').
    """

    def __init__(self, seed: int):
        self._state = np.empty(4, dtype=np.uint64)
        seed_state(seed ^ LUCK_SALT, view(self._state))

    def blank(self, frame: Frame) -> Guess:
        """Any blank."""
        blanks = _need_blanks(frame)
        return Guess(blanks[int(below(view(self._state), len(blanks)))], len(blanks))


def least_odds(frame: Frame, probability: Odds) -> Guess:
    """The blank of least odds; ties: fewest neighbours, then perimeter, then lowest index.

    Odds are tied where they differ by less than one part in 1e9: equal odds may have been summed
    in another order. Blanks without odds (interior, no mine count) come in only where all are so.
    """
    blanks = _need_blanks(frame)
    near = set(frame.perimeter.tolist())
    known = [cell for cell in blanks if not np.isnan(probability[cell])]
    if not known:
        return Guess(_by_place(frame, near, blanks), len(blanks))
    tied = _least(known, probability)
    cell = _by_place(frame, near, tied)
    rest = [other for other in known if other != cell]
    after = _by_place(frame, near, _least(rest, probability)) if rest else None
    return Guess(
        cell,
        len(tied),
        float(probability[cell]),
        None if after is None else (after, float(probability[after])),
    )


def _least(cells: list[int], probability: Odds) -> list[int]:
    limit = min(probability[cell] for cell in cells) * (1 + SAME_ODDS)
    return [cell for cell in cells if probability[cell] <= limit]


def _by_place(frame: Frame, near: set[int], cells: list[int]) -> int:
    return min(cells, key=lambda cell: (frame.board.degree(cell), cell not in near, cell))


def _need_blanks(frame: Frame) -> list[int]:
    blanks: list[int] = frame.blanks.tolist()
    if not blanks:
        raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
    return blanks


def _percent(risk: float) -> str:
    return f"{100 * risk:.1f} %" if 0.001 <= risk <= 0.999 else f"{100 * risk:.3g} %"
