"""Compiled loops: flat typed arrays in, arrays or a status out.

Every module here is Python that Cython compiles (pure-Python mode), and gives the same answers
when it is not compiled. STATUS says which form is running:

- ``compiled``: the extension modules were built from exactly these sources;
- ``plain``: there are none, or SAPPER_PLAIN=1 requests plain Python;
- ``stale``: they were built from other sources, so the sources run instead.

A build records what it compiled. Sources whose file times have changed since are read and compared.
"""

import importlib.util
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from typing import Literal, TypeVar

from sapper.kernels.fingerprint import (
    BUILD_FILE,
    FOLDER,
    NOT_KERNELS,
    source_hash,
    source_times,
)


def _status() -> Literal["compiled", "plain", "stale"]:
    # The build writes its file last, and the modules may be those of another version of Python.
    built = any((FOLDER / f"cython_shared{suffix}").exists() for suffix in EXTENSION_SUFFIXES)
    if os.environ.get("SAPPER_PLAIN") or not built or not BUILD_FILE.exists():
        return "plain"
    compiled, *times = BUILD_FILE.read_text().split()
    # A wheel has no times: nothing changes the sources that it installs.
    if times and times != [source_times()] and compiled != source_hash():
        return "stale"
    return "compiled"


class _SourceFinder:
    """Finds the source of a kernel, where the import system would prefer its compiled file."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package, _, module = name.rpartition(".")
        if not name.startswith(f"{__name__}.") or (package == __name__ and module in NOT_KERNELS):
            return None
        source = FOLDER.joinpath(*name.split(".")[2:]).with_suffix(".py")
        if not source.exists():
            return None
        # Imported late: compiled kernels do not need it.
        from sapper.kernels.plain import PlainLoader

        loader = PlainLoader(name, str(source))
        return importlib.util.spec_from_file_location(name, source, loader=loader)


STATUS = _status()
if STATUS != "compiled":
    sys.meta_path.insert(0, _SourceFinder)


def running_source_hash() -> str:
    """Return the hash of the sources that run, which is recorded if they are compiled."""
    return BUILD_FILE.read_text().split()[0] if STATUS == "compiled" else source_hash()


Array = TypeVar("Array")


def view(array: Array) -> Array:
    """Return an array in the form that a kernel takes; for mypy it is the array itself.

    Plain kernels get a memoryview, whose items are Python numbers:
    numpy scalars would overflow with a warning where the sources mask.
    """
    return array if STATUS == "compiled" else memoryview(array)  # type: ignore[arg-type,return-value]
