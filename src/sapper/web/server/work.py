"""Engine work: off the event loop, few at a time, and stopped when nobody waits for it any more.

Every question begins in the lane for short ones. One that takes longer goes over to the lane for
long ones, so that a hint never waits behind somebody's long analyses.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from sapper.infer.budget import Budget, Cancel

T = TypeVar("T")

# So many short and so many long searches run side by side; the next ones wait, while moves go on
# in other threads.
SHORT_AT_ONCE = 2
LONG_AT_ONCE = 2
# How long a question is a short one.
SHORT_SECONDS = 0.5
BUDGET = Budget(seconds=20, memory=1_000_000_000)


class Lanes:
    """Who may search now."""

    def __init__(self) -> None:
        self.short = asyncio.Semaphore(SHORT_AT_ONCE)
        self.long = asyncio.Semaphore(LONG_AT_ONCE)
        # The lanes say who may run; this keeps their threads apart from those of the moves.
        self.threads = CapacityLimiter(SHORT_AT_ONCE + LONG_AT_ONCE)


async def work(request: Request, function: Callable[[Cancel], T]) -> T:
    """Run *function* in a thread; its Cancel is set when the one who asked has gone away.

    It may be begun twice: one that is too long for the short lane while the long one is full is
    stopped, and begins anew when its turn has come.
    """
    lanes: Lanes = request.app.state.lanes
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
async def cancelled_when_gone(request: Request) -> AsyncIterator[Cancel]:
    """A cancel that is set when the one who asked goes away while this lasts."""
    cancel = Cancel()
    async with _watched(request, [cancel]):
        yield cancel


@asynccontextmanager
async def _watched(request: Request, cancels: list[Cancel]) -> AsyncIterator[None]:
    watcher = asyncio.create_task(_cancel_when_gone(request, cancels))
    try:
        yield
    finally:
        watcher.cancel()


def _start(function: Callable[[Cancel], T], cancel: Cancel, lanes: Lanes) -> asyncio.Task[T]:
    async def run() -> T:
        return await to_thread.run_sync(function, cancel, limiter=lanes.threads)

    return asyncio.create_task(run())


async def _cancel_when_gone(request: Request, cancels: list[Cancel]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    for cancel in cancels:
        cancel.set()
