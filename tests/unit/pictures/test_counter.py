"""Mine counters of seven-segment digits above a board."""

import pytest
from PIL import Image, ImageDraw
from tests.unit.pictures.test_reading import ROWS, screenshot

import sapper
from sapper.pictures.counter import DIGIT_SEGMENTS, read_counter
from sapper.pictures.lattice import Lattice

LINES = {
    "a": (0.15, 0.1, 0.85, 0.1),
    "b": (0.82, 0.1, 0.82, 0.5),
    "c": (0.82, 0.5, 0.82, 0.9),
    "d": (0.15, 0.9, 0.85, 0.9),
    "e": (0.18, 0.5, 0.18, 0.9),
    "f": (0.18, 0.1, 0.18, 0.5),
    "g": (0.15, 0.5, 0.85, 0.5),
}
BOARD = Lattice(30, 80, 24, 24, 8, 8)


def draw_counter(picture, text, at=(34, 24), height=40, colour=(255, 0, 0)):
    """Draw a counter on a picture: dim segments that are off, bright ones that are on."""
    draw = ImageDraw.Draw(picture)
    width = height * 0.57
    draw.rectangle((*at, at[0] + 3 * width, at[1] + height), fill=(0, 0, 0))
    for i, digit in enumerate(text):
        for name, (x0, y0, x1, y1) in LINES.items():
            lit = name in DIGIT_SEGMENTS[int(digit)]
            x = at[0] + i * width
            draw.line(
                (x + x0 * width, at[1] + y0 * height, x + x1 * width, at[1] + y1 * height),
                fill=colour if lit else (90, 0, 0),
                width=round(height * 0.13),
            )
    return picture


def header(*drawn, **options):
    """Return the header of a board, with a counter if its digits are given."""
    picture = Image.new("RGB", (252, 302), (192, 192, 192))
    return draw_counter(picture, *drawn, **options) if drawn else picture


@pytest.mark.parametrize("text", ["012", "345", "678", "990"])
@pytest.mark.parametrize("height", [26, 40])
def test_every_digit_is_read(text, height):
    assert read_counter(header(text, height=height), BOARD) == int(text)


@pytest.mark.parametrize(
    "picture", [header(), header("012", colour=(60, 0, 0)), header("012", at=(150, 24))]
)
def test_other_headers_are_not_read(picture):
    assert read_counter(picture, BOARD) is None


def with_header(text):
    board = screenshot()
    picture = Image.new("RGB", (252, 302), (240, 240, 240))
    picture.paste(board, (0, 50))
    return draw_counter(picture, text)


def test_the_mine_count_is_the_sum_of_counter_and_flags():
    flags = "".join(ROWS).count("F")
    found = sapper.read(with_header("009"))
    assert found.position.mines == 9 + flags
    assert found.notes == (f"the mine count of {9 + flags} is from the counter in the picture",)


def test_an_impossible_counter_is_ignored():
    assert sapper.read(with_header("888")).position.mines is None
    assert sapper.read(with_header("888"), mines=12).position.mines == 12
