"""The scene as an array of RGB pixels, drawn enlarged by Pillow and scaled down.

Text uses the font that Pillow includes, so a picture is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Point
from sapper.errors import Unavailable
from sapper.render.palette import light
from sapper.render.scene import Scene, check_cell_width
from sapper.render.shapes import Circle, Line, Polygon, Shape, Text, transformed

Pixels = npt.NDArray[np.uint8]

MARGIN = 4
# The picture is drawn enlarged by this factor, for smooth lines and letters.
OVERSAMPLING = 3

# A larger picture would need more than 0.2 GB of memory.
MAX_PIXELS = 8_000_000
# In pixels; a smaller cell would be illegible.
MIN_CELL = 6


def scene_pixels(scene: Scene, *, cell: int = 32) -> Pixels:
    """Draw a scene as an array (height, width, 3); *cell* is the width of a cell in pixels.

    Large boards are drawn with smaller cells. Raises Unavailable for a board that is too large.
    """
    if len(scene.board) * MIN_CELL**2 > MAX_PIXELS:
        raise Unavailable(f"the board is too large for a picture: {scene.board}")
    check_cell_width(cell)
    left, top, right, bottom = scene.bounds
    scale = cell / 2 / scene.typical_radius
    scale *= min(1.0, (MAX_PIXELS / ((right - left) * (bottom - top) * scale * scale)) ** 0.5)
    width, height = (round(scale * side) + 2 * MARGIN for side in (right - left, bottom - top))
    writer = _PixelWriter(OVERSAMPLING * width, OVERSAMPLING * height)
    offset = OVERSAMPLING * (MARGIN - scale * left), OVERSAMPLING * (MARGIN - scale * top)
    writer.draw(transformed(shape, OVERSAMPLING * scale, offset) for shape in scene.shapes)
    return writer.pixels(width, height)


class _PixelWriter:
    """Draws shapes, in pixels, on a Pillow image."""

    def __init__(self, width: int, height: int):
        # Imported here because Pillow is optional and slow to import.
        from PIL import Image, ImageDraw

        self._image = Image.new("RGB", (width, height), light("page"))
        self._canvas = ImageDraw.Draw(self._image)

    def draw(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes in order."""
        for shape in shapes:
            match shape:
                case Polygon():
                    self._polygon(shape)
                case Circle():
                    self._circle(shape)
                case Line():
                    self._line(shape.start, shape.end, shape.stroke, shape.width)
                case Text():
                    self._text(shape)

    def pixels(self, width: int, height: int) -> Pixels:
        """Return the image scaled down to that size."""
        from PIL import Image

        return np.array(self._image.resize((width, height), Image.Resampling.BOX), dtype=np.uint8)

    def _polygon(self, shape: Polygon) -> None:
        if shape.fill:
            self._canvas.polygon(shape.points, fill=light(shape.fill))
        if shape.stroke:
            corners = (*shape.points, shape.points[0])
            for start, end in pairwise(corners):
                self._line(start, end, shape.stroke, shape.width)

    def _circle(self, shape: Circle) -> None:
        (x, y), r = shape.centre, shape.radius
        self._canvas.ellipse(
            (x - r, y - r, x + r, y + r),
            fill=light(shape.fill) if shape.fill else None,
            outline=light(shape.stroke) if shape.stroke else None,
            width=_at_least_one(shape.width),
        )

    def _line(self, start: Point, end: Point, stroke: str, width: float) -> None:
        self._canvas.line((start, end), fill=light(stroke), width=_at_least_one(width))

    def _text(self, shape: Text) -> None:
        anchor = {"start": "lm", "middle": "mm", "end": "rm"}[shape.anchor]
        self._canvas.text(
            shape.centre,
            shape.text,
            fill=light(shape.fill),
            font=_font(_at_least_one(shape.size)),
            anchor=anchor,
            stroke_width=OVERSAMPLING if shape.halo else 0,
            stroke_fill=light(shape.halo) if shape.halo else None,
        )


def _at_least_one(width: float) -> int:
    return max(1, round(width))


@lru_cache(maxsize=32)
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
