"""Load kernels as plain Python.

The sources are written for Cython. Two things differ when Python runs them:

- ``import cython`` and ``from cython.cimports...`` name modules that need not be installed, so the
  loader replaces them before it compiles a source.
- A compiled class has all of its declared fields from the start: numbers are zero, anything else is
  None. The loader adds the fields that the .pxd declares to the class, and the constants of an enum
  to the module.
"""

import ast
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

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
_CLASS = re.compile(r"cdef class (\w+)")
_FIELDS = re.compile(r"    cdef (?:public |readonly )?(.+?) (\w+(?:, *\w+)*)\s*(?:#.*)?")
_CONSTANT = re.compile(r"    ([A-Z]\w*) = (-?\d+)")
_WORDS = re.compile(r"\w+")
_INTEGERS = {"int", "char", "short", "long", "uchar", "uint", "ulonglong", "longlong", "Py_ssize_t"}
_FLOATS = {"double", "float"}


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
            for field, initial in fields.items():
                if field not in vars(owner):
                    setattr(owner, field, initial)


def _declarations(source: Path) -> list[str]:
    """Return the lines of the .pxd beside a source."""
    path = source.with_suffix(".pxd")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def declared_constants(source: Path) -> dict[str, int]:
    """Return the constants of the enums in the .pxd of a kernel."""
    return {m[1]: int(m[2]) for line in _declarations(source) if (m := _CONSTANT.fullmatch(line))}


def declared_fields(source: Path) -> dict[str, dict[str, object]]:
    """Return the fields of a kernel's classes with their initial values."""
    found: dict[str, dict[str, object]] = {}
    for node in ast.parse(source.read_bytes()).body:
        if isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and field.value is None:
                    start = _initial(ast.unparse(field.annotation))
                    found.setdefault(node.name, {})[ast.unparse(field.target)] = start
    owner = ""
    for line in _declarations(source):
        if match := _CLASS.match(line):
            owner = match[1]
        elif owner and "(" not in line and (match := _FIELDS.fullmatch(line)):
            for name in match[2].split(","):
                found.setdefault(owner, {})[name.strip()] = _initial(match[1])
    return found


def _initial(ctype: str) -> object:
    """Return the initial value of a field of that C type."""
    words = set(_WORDS.findall(ctype))
    if "[" in ctype or "*" in ctype:
        return None
    if words & _FLOATS:
        return 0.0
    if "bint" in words:
        return False
    return 0 if words & _INTEGERS else None
