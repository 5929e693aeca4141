"""The hot loops: flat typed arrays in, arrays or a status out.

Every module here is Python that Cython compiles (pure-Python mode).
Compiled or not, it gives the same answers; STATUS says which of the two is running:

- ``compiled``: the extension modules were built from exactly these sources;
- ``plain``: there are none, or SAPPER_PLAIN=1 asked for the sources;
- ``stale``: they were built from other sources, so the sources run instead.
"""

import importlib.util
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from typing import Literal, TypeVar

from sapper.kernels.fingerprint import FOLDER, NOTE, kernel_sources, source_hash


def _status() -> Literal["compiled", "plain", "stale"]:
    built = {
        path.with_name(path.name.split(".")[0])
        for suffix in EXTENSION_SUFFIXES
        for path in FOLDER.rglob(f"*{suffix}")
    }
    sources = [path.with_suffix("") for path in kernel_sources()]
    if os.environ.get("SAPPER_PLAIN") or not built.issuperset(sources):
        return "plain"
    if not NOTE.exists() or NOTE.read_text().strip() != source_hash():
        return "stale"
    return "compiled"


class _SourceFinder:
    """Finds a kernel's source where the import system would prefer its compiled file."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if not name.startswith(f"{__name__}."):
            return None
        if name in (
            f"{__name__}.{module}" for module in ("plain_loader", "plain_cython", "fingerprint")
        ):
            return None
        source = FOLDER.joinpath(*name.split(".")[2:]).with_suffix(".py")
        if not source.exists():
            return None
        # Found late: compiled kernels do not need it.
        from sapper.kernels.plain_loader import PlainLoader

        loader = PlainLoader(name, str(source))
        return importlib.util.spec_from_file_location(name, source, loader=loader)


STATUS = _status()
if STATUS != "compiled":
    sys.meta_path.insert(0, _SourceFinder)


Array = TypeVar("Array")


def view(array: Array) -> Array:
    """What a kernel takes for an array; to mypy, the array itself.

    Plain kernels get a memoryview, whose items are Python numbers:
    numpy scalars would wrap and warn where the sources mask.
    """
    return array if STATUS == "compiled" else memoryview(array)  # type: ignore[arg-type,return-value]
