"""Run tasks on a worker pool, again if their worker is lost; apply functions to batches."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any, TypeVar

from sapper.errors import Unavailable
from sapper.lab.runners import WorkerPool

Item = TypeVar("Item")
Result = TypeVar("Result")

QUEUED_PER_WORKER = 2
"""Tasks submitted per worker: one that runs, and one that is queued."""
MAX_SUBMITTED = 10_000
"""The most tasks submitted at once, as tasks may be endless and each takes memory."""
MAX_LOSSES = 5
"""Workers that may be lost while they run one task; then the task is the likely cause."""
TASK_SECONDS = 0.5
"""The target duration of a task: far above the cost of sending it, and cheap to repeat."""

Task = tuple[Any, ...]


class BatchSizer:
    """Chooses the size of the next task from the time that the last ones took."""

    def __init__(self, first: int, largest: int):
        self.size = first
        self._largest = largest

    def record(self, count: int, seconds: float) -> None:
        """Record the time of a task; the size grows at most fourfold, as one may be untypical."""
        target = count * TASK_SECONDS / max(seconds, 1e-6)
        self.size = max(1, min(self._largest, int(target), 4 * self.size))


def run_tasks(
    pool: WorkerPool, function: Callable[..., Any], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Any]]:
    """Yield each task with its result, as they complete.

    Tasks are taken from the iterable only when a worker is free, so they may be made on demand.
    """
    new = ((task, 0) for task in tasks)
    retries: deque[tuple[Task, int]] = deque()
    submitted: dict[Future[Any], tuple[Task, int]] = {}
    try:
        while True:
            while len(submitted) < min(QUEUED_PER_WORKER * pool.workers, MAX_SUBMITTED):
                entry = retries.popleft() if retries else next(new, None)
                if entry is None:
                    break
                submitted[pool.submit(function, *entry[0])] = entry
            if not submitted:
                return
            done, _ = wait(submitted, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                task, losses = submitted.pop(future)
                try:
                    result = future.result()
                except pool.lost_errors:
                    retries.append((task, losses + 1))
                else:
                    yield task, result
            if retries or not pool.healthy:
                losses = max((losses for _, losses in retries), default=0)
                if losses >= MAX_LOSSES:
                    raise Unavailable(f"gave up on a task: {losses} workers were lost running it")
                # It is unknown which other tasks were lost too, so all of them are run again.
                _cancel(submitted)
                retries.extend(submitted.values())
                submitted.clear()
                pool.recover()
    finally:
        _cancel(submitted)


def run_in_order(
    pool: WorkerPool, function: Callable[..., Any], tasks: Iterable[Task]
) -> Iterator[Any]:
    """Yield the results of the tasks in the order of the tasks."""
    results: dict[int, Any] = {}
    next_number = 0
    numbered = ((number, function, *task) for number, task in enumerate(tasks))
    for (number, *_), result in run_tasks(pool, _call, numbered):
        results[number] = result
        while next_number in results:
            yield results.pop(next_number)
            next_number += 1


def map_batches(
    pool: WorkerPool, function: Callable[[Iterable[Item]], Iterable[Result]], items: Iterable[Item]
) -> Iterator[Result]:
    """Apply a function to batches of items on the workers, and yield the results in order.

    The result for an item must not depend on its batch. The function, the items and the results
    must be picklable.
    """
    sizer = BatchSizer(1, 1024)
    rest = iter(items)
    batches = iter(lambda: (function, list(islice(rest, sizer.size))), (function, []))
    for results, seconds in run_in_order(pool, _run_batch, batches):
        sizer.record(len(results), seconds)
        yield from results


def _run_batch(
    function: Callable[[Iterable[Item]], Iterable[Result]], items: list[Item]
) -> tuple[list[Result], float]:
    started = time.perf_counter()
    return list(function(items)), time.perf_counter() - started


def _call(number: int, function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


def _cancel(futures: Iterable[Future[Any]]) -> None:
    for future in futures:
        future.cancel()
