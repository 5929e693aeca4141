"""Time limits on machines of any speed, and assertions about searches that stop at theirs."""

import re
from collections.abc import Callable

import pytest

from sapper.engine.budget import Budget
from sapper.errors import OutOfBudget

HANG_SECONDS = 300
"""A process that has not ended by then hangs. Nothing else takes that long on a busy machine."""


def assert_error_within(run: Callable[[float], str], message: str, seconds: float) -> None:
    """Assert that the error after *seconds* matches a message.

    On a busy machine the time may pass before the first step, with another error: then more time
    must give the message.
    """
    error = ""
    for factor in (1, 10, 100):
        error = run(factor * seconds)
        if re.search(message, error):
            return
    raise AssertionError(f"expected {message!r}, got {error!r}")


def assert_ends(search: Callable[[Budget], object], message: str, seconds: float) -> None:
    """Assert that a search stops at its budget with an error that matches a message."""

    def run(seconds: float) -> str:
        with pytest.raises(OutOfBudget) as error:
            search(Budget(seconds=seconds))
        return str(error.value)

    assert_error_within(run, message, seconds)
