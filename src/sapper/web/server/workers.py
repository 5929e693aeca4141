"""Run searches in threads, a few at a time, and cancel them when the client disconnects.

Quick and long tasks have separate limits, so that a hint never waits behind reviews.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from sapper.engine.budget import Budget, Cancel, Limit
from sapper.errors import OutOfBudget

T = TypeVar("T")

# Searches that run at the same time; others wait, but moves are made in other threads. A quick task
# takes milliseconds on most positions, so that one hard position must not stop the others.
MAX_QUICK_TASKS = 4
MAX_LONG_TASKS = 2
MAX_STREAM_STEPS = 2
BUDGET = Budget(seconds=20, memory=1_000_000_000)

POSITION_TOO_HARD = (
    "this position takes too long to work out: reveal what is certain, and try again"
)


class WorkLimits:
    """The limits of quick tasks, long tasks, steps of streams, and pictures."""

    def __init__(self) -> None:
        self.quick = CapacityLimiter(MAX_QUICK_TASKS)
        self.long = CapacityLimiter(MAX_LONG_TASKS)
        self.streams = CapacityLimiter(MAX_STREAM_STEPS)
        # One picture at a time: decoding a large one takes 200 MB.
        self.pictures = CapacityLimiter(1)


def work_limits(request: Request) -> WorkLimits:
    """Return the limits of the server."""
    limits: WorkLimits = request.app.state.work_limits
    return limits


async def work(
    request: Request,
    function: Callable[[Cancel], T],
    *,
    long: bool = False,
    timeout_message: str = POSITION_TOO_HARD,
) -> T:
    """Run *function* in a thread; its Cancel is set when the client disconnects.

    Tasks that take seconds are *long*. An OutOfBudget error gets *timeout_message*.
    """
    limits = work_limits(request)
    limiter = limits.long if long else limits.quick
    cancel = Cancel()
    try:
        async with cancelled_on_disconnect(request, cancel):
            return await to_thread.run_sync(function, cancel, limiter=limiter)
    except OutOfBudget as error:
        raise OutOfBudget(timeout_message, error.best) from error


async def stream_work(
    request: Request, function: Callable[[Cancel], Iterator[T]]
) -> AsyncGenerator[T, None]:
    """Yield the items of the iterator that *function* returns, until the client disconnects.

    Each item is computed in a thread, after waiting for its turn, so that streams take turns.
    """
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
                values = await to_thread.run_sync(advance, limiter=work_limits(request).streams)
                if not values or (started and cancel.is_set):
                    return
                started = True
                yield values[0]
    finally:
        cancel.set()


@asynccontextmanager
async def cancelled_on_disconnect(request: Request, cancel: Cancel) -> AsyncIterator[None]:
    """Set *cancel* when the client disconnects inside the block."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        cancel.set()

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()


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
