"""The limits of a search: nothing in inference runs away in time or memory.

What a user asks for is a Budget. Whoever answers a request starts it once, and hands the running
Limit down alone: it stops everything below it together, however many searches that is.
A Limit is a Budget too, so every function that takes a budget takes a limit; there it runs on.

>>> limit = Budget(seconds=5).start()
>>> limit.start() is limit
True
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np
import numpy.typing as npt

from sapper.errors import NotationError, OutOfBudget
from sapper.values import check_type

MAX_SECONDS = 1e9


@dataclass(frozen=True)
class Budget:
    """What one search may take: seconds of wall-clock time and bytes of memory."""

    seconds: float = 20.0
    memory: int = 2_000_000_000

    def __post_init__(self) -> None:
        check_type(self.seconds, (int, float), "seconds")
        check_type(self.memory, (int, float), "bytes of memory")
        # Written so that nan fails too.
        if not 0 < self.seconds <= MAX_SECONDS:
            raise NotationError(f"expected seconds above 0 up to 1e9, got {self.seconds}")
        if not self.memory > 0:
            raise NotationError(f"expected memory above 0 bytes, got {self.memory}")

    def start(self, cancel: Cancel | None = None) -> Limit:
        """Let the clock run from now; *cancel* stops the same searches from another thread."""
        return Limit(self.seconds, self.memory, until=monotonic() + self.seconds, cancel=cancel)

    def unstarted(self) -> Budget:
        """The same budget, not started."""
        return self


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


@dataclass(frozen=True)
class Limit(Budget):
    """A budget whose clock runs; started by `Budget.start`.

    `seconds` are those that were asked for, `left` those that are left of them.
    """

    until: float = field(kw_only=True)
    """When its searches must stop, on the clock of `time.monotonic`."""
    cancel: Cancel | None = field(kw_only=True)

    def start(self, cancel: Cancel | None = None) -> Limit:
        """The limit itself: it runs already, and keeps its own cancel."""
        if cancel is not None and cancel is not self.cancel:
            raise NotationError("expected one cancel for a limit that runs, got a second one")
        return self

    def unstarted(self) -> Budget:
        """The budget that was asked for, not started."""
        return Budget(self.seconds, self.memory)

    def within(self, seconds: float) -> Limit:
        """A limit for a part of the work: at most so many seconds from now, and never past this."""
        return replace(self, until=min(self.until, monotonic() + seconds))

    @property
    def left(self) -> float:
        """The seconds that are left, 0 when the time is over."""
        return max(0.0, self.until - monotonic())

    @property
    def over(self) -> bool:
        """Whether everything under this limit must stop."""
        return self.cancelled or monotonic() > self.until

    @property
    def cancelled(self) -> bool:
        """Whether somebody cancelled it."""
        return self.cancel is not None and self.cancel.is_set

    @property
    def flag(self) -> npt.NDArray[np.int32]:
        """The flag that kernels look at: not 0 once it is cancelled."""
        return (_NEVER if self.cancel is None else self.cancel).flag

    def check(self, got: str = "no answer by then") -> None:
        """Raise OutOfBudget if it is over; *got* says how far the work came."""
        if self.over:
            raise self.error(got)

    def error(self, got: str = "no answer by then") -> OutOfBudget:
        """The error for work that this limit stopped."""
        if self.cancelled:
            return OutOfBudget(f"cancelled: {got}")
        return OutOfBudget(f"expected to need at most {self.seconds:g} s, got {got}")


def start_limit(budget: Budget, cancel: Cancel | None = None) -> Limit:
    """The running limit of a budget that a caller handed over, once it is seen to be one."""
    check_type(budget, Budget, "a budget")
    return budget.start(cancel)


DEFAULT_BUDGET = Budget()
"""What a search may take unless its caller says otherwise."""

_NEVER = Cancel()
