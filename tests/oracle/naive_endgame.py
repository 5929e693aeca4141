"""Perfect play by trying every strategy: sets and recursion, nothing of sapper's search."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

from sapper.model.board import Board
from sapper.model.frame import Frame


def placements(frame: Frame) -> list[frozenset[int]]:
    """All sets of blanks that meet every hint and the mine count."""
    blanks = [c for c in frame.board.cells if frame.marks[c] < 0]
    near = [set(map(int, frame.board.around(c))) for c in frame.board.cells]
    return [
        frozenset(mines)
        for mines in combinations(blanks, frame.mines)
        if all(
            frame.marks[c] < 0 or len(near[c].intersection(mines)) == frame.marks[c]
            for c in frame.board.cells
        )
    ]


def best_chances(frame: Frame) -> tuple[Fraction, dict[int, Fraction]]:
    """The chance of winning a frame by the best strategy, and by each first reveal."""
    found = placements(frame)
    blanks = frozenset(c for c in frame.board.cells if frame.marks[c] < 0)
    wins = _strategies(frame.board)
    moves = {c: wins.after(frozenset(found), blanks, c) for c in blanks}
    possible = {c: n for c, n in moves.items() if any(c not in mines for mines in found)}
    best = wins.best(frozenset(found), blanks)
    return Fraction(best, len(found)), {c: Fraction(n, len(found)) for c, n in possible.items()}


class _strategies:  # noqa: N801 - a pair of functions that call each other
    def __init__(self, board: Board):
        near = [frozenset(map(int, board.around(c))) for c in board.cells]

        @cache
        def best(left: frozenset, blanks: frozenset) -> int:
            """How many of the placements in *left* are won at most."""
            if len(left) == 1:
                return 1
            return max(after(left, blanks, c) for c in blanks)

        def after(left: frozenset, blanks: frozenset, cell: int) -> int:
            """The same, if this cell is revealed first."""
            by_number: dict[int, set] = {}
            for mines in left:
                if cell not in mines:
                    by_number.setdefault(len(near[cell] & mines), set()).add(mines)
            return sum(best(frozenset(part), blanks - {cell}) for part in by_number.values())

        self.best, self.after = best, after
