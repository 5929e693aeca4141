"""The scene as SVG: one small file without scripts, fonts or links, for light and dark pages.

Colours stand as attributes for the light page, so that every viewer shows them; a style sheet
inside changes them where the reader prefers dark. Its rules are held to this picture's class, so
that a page or notebook around it keeps its own looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, Unpack
from xml.sax.saxutils import escape

from sapper.board.board import Board, Outline
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.errors import Unavailable
from sapper.render import palette
from sapper.render.probabilities import probability_overlays
from sapper.render.scene import Overlays, Scene
from sapper.render.shapes import Circle, Line, Polygon, Shape, Text, style_of
from sapper.values import check_type

Theme = Literal["auto", "light", "dark"]

FONT = "system-ui,'Segoe UI',Helvetica,Arial,sans-serif"

# Half a pixel beyond a whole number: one-pixel lines on whole coordinates fill whole pixels.
MARGIN = 4.5

# A million cells take 11 s and 0.5 GB to draw, and no viewer shows more.
MAX_SVG_CELLS = 1_000_000


def position_svg(
    position: Position, *, theme: Theme = "auto", cell: int = 32, **overlays: Unpack[Overlays]
) -> str:
    """A position as SVG; *cell* is the width of a cell in pixels."""
    return scene_svg(Scene.of(position, **overlays), theme=theme, cell=cell)


def layout_svg(
    layout: Layout, *, theme: Theme = "auto", cell: int = 32, **overlays: Unpack[Overlays]
) -> str:
    """A layout as SVG: its mines, the numbers between them, and a ring around the click."""
    return scene_svg(Scene.of(layout, **overlays), theme=theme, cell=cell)


def board_svg(
    board: Board, *, theme: Theme = "auto", cell: int = 32, **overlays: Unpack[Overlays]
) -> str:
    """A bare board as SVG."""
    return scene_svg(Scene.of(board, **overlays), theme=theme, cell=cell)


def probability_svg(
    position: Position,
    probabilities: Mapping[str, float | None],
    *,
    best: int | str | None = None,
    theme: Theme = "auto",
    cell: int = 32,
) -> str:
    """A position with probabilities in percent in its cells, from blue to orange; *best* positions a guess.

    Certain cells carry a tick or a cross; the interior is faded and labelled once.
    """
    check_type(position, Position, "a position")
    check_type(probabilities, Mapping, "probabilities by the names of cells")
    outlined = None if best is None else position.board.cell(best)
    return position_svg(
        position, theme=theme, cell=cell, **probability_overlays(position, probabilities, outlined)
    )


def proof_svg(
    position: Position, move: Move, numbers: Sequence[int], *, theme: Theme = "auto", cell: int = 32
) -> str:
    """A position with the numbers of a proof framed, and the cell of its move in the colour of that."""
    check_type(move, Move, "a move")
    check_type(numbers, Iterable, "cells of numbers")
    background = "mark" if move.action == "flag" else "reveal"
    colours = {} if move.cell is None else {move.cell: background}
    return position_svg(position, theme=theme, cell=cell, colours=colours, outlined=numbers)


def scene_svg(scene: Scene, *, theme: Theme = "auto", cell: int = 32) -> str:
    """Any scene as SVG; Unavailable where it has more than MAX_SVG_CELLS cells."""
    if len(scene.board) > MAX_SVG_CELLS:
        raise Unavailable(f"expected at most {MAX_SVG_CELLS:,} cells to draw, got {scene.board}")
    scale = max(1, round(cell / 2 / scene.typical_radius))
    left, top, right, bottom = (scale * side for side in scene.bounds)
    box = (
        _number(left - MARGIN),
        _number(top - MARGIN),
        _number(right - left + 2 * MARGIN),
        _number(bottom - top + 2 * MARGIN),
    )
    pen = _Pen(scale, theme)
    background = pen.paint(fill="page")
    body = "".join(pen.draw(scene.shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sapper" role="img" '
        f'width="{box[2]}" height="{box[3]}" viewBox="{" ".join(box)}" '
        f'font-family="{FONT}" font-weight="600" text-anchor="middle" '
        f'stroke-linejoin="round" stroke-linecap="round">\n'
        f"<title>{escape(scene.title)}</title>\n"
        f"{pen.style_sheet()}"
        f'<rect x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}" rx="4"'
        f"{background}/>\n"
        f"{body}</svg>\n"
    )


def pages_svg(pages: Sequence[Sequence[Shape]], size: tuple[float, float], title: str) -> str:
    """Pages of shapes, in points, below each other in one SVG."""
    width, height = size
    gap = 12.0
    total = len(pages) * (height + gap) - gap
    pen = _Pen(1, "light")
    body = "".join(
        f'<g transform="translate(0 {_number(k * (height + gap))})">\n'
        f'<rect width="{_number(width)}" height="{_number(height)}"{pen.paint(fill="page")}/>\n'
        f"{''.join(pen.draw(tuple(page)))}</g>\n"
        for k, page in enumerate(pages)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_number(width)}pt" '
        f'height="{_number(total)}pt" viewBox="0 0 {_number(width)} {_number(total)}" '
        f'font-family="{FONT}" font-weight="600" text-anchor="middle" '
        f'stroke-linejoin="round" stroke-linecap="round">\n'
        f"<title>{escape(title)}</title>\n{body}</svg>\n"
    )


class _Pen:
    """Turns shapes into elements and remembers the roles that it used."""

    def __init__(self, scale: float, theme: Theme):
        self.scale, self.theme = scale, theme
        self.used: dict[str, str] = {}

    def draw(self, shapes: tuple[Shape, ...]) -> Iterator[str]:
        """One element for each run of shapes of one style."""
        for (kind, fill, stroke, width), run in groupby(shapes, key=style_of):
            if kind == "text":
                texts = "".join(self._text(shape) for shape in run if isinstance(shape, Text))
                look = self.paint(fill=fill, stroke=stroke)
                look += ' stroke-width="3" paint-order="stroke"' if stroke else ""
                yield f'<g{look} font-size="{_number(width * self.scale)}">{texts}</g>\n'
                continue
            look = self.paint(fill=fill, stroke=stroke)
            if stroke:
                look += f' stroke-width="{_number(max(width * self.scale, 1))}"'
            if kind == "dashes":
                look += f' stroke-dasharray="{_number(max(0.2 * self.scale, 2))}"'
            if kind == "circle":
                dots = "".join(self._circle(shape) for shape in run if isinstance(shape, Circle))
                yield f"<g{look}>{dots}</g>\n"
            else:
                yield f'<path{look} d="{"".join(map(self._path, run))}"/>\n'

    def paint(self, *, fill: str = "", stroke: str = "") -> str:
        """The attributes that paint with colours or roles; nothing for the fill is no fill."""
        names, attributes = [], ""
        for what, colour in (("fill", fill), ("stroke", stroke)):
            if not colour:
                attributes += ' fill="none"' if what == "fill" else ""
                continue
            value = palette.dark(colour) if self.theme == "dark" else palette.light(colour)
            attributes += f' {what}="{value}"'
            if self.theme == "auto" and colour in palette.PALETTE:
                name = f"{what[0]}-{colour}"
                self.used[name] = f"{what}:{palette.dark(colour)}"
                names.append(name)
        return (f' class="{" ".join(names)}"' if names else "") + attributes

    def style_sheet(self) -> str:
        """What changes on a dark page: rules for the roles that were drawn."""
        if not self.used:
            return ""
        rules = "".join(f".sapper .{name}{{{rule}}}" for name, rule in self.used.items())
        return f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>\n"

    def _path(self, shape: Shape) -> str:
        if isinstance(shape, Polygon):
            return _steps(shape.points, self.scale) + "z"
        assert isinstance(shape, Line)
        return _steps((shape.start, shape.end), self.scale)

    def _circle(self, shape: Circle) -> str:
        (x, y), r = shape.centre, shape.radius
        x, y, r = x * self.scale, y * self.scale, r * self.scale
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}"/>'

    def _text(self, shape: Text) -> str:
        # Not every viewer knows dominant-baseline: 0.36 of the size brings digits to the middle.
        x, y = shape.centre[0] * self.scale, (shape.centre[1] + 0.36 * shape.size) * self.scale
        look = "" if shape.anchor == "middle" else f' text-anchor="{shape.anchor}"'
        look += "" if shape.bold else ' font-weight="400"'
        return f'<text x="{_number(x)}" y="{_number(y)}"{look}>{escape(shape.text)}</text>'


def _steps(points: Outline, scale: float) -> str:
    """A path through points: the first where it is, the others as steps from the one before."""
    whole = [(round(x * scale * 100), round(y * scale * 100)) for x, y in points]
    (x, y), path = whole[0], ""
    for next_x, next_y in whole[1:]:
        dx, dy = _number((next_x - x) / 100), _number((next_y - y) / 100)
        path += f"v{dy}" if dx == "0" else f"h{dx}" if dy == "0" else f"l{dx} {dy}"
        x, y = next_x, next_y
    return f"M{_number(whole[0][0] / 100)} {_number(whole[0][1] / 100)}{path}"


def _number(value: float) -> str:
    """At most two decimals, and none that say nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
