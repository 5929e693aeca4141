"""A whole game by climbing the rungs: the loop under grading and under certificates."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper.errors import RulesError
from sapper.infer.budget import Limit
from sapper.infer.ladder.climbing import Climb, Step
from sapper.kernels import view
from sapper.kernels.boards.deal import reveal
from sapper.kernels.codes import MINE
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.model.layout import Layout


class Ascent:
    """A layout that is opened from its click, the simplest deductions first.

    Moves come by the step, not one by one as in `play.watch`: whole boards are graded in
    milliseconds. With *use_count* false the mine count is never used.
    """

    def __init__(self, layout: Layout, limit: Limit, *, use_count: bool = True):
        self._layout = layout
        self._mines = layout.mine_count if use_count else None
        self._marks = np.full(len(layout.board), BLANK, dtype=np.int32)
        self._queue = np.empty(len(layout.board), dtype=np.int32)
        self.left = len(layout.board) - layout.mine_count
        """How many free cells are still to be revealed."""
        self.climb = Climb(self._frame(), use_count=use_count, limit=limit)
        self.open([click_of(layout)])

    @property
    def flagged(self) -> Frame:
        """The frame as it stands, with a flag on every mine that was deduced."""
        marks = self._marks.copy()
        marks[(marks == BLANK) & (self.climb.known == MINE)] = FLAG
        return Frame(self._layout.board, marks, self._mines)

    def step(self) -> tuple[Step, int] | None:
        """Make the moves of the lowest rung that moves; with them, how many cells that revealed.

        None when stuck.
        """
        step = self.climb.step()
        return None if step is None else (step, self.open(step.reveal))

    def open(self, cells: Iterable[int]) -> int:
        """Reveal free cells and what they open; answers with how many are new."""
        board, count = self._layout.board, 0
        for cell in cells:
            if self._marks[cell] == BLANK:
                count += int(
                    reveal(
                        *(view(board.offsets), view(board.neighbours), view(self._layout.hints)),
                        *(cell, view(self._marks), view(self._queue)),
                    )
                )
        self.left -= count
        if count:
            self.climb.see(self._frame())
        return count

    def _frame(self) -> Frame:
        return Frame(self._layout.board, self._marks, self._mines)


def click_of(layout: Layout) -> int:
    """The click of a layout, which must have one."""
    if layout.click is None:
        raise RulesError("expected a layout with its click, marked 'c', got none")
    return layout.click
