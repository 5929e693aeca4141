"""Which layouts need no guess: the slow reference, which tries every layout that fits the numbers.

It uses neither the engine nor kernels: sets of mines and loops.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from sapper.board.board import Board
from tests.oracle.naive import count_numbers


class TinyWorld:
    """All layouts of a small board with a number of mines and a first click."""

    def __init__(self, board: Board, mines: int, first: int, mine_free_cells: set[int]):
        self.board, self.first = board, first
        cells = [cell for cell in range(len(board)) if cell not in mine_free_cells]
        self.layouts = [frozenset(chosen) for chosen in combinations(cells, mines)]
        # Inference does not use the rule of the first click: it counts every layout.
        everywhere = combinations(range(len(board)), mines)
        self._possible = {frozenset(m): tuple(count_numbers(board, set(m))) for m in everywhere}
        self.safe_cells = lru_cache(maxsize=None)(self._safe_cells)

    def _safe_cells(self, shown: tuple[tuple[int, int], ...], with_count: bool) -> frozenset[int]:
        """Return the cells that are safe in every layout that shows these numbers."""
        seen = {cell for cell, _ in shown}
        if with_count:
            fitting = [
                mines
                for mines, numbers in self._possible.items()
                if not mines & seen and all(numbers[cell] == number for cell, number in shown)
            ]
            in_play = set(range(len(self.board))) - seen
        else:
            in_play = {
                d for cell, _ in shown for d in map(int, self.board.around(cell)) if d not in seen
            }
            fitting = [
                frozenset(chosen)
                for size in range(len(in_play) + 1)
                for chosen in combinations(sorted(in_play), size)
                if all(
                    sum(int(d) in chosen for d in self.board.around(cell)) == number
                    for cell, number in shown
                )
            ]
        assert fitting
        return frozenset(cell for cell in in_play if not any(cell in mines for mines in fitting))

    def opened(self, mines: frozenset[int], with_count: bool = True) -> set[int]:
        """Return the cells of a layout that certain moves reveal from the first click."""
        if self.first in mines:
            return set()
        numbers = count_numbers(self.board, set(mines))
        shown = {self.first}
        while True:
            safe = self.safe_cells(
                tuple((cell, numbers[cell]) for cell in sorted(shown)), with_count
            )
            if not safe - shown:
                return shown
            shown |= safe

    def solvable(self, with_count: bool = True) -> set[frozenset[int]]:
        """Return the layouts that need no guess."""
        left = len(self.board)
        return {
            mines
            for mines in self.layouts
            if len(self.opened(mines, with_count)) == left - len(mines)
        }
