"""A whole game by climbing the difficulties: the loop under grading and under certificates."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.budget import Limit
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.board.layout import reveal
from sapper.kernels.codes import MINE
from sapper.proofs.steps import DeductionStep, StepFinder


class Playthrough:
    """A layout that is opened from its click, the simplest deductions first.

    Moves come by the step, not one by one as in `play.watch`: whole boards are graded in
    milliseconds. With *use_mine_count* false the mine count is never used.
    """

    def __init__(self, layout: Layout, limit: Limit, *, use_mine_count: bool = True):
        self._layout = layout
        self._mines = layout.mine_count if use_mine_count else None
        self._marks = np.full(len(layout.board), COVERED, dtype=np.int32)
        self._queue = np.empty(len(layout.board), dtype=np.int32)
        self.left = len(layout.board) - layout.mine_count
        """How many free cells are still to be revealed."""
        self.finder = StepFinder(self._position(), use_mine_count=use_mine_count, limit=limit)
        self.open([require_click(layout)])

    @property
    def flagged(self) -> Position:
        """The position as it stands, with a flag on every mine that was deduced."""
        marks = self._marks.copy()
        marks[(marks == COVERED) & (self.finder.known == MINE)] = FLAG
        return Position(self._layout.board, marks, self._mines)

    def step(self) -> tuple[DeductionStep, int] | None:
        """Make the moves of the lowest difficulty that moves; with them, how many cells that revealed.

        None when stuck.
        """
        step = self.finder.step()
        return None if step is None else (step, self.open(step.reveal))

    def open(self, cells: Iterable[int]) -> int:
        """Reveal free cells and what they open; answers with how many are new."""
        board, count = self._layout.board, 0
        for cell in cells:
            if self._marks[cell] == COVERED:
                count += int(
                    reveal(
                        *(view(board.offsets), view(board.neighbours), view(self._layout.numbers)),
                        *(cell, view(self._marks), view(self._queue)),
                    )
                )
        self.left -= count
        if count:
            self.finder.see(self._position())
        return count

    def _position(self) -> Position:
        return Position(self._layout.board, self._marks, self._mines)


def require_click(layout: Layout) -> int:
    """The click of a layout, which must have one."""
    if layout.click is None:
        raise RulesError("expected a layout with its click, marked 'c', got none")
    return layout.click
