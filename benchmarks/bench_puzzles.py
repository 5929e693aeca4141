"""Paper puzzles: fewest numbers, difficulties, a class set as PDF; and training puzzles.

Run by `make bench PART=puzzles`. Times are CPU seconds.
"""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from benchmarks.measure import child_cpu_seconds

import sapper
from sapper.generators.puzzles import difficulties_for

DIFFICULTIES = ("one", "two", "three", "four")
TRAINING_PUZZLES = {"one": 250, "two": 250, "three": 100, "four": 20, "count": 20}


def fewest() -> None:
    """Print time, numbers left and difficulties of puzzles with the fewest numbers."""
    print("fewest numbers, 20 % mines, square")
    for width, height, count in ((9, 10, 20), (16, 16, 20), (30, 30, 5)):
        seconds, left, difficulties = [], [], Counter()
        board = sapper.tiling("square", width, height)
        rules = sapper.paper_puzzle_rules(board, open_set="fewest", mine_density=0.2)
        for seed in range(1, count + 1):
            start = time.process_time()
            puzzle = sapper.paper_puzzle(rules, seed)
            seconds.append(time.process_time() - start)
            left.append(len(puzzle.position.revealed) / len(rules.board))
            difficulties[puzzle.difficulty] += 1
        print(
            f"  {width}x{height}: mean {np.mean(seconds):.3f} s, slowest {max(seconds):.3f} s, "
            f"numbers left {np.mean(left):.1%} of the cells, difficulties {dict(difficulties)}"
        )


def difficulties() -> None:
    """Print the difficulties of 9x10 puzzles, by method and open set."""
    print("difficulties of 200 puzzles of 9x10 (square)")
    kinds = (
        ("checkerboard", "plain", 0.3),
        ("checkerboard", "plain", 0.5),
        ("checkerboard", "varied", 0.5),
        ("row", "plain", 0.5),
        ("fewest", "plain", 0.2),
        ("fewest", "plain", 0.35),
    )
    for open_set, method, density in kinds:
        rules = sapper.paper_puzzle_rules(
            sapper.tiling("square", 9, 10), open_set=open_set, method=method, mine_density=density
        )
        made = Counter(puzzle.difficulty for puzzle in sapper.paper_puzzles(rules, 200, seed=1))
        shares = ", ".join(f"{name} {made[name] / 2:.1f}%" for name in DIFFICULTIES)
        print(f"  {open_set}, {method}, mine density {density}: {shares}")


def class_set() -> None:
    """Time a class set with solutions as PDF, start-up included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.pdf"
        options = ["--difficulty", "two", "--count", "30", "--seed", "1", "-o", str(path)]
        command = [sys.executable, "-m", "sapper", "worksheet", "9x10", *options]
        start = time.perf_counter()
        spent = child_cpu_seconds(
            lambda: subprocess.run(command, check=True, stderr=subprocess.PIPE)
        )
        clock = time.perf_counter() - start
        size = path.stat().st_size / 1000
    print(f"class set of 30 as PDF: {clock:.2f} s wall time, {spent:.2f} s CPU, {size:.0f} kB")


def training_puzzles() -> None:
    """Print a line for each difficulty and tiling: puzzles per second, ratings and moves."""
    for name in sapper.TILINGS:
        for difficulty in difficulties_for(name):
            count = TRAINING_PUZZLES[difficulty]
            start = time.process_time()
            made = list(sapper.puzzles(sapper.puzzle_rules(difficulty, name), count, 1000))
            spent = time.process_time() - start
            ratings = np.quantile([puzzle.rating for puzzle in made], (0.1, 0.5, 0.9)).round()
            moves = np.mean([len(puzzle.moves) for puzzle in made])
            print(
                f"{name:16} {difficulty:6} {count / spent:6.0f} per second, ratings "
                f"{ratings} (deciles 1, 5, 9), {moves:.1f} moves"
            )


if __name__ == "__main__":
    fewest()
    difficulties()
    class_set()
    training_puzzles()
