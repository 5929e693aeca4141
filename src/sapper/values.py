"""Immutable values: base class, read-only arrays and checks of argument types."""

from __future__ import annotations

import operator
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from sapper.errors import WrongType

# The neighbours of 400,000 cells with 8 neighbours each.
MAX_COPIED_BYTES = 2**24

Scalar = TypeVar("Scalar", bound=np.generic)


class Frozen:
    """Base of immutable classes: the constructor sets attributes with `_set`, nothing else can."""

    def _set(self, **fields: Any) -> None:
        # Bypasses __setattr__; cached properties write to __dict__ too.
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot set {name}: {type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete {name}: {type(self).__name__} is immutable")


def frozen(array: npt.NDArray[Any], dtype: type[Scalar]) -> npt.NDArray[Scalar]:
    """Return a copy of an array that cannot be made writable again.

    The copy is backed by bytes, because a caller could set the writable flag back. An array of
    more than MAX_COPIED_BYTES is not copied and only has the flag cleared.
    """
    array = np.ascontiguousarray(array, dtype=dtype)
    if array.nbytes > MAX_COPIED_BYTES:
        array.setflags(write=False)
        return array
    return np.frombuffer(array.tobytes(), dtype=dtype)


def check_type(value: Any, types: type | tuple[type, ...], expected: str) -> None:
    """Raise WrongType unless the value has one of the types; *expected* names it: 'a position'."""
    if not isinstance(value, types):
        raise WrongType(f"expected {expected}, got {value!r:.60}")


def check_number(value: Any, expected: str) -> None:
    """Raise WrongType unless the value is an int or a float; a bool is neither here."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongType(f"expected {expected}, got {value!r:.60}")


def check_int(value: Any, expected: str) -> int:
    """Return an integer of any type as an int; raise WrongType for others, also for a bool."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongType(f"expected {expected}, got {value!r:.60}")
    return operator.index(value)
