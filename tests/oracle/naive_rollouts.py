"""What a candidate is worth to a quick player, by playing on from every solution of a position."""

from __future__ import annotations

from fractions import Fraction

from sapper.board.position import Position
from tests.oracle.naive_endgame import best_chances, solutions


def worth(position: Position, cell: int, few: int) -> Fraction:
    """How often revealing the cell and then playing on wins, over all solutions.

    Safe cells are revealed first, then one of least probability; ties: fewest neighbours, next to
    a revealed cell, lowest index. With at most *few* solutions left play is perfect.
    """
    found = solutions(position)
    return Fraction(_after(position, found, cell, few), len(found))


def _after(position: Position, left: list[frozenset[int]], cell: int, few: int) -> Fraction:
    """The wins among the solutions *left* when that cell is revealed."""
    near = set(map(int, position.board.around(cell)))
    by_number: dict[int, list[frozenset[int]]] = {}
    for mines in left:
        if cell not in mines:
            by_number.setdefault(len(near & mines), []).append(mines)
    parts = ((position.with_marks({cell: v}), part) for v, part in by_number.items())
    return sum((_wins(after, part, few) for after, part in parts), Fraction(0))


def _wins(position: Position, left: list[frozenset[int]], few: int) -> Fraction:
    covered = [c for c in position.board.cells if position.marks[c] < 0]
    mined = {c: sum(c in mines for mines in left) for c in covered}
    certain = [c for c in covered if mined[c] == 0]
    if certain:
        return _after(position, left, certain[0], few)
    if len(left) == 1:
        return Fraction(1)
    if len(left) <= few:
        return best_chances(position)[0] * len(left)

    def rank(cell: int) -> tuple[int, int, bool, int]:
        around = position.board.around(cell)
        return mined[cell], len(around), all(position.marks[d] < 0 for d in around), cell

    return _after(position, left, min(covered, key=rank), few)
