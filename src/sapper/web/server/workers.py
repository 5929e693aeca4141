"""Run searches in threads: a few at a time, cancelled when the client disconnects; cache results.

Every task starts in the queue for short tasks. One that takes longer moves to the queue for long
tasks, so that a hint never waits behind long analyses.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from sapper.engine.budget import Budget, Cancel, Limit
from sapper.errors import OutOfBudget

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

# Searches that run at the same time; others wait, but moves are made in other threads.
MAX_SHORT_TASKS = 2
MAX_LONG_TASKS = 2
MAX_STREAM_STEPS = 2
# A task that takes longer than this is a long one.
SHORT_SECONDS = 0.5
BUDGET = Budget(seconds=20, memory=1_000_000_000)

POSITION_TOO_HARD = (
    "this position takes too long to work out: reveal what is certain, and try again"
)


class WorkQueues:
    """The semaphores of short tasks, long tasks and streams, and the threads that all use."""

    def __init__(self) -> None:
        self.short = asyncio.Semaphore(MAX_SHORT_TASKS)
        self.long = asyncio.Semaphore(MAX_LONG_TASKS)
        self.streams = asyncio.Semaphore(MAX_STREAM_STEPS)
        # Separate from the threads that make moves.
        self.threads = CapacityLimiter(MAX_SHORT_TASKS + MAX_LONG_TASKS + MAX_STREAM_STEPS)
        # One picture at a time: decoding a large one takes 200 MB.
        self.pictures = CapacityLimiter(1)


async def work(
    request: Request, function: Callable[[Cancel], T], timeout_message: str = POSITION_TOO_HARD
) -> T:
    """Run *function* in a thread; its Cancel is set when the client disconnects.

    It may run twice: a task that is too long for the short queue while the long queue is full is
    cancelled, and starts again when there is a free slot. An OutOfBudget error gets
    *timeout_message*.
    """
    queues: WorkQueues = request.app.state.work_queues
    cancels = [Cancel(), Cancel()]
    try:
        async with cancelled_on_disconnect(request, *cancels):
            return await _run(queues, function, cancels)
    except OutOfBudget as error:
        raise OutOfBudget(timeout_message, error.best) from error


async def _run(queues: WorkQueues, function: Callable[[Cancel], T], cancels: list[Cancel]) -> T:
    async with queues.short:
        task = _start(function, cancels[0], queues)
        await asyncio.wait({task}, timeout=SHORT_SECONDS)
        if task.done():
            return task.result()
        has_slot = not queues.long.locked()
        if has_slot:
            await queues.long.acquire()  # returns at once: there is a free slot
        else:
            cancels[0].set()
            await asyncio.wait({task})
            task.exception()  # mark it as retrieved; the task runs again below
    if not has_slot:
        await queues.long.acquire()
    try:
        return await (task if has_slot else _start(function, cancels[1], queues))
    finally:
        queues.long.release()


async def stream_work(
    request: Request, function: Callable[[Cancel], Iterator[T]]
) -> AsyncGenerator[T, None]:
    """Yield the items of the iterator that *function* returns, until the client disconnects.

    Each item is computed in a thread, after waiting for a free slot, so that streams take turns.
    """
    queues: WorkQueues = request.app.state.work_queues
    cancel = Cancel()
    steps = function(cancel)
    started = False

    def advance() -> list[T]:
        try:
            return list(islice(steps, 1))
        except OutOfBudget:
            if started and cancel.is_set:
                return []  # there is no client for the error
            raise

    try:
        async with cancelled_on_disconnect(request, cancel):
            while True:
                async with queues.streams:
                    values = await to_thread.run_sync(advance, limiter=queues.threads)
                if not values or (started and cancel.is_set):
                    return
                started = True
                yield values[0]
    finally:
        cancel.set()


@asynccontextmanager
async def cancelled_on_disconnect(request: Request, *cancels: Cancel) -> AsyncIterator[None]:
    """Set *cancels* when the client disconnects inside the block."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        for cancel in cancels:
            cancel.set()

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()


def _start(function: Callable[[Cancel], T], cancel: Cancel, queues: WorkQueues) -> asyncio.Task[T]:
    async def run() -> T:
        return await to_thread.run_sync(function, cancel, limiter=queues.threads)

    return asyncio.create_task(run())


@dataclass(frozen=True)
class CancellableBudget(Budget):
    """The budget of a layout generator, whose search ends when the client disconnects."""

    cancels: list[Cancel] = field(default_factory=list, compare=False)
    """The Cancel of the move that is being made, if any."""

    def start(self, cancel: Cancel | None = None) -> Limit:
        """Start the clock of a search."""
        return super().start(cancel or next(iter(self.cancels), None))

    @contextmanager
    def cancelled_by(self, cancel: Cancel | None) -> Iterator[None]:
        """Use *cancel* for every search inside the block."""
        self.cancels[:] = [] if cancel is None else [cancel]
        try:
            yield
        finally:
            self.cancels.clear()


class LruCache(Generic[K, V]):
    """A thread-safe mapping that keeps the *size* most recently used values.

    `functools.lru_cache` does not fit: a result depends on its key alone, but computing it also
    takes a time limit, which is different for every request.
    """

    def __init__(self, size: int):
        self.size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """Return the cached value, or compute and store it; two threads may both compute it."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = compute()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self.size:
                self._values.popitem(last=False)
        return value
