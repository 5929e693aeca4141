"""Exact odds: Sapper against ms-toollib on the same frames, growth, hard frames, threads.

Run by `make bench-details`.
Ratios of one run count, not seconds: the machine may be busy.
Both sides get frames in their own input (Frame objects, lists of lists), made beforehand.
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

from tests.stuck_frames import opened_frame, patterned_frame, stuck_frames

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
    """Expert frames on which single hints are stuck: batched, one by one, and ms-toollib."""
    import ms_toollib

    frames = list(stuck_frames("expert", range(70)))[:1000]
    boards = [np.where(f.marks < 0, 10, f.marks).reshape(16, 30).tolist() for f in frames]
    ms_toollib.cal_probability_onboard(boards[0], 99)
    analyse_many(frames)

    theirs, ours, alone = [], [], []
    mixed = random.Random(1).sample(frames, len(frames))
    apart = microseconds(lambda: [a.probability for a in analyse_many(mixed)]) / len(mixed)
    worst = 0.0
    for start in range(0, len(frames), 250):
        some = frames[start : start + 250]
        ours.append(
            microseconds(lambda some=some: [a.probability for a in analyse_many(some)]) / len(some)
        )
        for frame, board in zip(some, boards[start : start + 250], strict=True):
            alone.append(microseconds(lambda frame=frame: analyse(frame).probability))
            theirs.append(microseconds(ms_toollib.cal_probability_onboard, board, 99, repeats=1))
            answer = np.array(ms_toollib.cal_probability_onboard(board, 99)[0]).reshape(-1)
            blank = frame.marks < 0
            worst = max(worst, float(abs(analyse(frame).probability - answer)[blank].max()))
    peer, batched, single = map(statistics.median, (theirs, ours, alone))
    print(f"{len(frames)} Expert frames stuck under single hints, median CPU time a frame")
    print(f"  ms-toollib, full grid  {peer:8.1f} us")
    print(f"  analyse(frame)         {single:8.1f} us   {peer / single:6.1f} times as fast")
    print(f"  analyse_many(frames)   {batched:8.1f} us   {peer / batched:6.1f} times as fast")
    print(f"  the same in any order  {apart:8.1f} us   {peer / apart:6.1f} times as fast")
    print(f"  largest difference of the odds: {worst:.1e}")


def growth() -> None:
    """Big boards at 20 %, opened in several places and stuck under single hints."""
    print("growth at 20 % mines: first call, best of three, best a revealed fringe cell")
    for side in (100, 200, 500, 1000):
        frame = opened_frame(side, side, 0.2, side * side // 1000, seed=1)
        first = microseconds(analyse, frame, repeats=1)
        best = microseconds(analyse, frame)
        hints = len(frame.fringe)
        print(
            f"  {side}x{side}  {first / 1e3:8.2f} ms {best / 1e3:8.2f} ms "
            f"{best / hints:7.3f} us a hint ({hints} hints)"
        )


def hard() -> None:
    """Frames that are wide on purpose."""
    print("hard frames, CPU seconds")
    for pattern, side, share in (
        ("checkerboard", 30, 0.35),
        ("random", 60, 0.30),
        ("lattice", 19, 0.30),
        ("lattice", 21, 0.30),
        ("lattice", 25, 0.30),
        ("lattice", 41, 0.30),
    ):
        frame = patterned_frame(pattern, side, share)
        start = time.thread_time()
        try:
            analyse(frame)
            note = ""
        except OutOfBudget as error:
            note = f"  refused: {error}"
        print(f"  {pattern} {side}x{side}  {time.thread_time() - start:6.2f} s{note}")


def threads() -> None:
    """Frames a second by the wall clock with one and two threads, beside a control.

    The control hashes bytes, which needs no GIL either: where it gains nothing from a second
    thread, the machine has no second core to give just now.
    """
    frames = list(stuck_frames("expert", range(100))) * 10
    data = bytes(1 << 26)

    def control(count):
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(lambda _: hashlib.sha256(data).digest(), range(2)))

    gains = [_gain(lambda count: analyse_many(frames, threads=count)), _gain(control)]
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
