"""Exact probabilities beside ms-toollib on the same positions; growth, hard positions, threads.

Run by `make bench PART=probabilities`.
Ratios of one run count, not seconds: the machine may be busy.
Both sides get positions in their own input (Position objects, lists of lists), made beforehand.
"""

import hashlib
import random
import statistics
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
    """Expert positions on which single numbers are stuck: batched, one by one, and ms-toollib."""
    import ms_toollib

    positions = list(stuck_positions("expert", range(70)))[:1000]
    boards = [np.where(f.marks < 0, 10, f.marks).reshape(16, 30).tolist() for f in positions]
    ms_toollib.cal_probability_onboard(boards[0], 99)
    analyse_many(positions)

    theirs, ours, alone = [], [], []
    mixed = random.Random(1).sample(positions, len(positions))
    apart = microseconds(lambda: [a.probability_array for a in analyse_many(mixed)]) / len(mixed)
    worst = 0.0
    for start in range(0, len(positions), 250):
        some = positions[start : start + 250]
        ours.append(
            microseconds(lambda some=some: [a.probability_array for a in analyse_many(some)])
            / len(some)
        )
        for position, board in zip(some, boards[start : start + 250], strict=True):
            alone.append(
                microseconds(lambda position=position: analyse(position).probability_array)
            )
            theirs.append(microseconds(ms_toollib.cal_probability_onboard, board, 99, repeats=1))
            answer = np.array(ms_toollib.cal_probability_onboard(board, 99)[0]).reshape(-1)
            covered = position.marks < 0
            worst = max(
                worst, float(abs(analyse(position).probability_array - answer)[covered].max())
            )
    peer, batched, single = map(statistics.median, (theirs, ours, alone))
    print(
        f"{len(positions)} Expert positions stuck under single numbers, median CPU time a position"
    )
    print(f"  ms-toollib, full grid  {peer:8.1f} us")
    print(f"  analyse(position)         {single:8.1f} us   {peer / single:6.1f} times as fast")
    print(f"  analyse_many(positions)   {batched:8.1f} us   {peer / batched:6.1f} times as fast")
    print(f"  the same in any order  {apart:8.1f} us   {peer / apart:6.1f} times as fast")
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
