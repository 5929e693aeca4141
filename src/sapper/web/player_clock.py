"""The clock of a game, which stops when its player is gone."""

from __future__ import annotations

import math
import time

from sapper.games.session import Clock

# The page reports every two seconds while the clock runs.
AWAY_SECONDS = 6.0


class PlayerClock:
    """The clock of a game, which stops when no window has reported for AWAY_SECONDS.

    It stops at the last report: a browser that crashed cannot pause its game. Before the first
    report, as with clients other than the page, it does not stop.
    """

    def __init__(self, clock: Clock = time.monotonic):
        self._clock = clock
        self._reported = math.inf  # no window has reported
        self._away = 0.0

    def __call__(self) -> float:
        """Return the seconds that the clock has run since some start."""
        now = self._clock()
        return (self._reported if self._is_away(now) else now) - self._away

    def report(self) -> None:
        """Note that a window has the game open."""
        now = self._clock()
        if self._is_away(now):
            self._away += now - self._reported
        self._reported = now

    def note_request(self) -> None:
        """Note a request for the game, which is a report too where windows report."""
        if self._reported < math.inf:
            self.report()

    def _is_away(self, now: float) -> bool:
        return now - self._reported > AWAY_SECONDS
