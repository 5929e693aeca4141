"""A position that follows a game: told what changes, asked for probabilities, asked what if.

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

from sapper.board.board import Board
from sapper.board.position import FLAG, Position
from sapper.engine import workspace
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.engine.conflicts import contradiction_error
from sapper.errors import Contradiction, IllegalMove, NotationError, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import KNOWN_SAFE
from sapper.kernels.tracked import marks, queries, undo
from sapper.kernels.tracked.state import TrackedPosition as Memory
from sapper.values import check_int, check_type

SAFE = KNOWN_SAFE
"""For `follow` and `what_if`: the cell is free, its number is not known."""


@dataclass(frozen=True)
class PositionSummary:
    """What a position promises: its solutions, and what a player could reveal next."""

    ln_solutions: float
    """The natural logarithm of the number of solutions; -inf where there is none."""
    safe_count: int
    """How many cells are certain to be free and not revealed yet."""
    least: float | None
    """The least probability of a covered cell that single numbers do not decide; None where there is no such."""
    second: float | None
    """The next probabilities after it, of another covered cell."""


NOTHING = PositionSummary(-math.inf, 0, None, None)


class TrackedPosition:
    """A position and what follows from it, carried from move to move.

    Only what changed is worked out anew. Answers are those of `analyse`, to rounding.
    Not for several threads at once. Raises Contradiction and OutOfBudget as `analyse` does.
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
        # Flags are mines from here on: those that are trusted, and those that are followed.
        self._position = position if trust_flags else position.without_flags()
        self._budget, self._cancel = budget, cancel
        self._memory = _memory(position.board, self._limit())
        self._refuted = False
        self._tell()

    @property
    def board(self) -> Board:
        """The board that the game is played on."""
        return self._position.board

    def follow(self, changes: Mapping[str | int, int]) -> None:
        """Take note of new marks: numbers, FLAG for a cell that is a mine, SAFE for one that is not.

        Raises IllegalMove for a cell that shows a number already, and inside a what-if; then nothing
        is taken note of. Marks that cannot be raise Contradiction, and so does every question
        after them.
        """
        if self._memory.depth:
            raise IllegalMove("cannot follow a game inside a what-if: take it back first")
        told = {self._blank(cell): _known(mark) for cell, mark in changes.items()}
        shown = {cell: mark for cell, mark in told.items() if mark != SAFE}
        self._position = self._position.with_marks(shown)
        for cell, mark in told.items():
            self._refuted = self._refuted or bool(marks.set_mark(self._memory, cell, mark))
        if self._refuted:
            self._contradict()

    @contextmanager
    def what_if(self, cell: str | int, mark: int) -> Iterator[PositionSummary]:
        """Suppose that a covered cell shows a number, is a mine (FLAG) or SAFE, until the block ends.

        The outlook has no solutions where that cannot be. What-ifs may be nested.
        """
        index, mark = self._blank(cell), _known(mark)
        if self._memory.depth == self._memory.max_depth:
            raise IllegalMove(f"cannot suppose more than {self._memory.max_depth} things at once")
        if self._refuted:
            yield self.summary
            return
        status = queries.what_if(self._memory, index, mark)
        try:
            summary = self._finish(status)
            # The memory forgets what single numbers refuted: asked again, it would answer.
            self._refuted = summary is NOTHING
            yield summary
        finally:
            self._refuted = False
            undo.restore_state(self._memory)

    @property
    def summary(self) -> PositionSummary:
        """What the position promises now."""
        summary = NOTHING if self._refuted else self._finish(queries.answer(self._memory))
        if summary is NOTHING and not self._memory.depth:
            self._contradict()
        return summary

    @property
    def ln_solutions(self) -> float:
        """The natural logarithm of the number of solutions."""
        return self.summary.ln_solutions

    @property
    def probability_array(self) -> npt.NDArray[np.float64]:
        """The probabilities of all cells, as `Analysis.probability_array`; SAFE cells have 0."""
        if self.summary is NOTHING:
            return np.full(len(self.board), math.nan)
        queries.write_probabilities(self._memory)
        found: npt.NDArray[np.float64] = workspace.copy_probabilities(self._memory, len(self.board))
        return found

    def probability(self, cell: str | int) -> float:
        """The probabilities of one cell; nan where it shows a number, or has none."""
        index = self.board.cell(cell)
        return math.nan if self.summary is NOTHING else queries.probability_of(self._memory, index)

    def _tell(self) -> None:
        position = self._position
        mines = -1 if position.mines is None else min(position.mines, len(position.board) + 1)
        if marks.read_marks(self._memory, view(position.marks), 0, mines, True):
            self._contradict()

    def _blank(self, cell: str | int) -> int:
        index = self.board.cell(cell)
        if self._memory.marks[index] >= 0:
            raise IllegalMove(f"cannot mark {self.board.name(index)}: it shows a number")
        return index

    def _limit(self) -> Limit:
        """The limit of one question: each has the whole budget."""
        return self._budget.start(self._cancel)

    def _finish(self, status: int) -> PositionSummary:
        memory, limit = self._memory, self._limit()
        while status >= workspace.GROW:
            workspace.enlarge(memory.general, status, limit)
            status = queries.answer(memory)
        if workspace.check(memory.general, status, limit) == workspace.IMPRECISE:
            raise OutOfBudget(
                "expected probabilities that floating point can hold, got a wider range"
            )
        if status:
            return NOTHING
        least, second = (p if p <= 1 else None for p in (memory.least, memory.second))
        return PositionSummary(memory.ln_solutions, memory.safe_count, least, second)

    def _contradict(self) -> None:
        """Raise the error that says which numbers clash."""
        position, limit = self._position, self._limit()
        with workspace.borrow_workspace(limit, trust_flags=True) as ws:
            status = workspace.run(ws, position.board, position.marks, position.mines, limit)
            if status in (workspace.NO_SOLUTION, workspace.WRONG_COUNT):
                raise contradiction_error(ws, position, status, limit)
        raise Contradiction("expected cells that were said to be free, got a mine among them")


def _known(mark: int) -> int:
    """The mark, if it says something of a cell."""
    mark = check_int(mark, "a number, FLAG or SAFE")
    if mark < 0 and mark not in (FLAG, SAFE):
        raise NotationError(f"expected a number, FLAG or SAFE, got {mark}")
    return mark


def _memory(board: Board, limit: Limit) -> Memory:
    memory = workspace.make_tracked(board)
    memory.general.seconds = limit.seconds
    memory.general.cancel = view(limit.flag)
    return memory
