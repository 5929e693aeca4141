"""The part of the cython module that kernels use, for running them as plain Python.

Types are annotations and casts, decorators do nothing, and a declared constant is its value.
An installed package therefore needs no Cython.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic as now
from typing import Any, TypeVar

__all__ = ["cython", "lowest_bit", "now"]

Value = TypeVar("Value")


class CType:
    """A C type: a cast converts to its Python type; an array of it is only an annotation."""

    def __init__(self, python_type: Callable[[Any], Any]) -> None:
        self.python_type = python_type

    def __getitem__(self, _: object) -> CType:
        return self


class NoOp:
    """A decorator and a context manager without effect."""

    def __call__(self, decorated: Value) -> Value:
        """Return the argument."""
        return decorated

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


_INTEGER, _NO_OP = CType(int), NoOp()


class cython:
    """The names of the cython module."""

    compiled = False
    int = short = ushort = longlong = ulonglong = schar = uchar = Py_ssize_t = _INTEGER
    double, bint = CType(float), CType(bool)
    const = void = _INTEGER
    cfunc = ccall = cclass = inline = nogil = _NO_OP

    @staticmethod
    def locals(**_: object) -> NoOp:
        """Declare local variables, which need no declaration here."""
        return _NO_OP

    @staticmethod
    def declare(ctype: CType, value: Value) -> Value:
        """Return the value of a constant."""
        return value

    @staticmethod
    def cast(ctype: CType, value: Any) -> Any:
        """Convert to a Python number of that type; kernels mask where C would overflow."""
        return ctype.python_type(value)


def lowest_bit(x: int) -> int:
    """Return the index of the lowest bit that is set."""
    return (x & -x).bit_length() - 1
