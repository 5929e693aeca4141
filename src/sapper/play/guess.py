"""Guesses: what a player reveals when nothing is certain, and how it chooses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.errors import IllegalMove
from sapper.infer.budget import Limit
from sapper.infer.odds.ties import tied_for_least
from sapper.kernels.play.games import LUCK_SALT
from sapper.model.frame import BLANK, Frame
from sapper.model.stream import Stream
from sapper.percent import percent

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
            return (
                f"guess, one of {self.among} blanks" if self.among > 1 else "guess, the only blank"
            )
        equals = f", one of {self.among} equals" if self.among > 1 else ""
        after = ""
        if self.next_best is not None:
            cell, risk = self.next_best
            after = f"; next best {frame.board.name(cell)} at {percent(risk)}"
        return f"guess at {percent(self.risk)} risk{equals}{after}"


class Luck:
    """The random numbers of a player, the same for the same seed everywhere.

    A stream of its own, from the game's seed XOR 0x706C61796572 ('player').
    """

    def __init__(self, seed: int):
        self._stream = Stream(seed ^ LUCK_SALT)

    def blank(self, frame: Frame, limit: Limit | None = None) -> Guess:
        """Any blank."""
        blanks = _need_blanks(frame)
        return Guess(blanks[self._stream.below(len(blanks))], len(blanks))


def least_odds(frame: Frame, probability: Odds) -> Guess:
    """The blank of least odds; ties: fewest neighbours, then perimeter, then lowest index.

    Blanks without odds (interior, no mine count) come in only where all are so.
    """
    blanks = _need_blanks(frame)
    near = set(frame.perimeter.tolist())
    odds = np.where(frame.marks == BLANK, probability, np.nan)
    tied = tied_for_least(odds).tolist()
    if not tied:
        return Guess(_by_place(frame, near, blanks), len(blanks))
    cell = _by_place(frame, near, tied)
    risk, odds[cell] = float(odds[cell]), np.nan
    rest = tied_for_least(odds).tolist()
    after = _by_place(frame, near, rest) if rest else None
    return Guess(
        *(cell, len(tied), risk), None if after is None else (after, float(probability[after]))
    )


def _by_place(frame: Frame, near: set[int], cells: list[int]) -> int:
    return min(cells, key=lambda cell: (frame.board.neighbour_count(cell), cell not in near, cell))


def _need_blanks(frame: Frame) -> list[int]:
    blanks: list[int] = frame.blanks.tolist()
    if not blanks:
        raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
    return blanks
