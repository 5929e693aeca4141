"""Engine work: off the event loop, few at a time, and stopped when nobody waits for it any more.

Every question begins in the lane for short ones. One that takes longer goes over to the lane for
long ones, so that a number never waits behind somebody's long analyses.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from sapper.engine.budget import Budget, Cancel

T = TypeVar("T")

# So many short and so many long searches run side by side; the next ones wait, while moves go on
# in other threads.
MAX_SHORT_TASKS = 2
MAX_LONG_TASKS = 2
# How long a question is a short one.
SHORT_SECONDS = 0.5
BUDGET = Budget(seconds=20, memory=1_000_000_000)


class WorkQueues:
    """Who may search now."""

    def __init__(self) -> None:
        self.short = asyncio.Semaphore(MAX_SHORT_TASKS)
        self.long = asyncio.Semaphore(MAX_LONG_TASKS)
        # The lanes say who may run; this keeps their threads apart from those of the moves.
        self.threads = CapacityLimiter(MAX_SHORT_TASKS + MAX_LONG_TASKS)


async def work(request: Request, function: Callable[[Cancel], T]) -> T:
    """Run *function* in a thread; its Cancel is set when the one who asked has gone away.

    It may be begun twice: one that is too long for the short lane while the long one is full is
    stopped, and begins anew when its turn has come.
    """
    lanes: WorkQueues = request.app.state.lanes
    cancels = [Cancel(), Cancel()]
    async with _watched(request, cancels):
        async with lanes.short:
            first = _start(function, cancels[0], lanes)
            await asyncio.wait({first}, timeout=SHORT_SECONDS)
            if first.done():
                return first.result()
            over = not lanes.long.locked()
            if over:
                await lanes.long.acquire()  # there is room: it does not wait
            else:
                cancels[0].set()
                await asyncio.wait({first})
                first.exception()  # what was stopped has nothing to say
        if not over:
            await lanes.long.acquire()
        try:
            return await (first if over else _start(function, cancels[1], lanes))
        finally:
            lanes.long.release()


@asynccontextmanager
async def cancelled_on_disconnect(request: Request) -> AsyncIterator[Cancel]:
    """A cancel that is set when the one who asked goes away while this lasts."""
    cancel = Cancel()
    async with _watched(request, [cancel]):
        yield cancel


@asynccontextmanager
async def _watched(request: Request, cancels: list[Cancel]) -> AsyncIterator[None]:
    watcher = asyncio.create_task(_cancel_on_disconnect(request, cancels))
    try:
        yield
    finally:
        watcher.cancel()


def _start(function: Callable[[Cancel], T], cancel: Cancel, lanes: WorkQueues) -> asyncio.Task[T]:
    async def run() -> T:
        return await to_thread.run_sync(function, cancel, limiter=lanes.threads)

    return asyncio.create_task(run())


async def _cancel_on_disconnect(request: Request, cancels: list[Cancel]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    for cancel in cancels:
        cancel.set()
