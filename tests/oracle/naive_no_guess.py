"""Which layouts need no guess, by trying every layout that fits the numbers."""

from functools import cache
from itertools import combinations

from sapper import Board
from tests.oracle.naive import Solution, count_numbers, neighbours, subsets


class AllLayouts:
    """All layouts of a small board with a number of mines and a first click."""

    def __init__(self, board: Board, mines: int, first: int, mine_free_cells: set[int]):
        self.board, self.first = board, first
        cells = set(board.cells) - mine_free_cells
        self.layouts = list(map(frozenset, combinations(sorted(cells), mines)))
        # Inference does not use the rule of the first click: it counts every layout.
        everywhere = map(frozenset, combinations(board.cells, mines))
        self._numbers = {layout: count_numbers(board, layout) for layout in everywhere}
        self.safe_cells = cache(self._safe_cells)

    def _safe_cells(self, shown: tuple[tuple[int, int], ...], with_count: bool) -> Solution:
        """Return the cells that are safe in every layout that shows these numbers."""
        near, revealed = neighbours(self.board), {cell for cell, _ in shown}
        if with_count:
            unknown = set(self.board.cells) - revealed
            fitting = [
                mines
                for mines, numbers in self._numbers.items()
                if not mines & revealed and all(numbers[cell] == number for cell, number in shown)
            ]
        else:
            unknown = set().union(*(near[cell] for cell in revealed)) - revealed
            fitting = [
                mines
                for mines in subsets(unknown)
                if all(len(near[cell] & mines) == number for cell, number in shown)
            ]
        assert fitting
        return frozenset(unknown.difference(*fitting))

    def opened(self, mines: Solution, with_count: bool = True) -> set[int]:
        """Return the cells of a layout that certain moves reveal from the first click."""
        numbers = count_numbers(self.board, mines)
        revealed = set() if self.first in mines else {self.first}
        while revealed:
            shown = tuple((cell, numbers[cell]) for cell in sorted(revealed))
            safe = self.safe_cells(shown, with_count)
            if not safe:
                break
            revealed |= safe
        return revealed

    def no_guess_layouts(self, with_count: bool = True) -> set[Solution]:
        """Return the layouts that need no guess."""
        cells = len(self.board)
        return {m for m in self.layouts if len(self.opened(m, with_count)) == cells - len(m)}
