"""A position that is updated move by move: probabilities now, and after a supposed move.

>>> from sapper.board.position import Position
>>> tracked = TrackedPosition(Position.parse("1 # # #", mines=1))
>>> tracked.probability("r1c2"), tracked.summary.safe_count
(1.0, 2)
>>> tracked = TrackedPosition(Position.parse("# 1 # #", mines=1))
>>> with tracked.what_if("r1c1", 0) as summary:
...     summary.safe_count, tracked.probability("r1c3")
(1, 1.0)
>>> tracked.probability("r1c3")
0.5
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.board.board import MAX_CELLS, Board
from sapper.board.position import FLAG, Position
from sapper.engine import workspace
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.engine.conflicts import engine_contradiction
from sapper.errors import Contradiction, IllegalMove, NotationError, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import KNOWN_SAFE
from sapper.kernels.tracked import marks, queries
from sapper.values import check_int, check_type

SAFE = KNOWN_SAFE
"""For `update` and `what_if`: the cell is safe, its number is not known."""


@dataclass(frozen=True)
class PositionSummary:
    """The number of solutions of a tracked position, of its safe cells, and the least risks."""

    ln_solutions: float
    """The natural logarithm of the number of solutions; -inf if there is none."""
    safe_count: int
    """How many covered cells are safe in every solution."""
    least_probability: float | None
    """The least probability of a covered cell that single numbers do not decide, if any."""
    second_probability: float | None
    """The second least of these probabilities, if any."""


NO_SOLUTION = PositionSummary(-math.inf, 0, None, None)


class TrackedPosition:
    """A position with its probabilities, updated from move to move.

    Only what changed is computed again. Results equal those of `analyse` up to rounding.
    Not thread-safe. Raises Contradiction and OutOfBudget as `analyse` does.
    """

    def __init__(
        self,
        position: Position,
        *,
        trust_flags: bool = False,
        budget: Budget = DEFAULT_BUDGET,
        cancel: Cancel | None = None,
    ):
        check_type(position, Position, "a position")
        check_type(budget, Budget, "a budget")
        # From here on flags are mines: trusted ones, and those of later updates.
        self._position = position = position if trust_flags else position.without_flags()
        self._budget, self._cancel = budget, cancel
        self._state = workspace.make_tracked(position.board)
        limit = self._limit()
        self._state.general.seconds = limit.seconds
        self._state.general.cancel = view(limit.cancel_flag)
        self._is_contradiction = False
        mines = -1 if position.mines is None else min(position.mines, len(position.board) + 1)
        if marks.read_marks(self._state, view(position.marks), 0, mines, True):
            self._raise_contradiction()

    @property
    def board(self) -> Board:
        """The board of the position."""
        return self._position.board

    def update(self, changes: Mapping[str | int, int]) -> None:
        """Set new marks: numbers, FLAG for a mine, SAFE for a cell that is not one.

        Raises IllegalMove, and changes nothing, inside a what-if, or if a cell already shows a
        number. Impossible marks raise Contradiction, and so does every later query.
        """
        if self._state.depth:
            raise IllegalMove("cannot update a tracked position inside a what-if")
        new_marks = {self._covered_cell(cell): _check_mark(mark) for cell, mark in changes.items()}
        visible_marks = {cell: mark for cell, mark in new_marks.items() if mark != SAFE}
        self._position = self._position.with_marks(visible_marks)
        for cell, mark in new_marks.items():
            if not self._is_contradiction:
                self._is_contradiction = bool(marks.set_mark(self._state, cell, mark))
        if self._is_contradiction:
            self._raise_contradiction()

    @contextmanager
    def what_if(self, cell: str | int, mark: int) -> Iterator[PositionSummary]:
        """Suppose that a covered cell shows a number, is a mine (FLAG) or SAFE, in a `with` block.

        The summary has no solutions if that is impossible. What-ifs can be nested.
        """
        index, mark = self._covered_cell(cell), _check_mark(mark)
        if self._state.depth == self._state.max_depth:
            raise IllegalMove(f"cannot nest more than {self._state.max_depth} what-ifs")
        if self._is_contradiction:
            yield self.summary
            return
        status = queries.what_if(self._state, index, mark)
        try:
            summary = self._summarise(status)
            # The kernel does not store this contradiction and would answer the next query.
            self._is_contradiction = summary is NO_SOLUTION
            yield summary
        finally:
            self._is_contradiction = False
            queries.restore_state(self._state)

    @property
    def summary(self) -> PositionSummary:
        """The summary of the current marks."""
        if self._is_contradiction:
            summary = NO_SOLUTION
        else:
            summary = self._summarise(queries.answer(self._state))
        if summary is NO_SOLUTION and not self._state.depth:
            self._raise_contradiction()
        return summary

    @property
    def ln_solutions(self) -> float:
        """The natural logarithm of the number of solutions."""
        return self.summary.ln_solutions

    @property
    def probability_array(self) -> npt.NDArray[np.float64]:
        """The probabilities by cell, as `Analysis.probability_array`; 0 for SAFE cells."""
        if self.summary is NO_SOLUTION:
            return np.full(len(self.board), math.nan)
        queries.write_probabilities(self._state)
        return workspace.copy_probabilities(self._state, len(self.board))

    def probability(self, cell: str | int) -> float | None:
        """Return the probability of one cell; None if it is revealed or has none."""
        index = self.board.cell(cell)
        if self.summary is NO_SOLUTION:
            return None
        probability: float = queries.probability_of(self._state, index)
        return None if math.isnan(probability) else probability

    def _covered_cell(self, cell: str | int) -> int:
        index = self.board.cell(cell)
        if self._state.marks[index] >= 0:
            raise IllegalMove(f"cannot mark {self.board.name(index)}: it shows a number")
        return index

    def _limit(self) -> Limit:
        """Return the limit of one query, which has the whole budget."""
        return self._budget.start(self._cancel)

    def _summarise(self, status: int) -> PositionSummary:
        """Return the summary of a query, which is repeated while a pool must grow."""
        state, limit = self._state, self._limit()
        while status >= workspace.GROW:
            workspace.enlarge(state.general, status, limit)
            status = queries.answer(state)
        if workspace.check_status(state.general, status, limit) == workspace.IMPRECISE:
            raise OutOfBudget(workspace.OUT_OF_RANGE)
        if status:
            return NO_SOLUTION
        least, second = (p if p <= 1 else None for p in (state.least, state.second))
        return PositionSummary(state.ln_solutions, state.safe_count, least, second)

    def _raise_contradiction(self) -> None:
        """Raise the error that says which numbers contradict each other."""
        position, limit = self._position, self._limit()
        with workspace.borrow_workspace(limit, trust_flags=True) as ws:
            status = workspace.run(ws, position.board, position.marks, position.mines, limit)
            if status in (workspace.NO_SOLUTION, workspace.WRONG_COUNT):
                raise engine_contradiction(ws, position, status, limit)
        raise Contradiction("impossible position: a cell that was marked as safe must be a mine")


def _check_mark(mark: int) -> int:
    """Return a mark; raise NotationError unless `update` accepts it."""
    mark = check_int(mark, "a number, FLAG or SAFE")
    if not 0 <= mark <= MAX_CELLS and mark not in (FLAG, SAFE):
        raise NotationError(f"expected a number, FLAG or SAFE, got {mark}")
    return mark
