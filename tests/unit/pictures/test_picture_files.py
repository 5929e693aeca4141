"""Loading of pictures: formats, broken files, and files that are too large."""

import io
import struct
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

import sapper
from sapper import NotationError, Unavailable
from sapper.errors import WrongType
from sapper.pictures import files
from sapper.pictures.files import load_picture


def encoded(kind, picture=None, **options):
    """Return a small picture as the bytes of a file."""
    stream = io.BytesIO()
    (picture or Image.new("RGB", (40, 30), (200, 30, 30))).save(stream, kind, **options)
    return stream.getvalue()


@pytest.mark.parametrize("kind", files.PICTURE_FORMATS)
def test_every_format_is_read_from_bytes_a_stream_and_a_file(kind, tmp_path):
    data = encoded(kind)
    path = tmp_path / "picture"
    path.write_bytes(data)
    for source in (data, io.BytesIO(data), str(path), path):
        picture = load_picture(source)
        assert (picture.mode, picture.size) == ("RGB", (40, 30))


def test_transparent_parts_are_white_and_photographs_are_turned_upright():
    clear = Image.new("RGBA", (40, 30), (0, 0, 0, 0))
    assert load_picture(encoded("PNG", clear)).getpixel((5, 5)) == (255, 255, 255)
    turned = Image.Exif()
    turned[0x0112] = 6
    assert load_picture(encoded("JPEG", exif=turned)).size == (30, 40)


def test_grey_of_16_bits_is_scaled():
    grey = Image.fromarray(np.full((30, 40), 0x8000, np.uint16))
    assert load_picture(encoded("PNG", grey)).getpixel((5, 5)) == (128, 128, 128)


def png_of_size(width, height):
    """Return the header of a PNG that claims a size."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(name, content):
        return (
            struct.pack(">I", len(content))
            + name
            + content
            + struct.pack(">I", zlib.crc32(name + content))
        )

    body = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a picture"),
        (b"mines: 2\n1#", "not a picture"),
        (png_of_size(50_000, 50_000), "too large: at most 64 million pixels"),
        (png_of_size(9_000, 9_000), "too large: 9000x9000 pixels"),
        (png_of_size(400, 400), "cannot be decoded"),
        (png_of_size(0, 0), "cannot be decoded: its header is damaged"),
        (encoded("PNG", Image.new("RGB", (3, 3))), "too small: 3x3 pixels"),
        (encoded("JPEG")[:200], "cannot be decoded"),
        (b"GIF89a" + bytes(40), "cannot be decoded: its header is damaged"),
        (b"RIFF\x10\0\0\0WEBPVP8 " + bytes(20), "cannot be decoded"),
        (b"BM" + bytes(12) + b"\x28\0\0\0" + bytes(60), "the picture"),
    ],
    ids=range(11),
)
def test_damaged_or_unsafe_file_is_refused_in_one_line(data, message):
    with pytest.raises(NotationError, match=message) as caught:
        load_picture(data)
    assert "\n" not in str(caught.value)


def test_large_files_and_wrong_types_are_refused(monkeypatch, tmp_path):
    data, path = encoded("BMP"), tmp_path / "picture.bmp"
    path.write_bytes(data)
    monkeypatch.setattr(files, "MAX_BYTES", len(data))
    assert load_picture(path).size == (40, 30)
    monkeypatch.setattr(files, "MAX_BYTES", len(data) - 1)
    for source in (data, path, io.BytesIO(data)):
        with pytest.raises(NotationError, match="at most 0 MB"):
            load_picture(source)
    with pytest.raises(WrongType, match="expected a file name"):
        load_picture(5)


@pytest.mark.parametrize("package", ["PIL", "threadpoolctl"])
def test_without_a_package_the_extra_is_named(package, monkeypatch):
    picture = encoded("PNG")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Unavailable, match=r"pip install 'sapper\[picture\]'"):
        sapper.read(picture)
