"""Grading: how difficult a layout is from its first click."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import tied_for_least
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit, start_limit
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.board import reveal as reveal_opening
from sapper.kernels.codes import MINE
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.steps import DeductionStep, StepFinder
from sapper.values import check_type


@dataclass(frozen=True)
class Grade:
    """How difficult a layout is.

    `difficulty` is that of the hardest step, and the lowest one if no deduction is needed.
    Cells that the first click or a guess opens are not counted in `revealed`.
    """

    difficulty: str
    revealed: tuple[tuple[str, int], ...]
    """Each difficulty with the number of cells that its steps revealed."""
    guesses: int

    @property
    def revealed_by_difficulty(self) -> dict[str, int]:
        """The number of cells that the steps of each difficulty revealed."""
        return dict(self.revealed)


def grade(layout: Layout, *, budget: Budget = DEFAULT_BUDGET) -> Grade:
    """Play a layout from its click, always making every move of the lowest difficulty.

    When stuck, reveal the safe covered cell of least mine probability (the lowest index on ties)
    and count a guess. Raises OutOfBudget when the whole game takes longer than *budget*.
    """
    check_type(layout, Layout, "a layout")
    limit = start_limit(budget)
    playthrough = Playthrough(layout, limit)
    revealed = dict.fromkeys(DIFFICULTIES, 0)
    difficulties_used: set[str] = set()
    guesses = 0
    while playthrough.safe_cells_left:
        limit.check(f"{playthrough.safe_cells_left} safe cells left to reveal")
        result = playthrough.step()
        if result is None:
            playthrough.reveal([_safest_cell(layout, playthrough.finder)])
            guesses += 1
        else:
            step, count = result
            difficulties_used.add(step.difficulty)
            revealed[step.difficulty] += count
    return Grade(hardest(difficulties_used), tuple(revealed.items()), guesses)


def hardest(difficulties: Iterable[str]) -> str:
    """Return the hardest of some difficulties; the lowest of all if there are none."""
    return max(difficulties, key=DIFFICULTIES.index, default=DIFFICULTIES.names[0])


def _safest_cell(layout: Layout, finder: StepFinder) -> int:
    """Return the cell without a mine whose mine probability is least."""
    probabilities = finder.analysis().probability_array.copy()
    probabilities[layout.mine_mask != 0] = np.nan
    return int(tied_for_least(probabilities)[0])


class Playthrough:
    """A game on a known layout, played from its click by the simplest deductions.

    It makes all moves of a step at once, unlike `sapper.watch`, so that grading a board takes
    milliseconds. Without *use_mine_count* the mine count is never used.
    """

    def __init__(self, layout: Layout, limit: Limit, *, use_mine_count: bool = True):
        self._layout = layout
        self._mines = layout.mine_count if use_mine_count else None
        self._marks = np.full(len(layout.board), COVERED, dtype=np.int32)
        self._queue = np.empty(len(layout.board), dtype=np.int32)
        self.safe_cells_left = len(layout.board) - layout.mine_count
        """The number of safe cells that are not revealed yet."""
        self.finder = StepFinder(self._position(), use_mine_count=use_mine_count, limit=limit)
        self.reveal([require_click(layout)])

    @property
    def flagged_position(self) -> Position:
        """The current position, with a flag on every deduced mine."""
        marks = self._marks.copy()
        marks[(marks == COVERED) & (self.finder.known == MINE)] = FLAG
        return Position(self._layout.board, marks, self._mines)

    def step(self) -> tuple[DeductionStep, int] | None:
        """Make all moves of the lowest difficulty that has any; return None when stuck.

        The integer is the number of cells that were revealed.
        """
        step = self.finder.step()
        return None if step is None else (step, self.reveal(step.reveal))

    def reveal(self, cells: Iterable[int]) -> int:
        """Reveal safe cells with their openings, and return the number of newly revealed cells."""
        board, count = self._layout.board, 0
        for cell in cells:
            if self._marks[cell] == COVERED:
                count += int(
                    reveal_opening(
                        view(board.offsets),
                        view(board.neighbours),
                        view(self._layout.numbers),
                        cell,
                        view(self._marks),
                        view(self._queue),
                    )
                )
        self.safe_cells_left -= count
        if count:
            self.finder.update(self._position())
        return count

    def _position(self) -> Position:
        return Position(self._layout.board, self._marks, self._mines)


def require_click(layout: Layout) -> int:
    """Return the first click of a layout; raise RulesError if it has none."""
    if layout.click is None:
        raise RulesError("the layout has no first click: mark it with 'c'")
    return layout.click
