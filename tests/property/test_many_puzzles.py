"""Many puzzles: exact difficulties, complete and certain moves, checked by two methods.

SAPPER_PUZZLES sets the number of square puzzles of each difficulty.
"""

import os

import pytest
from tests.puzzle_checks import (
    DIFFICULTIES_OF,
    check_by_reference,
    check_by_steps,
    generate_puzzles,
)

KINDS = [
    (tiling, difficulty)
    for tiling, difficulties in DIFFICULTIES_OF.items()
    for difficulty in difficulties
]
SQUARE = int(os.environ.get("SAPPER_PUZZLES", "12"))
OTHER = max(SQUARE // 10, 2)
# Puzzles that the slow reference checks too, spread evenly over the kinds.
READ = max(SQUARE // 8, 2)


@pytest.mark.parametrize("tiling, difficulty", KINDS)
def test_puzzles_have_exact_difficulties_and_complete_moves(tiling, difficulty):
    count = SQUARE if tiling == "square" else OTHER
    every = max(1, count // max(1, READ // len(KINDS)))
    read, seen = 0, set()
    for number, puzzle in enumerate(generate_puzzles(difficulty, tiling, count, seed=10_000)):
        check_by_steps(puzzle)
        if number % every == 0:
            read += check_by_reference(puzzle)
        seen.add(str(puzzle.position))
    assert len(seen) > 0.9 * count
    print(f"{tiling} {difficulty}: {count} exact, {read} by the reference")  # noqa: T201 - shown by -rP
