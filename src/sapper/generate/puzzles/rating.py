"""How hard a puzzle is before anybody has tried it: a first rating, read off its proof.

The numbers are a guess to begin with, on the scale of chess: a beginner who looks at one number at
a time stands near 900, one who joins two of them near 1,250. What solvers make of a puzzle moves
its rating from there (`glicko`).
"""

from __future__ import annotations

from math import log2

from sapper.generate.puzzles.glicko import Rating
from sapper.generate.puzzles.proofs import reach
from sapper.infer.proofs.prove import Proof

ONE_NUMBER = 900
"""A single number beside its cells, one such move on the board."""
DOUBLED = 350
"""Twice as many numbers to join at once."""
MINE_COUNT = 250
"""The mine count must be brought in."""
COVERED = 60
"""Twice as many covered cells around those numbers, from four on."""
A_STEP_AWAY = 80
"""The numbers lie one step further from the cell, on average."""
SEARCH = 40
"""Twice as many numbers among which to find them, from sixteen on."""
A_CHOICE = 60
"""Twice as many moves, any of which will do: so much easier."""

LEAST, MOST = 400, 3000
# A proof tells much of a puzzle, but not how an eye meets it.
DEVIATION = 120.0


# The middle of the first ratings of each rung's puzzles, over all tilings.
TYPICAL = {"one": 750, "two": 1200, "three": 1500, "four": 1700, "count": 1450}


def typical(rung: str) -> int:
    """How hard puzzles of a rung are by and large; a rung of one's own counts as a hard one."""
    return TYPICAL.get(rung, TYPICAL["four"])


def first_rating(proof: Proof, moves: int) -> Rating:
    """The rating of a puzzle of so many moves, by its easiest proof."""
    frame, hints = proof.frame, proof.hint_cells
    covered = {cell for hint in hints for cell in frame.blanks_around(hint)}
    away = reach(proof) / len(hints) - 1 if hints else 0.0
    points = (
        ONE_NUMBER
        + DOUBLED * log2(max(1, len(hints)))
        + MINE_COUNT * proof.mine_count
        + COVERED * log2(max(4, len(covered)) / 4)
        + A_STEP_AWAY * away
        + SEARCH * log2(max(16, len(frame.fringe)) / 16)
        - A_CHOICE * log2(moves)
    )
    return Rating(float(round(min(MOST, max(LEAST, points)))), DEVIATION)
