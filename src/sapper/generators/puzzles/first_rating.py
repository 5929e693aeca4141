"""The first rating of a puzzle, estimated from its proof before anyone has tried it.

The weights are guesses on the scale of chess ratings: a beginner who looks at one number at a time
is near 900, a user who combines two numbers near 1,250. The results of users then change the rating
(`glicko`).
"""

from __future__ import annotations

from math import log2

from sapper.generators.puzzles.easiest_proof import total_distance
from sapper.generators.puzzles.glicko import Rating
from sapper.proofs.prover import Proof

ONE_NUMBER = 900
"""A single number next to its cells, with one such move on the board."""
DOUBLED = 350
"""Twice as many numbers to combine."""
MINE_COUNT = 250
"""The mine count is needed."""
COVERED = 60
"""Twice as many covered cells around those numbers, from four on."""
STEP_AWAY = 80
"""The numbers are one step further from the cell on average."""
SEARCH = 40
"""Twice as many numbers to search, from sixteen on."""
CHOICE = 60
"""Twice as many moves, any of which is an answer (easier)."""

LEAST, MOST = 400, 3000
# A proof predicts the difficulty for people only roughly.
DEVIATION = 120.0

# The median first rating of each difficulty, over all tilings.
TYPICAL = {"one": 750, "two": 1200, "three": 1500, "four": 1700, "count": 1450}


def typical_rating(difficulty: str) -> int:
    """Return the typical rating of a difficulty; one that a user added counts as hard."""
    return TYPICAL.get(difficulty, TYPICAL["four"])


def first_rating(proof: Proof, moves: int) -> Rating:
    """Return the first rating of a puzzle by its easiest proof and its number of moves."""
    position, numbers = proof.position, proof.number_cells
    covered = {cell for number in numbers for cell in position.covered_around(number)}
    extra_distance = total_distance(proof) / len(numbers) - 1 if numbers else 0.0
    points = (
        ONE_NUMBER
        + DOUBLED * log2(max(1, len(numbers)))
        + MINE_COUNT * proof.uses_mine_count
        + COVERED * log2(max(4, len(covered)) / 4)
        + STEP_AWAY * extra_distance
        + SEARCH * log2(max(16, len(position.frontier_numbers)) / 16)
        - CHOICE * log2(moves)
    )
    return Rating(float(round(min(MOST, max(LEAST, points)))), DEVIATION)
