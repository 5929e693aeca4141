"""Guesses: what a player reveals when no move is certain, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sapper.board.position import COVERED, Position
from sapper.board.random_stream import RandomStream
from sapper.engine.analysis import analyse, tied_for_least
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.errors import Contradiction, IllegalMove, OutOfBudget
from sapper.kernels.games.game_state import GUESS_SALT
from sapper.sentences import CellRef, Sentence, plain_text
from sapper.wording import count_text, percent

MAX_CANDIDATES = 8
"""The number of candidates that a guess lists."""


@dataclass(frozen=True)
class Candidate:
    """A cell that a player compared before it guessed."""

    cell: int
    risk: float
    score: float | None = None
    """The score of a search two moves ahead, higher is better; None if it was not computed."""
    influence: float = 0.0
    """The probability that revealing it decides a fifty-fifty."""
    value: Fraction | None = None
    """The exact win chance after revealing it, if the end game was solved."""
    relative_value: float | None = None
    """A network's estimate of its win chance minus that of the best candidate; None without one."""
    rate: float | None = None
    """The win rate in roll-outs; None without roll-outs."""
    error: float | None = None
    """The standard error of that rate."""
    samples: int = 0
    """The number of roll-outs."""

    @property
    def rate_text(self) -> str:
        """The win rate with its error.

        >>> Candidate(0, 0.2, rate=0.649, error=0.0051, samples=400).rate_text
        '64.9 ± 0.5%'
        """
        # The correction for luck may move a mean slightly out of 0..1.
        rate = min(1.0, max(0.0, self.rate or 0.0))
        return f"{100 * rate:.1f} ± {100 * (self.error or 0.0):.1f}%"


@dataclass(frozen=True)
class GuessFact:
    """A fact that favours a guess; `sapper.players.reasons` finds and describes facts."""

    kind: str
    cells: tuple[int, ...] = ()
    """The cells that the guess is compared with."""
    own: float | None = None
    """The risk, win chance or probability of the guess, whichever the fact is about."""
    other: float | None = None
    """The same for the first of `cells`."""
    samples: int = 0
    """The number of simulated games, if the fact is about those."""
    compared: int = 0
    """How many cells were compared; 0 if it was every covered cell that may be safe."""


@dataclass(frozen=True)
class FiftyFifty:
    """Two sets of cells that no number can ever tell apart if all `enablers` are mines."""

    one: tuple[int, ...]
    """Either these cells are mines ..."""
    other: tuple[int, ...]
    """... or these."""
    enablers: tuple[int, ...]
    """The other cells, not yet known, that must be mines for this to be a 50/50."""
    chance: float
    """The probability of a 50/50: that the enablers and one of the two sets are mines."""


@dataclass(frozen=True)
class Guess:
    """A reveal that may hit a mine."""

    cell: int
    among: int
    """How many covered cells were as good as this one, itself included."""
    risk: float | None = None
    next_best: tuple[int, float] | None = None
    """The next best cell and its risk, if they are known."""
    by: str = "guess"
    """What chose the move, the name under which statistics count it."""
    number_cells: tuple[int, ...] = ()
    explanation: Sentence = ()
    """Why this cell, as the end of a sentence; empty if it is the cell of least risk."""
    facts: tuple[GuessFact, ...] = ()
    """What the explanation says."""
    candidates: tuple[Candidate, ...] = ()
    """The best of the cells that were compared, this one first."""
    fifty_fifties: tuple[FiftyFifty, ...] = ()
    """The 50/50s that this reveal would decide, the likeliest first."""
    value: Fraction | None = None
    """The exact win chance, if the end game was solved."""

    @property
    def sentence(self) -> Sentence:
        """The reason for the guess."""
        if self.risk is None and self.among > 1:
            return (f"guess, one of {self.among} covered cells",)
        if self.risk is None:
            return (f"guess, {_any_covered_cell(1)}",)
        risk = f"guess at {percent(self.risk)} risk"
        if self.explanation:
            return (f"{risk}: ", *self.explanation)
        if self.among > 1:
            others = "another is" if self.among == 2 else f"{self.among - 1} others are"
            return (f"{risk}: no covered cell is safer, and {others} as safe",)
        if self.next_best is None:
            return (risk,)
        cell, next_risk = self.next_best
        second = candidate_ref(cell, [candidate.cell for candidate in self.candidates])
        return f"{risk}: the safest cell; next is ", second, f" at {percent(next_risk)}"

    def describe(self, position: Position) -> str:
        """Return the reason for the guess as text.

        >>> Guess(0, 2, 0.125, (1, 0.125)).describe(Position.parse("##"))
        'guess at 12.5% risk: no covered cell is safer, and another is as safe'
        """
        return plain_text(self.sentence, position.board.names)


