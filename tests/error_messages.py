"""Assertions about refused input: one short line that names the problem."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from sapper.errors import SapperError

MAX_LENGTH = 400


def assert_one_line(error: Exception) -> None:
    """Check that the message of an error is one line of moderate length."""
    assert "\n" not in str(error)
    assert len(str(error)) < MAX_LENGTH


def assert_refused(
    call: Callable[[Any], object],
    cases: Iterable[tuple[Any, str]],
    error: type[Exception] | tuple[type[Exception], ...] = SapperError,
) -> None:
    """Check that a call refuses each argument with one line that matches its pattern."""
    wrong = []
    for argument, pattern in cases:
        try:
            wrong.append(f"{argument!r:.200}: accepted as {call(argument)!r:.200}")
        except error as raised:
            assert_one_line(raised)
            if not re.search(pattern, str(raised)):
                wrong.append(f"{argument!r:.200}: expected {pattern!r}, got {str(raised)!r}")
    assert not wrong, "\n".join(wrong)
