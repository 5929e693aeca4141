"""The limits of a search: nothing in inference runs away in time or memory."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import numpy as np

from sapper.errors import NotationError

MOST_SECONDS = 1e9


@dataclass(frozen=True)
class Budget:
    """What one search may take: seconds of wall-clock time and bytes of memory."""

    seconds: float = 20.0
    memory: int = 2_000_000_000

    def __post_init__(self) -> None:
        # Written so that nan fails too.
        if not 0 < self.seconds <= MOST_SECONDS:
            raise NotationError(f"expected seconds above 0 up to 1e9, got {self.seconds}")
        if not self.memory > 0:
            raise NotationError(f"expected memory above 0 bytes, got {self.memory}")

    def deadline(self) -> float:
        """When a search that starts now must stop, on the clock of `time.monotonic`."""
        return monotonic() + self.seconds


class Cancel:
    """A flag that stops a search from another thread: hand it over, then call `set()`."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int32)

    def set(self) -> None:
        """Stop every search that was given this flag."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether it was set."""
        return bool(self.flag[0])
