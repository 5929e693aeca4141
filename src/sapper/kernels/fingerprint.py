"""Which sources the kernels are compiled from: read by setup.py and by the package alike."""

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
NOTE = FOLDER / "compiled_from.txt"
_NOT_KERNELS = ("__init__", "fingerprint", "plain_loader", "plain_cython")


def kernel_sources() -> list[Path]:
    """Every module that is compiled, room by room."""
    return sorted(path for path in FOLDER.rglob("*.py") if path.stem not in _NOT_KERNELS)


def source_hash() -> str:
    """The fingerprint of all sources, declarations included, with their places."""
    digest = hashlib.sha256()
    for path in sorted([*kernel_sources(), *FOLDER.rglob("*.pxd")]):
        place = path.relative_to(FOLDER).as_posix()
        digest.update(place.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
