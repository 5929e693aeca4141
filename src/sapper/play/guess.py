"""Guesses: what a player reveals when nothing is certain, and how it chooses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sapper.errors import Contradiction, IllegalMove, OutOfBudget
from sapper.infer.budget import DEFAULT, Limit
from sapper.infer.odds.analysis import analyse
from sapper.infer.odds.ties import tied_for_least
from sapper.kernels.play.games import LUCK_SALT
from sapper.model.frame import BLANK, Frame
from sapper.model.stream import Stream
from sapper.percent import percent
from sapper.wording import counted

Odds = npt.NDArray[np.float64]
# So many of the cells that were weighed are kept with a guess.
MOST_WEIGHED = 8


@dataclass(frozen=True)
class Weighed:
    """A cell that a player weighed before it guessed."""

    cell: int
    risk: float
    score: float | None = None
    """What two moves ahead promise, higher is better; None where that was not looked at."""
    influence: float = 0.0
    """The chance that revealing it settles a fifty-fifty."""
    value: Fraction | None = None
    """The exact chance of winning by revealing it, where the end game was solved."""
    worth: float | None = None
    """What a network thinks it is worth against the best, as a difference in the chance of winning;
    None where no network was asked."""
    rate: float | None = None
    """How often roll-outs won with it, where there were any."""
    error: float | None = None
    """One standard error of that rate."""
    samples: int = 0
    """The samples that it was rolled out on."""

    @property
    def rate_text(self) -> str:
        """The rate with its error.

        >>> Weighed(0, 0.2, rate=0.649, error=0.0051, samples=400).rate_text
        '64.9 ± 0.5 %'
        """
        rate, error = self.rate or 0.0, self.error or 0.0
        # Corrected for luck, a mean may stray a little beyond what is possible.
        share = percent(min(1.0, max(0.0, rate))).removesuffix(" %")
        return f"{share} ± {100 * error:.1f} %"


@dataclass(frozen=True)
class FiftyFifty:
    """Cells that no hint can ever tell apart once some others turn out to be mines."""

    one: tuple[int, ...]
    """Either these are mines ..."""
    other: tuple[int, ...]
    """... or these."""
    enablers: tuple[int, ...]
    """The cells, unknown as yet, that would have to be mines."""
    chance: float
    """The chance that it comes to that."""


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
    because: str | None = None
    """Why this one, as the end of a sentence; where it is None, it has the least odds."""
    weighed: tuple[Weighed, ...] = ()
    """The best of the cells that were weighed, this one first."""
    fifty_fifties: tuple[FiftyFifty, ...] = ()
    """Those that this reveal would settle, the likeliest first."""
    value: Fraction | None = None
    """The exact chance of winning, where the end game was solved."""

    def reason(self, frame: Frame) -> str:
        """The guess as a sentence.

        >>> Guess(0, 2, 0.125, (1, 0.125)).reason(Frame.parse("##"))
        'guess at 12.5 % risk, one of 2 equals; next best r1c2 at 12.5 %'
        """
        if self.because is not None and self.risk is not None:
            return f"guess at {percent(self.risk)} risk: {self.because}"
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


class Dice:
    """The random numbers of a player, the same for the same seed everywhere.

    A stream of its own, from the game's seed XOR 0x706C61796572 ('player').
    """

    def __init__(self, seed: int):
        self._stream = Stream(seed ^ LUCK_SALT)

    def blank(self, frame: Frame, limit: Limit | None = None) -> Guess:
        """Any blank, with the risk that is taken, where that can be found within the limit."""
        blanks = _need_blanks(frame)
        cell = blanks[self._stream.below(len(blanks))]
        risk = _risk(frame, cell, limit)
        many = f"any of {counted(len(blanks), 'blank')}" if len(blanks) > 1 else "the only blank"
        weighed = () if risk is None else (Weighed(cell, risk),)
        return Guess(cell, len(blanks), risk, because=many, weighed=weighed)


def _risk(frame: Frame, cell: int, limit: Limit | None) -> float | None:
    """The odds of a cell, if they are to be had; flags are mines that the player deduced."""
    try:
        found = analyse(frame, trust_flags=True, budget=limit or DEFAULT).odds[cell]
    except (OutOfBudget, Contradiction):
        return None
    return found


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
    order = np.argsort(np.where(np.isnan(odds), 2.0, odds), kind="stable")[: MOST_WEIGHED + 1]
    others = [int(c) for c in order if c != cell and odds[c] == odds[c]][: MOST_WEIGHED - 1]
    weighed = tuple(Weighed(c, float(odds[c])) for c in (cell, *others))
    risk, odds[cell] = float(odds[cell]), np.nan
    rest = tied_for_least(odds).tolist()
    after = _by_place(frame, near, rest) if rest else None
    next_best = None if after is None else (after, float(probability[after]))
    return Guess(cell, len(tied), risk, next_best, weighed=weighed)


def _by_place(frame: Frame, near: set[int], cells: list[int]) -> int:
    return min(cells, key=lambda cell: (frame.board.neighbour_count(cell), cell not in near, cell))


def _need_blanks(frame: Frame) -> list[int]:
    blanks: list[int] = frame.blanks.tolist()
    if not blanks:
        raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
    return blanks
