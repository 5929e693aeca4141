"""The solutions of an end game, and how many of them perfect play wins.

The search is the kernel `players.end_game_search`; this module adds the limit and the errors.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sapper.board.symmetries import Symmetry
from sapper.engine.budget import Limit
from sapper.errors import OutOfBudget
from sapper.kernels.codes import MEMO_FULL, PAUSED, SHOWS_MINE
from sapper.kernels.players import end_game_search as kernel

# Work (solutions times cells) between two checks of the limit: some hundredths of a second.
WORK_PER_CHECK = 20_000_000
# The initial number of sets in the memo, and the bytes of each.
MEMO_CAPACITY = 1 << 12
MEMO_ENTRY_BYTES = 20
# The logarithm of the number of solutions above which only its order of magnitude is computed.
MAX_LN_SOLUTIONS = 100.0
UNLIMITED = 1 << 62


class Solutions:
    """Solutions in rows, covered cells in columns; `cell_of` and `column_of` convert.

    A range of the rows is a set of solutions. Results are memoised by set, for all searches of this
    object. *max_nodes* limits the number of sets that are searched.
    """

    def __init__(
        self, search: kernel.EndGameSearch, cell_of: list[int], max_nodes: int | None = None
    ):
        self.rows = int(search.rows)
        self.cell_of = cell_of
        self.column_of = {cell: column for column, cell in enumerate(cell_of)}
        self._search = search
        kernel.restart(search)
        search.max_nodes = UNLIMITED if max_nodes is None else max_nodes

    def use_symmetries(self, symmetries: list[Symmetry]) -> None:
        """Search only one of several sets that are symmetric to each other.

        The symmetries must map the solutions to each other.
        """
        words = kernel.random_words(len(symmetries[0]))
        images = []
        for image in symmetries:
            total = np.zeros(self.rows, dtype=np.uint64)
            for cell in self.cell_of:
                total[~self._safe(cell)] += words[image[cell]]
            images.append(kernel.mix(total))
        self._search.use_words(np.ascontiguousarray(np.stack(images, 1).ravel()), len(images))

    def wins(self, first: int, stop: int, limit: Limit, floor: int = 0) -> int:
        """Return how many of the rows first to stop - 1 perfect play wins.

        If that is not above *floor*, the result is only an upper bound, at most *floor*.
        """
        search = self._search
        kernel.set_root(search, first, stop, floor)
        while True:
            limit.check("the end game is not solved yet")
            search.max_work = search.work + WORK_PER_CHECK
            status = kernel.run(search)
            if status == MEMO_FULL:
                self._grow(limit)
            elif status == PAUSED and search.nodes >= search.max_nodes:
                problem = f"the end game has more than {search.max_nodes:,} sets of solutions"
                raise OutOfBudget(problem, way_out="for more of them use endgame(nodes=...)")
            elif status != PAUSED:
                return int(search.answer)

    @property
    def best(self) -> int | None:
        """The cell that the last search found best; None if all cells are equal."""
        column = int(self._search.best_column[1]) if self._search.searched else -1
        return self.cell_of[column] if column >= 0 else None

    def split(self, first: int, stop: int, cell: int) -> list[tuple[int, int]]:
        """Sort the rows first to stop - 1 by what a cell shows, mines last.

        Return the range of the rows for each number that it may show.
        """
        search = self._search
        kernel.divide(search, 0, first, stop, self.column_of[cell])
        ends = [first, *(int(search.child_stop[k]) for k in range(search.value_count))]
        return [(a, b) for a, b in pairwise(ends) if a < b]

    def wins_after(self, first: int, stop: int, cell: int, limit: Limit, floor: int = 0) -> int:
        """Return how many of the rows first to stop - 1 are won by revealing that cell first.

        As with `wins`, the number is exact if it is above *floor*.
        """
        parts = self.split(first, stop, cell)
        total = sum(b - a for a, b in parts)
        for a, b in parts:
            if total <= floor:
                break
            total += self.wins(a, b, limit, max(0, floor - total + b - a)) - (b - a)
        return total

    def count_safe_rows(self, cell: int) -> int:
        """Return the number of rows in which a cell is safe."""
        return int(self._safe(cell).sum())

    def _safe(self, cell: int) -> npt.NDArray[np.bool_]:
        start = self.column_of[cell] * self._search.capacity
        shown = np.asarray(self._search.shown)[start : start + self.rows]
        safe: npt.NDArray[np.bool_] = shown != SHOWS_MINE
        return safe

    def _grow(self, limit: Limit) -> None:
        if 5 * MEMO_ENTRY_BYTES * self._search.memo_capacity > limit.memory:
            raise limit.memory_error("the end game has too many positions")
        self._search.grow_memo()


def check_memory(columns: int, rows: int, limit: Limit) -> None:
    """Raise OutOfBudget if the solutions do not fit into memory."""
    if rows * (3 * columns + 24) > limit.memory:
        raise limit.memory_error(f"a list of {rows:,} solutions")


def check_combinations(columns: int, cells: int, mines: int, limit: Limit) -> None:
    """Raise OutOfBudget if a list of all ways to place the mines does not fit into memory."""
    # By logarithms first: the number itself may have millions of digits.
    ln = math.lgamma(cells + 1) - math.lgamma(mines + 1) - math.lgamma(cells - mines + 1)
    if ln > MAX_LN_SOLUTIONS:
        raise limit.memory_error(f"a list of about 10^{ln / math.log(10):.0f} solutions")
    check_memory(columns, math.comb(cells, mines), limit)


def make_search(columns: int, rows: int) -> kernel.EndGameSearch:
    """Make the state of a search over at most *rows* solutions of *columns* cells."""
    return kernel.EndGameSearch(columns, rows, MEMO_CAPACITY)
