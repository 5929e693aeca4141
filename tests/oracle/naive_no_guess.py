"""Who wins without a guess, by looking at every layout that fits what is shown: the slow twin.

Nothing of sapper.infer or kernels: sets of mines and loops.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from sapper.model.board import Board
from tests.oracle.naive import hints


class TinyWorld:
    """All layouts of a small board with so many mines and a first click."""

    def __init__(self, board: Board, mines: int, first: int, kept_free: set[int]):
        self.board, self.first = board, first
        cells = [cell for cell in range(len(board)) if cell not in kept_free]
        self.layouts = [frozenset(chosen) for chosen in combinations(cells, mines)]
        # Inference does not know the rule of the first click: it counts every layout.
        everywhere = combinations(range(len(board)), mines)
        self._possible = {frozenset(m): tuple(hints(board, set(m))) for m in everywhere}
        self.certain_free = lru_cache(maxsize=None)(self._certain_free)

    def _certain_free(self, shown: tuple[tuple[int, int], ...], with_count: bool) -> frozenset[int]:
        """The cells that are free in every layout that shows these hints."""
        seen = {cell for cell, _ in shown}
        if with_count:
            fitting = [
                mines
                for mines, numbers in self._possible.items()
                if not mines & seen and all(numbers[cell] == hint for cell, hint in shown)
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
                    sum(int(d) in chosen for d in self.board.around(cell)) == hint
                    for cell, hint in shown
                )
            ]
        assert fitting
        return frozenset(cell for cell in in_play if not any(cell in mines for mines in fitting))

    def opened(self, mines: frozenset[int], with_count: bool = True) -> set[int]:
        """What certain reveals open of a layout from the first click."""
        if self.first in mines:
            return set()
        numbers = hints(self.board, set(mines))
        shown = {self.first}
        while True:
            free = self.certain_free(
                tuple((cell, numbers[cell]) for cell in sorted(shown)), with_count
            )
            if not free - shown:
                return shown
            shown |= free

    def solvable(self, with_count: bool = True) -> set[frozenset[int]]:
        """The layouts that need no guess."""
        left = len(self.board)
        return {
            mines
            for mines in self.layouts
            if len(self.opened(mines, with_count)) == left - len(mines)
        }
