"""What a candidate is worth to a quick player, by playing on from every placement of a frame."""

from __future__ import annotations

from fractions import Fraction

from sapper.model.frame import Frame
from tests.oracle.naive_endgame import best_chances, placements


def worth(frame: Frame, cell: int, few: int) -> Fraction:
    """How often revealing the cell and then playing on wins, over all placements.

    Certain cells are revealed first, then the one of least odds; ties: fewest neighbours, next to
    a revealed cell, lowest index. With at most *few* placements left play is perfect.
    """
    found = placements(frame)
    return Fraction(_after(frame, found, cell, few), len(found))


def _after(frame: Frame, left: list[frozenset[int]], cell: int, few: int) -> Fraction:
    """The wins among the placements *left* when that cell is revealed."""
    near = set(map(int, frame.board.around(cell)))
    by_number: dict[int, list[frozenset[int]]] = {}
    for mines in left:
        if cell not in mines:
            by_number.setdefault(len(near & mines), []).append(mines)
    parts = ((frame.with_marks({cell: v}), part) for v, part in by_number.items())
    return sum((_wins(after, part, few) for after, part in parts), Fraction(0))


def _wins(frame: Frame, left: list[frozenset[int]], few: int) -> Fraction:
    blanks = [c for c in frame.board.cells if frame.marks[c] < 0]
    mined = {c: sum(c in mines for mines in left) for c in blanks}
    certain = [c for c in blanks if mined[c] == 0]
    if certain:
        return _after(frame, left, certain[0], few)
    if len(left) == 1:
        return Fraction(1)
    if len(left) <= few:
        return best_chances(frame)[0] * len(left)

    def rank(cell: int) -> tuple[int, int, bool, int]:
        around = frame.board.around(cell)
        return mined[cell], len(around), all(frame.marks[d] < 0 for d in around), cell

    return _after(frame, left, min(blanks, key=rank), few)
