"""A position that follows a game: told what changes, asked for odds, asked what if.

>>> from sapper.model.frame import Frame
>>> position = Position(Frame.parse("1 # # #", mines=1))
>>> position.odds("r1c2"), position.outlook.free_cells
(1.0, 2)
>>> position = Position(Frame.parse("# 1 # #", mines=1))
>>> with position.what_if("r1c1", 0) as outlook:
...     outlook.free_cells, position.odds("r1c3")
(1, 1.0)
>>> position.odds("r1c3")
0.5
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.errors import Contradiction, IllegalMove, NotationError, OutOfBudget
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit
from sapper.infer.odds import engine
from sapper.infer.proofs.contradictions import name_clash
from sapper.kernels import view
from sapper.kernels.codes import OPEN
from sapper.kernels.odds import asking, cells
from sapper.kernels.odds.position import Position as Memory
from sapper.model.board import Board
from sapper.model.frame import FLAG, Frame
from sapper.values import need, whole

FREE = OPEN
"""For `follow` and `what_if`: the cell is free, its hint is not known."""


@dataclass(frozen=True)
class Outlook:
    """What a position promises: its placements, and what a player could reveal next."""

    ln_placements: float
    """The natural logarithm of the number of satisfactory placements; -inf where there is none."""
    free_cells: int
    """How many cells are certain to be free and not revealed yet."""
    least: float | None
    """The least odds of a blank that single hints do not decide; None where there is no such."""
    second: float | None
    """The next odds after it, of another blank."""


NOTHING = Outlook(-math.inf, 0, None, None)


class Position:
    """A frame and what follows from it, carried from move to move.

    Only what changed is worked out anew. Answers are those of `analyse`, to rounding.
    Not for several threads at once. Raises Contradiction and OutOfBudget as `analyse` does.
    """

    def __init__(
        self,
        frame: Frame,
        *,
        trust_flags: bool = False,
        budget: Budget = DEFAULT,
        cancel: Cancel | None = None,
    ):
        need(frame, Frame, "a frame")
        # Flags are mines from here on: those that are trusted, and those that are followed.
        self._frame = frame if trust_flags else frame.without_flags()
        self._budget, self._cancel = budget, cancel
        self._memory = _memory(frame.board, self._limit())
        self._refuted = False
        self._tell()

    @property
    def board(self) -> Board:
        """The board that the game is played on."""
        return self._frame.board

    def follow(self, changes: Mapping[str | int, int]) -> None:
        """Take note of new marks: hints, FLAG for a cell that is a mine, FREE for one that is not.

        Raises IllegalMove for a cell that shows a hint already, and inside a what-if; then nothing
        is taken note of. Marks that cannot be raise Contradiction, and so does every question
        after them.
        """
        if self._memory.depth:
            raise IllegalMove("cannot follow a game inside a what-if: take it back first")
        told = {self._blank(cell): _known(mark) for cell, mark in changes.items()}
        shown = {cell: mark for cell, mark in told.items() if mark != FREE}
        self._frame = self._frame.with_marks(shown)
        for cell, mark in told.items():
            self._refuted = self._refuted or bool(cells.follow(self._memory, cell, mark))
        if self._refuted:
            self._contradict()

    @contextmanager
    def what_if(self, cell: str | int, mark: int) -> Iterator[Outlook]:
        """Suppose that a blank shows a hint, is a mine (FLAG) or FREE, until the block ends.

        The outlook has no placements where that cannot be. What-ifs may be nested.
        """
        index, mark = self._blank(cell), _known(mark)
        if self._memory.depth == self._memory.most_depth:
            raise IllegalMove(f"cannot suppose more than {self._memory.most_depth} things at once")
        if self._refuted:
            yield self.outlook
            return
        status = asking.what_if(self._memory, index, mark)
        try:
            outlook = self._finish(status)
            # The memory forgets what single hints refuted: asked again, it would answer.
            self._refuted = outlook is NOTHING
            yield outlook
        finally:
            self._refuted = False
            cells.take_back(self._memory)

    @property
    def outlook(self) -> Outlook:
        """What the position promises now."""
        outlook = NOTHING if self._refuted else self._finish(asking.answer(self._memory))
        if outlook is NOTHING and not self._memory.depth:
            self._contradict()
        return outlook

    @property
    def ln_placements(self) -> float:
        """The natural logarithm of the number of satisfactory placements."""
        return self.outlook.ln_placements

    @property
    def probability(self) -> npt.NDArray[np.float64]:
        """The odds of all cells, as `Analysis.probability`; FREE cells have 0."""
        if self.outlook is NOTHING:
            return np.full(len(self.board), math.nan)
        asking.write_odds(self._memory)
        found: npt.NDArray[np.float64] = engine.odds_of_cells(self._memory, len(self.board))
        return found

    def odds(self, cell: str | int) -> float:
        """The odds of one cell; nan where it shows a hint, or has none."""
        index = self.board.cell(cell)
        return math.nan if self.outlook is NOTHING else asking.odds_of(self._memory, index)

    def _tell(self) -> None:
        frame = self._frame
        mines = -1 if frame.mines is None else min(frame.mines, len(frame.board) + 1)
        if cells.read(self._memory, view(frame.marks), 0, mines, True):
            self._contradict()

    def _blank(self, cell: str | int) -> int:
        index = self.board.cell(cell)
        if self._memory.marks[index] >= 0:
            raise IllegalMove(f"cannot mark {self.board.name(index)}: it shows a hint")
        return index

    def _limit(self) -> Limit:
        """The limit of one question: each has the whole budget."""
        return self._budget.start(self._cancel)

    def _finish(self, status: int) -> Outlook:
        memory, limit = self._memory, self._limit()
        while status >= engine.GROW:
            engine.enlarge(memory.general, status, limit)
            status = asking.answer(memory)
        if engine.check(memory.general, status, limit) == engine.IMPRECISE:
            raise OutOfBudget("expected odds that floating point can hold, got a wider range")
        if status:
            return NOTHING
        least, second = (p if p <= 1 else None for p in (memory.least, memory.second))
        return Outlook(memory.ln_placements, memory.free_cells, least, second)

    def _contradict(self) -> None:
        """Raise the error that says which hints clash."""
        frame, limit = self._frame, self._limit()
        with engine.borrow(limit, trust_flags=True) as ws:
            status = engine.run(ws, frame.board, frame.marks, frame.mines, limit)
            if status in (engine.NO_PLACEMENT, engine.WRONG_COUNT):
                raise name_clash(ws, frame, status, limit)
        raise Contradiction("expected cells that were said to be free, got a mine among them")


def _known(mark: int) -> int:
    """The mark, if it says something of a cell."""
    mark = whole(mark, "a hint, FLAG or FREE")
    if mark < 0 and mark not in (FLAG, FREE):
        raise NotationError(f"expected a hint, FLAG or FREE, got {mark}")
    return mark


def _memory(board: Board, limit: Limit) -> Memory:
    memory = engine.make_position(board)
    memory.general.seconds = limit.seconds
    memory.general.cancel = view(limit.flag)
    return memory
