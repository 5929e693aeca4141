"""Pictures that the page sends: positions, bad files, and a missing Pillow."""

import sys

import pytest
from PIL import Image
from tests.unit.pictures.test_picture_files import encoded, png_of_size
from tests.unit.pictures.test_reading import ROWS, screenshot

from sapper.web.server import limits

BYTES = {"content-type": "application/octet-stream"}


def png(picture):
    return encoded("PNG", picture)


@pytest.fixture
def send(client):
    return lambda data, headers=BYTES: client.post("/api/picture", content=data, headers=headers)


def test_picture_is_read_as_a_position_with_its_area(send):
    answer = send(png(screenshot())).json()
    assert answer["text"] == "\n".join(ROWS) + "\n"
    assert (answer["size"], answer["mines"], answer["unsure"]) == ([8, 8], None, [])
    area = [answer["area"][key] for key in ("left", "top", "width", "height")]
    assert area == pytest.approx([30 / 252, 30 / 252, 192 / 252, 192 / 252], abs=0.01)


def test_unsure_cells_have_alternative_marks(send):
    picture = screenshot(size=28)
    picture.paste((255, 255, 180), (30 + 28 * 6 - 6, 36, 30 + 28 * 8 - 2, 30 + 28 * 2 - 4))
    unsure = send(png(picture)).json()["unsure"]
    assert unsure
    for item in unsure:
        assert len(item["marks"]) == len(set(item["marks"])) >= 2
        assert 0 <= item["confidence"] < 1


@pytest.mark.parametrize(
    ("data", "status", "problem"),
    [
        (b"", 400, "not a picture"),
        (b"\x89PNG\r\n\x1a\nbroken", 400, "cannot be decoded"),
        (png_of_size(50_000, 50_000), 400, "too large"),
        (png(Image.new("RGB", (300, 200), (120, 90, 200))), 422, "no board found in the picture"),
    ],
    ids=["empty", "broken", "bomb", "no board"],
)
def test_bad_picture_is_refused_with_a_one_line_error(send, data, status, problem):
    response = send(data)
    assert response.status_code == status
    assert problem in response.json()["error"] and "\n" not in response.json()["error"]


def test_long_bodies_and_other_media_types_are_refused(send, monkeypatch):
    assert send(png(screenshot()), {"content-type": "image/png"}).status_code == 415
    monkeypatch.setattr(limits, "PICTURE_BODY", 100)
    assert send(bytes(101)).status_code == 413


def test_error_names_the_extra_if_pillow_is_missing(send, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    response = send(b"\x89PNG\r\n\x1a\n")
    assert response.status_code == 422
    assert "pip install 'sapper[picture]'" in response.json()["error"]
