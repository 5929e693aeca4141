"""Work given out to a crew: each task once, and again where its worker was lost."""

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

AHEAD = 2
"""Tasks in hand for each worker: one to work on, one to go on with."""
MOST_LOST = 5
"""Workers that may be lost over one task before the task is taken for the cause."""

TASK_SECONDS = 0.5
"""How long a worker should be busy with one task: far above the cost of handing it over, and
little to do again after a loss."""

Task = tuple[Any, ...]


class BatchSizer:
    """How much to put into a task, by how long the last ones took."""

    def __init__(self, first: int, most: int):
        self.size = first
        self._most = most

    def learn(self, count: int, seconds: float) -> None:
        """Note how long a task took; sizes grow with care, for a first one may be a lucky one."""
        wanted = count * TASK_SECONDS / max(seconds, 1e-6)
        self.size = max(1, min(self._most, int(wanted), 4 * self.size))


def run_tasks(
    worker_pool: WorkerPool, function: Callable[..., Any], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Any]]:
    """Each task with what the function makes of it, as they get done.

    Tasks are drawn when there is somebody to work on them, so they may be made on the way.
    """
    coming = ((task, 0) for task in tasks)
    again: deque[tuple[Task, int]] = deque()
    waiting: dict[Future[Any], tuple[Task, int]] = {}
    try:
        while True:
            while len(waiting) < AHEAD * worker_pool.workers:
                given = again.popleft() if again else next(coming, None)
                if given is None:
                    break
                waiting[worker_pool.submit(function, *given[0])] = given
            if not waiting:
                return
            done, _ = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                task, lost = waiting.pop(future)
                try:
                    result = future.result()
                except worker_pool.lost:
                    again.append((task, lost + 1))
                else:
                    yield task, result
            if again or not worker_pool.well:
                _give_up_on(again)
                # Nobody knows whom the loss took along: all that was given out is given out anew.
                _cancel(waiting)
                again.extend(waiting.values())
                waiting.clear()
                worker_pool.mend()
    finally:
        _cancel(waiting)


def map_batches(
    worker_pool: WorkerPool,
    function: Callable[[Iterable[Item]], Iterable[Result]],
    items: Iterable[Item],
) -> Iterator[Result]:
    """What the function makes of the items, stretch by stretch, in their order.

    It must make of each item what it would make of it alone; pickle must be able to send it and
    what it makes.
    """
    pace = BatchSizer(1, 1024)
    rest = iter(items)
    stretches = iter(lambda: (function, list(islice(rest, pace.size))), (function, []))
    for results, seconds in run_in_order(worker_pool, _stretch, stretches):
        pace.learn(len(results), seconds)
        yield from results


def _stretch(
    function: Callable[[Iterable[Item]], Iterable[Result]], items: list[Item]
) -> tuple[list[Result], float]:
    started = time.perf_counter()
    return list(function(items)), time.perf_counter() - started


def run_in_order(
    worker_pool: WorkerPool, function: Callable[..., Any], tasks: Iterable[Task]
) -> Iterator[Any]:
    """What the function makes of each task, in the order of the tasks."""
    early: dict[int, Any] = {}
    due = 0
    numbered = ((number, function, *task) for number, task in enumerate(tasks))
    for (number, *_), result in run_tasks(worker_pool, _call, numbered):
        early[number] = result
        while due in early:
            yield early.pop(due)
            due += 1


def _call(number: int, function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


def _give_up_on(again: Iterable[tuple[Task, int]]) -> None:
    worst = max((lost for _, lost in again), default=0)
    if worst >= MOST_LOST:
        raise Unavailable(f"expected workers to outlive their task, got {worst} lost over one")


def _cancel(futures: Iterable[Future[Any]]) -> None:
    for future in futures:
        future.cancel()
