"""How a player thinks: rounds of certain moves, the easiest first, and a guess when stuck.

Each round is made in cell order, flags before reveals: what single hints give, else what pairs
give, else what the player knows beyond that. So the moves follow from the frames alone,
and `sapper.kernels.play.games` makes the very same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from sapper.errors import OutOfBudget
from sapper.infer.budget import Limit
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.slagle.hybrid import HybridSolver
from sapper.infer.solution import Deduction
from sapper.infer.solvers import GameSolver
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.model.move import Move
from sapper.play.guess import Guess, least_odds

CERTAIN = "certain by the engine"


class Why(Protocol):
    """What stands behind a move: a Deduction, or a Guess."""

    @property
    def by(self) -> str:
        """The step that gave the move, as tallies count it."""

    @property
    def hints(self) -> tuple[int, ...]:
        """The hints that it was read from."""

    def reason(self, frame: Frame) -> str:
        """The reason in the words of the board."""


@dataclass(frozen=True)
class Choice:
    """A move with its reason."""

    move: Move
    why: Why

    @property
    def certain(self) -> bool:
        """Whether the move cannot go wrong."""
        return not isinstance(self.why, Guess)

    def text(self, frame: Frame) -> str:
        """The move and its reason, as one line."""
        return f"{self.move.format(frame.board)}: {self.why.reason(frame)}"


class Mind(Protocol):
    """A player at a game."""

    def choose(self, limit: Limit) -> Choice:
        """The next move; raises IllegalMove when there is none to make."""

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""


class Rounds:
    """A mind that makes what its solvers find, the easiest solver first, and guesses when stuck.

    The solvers see hints, the flags of the first frame and the mines that were deduced; flags
    that someone sets later are not believed, and taken off where the player wants to reveal.
    """

    def __init__(
        self, frame: Frame, solvers: Iterable[GameSolver], guess: Callable[[Frame, Limit], Guess]
    ):
        self._frame = frame
        self._mines = dict.fromkeys(frame.flags.tolist(), FLAG)
        self._solvers = tuple(solvers)
        self._guess = guess
        self._next: deque[Choice] = deque()

    def choose(self, limit: Limit) -> Choice:
        """The next certain move, or a guess."""
        while True:
            while self._next:
                choice = self._next.popleft()
                mark = self._frame.marks[choice.move.cell]
                if mark == FLAG and choice.move.action == "reveal":
                    self._next.appendleft(choice)
                    return Choice(Move("unflag", choice.move.cell), choice.why)
                if mark == BLANK:
                    return choice
            self._next.extend(self._round(limit))

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._frame = self._frame.with_marks(changes)
        self._tell({cell: mark for cell, mark in changes.items() if mark >= 0})

    def _round(self, limit: Limit) -> list[Choice]:
        for solver in self._solvers:
            if found := solver.moves(limit):
                mines = {cell: FLAG for deduction in found for cell in deduction.flag}
                self._mines |= mines
                self._tell(mines)
                return _in_order(found)
        guess = self._guess(self._frame.without_flags().with_marks(self._mines), limit)
        return [Choice(Move("reveal", guess.cell), guess)]

    def _tell(self, changes: Mapping[int, int]) -> None:
        for solver in self._solvers:
            solver.learn(changes)


class Exact:
    """The exact engine along a game; what was answered before is left out."""

    def __init__(self, frame: Frame):
        self._frame = frame
        self._analysis: Analysis | None = None

    def analysis(self, limit: Limit) -> Analysis:
        """What follows from the frame as it is now."""
        if self._analysis is None:
            self._analysis = analyse(self._frame, trust_flags=True, budget=limit)
        return self._analysis

    def moves(self, limit: Limit) -> list[Deduction]:
        """All certain moves, as one deduction."""
        marks, analysis = self._frame.marks, self.analysis(limit)
        flag = tuple(c for c in analysis.flag_cells.tolist() if marks[c] == BLANK)
        found = Deduction(CERTAIN, flag, tuple(analysis.reveal_cells.tolist()))
        return [found] if found else []

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks; mines that it found itself leave the odds as they were."""
        self._frame = self._frame.with_marks(changes)
        if any(mark >= 0 for mark in changes.values()):
            self._analysis = None

    def least_odds(self, frame: Frame, limit: Limit) -> Guess:
        """The guess of `careful`."""
        return least_odds(frame, self.analysis(limit).probability)


class Searching:
    """The papers' hybrid along a game; a front beyond the limit is left to guessing."""

    def __init__(self, frame: Frame):
        self._solver = HybridSolver(frame)
        self.learn = self._solver.learn

    def moves(self, limit: Limit) -> list[Deduction]:
        """What the hybrid finds."""
        try:
            return self._solver.moves(limit)
        except OutOfBudget:
            if limit.cancelled:
                raise
            return []


def _in_order(found: list[Deduction]) -> list[Choice]:
    """The moves of a round: flags, then reveals, each in cell order."""
    flags = {cell: deduction for deduction in found for cell in deduction.flag}
    reveals = {cell: deduction for deduction in found for cell in deduction.reveal}
    return [
        Choice(Move(action, cell), why[cell])
        for action, why in (("flag", flags), ("reveal", reveals))
        for cell in sorted(why)
    ]
