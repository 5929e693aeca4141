"""Kernels as plain Python: their sources, with every attribute that compiled ones have.

A compiled class has all of its declared attributes from the start: numbers are zero, anything else
is None. Python would give an attribute its first value only where a statement sets it, and a
kernel that reads before would work compiled and fail plain.
"""

import ast
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

_SHADOW = b"from sapper.kernels.plain_cython import cython"
_CLASS = re.compile(r"cdef class (\w+)")
_ATTRIBUTES = re.compile(r"    cdef (?:public |readonly )?(.+?) (\w+(?:, *\w+)*)\s*(?:#.*)?")
_WORDS = re.compile(r"\w+")
_WHOLE = {"int", "char", "short", "long", "uchar", "uint", "ulonglong", "longlong", "Py_ssize_t"}
_REAL = {"double", "float"}


class PlainLoader(SourceFileLoader):
    """Runs a kernel's source, then gives its classes what their declarations promise.

    The source imports `cython`, which need not be installed: it gets `shadow` in its place.
    """

    def source_to_code(  # type: ignore[override]
        self, data: Any, path: Any, *arguments: Any, **options: Any
    ) -> Any:
        """Compile the source, with our own stand-in for cython."""
        source = re.sub(rb"^import cython$", _SHADOW, data, count=1, flags=re.M)
        return super().source_to_code(source, path, *arguments, **options)

    def path_stats(self, path: Any) -> Any:
        """Nothing: bytecode that an installer made of the source does not know the stand-in."""
        raise OSError

    def exec_module(self, module: ModuleType) -> None:
        """Run the source."""
        super().exec_module(module)
        for name, attributes in declared(Path(self.path)).items():
            owner = getattr(module, name)
            for attribute, start in attributes.items():
                if attribute not in vars(owner):
                    setattr(owner, attribute, start)


def declared(source: Path) -> dict[str, dict[str, object]]:
    """The attributes of a kernel's classes, with what they start as."""
    found: dict[str, dict[str, object]] = {}
    for node in ast.parse(source.read_bytes()).body:
        if isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and field.value is None:
                    start = _start(ast.unparse(field.annotation))
                    found.setdefault(node.name, {})[ast.unparse(field.target)] = start
    beside = source.with_suffix(".pxd")
    owner = ""
    for line in beside.read_text(encoding="utf-8").splitlines() if beside.exists() else ():
        if match := _CLASS.match(line):
            owner = match[1]
        elif owner and "(" not in line and (match := _ATTRIBUTES.fullmatch(line)):
            for name in match[2].split(","):
                found.setdefault(owner, {})[name.strip()] = _start(match[1])
    return found


def _start(kind: str) -> object:
    """What an attribute of that C type starts as."""
    words = set(_WORDS.findall(kind))
    if "[" in kind or "*" in kind:
        return None
    if words & _REAL:
        return 0.0
    if "bint" in words:
        return False
    return 0 if words & _WHOLE else None