def letter(index: int) -> str:
    """Return the letter by which a sentence refers to a candidate in a view of the board."""
    return chr(ord("A") + index)


def candidate_ref(cell: int, candidates: Sequence[int]) -> CellRef:
    """Return a reference to a cell; in a view of the board, *candidates* carry letters."""
    name = letter(candidates.index(cell)) if cell in candidates else ""
    return CellRef((cell,), name or "this cell", letter=name)


class RandomGuesser:
    """Random guesses, the same for the same seed on every machine.

    The random stream has the game's seed XOR 0x706C61796572 ('player').
    """

    def __init__(self, seed: int):
        self._stream = RandomStream(seed ^ GUESS_SALT)

    def guess(self, position: Position, limit: Limit | None = None) -> Guess:
        """Return a random covered cell, with its risk if that can be found within the limit."""
        cells = covered_cells(position)
        cell = cells[self._stream.below(len(cells))]
        risk = _risk(position, cell, limit)
        candidates = () if risk is None else (Candidate(cell, risk),)
        explanation = (_any_covered_cell(len(cells)),)
        return Guess(cell, len(cells), risk, explanation=explanation, candidates=candidates)


def _any_covered_cell(count: int) -> str:
    return f"any of {count_text(count, 'covered cell')}" if count > 1 else "the only cell left"


def _risk(position: Position, cell: int, limit: Limit | None) -> float | None:
    """Return the probability of a cell, or None if it cannot be computed; flags are trusted."""
    try:
        analysis = analyse(position, trust_flags=True, budget=limit or DEFAULT_BUDGET)
    except (OutOfBudget, Contradiction):
        return None
    return analysis.probabilities[cell]


def least_risk(position: Position, probability: npt.NDArray[np.float64]) -> Guess:
    """Return the covered cell of least probability.

    Ties go to the cell with the fewest neighbours, then to the frontier, then to the lowest index.
    A cell without a probability (interior, no mine count) is chosen only if no cell has one: such
    a cell may be safer.
    """
    cells = covered_cells(position)
    frontier = set(position.frontier.tolist())

    def break_tie(tied: Sequence[int]) -> int:
        count = position.board.neighbour_count
        return min(tied, key=lambda cell: (count(cell), cell not in frontier, cell))

    remaining = np.where(position.marks == COVERED, probability, np.nan)
    tied = tied_for_least(remaining).tolist()
    if not tied:
        return Guess(break_tie(cells), len(cells))
    cell = break_tie(tied)
    risk = float(remaining[cell])
    remaining[cell] = np.nan
    # A stable sort puts nan last.
    order = np.argsort(remaining, kind="stable")[: MAX_CANDIDATES - 1].tolist()
    others = [Candidate(c, float(remaining[c])) for c in order if not np.isnan(remaining[c])]
    second = break_tie(tied_for_least(remaining).tolist()) if others else -1
    next_best = (second, float(probability[second])) if others else None
    all_known = not np.isnan(probability[cells]).any()
    return Guess(
        cell,
        len(tied),
        risk,
        next_best,
        explanation=() if all_known else ("no cell next to a number is safer",),
        candidates=(Candidate(cell, risk), *others),
    )


def covered_cells(position: Position) -> list[int]:
    """Return the covered cells; raise IllegalMove if there are none."""
    cells: list[int] = position.covered.tolist()
    if not cells:
        raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
    return cells
