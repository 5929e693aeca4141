"""Binary files: boards of Minesweeper X and Arbiter (.mbf, .abf), and how to detect other files.

Binary files are converted to hex digits, so that every reader takes text; users also paste such
digits.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

import numpy as np

from sapper.board.layout import Layout
from sapper.board.tilings import tiling
from sapper.errors import NotationError
from sapper.formats.json_format import Size
from sapper.formats.rows import require_square

# Width, height, and the number of mines in two bytes; x and y of each mine follow.
_HEADER_BYTES = 4
MAX_SIDE = 255

_HEX = re.compile(r"\s*(?:[0-9a-fA-F]{2}\s*)+", re.ASCII)
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL_CHARACTERS = bytes(set(range(32)) - set(b"\t\n\v\f\r")) + b"\x7f"

# Metasweeper's replays: from version 3 on, a byte of settings precedes the number of rows.
_NEWEST_EVF_VERSION, _MIN_EVF_VERSION_WITH_SETTINGS = 4, 3
_MIN_REPLAY_BYTES = 40

_PICTURE_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def decode_file(data: bytes) -> str:
    """Return the text of a file, or the hex digits of a binary board, a replay or a picture."""
    if (
        is_picture_file(data)
        or _is_mbf_data(data)
        or (data.translate(None, _CONTROL_CHARACTERS) != data and replay_formats(data))
    ):
        return data.hex()
    if data.startswith(_UTF_16_MARKS):  # redirected output of some Windows shells
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16")
    if b"\0" in data:
        raise NotationError(
            f"expected text, a board or a replay, got {len(data)} bytes of other data"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if replay_formats(data):
            return data.hex()
        raise NotationError(f"expected UTF-8 text, got byte {error.start}") from None


def is_picture_file(data: bytes) -> bool:
    """Return whether a file has the signature of a PNG, JPEG, GIF, WebP or BMP picture."""
    if data.startswith(b"BM"):
        # The length of the file, four bytes of zeros, and the length of the header.
        return data[6:10] == bytes(4) and data[15:18] == bytes(3)
    return data.startswith(_PICTURE_SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def is_picture(text: str) -> bool:
    """Return whether a text is the hex digits of a picture."""
    start = parse_hex(text[:64])
    return start is not None and is_picture_file(start)


def parse_hex(text: str) -> bytes | None:
    """Return the bytes of a text that consists of pairs of hex digits, else None."""
    text = text.removeprefix("\ufeff")
    return bytes.fromhex(text) if _HEX.fullmatch(text) else None


def replay_formats(data: bytes) -> tuple[str, ...]:
    """Return the replay formats that data may have, likeliest first."""
    if is_picture_file(data):
        return ()
    if data.startswith(b"*rmv"):
        return ("rmv",)
    if b"RealTime" in data:
        return ("avf",)
    if data.startswith(b"\x11\x4d"):
        return ("mvf",)
    return ("evf",) if _is_evf(data) else ()


def _is_evf(data: bytes) -> bool:
    """Return whether data has Metasweeper's header.

    It is version, flags, rows, columns, mines (2 bytes), width of a cell in pixels, mode (2 bytes)
    and 3BV (2 bytes).
    """
    if len(data) < _MIN_REPLAY_BYTES or data[0] > _NEWEST_EVF_VERSION or data[1] & 7:
        return False
    header = data[2:] if data[0] < _MIN_EVF_VERSION_WITH_SETTINGS else data[3:]
    cells, mines, three_bv = (
        header[0] * header[1],
        _big_endian(header[2:4]),
        _big_endian(header[7:9]),
    )
    return (
        0 < mines < cells <= 8 * len(data)
        and header[4] > 0
        and header[5] == 0
        and three_bv <= cells - mines
    )


def _big_endian(data: bytes) -> int:
    return int.from_bytes(data, "big")


def is_replay(text: str) -> bool:
    """Return whether a text is the hex digits of a replay, on one line or several."""
    text = text.strip("\ufeff \r\n\t")
    if len(text) < 2 * _MIN_REPLAY_BYTES:
        return False
    # Rows of a position may look like hex digits too, but never contain d or e.
    if len(text.split()) > 1 and not set("deDE") & set(text):
        return False
    data = parse_hex(text)
    # A board has the exact length and contents; the signatures of replays are only a few bytes.
    return data is not None and not _is_mbf_data(data) and bool(replay_formats(data))


def is_mbf(text: str) -> bool:
    """Return whether a text is the hex digits of a board, as many as its header implies."""
    data = parse_hex(text)
    if data is None or len(data) <= _HEADER_BYTES:
        return False
    return len(data) == _HEADER_BYTES + 2 * _big_endian(data[2:_HEADER_BYTES])


def _is_mbf_data(data: bytes) -> bool:
    """Return whether data has the length that its header implies, and distinct mines on the board.

    Data without a mine is not a board: its hex digits would be a row of a position.
    """
    mines = _big_endian(data[2:_HEADER_BYTES])
    if not 0 < len(data) - _HEADER_BYTES == 2 * mines:
        return False
    xs, ys = data[_HEADER_BYTES::2], data[_HEADER_BYTES + 1 :: 2]
    on_board = max(xs) < data[0] and max(ys) < data[1]
    return on_board and len(set(zip(xs, ys, strict=True))) == mines


def read_mbf(text: str) -> Layout:
    """Read a board from its hex digits: width, height, mines, then x and y of each mine.

    >>> print(read_mbf("03 02 0001 0000"))
    *..
    ...
    """
    data = parse_hex(text)
    if data is None or len(data) < _HEADER_BYTES:
        raise NotationError(f"expected the hex digits of a board, got {text!r:.60}")
    width, height, mines = data[0], data[1], _big_endian(data[2:_HEADER_BYTES])
    coordinates = data[_HEADER_BYTES:]
    if min(width, height) == 0:
        raise NotationError(f"expected a board of at least 1x1, got {width}x{height}")
    if len(coordinates) != 2 * mines:
        raise NotationError(f"expected {2 * mines} bytes for {mines} mines, got {len(coordinates)}")
    mask = np.zeros((height, width), dtype=np.uint8)
    for x, y in zip(coordinates[::2], coordinates[1::2], strict=True):
        if x >= width or y >= height:
            raise NotationError(f"expected mines on a board of {width}x{height}, got {x},{y}")
        if mask[y, x]:
            raise NotationError(f"the mine at {x},{y} occurs twice")
        mask[y, x] = 1
    return Layout(tiling(*Size("square", width, height)), mask.reshape(-1))


def write_mbf(layout: Layout) -> str:
    """Write a square layout of at most 255x255 as hex digits, without its click."""
    width, height = require_square(layout)
    if not layout.mine_count:
        raise NotationError("a layout without mines cannot be written")
    if max(width, height) > MAX_SIDE:
        raise NotationError(f"expected at most {MAX_SIDE}x{MAX_SIDE}, got {width}x{height}")
    coordinates = bytes(
        n for cell in layout.mine_cells.tolist() for n in (cell % width, cell // width)
    )
    header = bytes([width, height]) + layout.mine_count.to_bytes(2, "big")
    return (header + coordinates).hex() + "\n"
