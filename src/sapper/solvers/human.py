"""The human-like algorithm of Slagle, §2.2: strategies 1 to 7 wherever something changed.

It keeps a collection of active cells: revealed cells around which something changed since they were
last visited. A cell is visited once when its number appears and once more for each neighbour that
is flagged or revealed, so the number of visits is proportional to the number of cells.

The paper leaves out two things (docs/errata.md, 13 and 14): a cell that was just revealed is active
too, and after a strategy has found a move, the next one reads the numbers again.
`HumanSolver` is the reference; `solve_compiled` finds the same moves, without their steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.budget import Limit
from sapper.engine.conflicts import solver_contradiction
from sapper.kernels import view
from sapper.kernels.codes import KNOWN_SAFE
from sapper.kernels.solvers.human import (
    REGION_SCRATCH,
    SCRATCH_PER_CELL,
    HumanState,
    load_marks,
    run_strategies,
)
from sapper.solvers.result import Deduction, SolverResult
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, Constraint, Pair
from sapper.values import check_type


class HumanSolver:
    """Finds certain moves from one or two numbers at a time, in a position or during a game.

    `moves` returns all that it can deduce; `update` updates the position.
    Flags are trusted and the mine count is not used, as in the paper.
    Without *pairs* only single numbers are used: strategies 1 and 2.
    """

    def __init__(self, position: Position, *, pairs: bool = True):
        check_type(position, Position, "a position")
        self.board = position.board
        self._pairs = pairs
        self.visits = [0] * len(position.board)
        """How often each cell was visited."""
        self._visible_marks: list[int] = position.marks.tolist()
        self._mines = position.mines
        self._limit: Limit | None = None
        self._reset()

    def _reset(self) -> None:
        """Discard all conclusions and make every number active."""
        # A cell deduced to be safe is KNOWN_SAFE until `update` sets its number.
        self._marks = list(self._visible_marks)
        # A dictionary serves as a stack without duplicates.
        self._active = {cell: None for cell in self.board.cells if self._visible_marks[cell] >= 0}

    @property
    def position(self) -> Position:
        """The position without the conclusions of the solver."""
        return Position(self.board, self._visible_marks, self._mines)

    def moves(self, limit: Limit | None = None) -> list[Deduction]:
        """Return all deductions since the last call, in order.

        Raises Contradiction if one or two numbers cannot be satisfied; *limit* bounds the search
        for the numbers that it names.
        """
        self._limit = limit
        deductions: list[Deduction] = []
        while self._active:
            cell, _ = self._active.popitem()
            self.visits[cell] += 1
            deductions.extend(self._visit(cell))
        return deductions

    def update(self, changes: Mapping[int, int]) -> None:
        """Set new marks: numbers of revealed cells, flags, COVERED where a flag was removed.

        A change that contradicts a conclusion or removes a mark discards all conclusions.
        """
        conflict = False
        for cell, mark in changes.items():
            before, self._visible_marks[cell] = self._visible_marks[cell], mark
            if mark != before:
                conflict = not self._accept(cell, mark) or conflict
        if conflict:
            self._reset()

    def record(self, deduction: Deduction) -> Iterator[Deduction]:
        """Record certain moves as known; yield the deduction if any of them is new."""
        new = False
        for cells, mark in ((deduction.flag, FLAG), (deduction.reveal, KNOWN_SAFE)):
            for cell in cells:
                if self._marks[cell] == COVERED:
                    self._decide(cell, mark)
                    new = True
        if new:
            yield deduction

    def _accept(self, cell: int, mark: int) -> bool:
        """Set one mark; return whether it agrees with the conclusions."""
        known = self._marks[cell]
        if mark == FLAG and known in (COVERED, FLAG):
            self._decide(cell, FLAG)
        elif mark >= 0 and known in (COVERED, KNOWN_SAFE):
            self._decide(cell, KNOWN_SAFE)
            self._marks[cell] = mark
            self._active[cell] = None
        else:
            return False
        return True

    def _visit(self, cell: int) -> Iterator[Deduction]:
        """Apply the strategies to a number, then to each pair with a shared covered cell."""
        for one_number_strategy in ONE_NUMBER:
            yield from self.record(one_number_strategy(self._constraint(cell)))
        for other in self._overlapping_numbers(cell) if self._pairs else ():
            for two_number_strategy in TWO_NUMBERS:
                yield from self.record(two_number_strategy(self._pair(cell, other)))

    def _decide(self, cell: int, mark: int) -> None:
        """Mark a covered cell as a mine or safe; the numbers around it become active."""
        if self._marks[cell] != COVERED:
            return
        self._marks[cell] = mark
        for other in self.board.around(cell).tolist():
            if self._marks[other] >= 0:
                self._active[other] = None

    def _overlapping_numbers(self, cell: int) -> list[int]:
        """Return the other revealed cells that share a covered cell with this one, ascending."""
        others: set[int] = set()
        for covered in self.board.around(cell).tolist():
            if self._marks[covered] == COVERED:
                others.update(self.board.around(covered).tolist())
        return sorted(other for other in others - {cell} if self._marks[other] >= 0)

    def _constraint(self, cell: int) -> Constraint:
        marks = self._marks
        around = self.board.around(cell).tolist()
        flags = sum(marks[other] == FLAG for other in around)
        constraint = Constraint(
            cell, marks[cell] - flags, frozenset(c for c in around if marks[c] == COVERED)
        )
        if not constraint.possible:
            raise solver_contradiction(self.position, cell, limit=self._limit)
        return constraint

    def _pair(self, cell: int, other: int) -> Pair:
        pair = Pair(self._constraint(cell), self._constraint(other))
        if not pair.possible:
            raise solver_contradiction(self.position, cell, other, limit=self._limit)
        return pair


def make_human_state(
    board: Board, marks: Ints, tally: npt.NDArray[np.int64] | None = None
) -> HumanState:
    """Return the kernel state for a board; *marks* and *tally* (eight counters) are updated."""
    return HumanState(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        view(np.empty(SCRATCH_PER_CELL * len(board) + REGION_SCRATCH, dtype=np.int32)),
        view(np.zeros(8, dtype=np.int64) if tally is None else tally),
    )


def solve_compiled(position: Position, limit: Limit | None = None) -> SolverResult:
    """Find all moves by applying strategies 1 to 7 repeatedly.

    Raises Contradiction if one or two numbers cannot be satisfied.
    """
    marks = position.marks.copy()
    state = make_human_state(position.board, marks)
    load_marks(state)
    if run_strategies(state):
        # Contradictory: the Python version finds the same contradiction and names its numbers.
        return SolverResult(position, tuple(HumanSolver(position).moves(limit)))
    decided = np.flatnonzero(marks != position.marks)
    mines = marks[decided] == FLAG
    deduction = Deduction("human", tuple(decided[mines].tolist()), tuple(decided[~mines].tolist()))
    return SolverResult(position, (deduction,) if deduction else ())
