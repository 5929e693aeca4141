"""Read a mine counter of seven-segment digits: red on black, above the left part of the board.

A counter of another style is not read: a wrong mine count is worse than none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sapper.pictures.edges import best_rectangle
from sapper.pictures.lattice import Lattice

if TYPE_CHECKING:
    from PIL.Image import Image

DIGITS = 3
CELLS_ABOVE, CELLS_BESIDE = 4.0, 6.5
"""The part of the picture that is searched, in cells above the board and from its left side."""
MAX_SEARCHED_HEIGHT = 160
"""In pixels; a larger part is scaled down."""
MIN_HEIGHT = 11
"""The minimum height of a counter, in pixels."""
ASPECT_RATIO = (1.25, 2.3)
"""The range of width / height of a counter of three digits."""
SEGMENTS = {
    "a": (0.5, 0.1),
    "b": (0.82, 0.29),
    "c": (0.82, 0.71),
    "d": (0.5, 0.9),
    "e": (0.18, 0.71),
    "f": (0.18, 0.29),
    "g": (0.5, 0.5),
}
"""The middle of each segment, as shares of the width and height of a digit."""
DIGIT_SEGMENTS = (
    "abcdef",
    "bc",
    "abdeg",
    "abcdg",
    "bcfg",
    "acdfg",
    "acdefg",
    "abc",
    "abcdefg",
    "abcdfg",
)
"""The segments of the digits 0 to 9."""


def read_counter(picture: Image, lattice: Lattice) -> int | None:
    """Return the number on the counter, or None if there is none or a digit is unclear."""
    left, top = lattice.left - lattice.width, lattice.top - CELLS_ABOVE * lattice.height
    right = lattice.left + min(CELLS_BESIDE, lattice.columns / 2) * lattice.width
    box = (max(0, round(left)), max(0, round(top)), round(right), round(lattice.top))
    if box[2] - box[0] < DIGITS * MIN_HEIGHT / 2 or box[3] - box[1] < MIN_HEIGHT:
        return None
    part = picture.crop(box)
    if part.height > MAX_SEARCHED_HEIGHT:
        part = part.resize((part.width * MAX_SEARCHED_HEIGHT // part.height, MAX_SEARCHED_HEIGHT))
    red, green, blue = np.asarray(part).astype(np.int16).transpose(2, 0, 1)
    is_counter = (green < 90) & (blue < 90)
    y0, y1, x0, x1 = best_rectangle(np.where(is_counter, 1.0, -2.0))
    height, width = y1 - y0, x1 - x0
    if height < MIN_HEIGHT or not ASPECT_RATIO[0] < width / height < ASPECT_RATIO[1]:
        return None
    lit = (red > 185) & is_counter
    digits = np.array_split(lit[y0:y1, x0:x1], DIGITS, axis=1)
    values = [_digit(digit) for digit in digits]
    if None in values:
        return None
    return int("".join(map(str, values)))


def _digit(lit: npt.NDArray[np.bool_]) -> int | None:
    """Return the digit that these pixels show, if each of its segments is clearly on or off."""
    height, width = lit.shape
    shown = ""
    for name, (x, y) in SEGMENTS.items():
        rows = slice(max(0, round((y - 0.09) * height)), round((y + 0.09) * height) + 1)
        columns = slice(max(0, round((x - 0.15) * width)), round((x + 0.15) * width) + 1)
        share = float(lit[rows, columns].mean())
        if 0.12 < share < 0.25:
            return None
        shown += name if share >= 0.25 else ""
    return DIGIT_SEGMENTS.index(shown) if shown in DIGIT_SEGMENTS else None
