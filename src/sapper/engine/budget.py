"""Time and memory limits of searches.

A caller states a `Budget`. The function that answers a request starts it once and passes the
running `Limit` to everything below, so that one deadline stops all searches of the request.
A Limit is also a Budget: a function that takes a budget accepts a limit and does not restart it.

>>> limit = Budget(seconds=5).start()
>>> limit.start() is limit
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np
import numpy.typing as npt

from sapper.errors import NotationError, OutOfBudget
from sapper.values import check_number, check_type

MAX_SECONDS = 1e9

# How to raise a limit: the option of the commands, and the argument in Python.
MORE_TIME = "for more time use --seconds or Budget(seconds=...)"
MORE_MEMORY = "for more memory use --memory or Budget(memory=...)"


@dataclass(frozen=True)
class Budget:
    """The wall-clock seconds and the bytes of memory that one search may use."""

    seconds: float = 20.0
    memory: int = 2_000_000_000

    def __post_init__(self) -> None:
        check_number(self.seconds, "seconds")
        check_number(self.memory, "bytes of memory")
        # Written so that nan fails too.
        if not 0 < self.seconds <= MAX_SECONDS:
            raise NotationError(f"expected seconds above 0 up to 1e9, got {self.seconds}")
        if not 0 < self.memory < math.inf:
            raise NotationError(f"expected memory above 0 bytes and finite, got {self.memory}")

    def start(self, cancel: Cancel | None = None) -> Limit:
        """Start the clock; *cancel* stops the same searches from another thread."""
        deadline = monotonic() + self.seconds
        return Limit(self.seconds, self.memory, deadline=deadline, cancel=cancel)

    def unstarted(self) -> Budget:
        """Return this budget without a running clock."""
        return self


class Cancel:
    """A flag that stops a search from another thread: pass it to the search, then call `set()`."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int32)

    def set(self) -> None:
        """Stop every search that was given this flag."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether `set` was called."""
        return bool(self.flag[0])


@dataclass(frozen=True)
class Limit(Budget):
    """A budget whose clock is running; created by `Budget.start`.

    `seconds` is the time of the budget, `seconds_left` the rest of it.
    """

    deadline: float = field(kw_only=True)
    """When searches must stop, on the clock of `time.monotonic`."""
    cancel: Cancel | None = field(kw_only=True)

    def __post_init__(self) -> None:
        """Skip the checks, which the budget has passed already."""

    def start(self, cancel: Cancel | None = None) -> Limit:
        """Return this limit; it keeps its own deadline and cancel flag."""
        if cancel is not None and cancel is not self.cancel:
            raise NotationError("a running limit cannot take another cancel flag")
        return self

    def unstarted(self) -> Budget:
        """Return the budget that this limit was started from."""
        return Budget(self.seconds, self.memory)

    def within(self, seconds: float) -> Limit:
        """Return a limit that ends *seconds* from now, or at this deadline if that is earlier."""
        return replace(self, deadline=min(self.deadline, monotonic() + seconds))

    @property
    def seconds_left(self) -> float:
        """The seconds until the deadline, 0 once it has passed."""
        return max(0.0, self.deadline - monotonic())

    @property
    def expired(self) -> bool:
        """Whether searches must stop: the deadline has passed, or they were cancelled."""
        return self.cancelled or monotonic() > self.deadline

    @property
    def cancelled(self) -> bool:
        """Whether the cancel flag is set."""
        return self.cancel is not None and self.cancel.is_set

    @property
    def cancel_flag(self) -> npt.NDArray[np.int32]:
        """An array of one integer that kernels poll; nonzero once cancelled."""
        return (_NEVER_CANCELLED if self.cancel is None else self.cancel).flag

    def check(self, progress: str = "no answer yet") -> None:
        """Raise OutOfBudget if expired; *progress* says how far the work got."""
        if self.expired:
            raise self.error(progress)

    def error(self, progress: str = "no answer yet") -> OutOfBudget:
        """Return the error for work that this limit stopped."""
        if self.cancelled:
            return OutOfBudget(f"cancelled: {progress}")
        return OutOfBudget(f"stopped after {self.seconds:g} s: {progress}", remedy=MORE_TIME)

    def memory_error(self, reason: str) -> OutOfBudget:
        """Return the error for work that needs more memory than this limit grants."""
        problem = f"needs more than {self.memory / 1e9:g} GB: {reason}"
        return OutOfBudget(problem, remedy=MORE_MEMORY)


def start_limit(budget: Budget, cancel: Cancel | None = None) -> Limit:
    """Check that a caller passed a budget, and start it."""
    check_type(budget, Budget, "a budget")
    return budget.start(cancel)


DEFAULT_BUDGET = Budget()
"""The budget of a search unless its caller passes another."""

_NEVER_CANCELLED = Cancel()
