"""Exact probabilities beside ms-toollib on the same positions; growth, hard positions, threads.

Run by `make bench PART=probabilities`.
Ratios of one run count, not seconds: the machine may be busy.
Both sides get positions in their own input (Position objects, lists of lists), made beforehand.
"""

import hashlib
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.stuck_positions import opened_position, patterned_position, stuck_positions

from sapper import OutOfBudget, analyse, analyse_many
from sapper.kernels import STATUS


def microseconds(call, *arguments, repeats=3):
    """CPU time of a call, best of a few."""
    best = 1e9
    for _ in range(repeats):
        start = time.thread_time()
        call(*arguments)
        best = min(best, time.thread_time() - start)
    return best * 1e6


def expert() -> None:
    """Compare with ms-toollib on Expert positions on which single numbers give no move.

    In game order neighbouring positions share components; shuffled ones do not. Each position is
    analysed once per round, so that none finds its own components.
    """
    import ms_toollib

    positions = list(stuck_positions("expert", range(70)))[:1000]
    grids = [np.where(f.marks < 0, 10, f.marks).reshape(16, 30).tolist() for f in positions]
    peer = ms_toollib.cal_probability_onboard
    theirs = microseconds(lambda: [peer(grid, 99) for grid in grids]) / len(grids)
    print(f"{len(positions)} Expert positions without a move by single numbers, CPU time of each")
    print(f"  ms-toollib                     {theirs:8.1f} us")
    shuffled = random.Random(1).sample(positions, len(positions))
    for some, order in ((positions, "in game order"), (shuffled, "shuffled")):
        for name, work in (
            ("analyse_many", analyse_many),
            ("analyse", lambda some: [analyse(one) for one in some]),
        ):
            ours = microseconds(work, some, repeats=5) / len(some)
            print(f"  {name + ', ' + order:30} {ours:8.1f} us {theirs / ours:6.1f} times as fast")
    worst = 0.0
    for position, grid in zip(positions, grids, strict=True):
        difference = analyse(position).probability_array - np.array(peer(grid, 99)[0]).reshape(-1)
        worst = max(worst, float(abs(difference)[position.marks < 0].max()))
    print(f"  largest difference of the probabilities: {worst:.1e}")


def growth() -> None:
    """Big boards at 20 %, opened in several places and stuck under single numbers."""
    print("growth at 20 % mines: first call, best of three, best a revealed frontier cell")
    for side in (100, 200, 500, 1000):
        position = opened_position(side, side, 0.2, side * side // 1000, seed=1)
        first = microseconds(analyse, position, repeats=1)
        best = microseconds(analyse, position)
        numbers = len(position.frontier_numbers)
        print(
            f"  {side}x{side}  {first / 1e3:8.2f} ms {best / 1e3:8.2f} ms "
            f"{best / numbers:7.3f} us a number ({numbers} numbers)"
        )


def hard() -> None:
    """Positions that are wide on purpose."""
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


def threads() -> None:
    """Positions a second by the wall clock with one and two threads, beside a control.

    The control hashes bytes, which needs no GIL either: where it gains nothing from a second
    thread, the machine has no second core to give just now.
    """
    positions = list(stuck_positions("expert", range(100))) * 10
    data = bytes(1 << 26)

    def control(count):
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(lambda _: hashlib.sha256(data).digest(), range(2)))

    gains = [_gain(lambda count: analyse_many(positions, threads=count)), _gain(control)]
    print(f"two threads: {gains[0]:.2f} times as fast as one (control {gains[1]:.2f})")


def _gain(work) -> float:
    best = {1: 1e9, 2: 1e9}
    for _ in range(4):
        for count in best:
            start = time.perf_counter()
            work(count)
            best[count] = min(best[count], time.perf_counter() - start)
    return best[1] / best[2]


if __name__ == "__main__":
    print(f"kernels {STATUS}")
    for part in (expert, growth, hard, threads):
        part()
    print(time.strftime("measured on %Y-%m-%d"))
