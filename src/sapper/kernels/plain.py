"""A loader that runs kernels as plain Python, with the parts of the cython module that they use.

The sources are written for Cython. Two things differ when Python runs them:

- ``import cython`` and ``from cython.cimports...`` name modules that need not be installed, so the
  loader replaces them before it compiles a source. The class `cython` below replaces the module:
  types are annotations and casts, decorators do nothing, and a declared constant is its value.
- A compiled class has all of its declared fields from the start: numbers are zero, anything else is
  None. The loader adds the fields that the .pxd declares to the class, and the constants of an enum
  to the module.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from time import monotonic as now
from types import ModuleType
from typing import Any, TypeVar

from sapper.kernels.declarations import declared_constants, declared_fields

__all__ = ["PlainLoader", "cython", "lowest_bit", "now"]

Value = TypeVar("Value")

_FROM_PLAIN = b"from " + __name__.encode() + b" "
_IMPORTS = (
    (re.compile(rb"^import cython$", re.M), _FROM_PLAIN + b"import cython"),
    (re.compile(rb"^from cython\.cimports\.libc\.", re.M), b"from "),
    (re.compile(rb"^from cython\.cimports\.sapper\.kernels\.(native|arrays) ", re.M), _FROM_PLAIN),
    (re.compile(rb"^from cython\.cimports\.", re.M), b"from "),
)
_INTEGERS = {"int", "char", "short", "long", "Py_ssize_t"}


class PlainLoader(SourceFileLoader):
    """A loader that runs the source of a kernel in place of its compiled module."""

    def source_to_code(  # type: ignore[override]
        self, data: Any, path: Any, *arguments: Any, **options: Any
    ) -> Any:
        """Compile the source, with its imports of cython replaced."""
        for pattern, replacement in _IMPORTS:
            data = pattern.sub(replacement, data)
        return super().source_to_code(data, path, *arguments, **options)

    def path_stats(self, path: Any) -> Any:
        """Ignore cached bytecode: an installer may have compiled it from the unchanged source."""
        raise OSError

    def exec_module(self, module: ModuleType) -> None:
        """Run the source, then add what the .pxd declares."""
        super().exec_module(module)
        source = Path(self.path)
        vars(module).update(declared_constants(source))
        for name, fields in declared_fields(source).items():
            owner = getattr(module, name)
            for field, ctype in fields.items():
                setattr(owner, field, initial_value(ctype))


def initial_value(ctype: str) -> object:
    """Return the initial value of a field of that C type."""
    item = ctype.split()[-1]
    if item in ("double", "bint"):
        return 0.0 if item == "double" else False
    return 0 if item in _INTEGERS else None


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


# The arrays of arrays.pxd.
Ints = ConstInts = ConstShorts = Bytes = ConstBytes = Words = ConstWords = _INTEGER
Doubles = ConstDoubles = cython.double


def lowest_bit(x: int) -> int:
    """Return the index of the lowest bit that is set."""
    return (x & -x).bit_length() - 1
