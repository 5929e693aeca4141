"""Values do not change: what boards, positions and results are made of.

A value refuses assignment, its arrays cannot be made writable again, and a copy is made anew by its
constructor, so that one user's value is never another user's surprise. A value of the wrong kind
is refused in one line, before anything is done with it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from sapper.errors import WrongType

# Bytes: 400,000 cells with 8 neighbours each.
LARGE = 2**24

Scalar = TypeVar("Scalar", bound=np.generic)


class Frozen:
    """Attributes are set once, by `_set` in the constructor; anything else is an AttributeError."""

    def _set(self, **fields: Any) -> None:
        # Past __setattr__, as in any frozen class; cached properties write there too.
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot set {name}: a value of {type(self).__name__} does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"cannot delete {name}: a value of {type(self).__name__} does not change"
        )


def frozen(array: npt.NDArray[Any], dtype: type[Scalar]) -> npt.NDArray[Scalar]:
    """The numbers of an array as one that nobody can make writable again.

    A flag alone could be set back by whoever holds the array; bytes cannot be changed at all.
    What is too large to be held twice keeps the flag: so large a board is shared by nobody.
    """
    array = np.ascontiguousarray(array, dtype=dtype)
    if array.nbytes > LARGE:
        array.setflags(write=False)
        return array
    return np.frombuffer(array.tobytes(), dtype=dtype)


class FrozenDict(dict[str, int]):
    """Numbers by name that do not change, and so can be hashed."""

    def __init__(self, items: Mapping[str, int] | Iterable[tuple[str, int]] = ()):
        super().__init__(items)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("cannot change this mapping: it belongs to a value")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def check_type(value: Any, kind: type | tuple[type, ...], words: str) -> None:
    """Refuse what is not of that kind; *words* say what was expected, such as 'a position'."""
    if not isinstance(value, kind):
        raise WrongType(f"expected {words}, got {value!r:.60}")


def check_int(value: Any, words: str) -> int:
    """A whole number as an int; True and 2.0 are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongType(f"expected {words}, got {value!r:.60}")
    return operator.index(value)
