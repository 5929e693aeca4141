"""The limits of a search: nothing in inference runs away in time or memory."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True)
class Budget:
    """What one search may take: seconds of wall-clock time and bytes of memory."""

    seconds: float = 20.0
    memory: int = 2_000_000_000

    def deadline(self) -> float:
        """When a search that starts now must stop, on the clock of `time.monotonic`."""
        return monotonic() + self.seconds
