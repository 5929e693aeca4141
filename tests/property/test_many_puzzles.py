"""Puzzles by the ten thousand: exact difficulties, complete and certain moves, checked in two ways.

`make check-puzzles` asks for all of them; a small share runs with the other tests.
"""

import os
import time

import pytest
from tests.puzzle_checks import DIFFICULTIES_OF, by_climbing, by_reading, some

KINDS = [
    (tiling, difficulty)
    for tiling, difficulties in DIFFICULTIES_OF.items()
    for difficulty in difficulties
]
SQUARE = int(os.environ.get("SAPPER_PUZZLES", "12"))
OTHER = max(SQUARE // 10, 2)
# Of all the puzzles so many are read by the slow twin, spread evenly over their kinds.
READ = max(SQUARE // 8, 2)


@pytest.mark.parametrize("tiling, difficulty", KINDS)
def test_puzzles_keep_their_promise(tiling, difficulty):
    count = SQUARE if tiling == "square" else OTHER
    share = max(1, count // max(1, READ // len(KINDS)))
    made, read, seen = 0.0, 0, set()
    puzzles = some(difficulty, tiling, count, seed=10_000)
    for number in range(count):
        start = time.process_time()
        puzzle = next(puzzles)
        made += time.process_time() - start
        by_climbing(puzzle)
        if number % share == 0:
            read += by_reading(puzzle)
        seen.add(str(puzzle.position))
    assert len(seen) > 0.9 * count
    rate = f"{count / made:.0f} a second of CPU time"
    print(f"{tiling} {difficulty}: {count} exact, {read} read, {rate}")  # noqa: T201 - shown by -rP
