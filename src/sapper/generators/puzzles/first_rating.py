"""How hard a puzzle is before anybody has tried it: a first rating, read off its proof.

The numbers are a guess to begin with, on the scale of chess: a beginner who looks at one number at
a time stands near 900, one who joins two of them near 1,250. What solvers make of a puzzle moves
its rating from there (`glicko`).
"""

from __future__ import annotations

from math import log2

from sapper.generators.puzzles.easiest_proof import total_distance
from sapper.generators.puzzles.glicko import Rating
from sapper.proofs.prover import Proof

ONE_NUMBER = 900
"""A single number beside its cells, one such move on the board."""
DOUBLED = 350
"""Twice as many numbers to join at once."""
MINE_COUNT = 250
"""The mine count must be brought in."""
COVERED = 60
"""Twice as many covered cells around those numbers, from four on."""
STEP_AWAY = 80
"""The numbers lie one step further from the cell, on average."""
SEARCH = 40
"""Twice as many numbers among which to find them, from sixteen on."""
CHOICE = 60
"""Twice as many moves, any of which will do: so much easier."""

LEAST, MOST = 400, 3000
# A proof tells much of a puzzle, but not how an eye meets it.
DEVIATION = 120.0


# The middle of the first ratings of each difficulty's puzzles, over all tilings.
TYPICAL = {"one": 750, "two": 1200, "three": 1500, "four": 1700, "count": 1450}


def typical_rating(difficulty: str) -> int:
    """How hard puzzles of a difficulty are by and large; a difficulty of one's own counts as a hard one."""
    return TYPICAL.get(difficulty, TYPICAL["four"])


def first_rating(proof: Proof, moves: int) -> Rating:
    """The rating of a puzzle of so many moves, by its easiest proof."""
    position, numbers = proof.position, proof.number_cells
    covered = {cell for number in numbers for cell in position.covered_around(number)}
    away = total_distance(proof) / len(numbers) - 1 if numbers else 0.0
    points = (
        ONE_NUMBER
        + DOUBLED * log2(max(1, len(numbers)))
        + MINE_COUNT * proof.uses_mine_count
        + COVERED * log2(max(4, len(covered)) / 4)
        + STEP_AWAY * away
        + SEARCH * log2(max(16, len(position.frontier_numbers)) / 16)
        - CHOICE * log2(moves)
    )
    return Rating(float(round(min(MOST, max(LEAST, points)))), DEVIATION)
