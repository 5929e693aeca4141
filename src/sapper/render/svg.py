"""The scene as SVG: one file without scripts, fonts or links, for light and dark pages.

Attributes have the colours of a light page, which every viewer supports; a style sheet replaces
them if the user prefers dark. Its rules apply to the class of the picture only, so that they do
not affect a page or notebook around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from string import ascii_uppercase
from typing import Literal, NamedTuple, Unpack, get_args
from xml.sax.saxutils import escape

from sapper.board.board import Outline
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.errors import Unavailable, unknown_name
from sapper.render import palette
from sapper.render.scene import (
    Overlays,
    Probabilities,
    Scene,
    check_cell_width,
    probability_overlays,
)
from sapper.render.shapes import Circle, Line, Polygon, Shape, Text, style_of

Theme = Literal["auto", "light", "dark"]

FONT = "system-ui,'Segoe UI',Helvetica,Arial,sans-serif"

# Half a pixel more than an integer, so that lines one pixel wide fill whole pixels.
MARGIN = 4.5

# A million cells take 11 s and 0.5 GB to draw, and no viewer displays more.
MAX_SVG_CELLS = 1_000_000

CHART_HEIGHT = 60
BAR_STEP = 8


def position_svg(
    position: Position, *, theme: Theme = "auto", cell: int = 32, **overlays: Unpack[Overlays]
) -> str:
    """Draw a position as SVG; *cell* is the width of a cell in pixels."""
    return scene_svg(Scene.of(position, **overlays), theme=theme, cell=cell)


def layout_svg(
    layout: Layout, *, theme: Theme = "auto", cell: int = 32, **overlays: Unpack[Overlays]
) -> str:
    """Draw a layout as SVG: its mines and numbers, and a ring around the click."""
    return scene_svg(Scene.of(layout, **overlays), theme=theme, cell=cell)


def probability_svg(
    position: Position,
    probabilities: Probabilities,
    *,
    best: int | str | None = None,
    theme: Theme = "auto",
    cell: int = 32,
) -> str:
    """Draw a position with probabilities in percent, from blue to orange; *best* is outlined.

    Certain cells have a tick or a cross; the interior is faded and labelled once.
    """
    outlined = None if best is None else position.board.cell(best)
    return position_svg(
        position, theme=theme, cell=cell, **probability_overlays(position, probabilities, outlined)
    )


def proof_svg(
    position: Position,
    moves: Sequence[Move],
    numbers: Sequence[int],
    *,
    letters: bool = False,
    theme: Theme = "auto",
    cell: int = 32,
) -> str:
    """Draw a position with the numbers of a proof outlined and the cells of its moves marked.

    With *letters*, the numbers have the letters A, B, … in their corners.
    """
    flagged = {move.cell: move.action == "flag" for move in moves if move.cell is not None}
    return position_svg(
        position,
        theme=theme,
        cell=cell,
        colours={c: "certain-mine" if flag else "certain-safe" for c, flag in flagged.items()},
        glyphs={c: "certain-mine" if flag else "safe" for c, flag in flagged.items()},
        outlined=numbers,
        badges=dict(zip(numbers, ascii_uppercase, strict=False)) if letters else {},
    )


def scene_svg(scene: Scene, *, theme: Theme = "auto", cell: int = 32) -> str:
    """Draw a scene as SVG; raise Unavailable above MAX_SVG_CELLS cells."""
    if len(scene.board) > MAX_SVG_CELLS:
        raise Unavailable(f"expected at most {MAX_SVG_CELLS:,} cells to draw, got {scene.board}")
    if theme not in get_args(Theme):
        raise unknown_name("theme", theme, get_args(Theme))
    check_cell_width(cell)
    scale = max(1, round(cell / 2 / scene.typical_radius))
    left, top, right, bottom = (scale * side for side in scene.bounds)
    box = (
        _number(left - MARGIN),
        _number(top - MARGIN),
        _number(right - left + 2 * MARGIN),
        _number(bottom - top + 2 * MARGIN),
    )
    writer = _SvgWriter(scale, theme)
    background = writer.paint(fill="page")
    body = "".join(writer.draw(scene.shapes))
    return _document(
        f'class="sapper" role="img" width="{box[2]}" height="{box[3]}" viewBox="{" ".join(box)}"',
        scene.title,
        f'{writer.style_sheet()}<rect x="{box[0]}" y="{box[1]}" width="{box[2]}" '
        f'height="{box[3]}" rx="4"{background}/>\n{body}',
    )


def _document(attributes: str, title: str, body: str) -> str:
    """Return an SVG document with the attributes that all texts and lines share."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {attributes} '
        f'font-family="{FONT}" font-weight="600" text-anchor="middle" '
        f'stroke-linejoin="round" stroke-linecap="round">\n'
        f"<title>{escape(title)}</title>\n{body}</svg>\n"
    )


def pages_svg(pages: Sequence[Sequence[Shape]], size: tuple[float, float], title: str) -> str:
    """Draw pages of shapes, in points, below each other in one SVG."""
    width, height = size
    gap = 12.0
    total = len(pages) * (height + gap) - gap
    writer = _SvgWriter(1, "light")
    body = "".join(
        f'<g transform="translate(0 {_number(k * (height + gap))})">\n'
        f'<rect width="{_number(width)}" height="{_number(height)}"{writer.paint(fill="page")}/>\n'
        f"{''.join(writer.draw(tuple(page)))}</g>\n"
        for k, page in enumerate(pages)
    )
    attributes = (
        f'role="img" width="{_number(width)}pt" height="{_number(total)}pt" '
        f'viewBox="0 0 {_number(width)} {_number(total)}"'
    )
    return _document(attributes, title, body)


