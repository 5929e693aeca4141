"""Agents play one game: they make certain moves, the easiest first, and guess if there are none.

A round consists of the moves that single numbers prove, else of those that pairs of numbers prove,
else of those that the player's own solver finds; flags come before reveals, each in cell order. The
moves depend on the positions alone, and `sapper.kernels.games.whole_games` makes the same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Limit
from sapper.errors import OutOfBudget
from sapper.players.guess import Guess, least_risk
from sapper.players.reasons import explain_least_risk
from sapper.solvers.human import HumanSolver
from sapper.solvers.hybrid import HybridSolver
from sapper.solvers.registry import IncrementalSolver
from sapper.solvers.result import Deduction

CERTAIN = "certain by the engine"


class Reason(Protocol):
    """The reason for a move: a Deduction or a Guess."""

    @property
    def by(self) -> str:
        """The name under which tallies count the move, such as a strategy."""

    @property
    def number_cells(self) -> tuple[int, ...]:
        """The cells whose numbers were used."""

    def describe(self, position: Position) -> str:
        """Return the reason as text."""


@dataclass(frozen=True)
class Choice:
    """A move with its reason."""

    move: Move
    reason: Reason

    @property
    def certain(self) -> bool:
        """Whether the move cannot go wrong."""
        return not isinstance(self.reason, Guess)

    def text(self, position: Position) -> str:
        """Return the move and its reason as one line."""
        return f"{self.move.format(position.board)}: {self.reason.describe(position)}"


class Agent(Protocol):
    """A player in one game."""

    def choose(self, limit: Limit) -> Choice:
        """Return the next move; raise IllegalMove if there is none."""

    def update(self, changes: Mapping[int, int]) -> None:
        """Update the position with new marks by cell."""


class SolverAgent:
    """An agent that makes the moves of its solvers, the easiest solver first, else guesses.

    The solvers use numbers, the flags of the first position and deduced mines. Flags that are set
    later are not trusted: one on a cell to reveal is removed first.
    """

    def __init__(
        self,
        position: Position,
        solvers: Iterable[IncrementalSolver],
        guess: Callable[[Position, Limit], Guess],
    ):
        self._position = position
        self._mines = dict.fromkeys(position.flags.tolist(), FLAG)
        self._solvers = tuple(solvers)
        self._guess = guess
        self._queue: deque[Choice] = deque()

    def choose(self, limit: Limit) -> Choice:
        """Return the next certain move, or a guess."""
        while True:
            while self._queue:
                choice = self._queue.popleft()
                mark = self._position.marks[choice.move.cell]
                if mark == FLAG and choice.move.action == "reveal":
                    self._queue.appendleft(choice)
                    return Choice(Move("unflag", choice.move.cell), choice.reason)
                if mark == COVERED:
                    return choice
            self._queue.extend(self._round(limit))

    def update(self, changes: Mapping[int, int]) -> None:
        """Update the position with new marks by cell."""
        self._position = self._position.with_marks(changes)
        self._update_solvers({cell: mark for cell, mark in changes.items() if mark >= 0})

    def _round(self, limit: Limit) -> list[Choice]:
        for solver in self._solvers:
            if deductions := solver.moves(limit):
                mines = {cell: FLAG for deduction in deductions for cell in deduction.flag}
                self._mines |= mines
                self._update_solvers(mines)
                return _in_order(deductions)
        guess = self._guess(self._position.without_flags().with_marks(self._mines), limit)
        return [Choice(Move("reveal", guess.cell), guess)]

    def _update_solvers(self, changes: Mapping[int, int]) -> None:
        for solver in self._solvers:
            solver.update(changes)


class ExactSolver:
    """The exact engine as an incremental solver; each position is analysed once."""

    def __init__(self, position: Position):
        self._position = position
        self._analysis: Analysis | None = None

    def analysis(self, limit: Limit) -> Analysis:
        """Return the analysis of the current position."""
        if self._analysis is None:
            self._analysis = analyse(self._position, trust_flags=True, budget=limit)
        return self._analysis

    def moves(self, limit: Limit) -> list[Deduction]:
        """Return all certain moves as one deduction."""
        marks, analysis = self._position.marks, self.analysis(limit)
        flag = tuple(c for c in analysis.certain_mine_cells.tolist() if marks[c] == COVERED)
        deduction = Deduction(CERTAIN, flag, tuple(analysis.safe_cells.tolist()))
        return [deduction] if deduction else []

    def update(self, changes: Mapping[int, int]) -> None:
        """Update the position; deduced mines do not change the analysis."""
        self._position = self._position.with_marks(changes)
        if any(mark >= 0 for mark in changes.values()):
            self._analysis = None

    def least_risk(self, position: Position, limit: Limit) -> Guess:
        """Return the covered cell of the lowest probability."""
        analysis = self.analysis(limit)
        guess = least_risk(position, analysis.probability_array)
        return explain_least_risk(guess, analysis, limit)


class BudgetedHybridSolver:
    """The papers' hybrid solver, which finds nothing if it runs into the limit."""

    def __init__(self, position: Position):
        self._solver = HybridSolver(position)
        self.update = self._solver.update

    def moves(self, limit: Limit) -> list[Deduction]:
        """Return the certain moves, or none at the limit; raise OutOfBudget if cancelled."""
        try:
            return self._solver.moves(limit)
        except OutOfBudget:
            if limit.cancelled:
                raise
            return []


def strategy_solvers(position: Position) -> tuple[IncrementalSolver, ...]:
    """Return strategies 1 and 2, then strategies 1 to 7."""
    return HumanSolver(position, pairs=False), HumanSolver(position)


def exact_agent(position: Position, guess: Callable[[Position, Limit], Guess]) -> SolverAgent:
    """Return an agent that makes all certain moves, else the given guess."""
    return SolverAgent(position, (*strategy_solvers(position), ExactSolver(position)), guess)


def _in_order(deductions: list[Deduction]) -> list[Choice]:
    """Return the moves of a round: flags, then reveals, each in cell order."""
    flags = {cell: deduction for deduction in deductions for cell in deduction.flag}
    reveals = {cell: deduction for deduction in deductions for cell in deduction.reveal}
    return [
        Choice(Move(action, cell), reasons[cell])
        for action, reasons in (("flag", flags), ("reveal", reveals))
        for cell in sorted(reasons)
    ]
