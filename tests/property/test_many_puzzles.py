"""Many puzzles: exact difficulties, complete and certain moves, checked by two methods."""

import pytest
from tests.puzzle_checks import (
    KINDS,
    check_by_reference,
    check_by_steps,
    check_proof,
    generate_puzzles,
)
from tests.sampling import cases

SQUARE = cases(12)
OTHER = max(SQUARE // 10, 2)
# Puzzles of each kind that the slow references check too.
REFERENCES = max(SQUARE // 100, 2)


@pytest.mark.parametrize("tiling, difficulty", KINDS)
def test_puzzles_have_exact_difficulties_and_complete_moves(tiling, difficulty):
    count = SQUARE if tiling == "square" else OTHER
    seen = set()
    for number, puzzle in enumerate(generate_puzzles(difficulty, tiling, count, seed=10_000)):
        check_by_steps(puzzle)
        if number < REFERENCES:
            check_by_reference(puzzle)
            check_proof(puzzle)
        seen.add(str(puzzle.position))
    assert len(seen) > 0.9 * count
