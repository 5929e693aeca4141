"""Measure CPU time and the gain from a second thread, for all benchmarks."""

from __future__ import annotations

import contextlib
import os
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path


def cpu_seconds(work: Callable[[], object], rounds: int = 1) -> float:
    """Return the CPU seconds of a call in this process, best of *rounds*."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def seconds_in_turn(rounds: int, *sides: tuple[int, Callable[[], object]]) -> list[float]:
    """Return the CPU seconds per item of each side; the sides take turns, best of *rounds*.

    A side is a number of items and a function that does the work for them.
    """
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for side, (count, work) in enumerate(sides):
            best[side] = min(best[side], cpu_seconds(work) / count)
    return best


def child_cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the processes that a call starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare_threads(work: Callable[[int], object], rounds: int = 5) -> str:
    """Describe how much faster *work* is with two threads than with one.

    Wall time depends on other load on the machine. The time that threads are runnable does not,
    and shows whether they wait for each other, for example for the GIL.
    """
    wall_seconds, ready_share = {1: 1e9, 2: 1e9}, {1: 0.0, 2: 0.0}
    for _ in range(rounds):
        for threads in wall_seconds:
            start = time.perf_counter()
            with ReadyTime() as measured:
                work(threads)
            elapsed = time.perf_counter() - start
            wall_seconds[threads] = min(wall_seconds[threads], elapsed)
            ready_share[threads] = max(ready_share[threads], measured.seconds / elapsed)
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    return (
        f"two threads: {wall_seconds[1] / wall_seconds[2]:.2f} times as fast as one in wall time, "
        f"on {cores} cores with load {load:.0f}; "
        f"ready to run {ready_share[2] / ready_share[1]:.2f} times as long as one"
    )


class ReadyTime:
    """The time that this process's threads ran, or could run but waited for a core (Linux)."""

    seconds = 0.0

    def __enter__(self) -> ReadyTime:
        self._stop = threading.Event()
        self._times: dict[str, tuple[int, int]] = {}
        self._sampler = threading.Thread(target=self._sample)
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._sampler.join()
        self.seconds = sum(end - start for start, end in self._times.values()) / 1e9

    def _sample(self) -> None:
        own = str(threading.get_native_id())
        while not self._stop.wait(0.01):
            for path in Path("/proc/self/task").iterdir():
                if path.name != own:
                    with contextlib.suppress(OSError):
                        ran, waited, _ = map(int, (path / "schedstat").read_text().split())
                        start, _ = self._times.get(path.name, (ran + waited, 0))
                        self._times[path.name] = start, ran + waited
