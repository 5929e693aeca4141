"""What kind a value is: a wrong one is refused in one line, before anything is done with it."""

from __future__ import annotations

import operator
from typing import Any

from sapper.errors import WrongKind


def need(value: Any, kind: type | tuple[type, ...], words: str) -> None:
    """Refuse what is not of that kind; *words* say what was expected, such as 'a frame'."""
    if not isinstance(value, kind):
        raise WrongKind(f"expected {words}, got {value!r:.60}")


def whole(value: Any, words: str) -> int:
    """A whole number as an int; True and 2.0 are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongKind(f"expected {words}, got {value!r:.60}")
    return operator.index(value)
