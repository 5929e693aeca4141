"""Perfect play by trying every strategy: sets and recursion, nothing of sapper's search."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

from sapper.board.board import Board
from sapper.board.position import Position


def solutions(position: Position) -> list[frozenset[int]]:
    """All sets of covered cells that meet every number and the mine count."""
    covered = [c for c in position.board.cells if position.marks[c] < 0]
    near = [set(map(int, position.board.around(c))) for c in position.board.cells]
    return [
        frozenset(mines)
        for mines in combinations(covered, position.mines)
        if all(
            position.marks[c] < 0 or len(near[c].intersection(mines)) == position.marks[c]
            for c in position.board.cells
        )
    ]


def best_chances(position: Position) -> tuple[Fraction, dict[int, Fraction]]:
    """The chance of winning a position by the best strategy, and by each first reveal."""
    found = solutions(position)
    covered = frozenset(c for c in position.board.cells if position.marks[c] < 0)
    wins = _strategies(position.board)
    moves = {c: wins.after(frozenset(found), covered, c) for c in covered}
    possible = {c: n for c, n in moves.items() if any(c not in mines for mines in found)}
    best = wins.best(frozenset(found), covered)
    return Fraction(best, len(found)), {c: Fraction(n, len(found)) for c, n in possible.items()}


class _strategies:  # noqa: N801 - a pair of functions that call each other
    def __init__(self, board: Board):
        near = [frozenset(map(int, board.around(c))) for c in board.cells]

        @cache
        def best(left: frozenset, covered: frozenset) -> int:
            """How many of the solutions in *left* are won at most."""
            if len(left) == 1:
                return 1
            return max(after(left, covered, c) for c in covered)

        def after(left: frozenset, covered: frozenset, cell: int) -> int:
            """The same, if this cell is revealed first."""
            by_number: dict[int, set] = {}
            for mines in left:
                if cell not in mines:
                    by_number.setdefault(len(near[cell] & mines), set()).add(mines)
            return sum(best(frozenset(part), covered - {cell}) for part in by_number.values())

        self.best, self.after = best, after
