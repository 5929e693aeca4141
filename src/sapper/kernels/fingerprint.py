"""The sources that the kernels are compiled from, for setup.py and for the package."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
HASH_FILE = FOLDER / "compiled_from.txt"
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
