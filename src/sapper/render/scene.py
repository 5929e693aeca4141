"""The scene: the content of each cell and the shapes that draw it.

A scene is made from a position, a layout or a bare board, with optional overlays.
`Scene.shapes` is the picture as polygons, circles, lines and texts in drawing order, in units of
the board's outlines (y down), coloured by roles of the palette. The SVG, PDF and pixel writers
draw these shapes; the text writer puts the same marks and overlays at the centres of the cells.

`probability_overlays` shows probabilities: a certain cell has a tick or a cross on a background of
its own; the interior, whose cells all have the same probability, is faded and labelled once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypedDict, Unpack

import numpy as np

from sapper.board.board import Board, Ints, Point
from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import TILINGS
from sapper.errors import NotationError, unknown_name
from sapper.render import palette
from sapper.render.graph_drawing import graph_points
from sapper.render.palette import check_colour, ink_on, number_role
from sapper.render.shapes import (
    GLYPHS,
    Circle,
    Line,
    Polygon,
    Shape,
    Text,
    centroid,
    corners_of,
    glyph_shapes,
    inradius,
    shrunk,
    style_of,
)
from sapper.wording import count_text, percent_label

# Marks in addition to numbers, COVERED and FLAG.
MINE = -3
BARE = -4

Probabilities = Mapping[int, float | None] | Mapping[str, float | None]
"""Probabilities by index or by name of the cell."""

MAX_CELL_WIDTH = 10_000
DOT_RADIUS = 0.3
"""The radius of a graph's cell if the nearest cell is 1 away; leaves space for names."""


class Overlays(TypedDict, total=False):
    """What can be drawn over a picture; cells are indices or names."""

    colours: Mapping[int, str] | Mapping[str, str]
    """Backgrounds: a role of the palette, or a colour such as #1a2b3c."""
    labels: Mapping[int, str] | Mapping[str, str]
    """Short texts, such as 12%."""
    glyphs: Mapping[int, str] | Mapping[str, str]
    """Names of GLYPHS, drawn instead of the content of the cell."""
    outlined: Iterable[int] | Iterable[str]
    """Cells with an outline, such as the numbers of a proof."""
    badges: Mapping[int, str] | Mapping[str, str]
    """Letters in a corner, by which a text refers to the cell."""
    coordinates: bool
    """Whether rows and columns are numbered along the sides."""
    zeros: bool
    """Whether zeros are written, as on paper, where empty cells are to be filled in."""


_GLYPH_OF_MARK = {FLAG: "flag", MINE: "mine"}


