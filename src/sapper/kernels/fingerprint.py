"""The sources that the kernels are compiled from, for setup.py and for the package."""

import hashlib
import os
from pathlib import Path

FOLDER = Path(__file__).parent
BUILD_FILE = FOLDER / "compiled_from.txt"
"""Hash of the sources that were compiled; after a build in this folder, their file times too."""
NOT_KERNELS = ("__init__", "declarations", "fingerprint", "plain")


def kernel_sources() -> list[Path]:
    """Return every module that is compiled, in the order of their paths."""
    return sorted(path for path in FOLDER.rglob("*.py") if path.stem not in NOT_KERNELS)


def source_hash() -> str:
    """Return a hash of all sources and declarations, with their paths."""
    digest = hashlib.sha256()
    for path in sorted([*kernel_sources(), *FOLDER.rglob("*.pxd")]):
        name = path.relative_to(FOLDER).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def source_times() -> str:
    """Return a hash of the paths, sizes and modification times, which needs no reading."""
    files = []
    for folder, _, names in os.walk(FOLDER):
        for name in names:
            if name.endswith((".py", ".pxd")):
                status = os.stat(f"{folder}/{name}")
                path = f"{folder.removeprefix(str(FOLDER))}/{name}"
                files.append((path, status.st_size, status.st_mtime_ns))
    return hashlib.sha256(repr(sorted(files)).encode()).hexdigest()