class Bar(NamedTuple):
    """A move in a risk chart."""

    risk: float
    colour: str
    """A role of the palette."""
    title: str
    """The tooltip, also for screen readers."""


def risk_chart_svg(bars: Iterable[Bar], title: str) -> str:
    """Draw the risk of each move of a game as a bar; a move without risk is a dot."""
    drawn = [_bar(i, bar) for i, bar in enumerate(bars)]
    width = BAR_STEP * max(1, len(drawn)) + BAR_STEP
    line = f'<path d="M0 {CHART_HEIGHT + 4.5}H{width}" stroke="{palette.light("edge")}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{CHART_HEIGHT + 8}" '
        f'viewBox="0 0 {width} {CHART_HEIGHT + 8}" role="img"><title>{escape(title)}</title>'
        f"{line}{''.join(drawn)}</svg>\n"
    )


def _bar(index: int, bar: Bar) -> str:
    height = max(2.0, CHART_HEIGHT * bar.risk)
    return (
        f'<rect x="{BAR_STEP * index + BAR_STEP // 2}" y="{CHART_HEIGHT + 4 - height:.1f}" '
        f'width="{BAR_STEP - 2}" height="{height:.1f}" fill="{palette.light(bar.colour)}">'
        f"<title>{escape(bar.title)}</title></rect>"
    )


class _SvgWriter:
    """A converter of shapes to SVG elements, which records the roles that it used."""

    def __init__(self, scale: float, theme: Theme):
        self.scale, self.theme = scale, theme
        self.used: dict[str, str] = {}

    def draw(self, shapes: tuple[Shape, ...]) -> Iterator[str]:
        """Yield one element for each run of shapes of one style."""
        for (kind, fill, stroke, width), run in groupby(shapes, key=style_of):
            if kind == "text":
                texts = "".join(self._text(shape) for shape in run if isinstance(shape, Text))
                attributes = self.paint(fill=fill, stroke=stroke)
                attributes += ' stroke-width="3" paint-order="stroke"' if stroke else ""
                yield f'<g{attributes} font-size="{_number(width * self.scale)}">{texts}</g>\n'
                continue
            attributes = self.paint(fill=fill, stroke=stroke)
            if stroke:
                attributes += f' stroke-width="{_number(max(width * self.scale, 1))}"'
            if kind == "dashes":
                attributes += f' stroke-dasharray="{_number(max(0.2 * self.scale, 2))}"'
            if kind == "circle":
                dots = "".join(self._circle(shape) for shape in run if isinstance(shape, Circle))
                yield f"<g{attributes}>{dots}</g>\n"
            else:
                yield f'<path{attributes} d="{"".join(map(self._path, run))}"/>\n'

    def paint(self, *, fill: str = "", stroke: str = "") -> str:
        """Return the attributes for fill and stroke; an empty fill is none."""
        names, attributes = [], ""
        for attribute, colour in (("fill", fill), ("stroke", stroke)):
            if not colour:
                attributes += ' fill="none"' if attribute == "fill" else ""
                continue
            value = palette.dark(colour) if self.theme == "dark" else palette.light(colour)
            attributes += f' {attribute}="{value}"'
            if self.theme == "auto" and colour in palette.PALETTE:
                name = f"{attribute[0]}-{colour}"
                self.used[name] = f"{attribute}:{palette.dark(colour)}"
                names.append(name)
        return (f' class="{" ".join(names)}"' if names else "") + attributes

    def style_sheet(self) -> str:
        """Return the rules for a dark page, for the roles that were used."""
        if not self.used:
            return ""
        rules = "".join(f".sapper .{name}{{{rule}}}" for name, rule in self.used.items())
        return f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>\n"

    def _path(self, shape: Shape) -> str:
        if isinstance(shape, Polygon):
            return _path_data(shape.points, self.scale) + "z"
        assert isinstance(shape, Line)
        return _path_data((shape.start, shape.end), self.scale)

    def _circle(self, shape: Circle) -> str:
        (x, y), r = shape.centre, shape.radius
        x, y, r = x * self.scale, y * self.scale, r * self.scale
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}"/>'

    def _text(self, shape: Text) -> str:
        # An offset of 0.36 of the size centres digits; some viewers ignore dominant-baseline.
        x, y = shape.centre[0] * self.scale, (shape.centre[1] + 0.36 * shape.size) * self.scale
        attributes = "" if shape.anchor == "middle" else f' text-anchor="{shape.anchor}"'
        attributes += "" if shape.bold else ' font-weight="400"'
        return f'<text x="{_number(x)}" y="{_number(y)}"{attributes}>{escape(shape.text)}</text>'


def _path_data(points: Outline, scale: float) -> str:
    """Return a path through points: the first absolute, the others relative."""
    whole = [(round(x * scale * 100), round(y * scale * 100)) for x, y in points]
    (x, y), path = whole[0], ""
    for next_x, next_y in whole[1:]:
        dx, dy = _number((next_x - x) / 100), _number((next_y - y) / 100)
        path += f"v{dy}" if dx == "0" else f"h{dx}" if dy == "0" else f"l{dx} {dy}"
        x, y = next_x, next_y
    return f"M{_number(whole[0][0] / 100)} {_number(whole[0][1] / 100)}{path}"


def _number(value: float) -> str:
    """Return a number with at most two decimals, without trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
