"""The declarations in the .pxd files of the kernels, read when the kernels run.

A .pxd declares the constants of a kernel and the fields of its classes with their C types. Nothing
else repeats the types: `allocate` makes arrays of the declared types, and the plain loader gives
every field its initial value.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sapper.kernels import view
from sapper.kernels.fingerprint import FOLDER

_CLASS = re.compile(r"cdef class (\w+)")
_FIELDS = re.compile(r"    cdef (?:public )?(.+?) (\w+(?:, *\w+)*)")
_CONSTANT = re.compile(r"    ([A-Z]\w*) = (-?\d+)")
_DTYPES: dict[str, type[np.generic]] = {
    "int": np.int32,
    "signed char": np.int8,
    "short": np.int16,
    "long long": np.int64,
    "unsigned char": np.uint8,
    "unsigned short": np.uint16,
    "unsigned long long": np.uint64,
    "double": np.float64,
}


def _lines(source: Path) -> list[str]:
    """Return the lines of the .pxd beside a source."""
    path = source.with_suffix(".pxd")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def declared_constants(source: Path) -> dict[str, int]:
    """Return the constants of the enums in the .pxd of a kernel."""
    return {m[1]: int(m[2]) for line in _lines(source) if (m := _CONSTANT.fullmatch(line))}


def declared_fields(source: Path) -> dict[str, dict[str, str]]:
    """Return the C types of the fields, by name, of each class in the .pxd of a kernel."""
    classes: dict[str, dict[str, str]] = {}
    fields: dict[str, str] = {}
    for line in _lines(source):
        if match := _CLASS.match(line):
            fields = classes.setdefault(match[1], {})
        elif "(" not in line and (match := _FIELDS.fullmatch(line)):
            fields.update((name.strip(), match[1]) for name in match[2].split(","))
    return classes


@cache
def array_types(kernel_class: type) -> dict[str, type[np.generic]]:
    """Return the dtypes of the array fields of a kernel class and its bases."""
    types: dict[str, type[np.generic]] = {}
    for base in kernel_class.__mro__[:-1]:
        source = FOLDER.joinpath(*base.__module__.split(".")[2:]).with_suffix(".py")
        for name, ctype in declared_fields(source).get(base.__name__, {}).items():
            item, bracket, _ = ctype.removeprefix("const ").partition("[")
            if bracket:
                types[name] = _DTYPES[item]
    return types


def allocate(
    owner: Any, names: str, size: int | tuple[int, ...], *, fill: int = 0, keep: bool = False
) -> None:
    """Set array fields of an instance, whose names are separated by spaces, to new arrays.

    *keep* copies the items of the old arrays.
    """
    kernel_class: type = type(owner)
    types = array_types(kernel_class)
    for name in names.split():
        array = np.full(size, fill, types[name]) if fill else np.zeros(size, types[name])
        if keep:
            old = np.asarray(getattr(owner, name))
            array[: len(old)] = old
        setattr(owner, name, view(array))
