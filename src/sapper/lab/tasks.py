"""Run tasks on a worker pool; apply functions to batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any, TypeVar

from sapper.errors import WorkersLost
from sapper.lab.runners import WorkerPool

Item = TypeVar("Item")
Result = TypeVar("Result")

QUEUED_PER_WORKER = 2
"""Tasks submitted per worker: one that runs, and one that is queued."""
TASK_SECONDS = 0.5
"""The target duration of a task: far above the cost of sending it, and cheap to repeat."""
NO_WORKERS_SECONDS = 60.0
"""The time without a result after which a run ends if its cluster has no workers."""

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
    """Yield each task with its result, as they complete; raise WorkersLost if they cannot.

    Tasks are taken from the iterable only when a worker is free, so they may be made on demand.
    """
    new = iter(tasks)
    submitted: dict[Future[Any], Task] = {}
    try:
        while True:
            free = max(1, QUEUED_PER_WORKER * pool.count_workers()) - len(submitted)
            for task in islice(new, max(free, 0)):
                submitted[pool.submit(function, *task)] = task
            if not submitted:
                return
            done, _ = wait(submitted, NO_WORKERS_SECONDS, FIRST_COMPLETED)
            if not done and not pool.count_workers():
                raise WorkersLost("the cluster has no workers left")
            for future in done:
                yield submitted.pop(future), future.result()
    except tuple(pool.failures) as error:
        raise WorkersLost(pool.failures[type(error)]) from None
    finally:
        for future in submitted:
            future.cancel()


def map_batches(
    pool: WorkerPool, function: Callable[[Iterable[Item]], Iterable[Result]], items: Iterable[Item]
) -> Iterator[Result]:
    """Apply a function to batches of items on the workers, and yield the results in order.

    The result for an item must not depend on its batch. The function, the items and the results
    must be picklable.
    """
    sizer = BatchSizer(1, 1024)
    rest = iter(items)
    batches = enumerate(iter(lambda: list(islice(rest, sizer.size)), []))
    tasks = ((function, number, batch) for number, batch in batches)
    finished: dict[int, list[Result]] = {}
    next_number = 0
    for (_, number, batch), (results, seconds) in run_tasks(pool, _run_batch, tasks):
        sizer.record(len(batch), seconds)
        finished[number] = results
        while next_number in finished:
            yield from finished.pop(next_number)
            next_number += 1


def _run_batch(
    function: Callable[[Iterable[Item]], Iterable[Result]], number: int, items: list[Item]
) -> tuple[list[Result], float]:
    started = time.perf_counter()
    return list(function(items)), time.perf_counter() - started
