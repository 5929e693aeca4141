"""Load a picture from a file, bytes or a stream, with checks against damaged and huge files."""

from __future__ import annotations

import io
import os
import struct
import sys
import warnings
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias, Union

from sapper.errors import NotationError, Unavailable, WrongType
from sapper.formats.binary import is_picture_file

if TYPE_CHECKING:
    from PIL.Image import Image

PictureSource: TypeAlias = Union[str, os.PathLike[str], bytes, IO[bytes], "Image"]

PICTURE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
MAX_BYTES = 64 << 20
MAX_PIXELS = 64_000_000
"""Checked before a picture is decoded; an 8K screen has 33 million pixels."""
MIN_SIDE = 24
ORIENTATION = 0x0112
"""The Exif tag of the orientation; the value 1 means upright."""


def load_picture(source: PictureSource) -> Image:
    """Return a picture as RGB; transparent parts become white, and photos are turned upright."""
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise Unavailable("reading pictures needs Pillow: pip install 'sapper[picture]'") from None
    if isinstance(source, Image.Image):
        image = source
        _check_size(image)
    else:
        data = _read_bytes(source)
        if not is_picture_file(data):
            raise NotationError("not a picture: expected PNG, JPEG, GIF, WebP or BMP")
        if len(data) > MAX_BYTES:
            raise NotationError(
                f"the picture is too large: {len(data) >> 20} MB; at most {MAX_BYTES >> 20} MB "
                "are read"
            )
        image = _decode(data)
    try:
        if image.getexif().get(ORIENTATION, 1) != 1:
            image = ImageOps.exif_transpose(image)
        if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
            image = image.convert("RGBA")
            white = Image.new("RGBA", image.size, (255, 255, 255, 255))
            image = Image.alpha_composite(white, image)
        elif image.mode.startswith("I"):  # 16 bits per pixel, which convert("RGB") would clip
            image = image.point(lambda level: level / 256).convert("L")
        return image if image.mode == "RGB" else image.convert("RGB")
    except Exception as error:  # Pillow raises many types of errors for damaged files
        raise _decoding_error(error) from None


def _read_bytes(source: str | os.PathLike[str] | bytes | IO[bytes]) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if isinstance(source, str) and source == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    if isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    if hasattr(source, "read"):
        data = source.read(MAX_BYTES + 1)
        if isinstance(data, bytes):
            return data
    raise WrongType(f"expected a file name, bytes or a binary stream, got {source!r:.60}")


def _decode(data: bytes) -> Image:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data), formats=PICTURE_FORMATS)
            _check_size(image)
            if image.format == "JPEG":
                # Large photographs are decoded at half or a quarter of their size.
                image.draft("RGB", (3000, 3000))
            image.load()
    except NotationError:
        raise
    except (Exception, zlib.error, struct.error) as error:
        raise _decoding_error(error) from None
    return image


def _check_size(image: Image) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise NotationError(
            f"the picture is too large: {width}x{height} pixels; at most "
            f"{MAX_PIXELS // 1_000_000} million are read"
        )
    if min(width, height) < MIN_SIDE:
        raise NotationError(f"the picture is too small: {width}x{height} pixels")


def _decoding_error(error: BaseException) -> NotationError:
    if isinstance(error, MemoryError):
        return NotationError("the picture is too large for the available memory")
    if type(error).__name__ == "DecompressionBombError":
        return NotationError(
            f"the picture is too large: at most {MAX_PIXELS // 1_000_000} million pixels are read"
        )
    if type(error).__name__ == "UnidentifiedImageError":  # its text has the repr of a stream
        return NotationError("the picture cannot be decoded: its header is damaged")
    reason = " ".join(str(error).split())[:100] or type(error).__name__
    return NotationError(f"the picture cannot be decoded: {reason}")
