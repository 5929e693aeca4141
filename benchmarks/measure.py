"""CPU time and the gain by a second thread, for all benchmarks."""

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


def child_cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the processes that a call starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare_threads(work: Callable[[int], object], rounds: int = 5) -> str:
    """Describe how much faster *work* is with two threads than with one.

    Wall time depends on the other load of the machine; the time in which threads were ready to run
    does not, and shows whether they wait for each other, as for the GIL.
    """
    clock, ready = {1: 1e9, 2: 1e9}, {1: 0.0, 2: 0.0}
    for _ in range(rounds):
        for threads in clock:
            start = time.perf_counter()
            with ReadyTime() as measured:
                work(threads)
            elapsed = time.perf_counter() - start
            clock[threads] = min(clock[threads], elapsed)
            ready[threads] = max(ready[threads], measured.seconds / elapsed)
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    return (
        f"two threads: {clock[1] / clock[2]:.2f} times as fast as one in wall time, on {cores} "
        f"cores with load {load:.0f}; ready to run {ready[2] / ready[1]:.2f} times as long as one"
    )


class ReadyTime:
    """How long the threads of this process ran, or were ready and waited for a core (Linux)."""

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
