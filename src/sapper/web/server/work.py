"""Engine work: off the event loop, few at a time, and stopped when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from anyio import to_thread
from starlette.requests import Request

from sapper.infer.budget import Budget, Cancel

T = TypeVar("T")

# So many searches run side by side; the next ones wait, while moves go on in other threads.
AT_ONCE = 2
BUDGET = Budget(seconds=20, memory=1_000_000_000)


async def work(request: Request, function: Callable[[Cancel], T]) -> T:
    """Run *function* in a thread; its Cancel is set when the one who asked has gone away."""
    cancel = Cancel()
    watcher = asyncio.create_task(_cancel_when_gone(request, cancel))
    try:
        return await to_thread.run_sync(function, cancel, limiter=request.app.state.engine)
    finally:
        watcher.cancel()


async def _cancel_when_gone(request: Request, cancel: Cancel) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    cancel.set()
