"""Perfect play on small boards: the exact chance of winning from the best first click.

All layouts that the rules allow are listed; the first click is a move like any other, except that
the rule may keep it safe. First clicks that are images of each other under a symmetry of the board
have the same value. So have sets of layouts: only one of the images of a set is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from sapper.board.position import COVERED
from sapper.board.rules import Rules
from sapper.board.symmetries import Symmetry, orbits, symmetries
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import SAFE
from sapper.kernels.players import solution_lists as kernel
from sapper.players.endgame import (
    UNLIMITED,
    Solutions,
    check_combinations,
    check_memory,
    make_search,
)

# Images of a set that its key combines: more of them find more equal sets, and cost more.
MAX_IMAGES = 16
# The symmetries of a larger board take longer to find than they save.
MAX_CELLS = 400


@dataclass(frozen=True)
class Perfect:
    """The value of perfect play: wins among the layouts of the best first click."""

    rules: Rules
    wins: int
    layouts: int
    first: tuple[int, ...]
    """The best first clicks, ascending; or the given one."""

    @property
    def value(self) -> Fraction:
        """The chance of winning."""
        return Fraction(self.wins, self.layouts)

    def __str__(self) -> str:
        """Return wins/layouts, not reduced, so that both numbers are counts."""
        return f"{self.wins}/{self.layouts}"


def perfect(
    rules: str | Rules,
    first: str | int | None = None,
    *,
    rule: str | None = None,
    tiling: str | None = None,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Perfect:
    """Return the value of perfect play, from the best first click unless one is given.

    *rules* may be a level or a size such as 4x4/4, with *rule* and *tiling* as in `generate`.
    Under `zero` first clicks have different numbers of layouts; those of the lowest best one are
    returned. Raises OutOfBudget if the board is too large: every layout is listed.

    >>> str(perfect("4x4/4", rule="safe"))
    '961/1365'
    """
    rules = Rules.of(rules, tiling, rule)
    limit = start_limit(budget, cancel)
    board = rules.board
    _check_size(rules, limit)
    images = symmetries(board) if len(board) <= MAX_CELLS else [tuple(board.cells)]
    if first is not None:
        cell = board.cell(first)
        rules.check_first(cell)
        groups = [[cell]]
    else:
        groups = [group for group in orbits(board, images) if rules.allows_first(group[0])]
        if not groups:
            # The error for the cell of fewest neighbours states how many mines are possible.
            rules.check_first(int(board.neighbour_counts.argmin()))
    clicks = _FirstClicks(rules, images, limit)
    best: list[tuple[int, int, list[int]]] = []
    value = Fraction(0)
    for done, group in enumerate(groups):
        limit.check(f"{done} of {len(groups)} first clicks are solved")
        wins, layouts = clicks.value(group[0], value)
        if Fraction(wins, layouts) > value:
            best, value = [], Fraction(wins, layouts)
        if Fraction(wins, layouts) == value:
            best.append((wins, layouts, group))
    wins, layouts, _ = min(best, key=lambda row: row[2])
    return Perfect(rules, wins, layouts, tuple(sorted(c for row in best for c in row[2])))


def _check_size(rules: Rules, limit: Limit) -> None:
    """Raise OutOfBudget if even the shortest list of layouts does not fit into memory."""
    cells = len(rules.board)
    largest_opening = 1 + int(rules.board.neighbour_counts.max())
    left = cells - largest_opening if rules.rule == "zero" else cells
    if left >= rules.mines:
        check_combinations(cells, left, rules.mines, limit)


class _FirstClicks:
    """The values of first clicks."""

    def __init__(self, rules: Rules, images: list[Symmetry], limit: Limit):
        self._rules, self._images, self._limit = rules, images, limit
        # Under `any` and `safe` all first clicks share one list of all layouts.
        self._all = None if rules.rule == "zero" else self._list_layouts(None)

    def value(self, cell: int, floor: Fraction) -> tuple[int, int]:
        """Return wins and layouts of a first click; exact if their ratio is at least *floor*."""
        solutions = self._all or self._list_layouts(cell)
        if self._rules.rule == "zero":
            threshold = _max_wins_below(floor, solutions.rows)
            return solutions.wins(0, solutions.rows, self._limit, threshold), solutions.rows
        layouts = solutions.rows if self._rules.rule == "any" else solutions.count_safe_rows(cell)
        threshold = _max_wins_below(floor, layouts)
        return solutions.wins_after(0, solutions.rows, cell, self._limit, threshold), layouts

    def _list_layouts(self, cell: int | None) -> Solutions:
        """Return all layouts, or those with an opening at the cell."""
        rules, board = self._rules, self._rules.board
        known = np.zeros(len(board), dtype=np.uint8)
        images = self._images
        if cell is not None:
            known[list(rules.mine_free_cells(cell))] = SAFE
            images = [image for image in images if image[cell] == cell]
        rows = comb(int((known == 0).sum()), rules.mines)
        check_memory(len(board) + 8 * len(images[:MAX_IMAGES]), rows, self._limit)
        offsets, neighbours = view(board.offsets), view(board.neighbours)
        lister = kernel.SolutionLister(offsets, neighbours, rows, UNLIMITED)
        marks = np.full(len(board), COVERED, dtype=np.int32)
        kernel.find_parts(lister, view(marks), view(known))
        for part in range(lister.part_count):
            lister.selected[part] = 1
        search = make_search(len(board), rows)
        if kernel.run(lister, search, view(known), rules.mines):
            neighbours = board.neighbour_counts.max()
            problem = f"perfect play cannot be searched: a cell has {neighbours} neighbours"
            raise OutOfBudget(problem, remedy="use a board with fewer neighbours per cell")
        solutions = Solutions(search, [int(lister.column_cell[i]) for i in range(search.columns)])
        if len(images) > 1:
            solutions.use_symmetries(images[:MAX_IMAGES])
        return solutions


def _max_wins_below(floor: Fraction, layouts: int) -> int:
    """Return the largest number of wins whose share of the layouts is less than *floor*."""
    return max(0, -(-floor.numerator * layouts // floor.denominator) - 1)
