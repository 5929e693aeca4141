"""What the sources of the kernels see as `cython` when they run as plain Python.

Only the names that they use, so that an installed package needs no Cython: types are annotations
and casts, decorators change nothing, a declared constant is its value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Owner = TypeVar("Owner")


class CType:
    """A C type: a cast makes a Python number of its kind; arrays of it are annotations alone."""

    def __init__(self, number: Callable[[Any], Any]) -> None:
        self.number = number

    def __getitem__(self, _: object) -> CType:
        return self


class NoOp:
    """A decorator, and a block, that change nothing."""

    def __call__(self, owner: Owner) -> Owner:
        """The same."""
        return owner

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


_WHOLE, _NOTHING = CType(int), NoOp()


class cython:
    """The names, as Cython spells them."""

    compiled = False
    int = short = ushort = longlong = ulonglong = schar = uchar = Py_ssize_t = _WHOLE
    double, bint = CType(float), CType(bool)
    const = void = _WHOLE
    cfunc = ccall = cclass = inline = nogil = _NOTHING

    @staticmethod
    def exceptval(**_: object) -> NoOp:
        """What a C function gives back on an error; Python raises."""
        return _NOTHING

    @staticmethod
    def declare(kind: CType, value: Owner) -> Owner:
        """A constant is its value."""
        return value

    @staticmethod
    def cast(kind: CType, value: Any) -> Any:
        """A Python number of that kind: nothing wraps, and sources that count on it mask."""
        return kind.number(value)
