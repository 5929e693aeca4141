"""Load kernels as plain Python.

The sources are written for Cython. Two things differ when Python runs them:

- ``import cython`` and ``from cython.cimports...`` name modules that need not be installed, so the
  loader replaces them before it compiles a source.
- A compiled class has all of its declared fields from the start: numbers are zero, anything else is
  None. The loader adds the fields that the .pxd declares to the class, and the constants of an enum
  to the module.
"""

import re
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from sapper.kernels.declarations import declared_constants, declared_fields

_PLAIN = b"sapper.kernels.plain_cython"
_IMPORTS = (
    (re.compile(rb"^import cython$", re.M), b"from " + _PLAIN + b" import cython"),
    (re.compile(rb"^from cython\.cimports\.libc\.", re.M), b"from "),
    (
        re.compile(rb"^from cython\.cimports\.sapper\.kernels\.native ", re.M),
        b"from " + _PLAIN + b" ",
    ),
    (re.compile(rb"^from cython\.cimports\.", re.M), b"from "),
)
_INTEGERS = {"int", "char", "short", "long", "Py_ssize_t"}


class PlainLoader(SourceFileLoader):
    """Runs the source of a kernel in place of its compiled module."""

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
