"""Exact probabilities beside ms-toollib on the same positions; growth, hard positions, threads.

Run by `make bench PART=probabilities`.
Ratios of one run count, not seconds: the machine may be busy.
Both sides get positions in their own input (Position objects, lists of lists), made beforehand.
"""

import random
import time

import numpy as np
from benchmarks.measure import compare_threads, cpu_seconds
from tests.stuck_positions import opened_position, patterned_position, stuck_positions

from sapper import OutOfBudget, analyse, analyse_many
from sapper.kernels import STATUS


def compare_with_toollib() -> None:
    """Compare with ms-toollib on Expert positions on which single numbers find no move.

    In game order neighbouring positions share components; shuffled ones do not. Each position is
    analysed once per round, so that none finds its own components.
    """
    import ms_toollib

    positions = list(stuck_positions("expert", range(70)))[:1000]
    grids = [np.where(p.marks < 0, 10, p.marks).reshape(16, 30).tolist() for p in positions]
    probabilities = ms_toollib.cal_probability_onboard
    peer = 1e6 * cpu_seconds(lambda: [probabilities(grid, 99) for grid in grids], 3) / len(grids)
    print(f"{len(positions)} Expert positions without a move by single numbers, CPU time of each")
    print(f"  ms-toollib                     {peer:8.1f} us")
    shuffled = random.Random(1).sample(positions, len(positions))
    for ordered, order in ((positions, "in game order"), (shuffled, "shuffled")):
        for name, work in (
            ("analyse_many", lambda ps=ordered: analyse_many(ps)),
            ("analyse", lambda ps=ordered: [analyse(position) for position in ps]),
        ):
            each = 1e6 * cpu_seconds(work, 5) / len(ordered)
            print(f"  {name + ', ' + order:30} {each:8.1f} us {peer / each:6.1f} times as fast")
    worst = 0.0
    for position, grid in zip(positions, grids, strict=True):
        difference = analyse(position).probability_array - np.array(
            probabilities(grid, 99)[0]
        ).reshape(-1)
        worst = max(worst, float(abs(difference)[position.marks < 0].max()))
    print(f"  largest difference of the probabilities: {worst:.1e}")


def print_growth() -> None:
    """Print the time on big boards at 20%, opened in several places and stuck."""
    print("growth at 20 % mines: first call, best of three, best per number on the frontier")
    for side in (100, 200, 500, 1000):
        position = opened_position(side, side, 0.2, side * side // 1000, seed=1)
        first = 1e6 * cpu_seconds(lambda p=position: analyse(p))
        best = 1e6 * cpu_seconds(lambda p=position: analyse(p), 3)
        numbers = len(position.frontier_numbers)
        print(
            f"  {side}x{side}  {first / 1e3:8.2f} ms {best / 1e3:8.2f} ms "
            f"{best / numbers:7.3f} us a number ({numbers} numbers)"
        )


def print_hard_positions() -> None:
    """Print the time on positions with many open numbers at once."""
    print("hard positions, CPU seconds")
    for pattern, side, share in (
        ("checkerboard", 30, 0.35),
        ("random", 60, 0.30),
        ("lattice", 19, 0.30),
        ("lattice", 21, 0.30),
        ("lattice", 25, 0.30),
        ("lattice", 41, 0.30),
    ):
        position = patterned_position(pattern, side, share)
        start = time.thread_time()
        try:
            analyse(position)
            note = ""
        except OutOfBudget as error:
            note = f"  refused: {error}"
        print(f"  {pattern} {side}x{side}  {time.thread_time() - start:6.2f} s{note}")


if __name__ == "__main__":
    print(f"kernels {STATUS}")
    compare_with_toollib()
    print_growth()
    print_hard_positions()
    many = list(stuck_positions("expert", range(100))) * 10
    print(compare_threads(lambda threads: analyse_many(many, threads=threads)))
