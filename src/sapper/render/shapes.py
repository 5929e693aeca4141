"""Four kinds of shapes, the glyphs made of them, and the geometry of outlines.

Shapes are in units of the board's outlines, y down, and coloured by roles of the palette.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from sapper.board.board import Outline, Point
from sapper.render.palette import ink_on


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled or outlined polygon."""

    points: Outline
    fill: str | None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled or outlined circle."""

    centre: Point
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    start: Point
    end: Point
    stroke: str
    width: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text at a point; *size* is the font size."""

    centre: Point
    text: str
    size: float
    fill: str
    halo: str = ""
    """The colour of an outline around the letters, for text that crosses lines."""
    anchor: Literal["start", "middle", "end"] = "middle"
    """Which end of the text is at the point; vertically it is always centred."""
    bold: bool = True


Shape = Polygon | Circle | Line | Text


@dataclass(frozen=True)
class Glyph:
    """A small drawing around (0, 0), in units of the radius of the cell."""

    role: str
    letter: str
    """The text that is written instead in plain text."""
    polygons: tuple[Outline, ...] = ()
    dots: tuple[tuple[Point, float], ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    width: float = 0.16


def _spokes(radius: float) -> tuple[tuple[Point, Point], ...]:
    angles = [math.pi * k / 4 for k in range(4)]
    ends = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    return tuple(((-x, -y), (x, y)) for x, y in ends)


_CLOTH: Outline = ((-0.16, -0.68), (0.52, -0.34), (-0.16, 0.02))
_POLE = (((-0.16, -0.64), (-0.16, 0.58)), ((-0.46, 0.6), (0.18, 0.6)))
_CROSS = (((-0.5, -0.5), (0.5, 0.5)), ((-0.5, 0.5), (0.5, -0.5)))
_TICK = (((-0.5, 0.04), (-0.14, 0.42)), ((-0.14, 0.42), (0.54, -0.4)))

GLYPHS: dict[str, Glyph] = {
    "flag": Glyph("flag", "F", polygons=(_CLOTH,), lines=_POLE),
    "mine": Glyph("mine", "*", dots=(((0.0, 0.0), 0.42),), lines=_spokes(0.66), width=0.14),
    "cross": Glyph("ink", "x", lines=_CROSS, width=0.18),
    "dash": Glyph("ink", "-", lines=(((-0.4, 0.0), (0.4, 0.0)),), width=0.18),
    "dot": Glyph("ink", "o", dots=(((0.0, 0.0), 0.2),)),
    "safe": Glyph("ink", "safe", lines=_TICK, width=0.2),
    "certain-mine": Glyph("ink", "mine", lines=_CROSS, width=0.2),
    "wrong": Glyph("flag", "X", polygons=(_CLOTH,), lines=(*_POLE, *_CROSS), width=0.14),
}


def style_of(shape: Shape) -> tuple[str, str, str, float]:
    """Return kind, fill, stroke and width (or size); shapes of one style are drawn together."""
    match shape:
        case Line():
            return "dashes" if shape.dashed else "line", "", shape.stroke, shape.width
        case Text():
            return "text", shape.fill, shape.halo, shape.size
        case Polygon():
            return "polygon", shape.fill or "", shape.stroke or "", shape.width
        case Circle():
            return "circle", shape.fill or "", shape.stroke or "", shape.width


def corners_of(shape: Shape) -> Iterable[Point]:
    """Return corners of the bounding box, without stroke width; that of a text is estimated."""
    match shape:
        case Polygon(points):
            return points
        case Line(start, end):
            return start, end
        case Circle((x, y), r):
            return (x - r, y - r), (x + r, y + r)
        case Text((x, y), text, size):
            text_width = 0.6 * size * len(text)
            left = x - {"start": 0.0, "middle": text_width / 2, "end": text_width}[shape.anchor]
            return (left, y - size / 2), (left + text_width, y + size / 2)


def transformed(shape: Shape, scale: float, offset: Point) -> Shape:
    """Return a shape scaled about the origin, then moved."""

    def moved(point: Point) -> Point:
        return offset[0] + scale * point[0], offset[1] + scale * point[1]

    match shape:
        case Polygon():
            points = tuple(map(moved, shape.points))
            return replace(shape, points=points, width=scale * shape.width)
        case Line():
            ends = moved(shape.start), moved(shape.end)
            return replace(shape, start=ends[0], end=ends[1], width=scale * shape.width)
        case Circle():
            size = scale * shape.radius
            return replace(
                shape, centre=moved(shape.centre), radius=size, width=scale * shape.width
            )
        case Text():
            return replace(shape, centre=moved(shape.centre), size=scale * shape.size)


def glyph_shapes(glyph: Glyph, at: Point, r: float, background: str) -> Iterator[Shape]:
    """Yield the shapes of a glyph at a point, in a colour that is readable on the background."""

    def moved(point: Point) -> Point:
        return at[0] + r * point[0], at[1] + r * point[1]

    ink = ink_on(background, glyph.role)
    for start, end in glyph.lines:
        yield Line(moved(start), moved(end), ink, glyph.width * r)
    for outline in glyph.polygons:
        yield Polygon(tuple(map(moved, outline)), ink)
    for centre, radius in glyph.dots:
        yield Circle(moved(centre), radius * r, ink)


def centroid(outline: Outline) -> Point:
    """Return the centroid of a polygon; of its corners if it has no area."""
    area = x = y = 0.0
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = ax * by - bx * ay
        area += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    if abs(area) < 1e-9:
        xs, ys = zip(*outline, strict=True)
        return sum(xs) / len(outline), sum(ys) / len(outline)
    return x / (3 * area), y / (3 * area)


def inradius(outline: Outline) -> float:
    """Return the distance from the centroid to the nearest side; 0.1 for a degenerate polygon."""
    cx, cy = centroid(outline)
    radius = math.inf
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        side = math.hypot(bx - ax, by - ay)
        if side > 0:
            radius = min(radius, abs((bx - ax) * (ay - cy) - (by - ay) * (ax - cx)) / side)
    return radius if 1e-6 < radius < math.inf else 0.1


def shrunk(outline: Outline, centre: Point, share: float) -> Outline:
    """Return a polygon scaled down towards its centre."""
    cx, cy = centre
    return tuple((cx + share * (x - cx), cy + share * (y - cy)) for x, y in outline)
