"""Game IDs of Simon Tatham's Mines: `9x9:4,4,u0102...`, the mines as a bitmap in hex digits.

The first cell is the highest bit. IDs from the program mask the bitmap (`m`), to hide the mines:
each half is XORed with SHA-1 sums of the other. On the program's web page the ID follows the `#` of
a link.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np

from sapper.board.layout import Layout
from sapper.board.tilings import tiling
from sapper.errors import NotationError
from sapper.formats.json_format import Size, checked_size, error_place
from sapper.formats.rows import require_square

_ID = re.compile(
    r"(\d{1,5})(?:x(\d{1,5}))?(?:n\d{1,9})?a?:(?:(\d{1,9}),(\d{1,9}),)?([mu]?)([0-9a-fA-F]+)",
    re.ASCII,
)
_LINK = re.compile(r"https?://[^\s#]*#", re.ASCII)
_ID_OR_SEED = re.compile(r"\d+(x\d+)?(n\d+)?a?:\S*|\d+x\d+n\d+a?#\S*", re.ASCII)


def is_tatham(text: str) -> bool:
    """Return whether a text is one line such as `9x9:...`, `9x9n10:...` or `9x9n10#seed`."""
    return _ID_OR_SEED.fullmatch(_without_address(text)) is not None


def read_tatham(text: str) -> Layout:
    """Read a game ID with its mines, plain or masked, and its first click where it has one.

    >>> print(read_tatham("3x3:2,2,u800"))
    *..
    ...
    ..c
    """
    text = _without_address(text)
    match = _ID.fullmatch(text)
    if match is None:
        raise NotationError(f"expected a game ID such as 3x3:2,2,u800, got {text!r:.60}")
    width = int(match[1])
    height = int(match[2] or match[1])
    size = checked_size("game ID", Size("square", width, height))
    cells, digits = width * height, match[6]
    if len(digits) != (cells + 3) // 4:
        raise NotationError(
            f"expected {(cells + 3) // 4} hex digits for {width}x{height}, got {len(digits)}"
        )
    data = bytes.fromhex(digits + "0" * (len(digits) % 2))
    if match[5] == "m":
        data = _unmask(data, cells)
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
    if bits[cells:].any():
        raise NotationError(f"expected mines on {cells} cells, got one beyond the last")
    with error_place("game ID"):
        return Layout(tiling(*size), bits[:cells], _click(match, width, height))


def _without_address(text: str) -> str:
    """Return a game ID without the address of the page."""
    return _LINK.sub("", text.removeprefix("\ufeff").strip(), count=1)


def write_tatham(layout: Layout) -> str:
    """Write a square layout as a plain game ID, with its click where it has one."""
    width, height = require_square(layout)
    click = ""
    if layout.click is not None:
        click = f"{layout.click % width},{layout.click // width},"
    digits = np.packbits(layout.mine_mask).tobytes().hex()[: (width * height + 3) // 4]
    return f"{width}x{height}:{click}u{digits}\n"


def _click(match: re.Match[str], width: int, height: int) -> int | None:
    if match[3] is None:
        return None
    x, y = int(match[3]), int(match[4])
    if x >= width or y >= height:
        raise NotationError(f"expected a click on a board of {width}x{height}, got {x},{y}")
    return y * width + x


def _unmask(data: bytes, bits: int) -> bytes:
    """Undo the mask: the first half unmasks the second, which then unmasks the first."""
    half = len(data) // 2
    second = bytearray(_xor_hash(data[half:], data[:half]))
    if bits % 8:
        second[-1] &= 0xFF00 >> (bits % 8)
    return _xor_hash(data[:half], bytes(second)) + bytes(second)


def _xor_hash(data: bytes, seed: bytes) -> bytes:
    """Return data XOR the SHA-1 sums of the seed followed by 0, 1, 2, ... in decimal."""
    stream = b""
    while len(stream) < len(data):
        counter = str(len(stream) // hashlib.sha1().digest_size).encode()
        stream += hashlib.sha1(seed + counter, usedforsecurity=False).digest()
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))
