"""Generate puzzles of every difficulty and tiling: how many per second, their ratings and moves.

Run by `make bench PART=puzzles`. The seeds start at 1,000, the time is CPU time of one core and
includes proofs and ratings.
"""

import statistics
import time

import sapper
from sapper.generators.puzzles.make import difficulties_for

COUNTS = {"one": 500, "two": 500, "three": 200, "four": 40, "count": 40}


def main() -> None:
    """Print a line for each difficulty and tiling."""
    for tiling in sapper.TILINGS:
        for difficulty in difficulties_for(tiling):
            count = COUNTS[difficulty] if tiling == "square" else COUNTS[difficulty] // 2
            start = time.process_time()
            puzzles = list(sapper.puzzles(sapper.puzzle_rules(difficulty, tiling), count, 1000))
            spent = time.process_time() - start
            ratings = statistics.quantiles([puzzle.rating for puzzle in puzzles], n=10)
            moves = statistics.fmean(len(puzzle.moves) for puzzle in puzzles)
            print(
                f"{tiling:16} {difficulty:6} {count / spent:6.0f} per second, ratings "
                f"{ratings[0]:.0f} to {ratings[-1]:.0f} (median {ratings[4]:.0f}), "
                f"{moves:.1f} moves"
            )


if __name__ == "__main__":
    main()
