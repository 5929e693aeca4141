"""Guesses: what a player reveals when nothing is certain, and how it chooses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sapper.board.position import COVERED, Position
from sapper.board.random_stream import RandomStream
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.engine.probabilities import tied_for_least
from sapper.errors import Contradiction, IllegalMove, OutOfBudget
from sapper.kernels.games.whole_games import LUCK_SALT
from sapper.wording import counted, percent

Probabilities = npt.NDArray[np.float64]
# So many of the cells that were weighed are kept with a guess.
MAX_CANDIDATES = 8


@dataclass(frozen=True)
class Candidate:
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

        >>> Candidate(0, 0.2, rate=0.649, error=0.0051, samples=400).rate_text
        '64.9 ± 0.5%'
        """
        rate, error = self.rate or 0.0, self.error or 0.0
        # Corrected for luck, a mean may stray a little beyond what is possible.
        share = percent(min(1.0, max(0.0, rate))).removesuffix("%")
        return f"{share} ± {100 * error:.1f}%"


@dataclass(frozen=True)
class FiftyFifty:
    """Cells that no number can ever tell apart once some others turn out to be mines."""

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
    """How many covered cells were as good as this one, itself included."""
    risk: float | None = None
    next_best: tuple[int, float] | None = None
    by: str = "guess"
    number_cells: tuple[int, ...] = ()
    because: str | None = None
    """Why this one, as the end of a sentence; where it is None, it has the least probability."""
    candidates: tuple[Candidate, ...] = ()
    """The best of the cells that were weighed, this one first."""
    fifty_fifties: tuple[FiftyFifty, ...] = ()
    """Those that this reveal would settle, the likeliest first."""
    value: Fraction | None = None
    """The exact chance of winning, where the end game was solved."""

    def reason(self, position: Position) -> str:
        """The guess as a sentence.

        >>> Guess(0, 2, 0.125, (1, 0.125)).reason(Position.parse("##"))
        'guess at 12.5% risk, one of 2 equals; next best r1c2 at 12.5%'
        """
        if self.because is not None and self.risk is not None:
            return f"guess at {percent(self.risk)} risk: {self.because}"
        if self.risk is None:
            return (
                f"guess, one of {self.among} covered cells"
                if self.among > 1
                else "guess, the only covered cell"
            )
        equals = f", one of {self.among} equals" if self.among > 1 else ""
        after = ""
        if self.next_best is not None:
            cell, risk = self.next_best
            after = f"; next best {position.board.name(cell)} at {percent(risk)}"
        return f"guess at {percent(self.risk)} risk{equals}{after}"


class RandomGuesser:
    """The random numbers of a player, the same for the same seed everywhere.

    A stream of its own, from the game's seed XOR 0x706C61796572 ('player').
    """

    def __init__(self, seed: int):
        self._stream = RandomStream(seed ^ LUCK_SALT)

    def covered(self, position: Position, limit: Limit | None = None) -> Guess:
        """Any covered cell, with the risk that is taken, where that can be found within the limit."""
        covered = _covered_cells(position)
        cell = covered[self._stream.below(len(covered))]
        risk = _risk(position, cell, limit)
        many = (
            f"any of {counted(len(covered), 'covered cell')}"
            if len(covered) > 1
            else "the only covered cell"
        )
        candidates = () if risk is None else (Candidate(cell, risk),)
        return Guess(cell, len(covered), risk, because=many, candidates=candidates)


def _risk(position: Position, cell: int, limit: Limit | None) -> float | None:
    """The probabilities of a cell, if they are to be had; flags are mines that the player deduced."""
    try:
        found = analyse(position, trust_flags=True, budget=limit or DEFAULT_BUDGET).probabilities[
            cell
        ]
    except (OutOfBudget, Contradiction):
        return None
    return found


def least_risk(position: Position, probability: Probabilities) -> Guess:
    """The covered cell of least probability; ties: fewest neighbours, then frontier, then lowest index.

    Covered cells without probabilities (interior, no mine count) come in only where all are so.
    """
    covered = _covered_cells(position)
    near = set(position.frontier.tolist())
    probabilities = np.where(position.marks == COVERED, probability, np.nan)
    tied = tied_for_least(probabilities).tolist()
    if not tied:
        return Guess(_break_tie(position, near, covered), len(covered))
    cell = _break_tie(position, near, tied)
    order = np.argsort(np.where(np.isnan(probabilities), 2.0, probabilities), kind="stable")[
        : MAX_CANDIDATES + 1
    ]
    others = [int(c) for c in order if c != cell and probabilities[c] == probabilities[c]][
        : MAX_CANDIDATES - 1
    ]
    candidates = tuple(Candidate(c, float(probabilities[c])) for c in (cell, *others))
    risk, probabilities[cell] = float(probabilities[cell]), np.nan
    rest = tied_for_least(probabilities).tolist()
    after = _break_tie(position, near, rest) if rest else None
    next_best = None if after is None else (after, float(probability[after]))
    return Guess(cell, len(tied), risk, next_best, candidates=candidates)


def _break_tie(position: Position, near: set[int], cells: list[int]) -> int:
    return min(
        cells, key=lambda cell: (position.board.neighbour_count(cell), cell not in near, cell)
    )


def _covered_cells(position: Position) -> list[int]:
    covered: list[int] = position.covered.tolist()
    if not covered:
        raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
    return covered
