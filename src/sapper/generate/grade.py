"""How hard a layout is from its click, and how hard a frame is by its hints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sapper.errors import RulesError
from sapper.infer.budget import DEFAULT, Budget, Limit
from sapper.infer.ladder.climbing import Climb, Step
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.ties import tied_for_least
from sapper.kernels import view
from sapper.kernels.boards.deal import reveal
from sapper.model.frame import BLANK, Frame
from sapper.model.layout import Layout
from sapper.values import FrozenDict, need


@dataclass(frozen=True)
class Grade:
    """How hard a layout is: the hardest rung needed, cells revealed on each rung, guesses.

    The click itself and guesses are on no rung; a guess counts once, whatever it opens.
    `rung` is the lowest one where no deduction is needed at all.
    """

    rung: str
    steps: Mapping[str, int] = field(default_factory=FrozenDict)
    guesses: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", FrozenDict(self.steps))


def grade(layout: Layout, *, budget: Budget = DEFAULT) -> Grade:
    """Play a layout from its click: every move of the lowest rung that moves, again and again.

    When stuck, the truly free blank of least odds is opened (the lowest index on ties).
    Raises OutOfBudget when the whole takes longer than *budget*.
    """
    need(layout, Layout, "a layout")
    limit = budget.start()
    play = _Play(layout, limit)
    play.open([click_of(layout)])
    while not play.over:
        limit.check(f"{play.left} free cells left to reveal by then")
        step = play.climb.step()
        if step is None:
            play.guess()
        else:
            play.take(step)
    return play.grade()


def hardest(rungs: Iterable[str]) -> str:
    """The hardest of some rungs, by name; the lowest rung of none."""
    return max(rungs, key=RUNGS.place, default=RUNGS[0].name)


def click_of(layout: Layout) -> int:
    """The click of a layout, which must have one."""
    if layout.click is None:
        raise RulesError("expected a layout with its click, marked 'c', got none")
    return layout.click


class _Play:
    """A layout that is being opened, with what has been deduced."""

    def __init__(self, layout: Layout, limit: Limit):
        self.layout = layout
        self.marks = np.full(len(layout.board), BLANK, dtype=np.int32)
        self.mines = layout.mine_count
        self.left = len(layout.board) - self.mines
        self.counts = {rung.name: 0 for rung in RUNGS}
        self.used: set[str] = set()
        self.guesses = 0
        self.climb = Climb(self._frame(), limit=limit)
        self._queue = np.empty(len(layout.board), dtype=np.int32)

    @property
    def over(self) -> bool:
        return self.left == 0

    def _frame(self) -> Frame:
        return Frame(self.layout.board, self.marks, self.mines)

    def open(self, cells: list[int] | tuple[int, ...]) -> int:
        """Reveal free cells and what they open; answers with how many are new."""
        board, count = self.layout.board, 0
        for cell in cells:
            if self.marks[cell] == BLANK:
                count += int(
                    reveal(
                        *(view(board.offsets), view(board.neighbours), view(self.layout.hints)),
                        *(cell, view(self.marks), view(self._queue)),
                    )
                )
        self.left -= count
        if count:
            self.climb.see(self._frame())
        return count

    def take(self, step: Step) -> None:
        """Make the moves of a step."""
        self.used.add(step.rung)
        self.counts[step.rung] += self.open(step.reveal)

    def guess(self) -> None:
        """Open the free blank of least odds."""
        odds = self.climb.analysis().probability.copy()
        odds[self.layout.mine_mask != 0] = np.nan
        self.open([int(tied_for_least(odds)[0])])
        self.guesses += 1

    def grade(self) -> Grade:
        return Grade(hardest(self.used), self.counts, self.guesses)
