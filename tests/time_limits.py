"""Searches that end with their time and say how far they came, on machines of any haste."""

import re
from collections.abc import Callable

import pytest

from sapper.engine.budget import Budget
from sapper.errors import OutOfBudget


def assert_told(ask: Callable[[float], str], message: str, seconds: float) -> None:
    """What is told at the end of so many seconds matches a message.

    On a busy machine all of them may pass before the first step is made, and less is told: then
    more time must lead there.
    """
    for more in (1, 10, 100):
        told = ask(more * seconds)
        if re.search(message, told):
            return
    raise AssertionError(f"expected {message!r}, got {told!r}")


def assert_ends(search: Callable[[Budget], object], message: str, seconds: float) -> None:
    """A search under a budget ends with it, by an error that matches a message."""

    def ask(seconds: float) -> str:
        with pytest.raises(OutOfBudget) as told:
            search(Budget(seconds=seconds))
        return str(told.value)

    assert_told(ask, message, seconds)
