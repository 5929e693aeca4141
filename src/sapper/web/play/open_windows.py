"""Which browser windows have which game open, so that no other window opens it by itself.

Kept in memory only: every window reports its game again and again, also to a restarted server.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

# A browser runs the timers of a background window about once a minute.
SECONDS = 90.0
MAX_WINDOWS = 10_000


class OpenWindows:
    """The windows that reported recently, each with the game that it has open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._windows: OrderedDict[tuple[str, str], tuple[str, float]] = OrderedDict()

    def open(self, owner: str, window: str, game: str) -> int:
        """Record the one game of a window; return how many other windows have it open."""
        self._windows[owner, window] = game, self._clock() + SECONDS
        self._windows.move_to_end((owner, window))
        self._drop_expired()
        return sum(other == game for other, _ in self._windows.values()) - 1

    def close(self, owner: str, window: str) -> None:
        """Forget a window."""
        self._windows.pop((owner, window), None)

    def games(self) -> set[str]:
        """Return the games that are open in any window."""
        self._drop_expired()
        return {game for game, _ in self._windows.values()}

    def _drop_expired(self) -> None:
        # In the order of their reports.
        while self._windows:
            key, (_, until) = next(iter(self._windows.items()))
            if until > self._clock() and len(self._windows) <= MAX_WINDOWS:
                return
            del self._windows[key]
