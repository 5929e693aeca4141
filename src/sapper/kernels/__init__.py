"""The hot loops: flat typed arrays in, arrays or a status out.

Every module here is Python that Cython compiles (pure-Python mode).
Compiled or not, it gives the same answers; STATUS says which of the two is running:

- ``compiled``: the extension modules were built from exactly these sources;
- ``plain``: there are none, or SAPPER_PLAIN=1 asked for the sources;
- ``stale``: they were built from other sources, so the sources run instead.
"""

import hashlib
import importlib.util
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from pathlib import Path
from typing import Any, Literal

_FOLDER = Path(__file__).parent


def source_hash() -> str:
    """The fingerprint of the sources; setup.py notes the same one when it compiles them."""
    digest = hashlib.sha256()
    for path in sorted([*_FOLDER.glob("*.py"), *_FOLDER.glob("*.pxd")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _status() -> Literal["compiled", "plain", "stale"]:
    sources = [path.stem for path in _FOLDER.glob("*.py") if path.stem != "__init__"]
    built = {path.name.split(".")[0] for s in EXTENSION_SUFFIXES for path in _FOLDER.glob(f"*{s}")}
    if os.environ.get("SAPPER_PLAIN") or not built.issuperset(sources):
        return "plain"
    note = _FOLDER / "compiled_from.txt"
    if not note.exists() or note.read_text().strip() != source_hash():
        return "stale"
    return "compiled"


class _SourcesOnly:
    """Finds a kernel's source where the import system would prefer its compiled file."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package, _, module = name.rpartition(".")
        source = _FOLDER / f"{module}.py"
        if package != __name__ or not source.exists():
            return None
        return importlib.util.spec_from_file_location(name, source)


STATUS = _status()
if STATUS != "compiled":
    sys.meta_path.insert(0, _SourcesOnly)


def view(array: Any) -> Any:
    """What a kernel takes for an array.

    Plain kernels get a memoryview, whose items are Python numbers:
    numpy scalars would wrap and warn where the sources mask.
    """
    return array if STATUS == "compiled" else memoryview(array)