@dataclass(frozen=True)
class Scene:
    """The content of each cell of a board, and the overlays by cell."""

    board: Board
    marks: Ints
    """A number, COVERED, FLAG, MINE, or BARE for each cell of a bare board."""
    title: str
    click: int | None = None
    colours: Mapping[int, str] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    glyphs: Mapping[int, str] = field(default_factory=dict)
    outlined: frozenset[int] = frozenset()
    badges: Mapping[int, str] = field(default_factory=dict)
    coordinates: bool = False
    zeros: bool = False

    @classmethod
    def of(cls, content: Position | Layout | Board, **overlays: Unpack[Overlays]) -> Scene:
        """Make the scene of a position, a layout or a bare board."""
        click = None
        if isinstance(content, Board):
            board, title = content, content.title
            marks = np.full(len(board), BARE, np.int32)
        elif isinstance(content, Position):
            board, marks, title = content.board, content.marks, _position_title(content)
        else:
            board, click = content.board, content.click
            marks = np.where(content.mine_mask, MINE, content.numbers).astype(np.int32)
            title = f"{board}, {count_text(content.mine_count, 'mine')} shown"
        colours = _by_cell(board, overlays.get("colours"))
        glyphs = _by_cell(board, overlays.get("glyphs"))
        for colour in colours.values():
            check_colour(colour)
        for glyph in glyphs.values():
            if glyph not in GLYPHS:
                raise unknown_name("glyph", glyph, GLYPHS)
        labels = _by_cell(board, overlays.get("labels"))
        return cls(
            board,
            marks,
            title,
            click,
            colours,
            {cell: printable(str(text)) for cell, text in labels.items()},
            glyphs,
            frozenset(board.cell(cell) for cell in overlays.get("outlined") or ()),
            _by_cell(board, overlays.get("badges")),
            bool(overlays.get("coordinates")),
            bool(overlays.get("zeros")),
        )

    def centre(self, cell: int) -> Point:
        """Return the centre of a cell."""
        if self.board.has_outlines:
            return centroid(self.board.outline(cell))
        x, y = self._points[cell]
        return float(x), float(y)

    def radius(self, cell: int) -> float:
        """Return the radius of the largest circle around the centre that fits into the cell."""
        if not self.board.has_outlines:
            return DOT_RADIUS
        if self.board.tiling is not None:
            return self._radius_of_tiling
        return inradius(self.board.outline(cell))

    @cached_property
    def typical_radius(self) -> float:
        """The median radius of the cells."""
        if self.board.tiling is not None or not self.board.has_outlines:
            return self.radius(0)
        return float(np.median([self.radius(cell) for cell in self.board.cells]))

    def background(self, cell: int) -> str:
        """Return the background colour of a cell."""
        default = "covered" if self.marks[cell] in (COVERED, FLAG) else "revealed"
        return self.colours.get(cell, default)

    def glyph(self, cell: int) -> str | None:
        """Return the name of the glyph in a cell, or None."""
        return self.glyphs.get(cell) or _GLYPH_OF_MARK.get(int(self.marks[cell]))

    @property
    def wraps(self) -> bool:
        """Whether the board wraps at its edges."""
        return self.board.tiling is not None and TILINGS[self.board.tiling].wraps

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of the picture, in drawing order."""
        return (
            *self._links(),
            *self._backgrounds(),
            *self._wrap_border(),
            *sorted(self._contents(), key=style_of),
            *self._outlines(),
            *self._badges(),
            *self._names(),
        )

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all shapes, without the width of strokes."""
        corners = [corner for shape in self.shapes for corner in corners_of(shape)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def _points(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return graph_points(self.board)

    @cached_property
    def _radius_of_tiling(self) -> float:
        return inradius(self.board.outline(0))

    def _links(self) -> Iterator[Shape]:
        if not self.board.has_outlines:
            for a, b in self.board.edges():
                yield Line(self.centre(a), self.centre(b), "link", 0.04)

    def _backgrounds(self) -> Iterator[Shape]:
        # Sorted by colour, so that a writer can draw the cells of one colour as one path.
        for cell in sorted(self.board.cells, key=self.background):
            fill = self.background(cell)
            if self.board.has_outlines:
                yield Polygon(self.board.outline(cell), fill, "edge", 0.06 * self.radius(cell))
            else:
                yield Circle(self.centre(cell), DOT_RADIUS, fill, "link", 0.04)

    def _wrap_border(self) -> Iterator[Shape]:
        if self.wraps:
            width, height = self.board.size
            gap = 0.12
            left, top, right, bottom = -gap, -gap, width + gap, height + gap
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            for k in range(4):
                yield Line(corners[k], corners[(k + 1) % 4], "link", 0.05, dashed=True)

    def _contents(self) -> Iterator[Shape]:
        for cell in self.board.cells:
            label = self.labels.get(cell)
            glyph = self.glyph(cell)
            number = int(self.marks[cell])
            has_number = number > 0 or (number == 0 and self.zeros)
            if label is None and glyph is None and not has_number:
                continue
            (x, y), r, background = self.centre(cell), self.radius(cell), self.background(cell)
            both = label is not None and (glyph is not None or has_number)
            # The label goes into the wider half: the upper one if a triangle points down.
            side = -1 if both and self._points_down(cell) else 1
            size, at = (0.62 * r, (x, y - 0.34 * side * r)) if both else (r, (x, y))
            if glyph is not None:
                yield from glyph_shapes(GLYPHS[glyph], at, size, background)
            elif has_number:
                text = str(number)
                font_size = min(1.25, 1.9 / len(text)) * size
                yield Text(at, text, font_size, ink_on(background, number_role(number)))
            if label is not None:
                max_size, width = (0.64, 2.2) if both else (0.8, 2.5)
                font_size = min(max_size, width / max(len(label), 1)) * r
                below = 0.5 * side * r if both else 0
                yield Text((x, y + below), label, font_size, ink_on(background, "ink"))

    def _points_down(self, cell: int) -> bool:
        if not self.board.has_outlines:
            return False
        ys = [y for _, y in self.board.outline(cell)]
        return self.centre(cell)[1] < (min(ys) + max(ys)) / 2 - 0.1 * self.radius(cell)

    def _outlines(self) -> Iterator[Shape]:
        for cell in sorted(self.outlined):
            if self.board.has_outlines:
                inner = shrunk(self.board.outline(cell), self.centre(cell), 0.88)
                yield Polygon(inner, None, "outline", 0.16 * self.radius(cell))
            else:
                yield Circle(self.centre(cell), 0.88 * DOT_RADIUS, None, "outline", 0.05)
        if self.click is not None:
            r = self.radius(self.click)
            yield Circle(self.centre(self.click), 0.78 * r, None, "click", 0.13 * r)

    def _badges(self) -> Iterator[Shape]:
        for cell, badge in self.badges.items():
            (x, y), r = self.centre(cell), self.radius(cell)
            yield Text((x - 0.62 * r, y - 0.62 * r), badge, 0.55 * r, "ink", halo="page")

    def _names(self) -> Iterator[Shape]:
        if not self.board.has_outlines:
            for cell in self.board.cells:
                x, y = self.centre(cell)
                name = _short(self.board.name(cell))
                yield Text((x, y + DOT_RADIUS + 0.14), name, 0.2, "faint", halo="page")
        elif self.coordinates and self.board.tiling is not None:
            width, height = self.board.size
            r = self.radius(0)
            first_rows = [self.board.outline(row * width) for row in range(min(2, height))]
            left = min(x for outline in first_rows for x, _ in outline) - 0.8 * r
            for row in range(height):
                ys = [y for _, y in self.board.outline(row * width)]
                middle = (min(ys) + max(ys)) / 2
                yield Text((left, middle), str(row + 1), 0.7 * r, "faint")
            for column in range(width):
                yield Text((self.centre(column)[0], -0.8 * r), str(column + 1), 0.7 * r, "faint")


def _position_title(position: Position) -> str:
    parts = [position.board.title]
    if position.mines is not None:
        parts.append(count_text(position.mines, "mine"))
    parts.append(f"{len(position.revealed)} revealed")
    if len(position.flags):
        parts.append(count_text(len(position.flags), "flag"))
    return ", ".join(parts)


def _by_cell(board: Board, given: Mapping[int, str] | Mapping[str, str] | None) -> dict[int, str]:
    return {} if given is None else {board.cell(cell): value for cell, value in given.items()}


def check_cell_width(pixels: float) -> None:
    """Raise NotationError unless a width of cells in pixels can be drawn."""
    if not 1 <= pixels <= MAX_CELL_WIDTH:
        raise NotationError(
            f"expected cells from 1 to {MAX_CELL_WIDTH} pixels wide, got {pixels!r:.60}"
        )


def printable(text: str) -> str:
    """Replace control characters, which are invalid in XML and unsafe in a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _short(name: str) -> str:
    name = printable(name)
    return name if len(name) <= 12 else name[:11] + "…"


def probability_overlays(
    position: Position,
    probabilities: Probabilities,
    best: int | None = None,
    *,
    label_interior: bool = True,
) -> Overlays:
    """Return backgrounds, glyphs and labels for probabilities; *best* is a guess to outline."""
    by_cell = {position.board.cell(cell): p for cell, p in probabilities.items()}
    bad = next((p for p in by_cell.values() if p is not None and not 0 <= p <= 1), None)
    if bad is not None:
        raise NotationError(f"expected probabilities from 0 to 1, got {bad!r:.60}")
    interior = uniform_interior(position, by_cell)
    labelled = label_cell(position.board, interior) if interior and label_interior else None
    colours, labels, glyphs = {}, {}, {}
    for cell, p in by_cell.items():
        if p is not None:
            colours[cell] = _background(p, faded=cell in interior)
        if p in (0, 1) and position.marks[cell] != FLAG:
            glyphs[cell] = "certain-mine" if p else "safe"
        elif cell not in interior or cell == labelled:
            labels[cell] = percent_label(p)
    return Overlays(
        colours=colours, labels=labels, glyphs=glyphs, outlined=() if best is None else (best,)
    )


def _background(p: float, *, faded: bool) -> str:
    if p in (0, 1):
        return "certain-mine" if p else "certain-safe"
    return palette.faded(p) if faded else palette.ramp(p)


def uniform_interior(
    position: Position, probabilities: Mapping[int, float | None]
) -> frozenset[int]:
    """Return the uncertain interior cells if there are several, all of the same probability."""
    uncertain = {
        c: probabilities[c]
        for c in position.without_flags().interior.tolist()
        if c in probabilities and probabilities[c] not in (0, 1)
    }
    if len(uncertain) < 2:
        return frozenset()
    first, *others = uncertain.values()
    same = all(
        p is None if first is None else p is not None and abs(p - first) < 1e-9 for p in others
    )
    return frozenset(uncertain) if same else frozenset()


def label_cell(board: Board, cells: Collection[int]) -> int:
    """Return the cell of *cells* that is farthest from all others and from the edge of the board.

    A cell at the edge has fewer neighbours than others. The lowest index wins ties.
    """
    max_neighbours = int(board.neighbour_counts.max())
    distance = {cell: 0 for cell in board.cells if cell not in cells}
    distance |= {cell: 1 for cell in sorted(cells) if board.neighbour_count(cell) < max_neighbours}
    queue = deque(distance)
    while queue:
        cell = queue.popleft()
        for other in board.around(cell).tolist():
            if other not in distance:
                distance[other] = distance[cell] + 1
                queue.append(other)
    return max(cells, key=lambda cell: (distance.get(cell, 0), -cell))
