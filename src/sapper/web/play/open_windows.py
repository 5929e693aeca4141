"""Which windows have which game open, so that no other one is led into it.

Kept in memory alone: a window says again and again that it is there, also to a server that was
started anew.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

# A browser lets a window in the background speak about once a minute.
SECONDS = 90.0
MOST = 10_000


class OpenWindows:
    """The windows that were heard of lately, each with the one game that it has open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._windows: OrderedDict[tuple[str, str], tuple[str, float]] = OrderedDict()

    def hold(self, owner: str, window: str, game: str) -> int:
        """A window has a game open, and no other any more; answers how many others have it."""
        self._windows[owner, window] = game, self._clock() + SECONDS
        self._windows.move_to_end((owner, window))
        self._drop_late()
        return sum(held == game for held, _ in self._windows.values()) - 1

    def release(self, owner: str, window: str) -> None:
        """A window is closed."""
        self._windows.pop((owner, window), None)

    def held(self) -> set[str]:
        """The games that some window has open."""
        self._drop_late()
        return {game for game, _ in self._windows.values()}

    def _drop_late(self) -> None:
        # They stand in the order in which they were heard of.
        while self._windows:
            key, (_, until) = next(iter(self._windows.items()))
            if until > self._clock() and len(self._windows) <= MOST:
                return
            del self._windows[key]
