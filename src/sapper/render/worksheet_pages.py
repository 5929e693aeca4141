"""Worksheets: pages of paper tables for pupils, and their solutions on pages of their own.

A page is a list of shapes in points (1/72 inch), y down, drawn by the PDF and the SVG writer alike.
Every page of tables stands by itself, with title, rules and lines for name and date, so that pages
can be handed out one by one. Longer than most modules: heads, tables and feet share one measure.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sapper.board.board import Board, Ints, Point
from sapper.board.position import Position
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import RulesError
from sapper.render.page_grid import Area, Block, Grid, best_grid, slots
from sapper.render.scene import Scene, printable
from sapper.render.shapes import Circle, Line, Polygon, Shape, Text, transformed

Page = tuple[Shape, ...]
MM = 72 / 25.4

PAPERS: dict[str, tuple[float, float]] = {
    "a4": (210 * MM, 297 * MM),
    "letter": (612.0, 792.0),
}


@dataclass(frozen=True)
class PrintSize:
    """How large and how black: one row of PRINT_SIZES for normal and large print."""

    text: float
    """The size of the rules, in points."""
    cell: tuple[float, float]
    """The least and the largest cell of a table to solve, in mm."""
    solved: tuple[float, float]
    """The same for solutions."""


PRINT_SIZES: dict[str, PrintSize] = {
    "normal": PrintSize(9.5, (7.2, 11.0), (4.2, 6.0)),
    "large": PrintSize(14.0, (12.5, 20.0), (7.5, 11.0)),
}

SMALLEST_CELL = 3.5
"""In mm: a number that is smaller cannot be read, nor a cross be drawn."""

MARGIN = 15 * MM
FOOT_TEXT, FOOT_LINE = 7.5, 11.0
GAP = 8 * MM

PAPER = "#ffffff"
TINT = "#e8edf3"
SHADE = "#b9c9da"
# What print wants other than a screen: dark lines that survive a copier.
INKS: Mapping[str, str] = {"edge": "#4c5866", "link": "#4c5866", "faint": "#3f4853"}
BLACK: Mapping[str, str] = {
    **dict.fromkeys(("edge", "link", "faint", "ink"), "#000000"),
    SHADE: "#bdbdbd",
}

PAPER_PUZZLE_TASK = (
    "Put a cross in every empty cell with a mine, and a dash in every other one.",
    "There is exactly one solution, and thinking alone finds it.",
)
GRAPH_NEIGHBOURS_TEXT = "Next to a cell are the cells that a line joins it to, as in the picture."


@dataclass(frozen=True)
class WorksheetItem:
    """One table or puzzle of a sheet: its position, the mines to find, and how hard it is."""

    position: Position
    mine_cells: Ints
    difficulty: int
    """Dots, from 1 to 4."""
    label: str
    safe_cells: Ints | None = None
    """The free cells to find; every other covered cell unless given."""
    outlined: tuple[int, ...] = ()
    """Cells framed in the solution: the numbers from which it follows."""
    note: str = ""
    """What must be known besides the position."""


@dataclass(frozen=True)
class Worksheet:
    """What is printed, and how."""

    items: Sequence[WorksheetItem]
    title: str
    footer: tuple[str, ...]
    """Lines at the foot of every page: how to make the sheet again."""
    paper: str = "a4"
    large: bool = False
    high_contrast: bool = False
    per_page: int | None = None
    solutions: bool = True
    landscape: bool = False
    task: tuple[str, ...] = PAPER_PUZZLE_TASK
    """What is to be done, in sentences for pupils."""

    @property
    def board(self) -> Board:
        """The board of all its tables."""
        return self.items[0].position.board

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its pages, in points."""
        width, height = PAPERS[self.paper]
        return (height, width) if self.landscape else (width, height)

    @property
    def look(self) -> PrintSize:
        """The sizes of its print."""
        return PRINT_SIZES["large" if self.large else "normal"]


def with_best_orientation(sheet: Worksheet) -> Worksheet:
    """The sheet, turned on its side where its cells would be too small upright and grow by that."""
    turned = replace(sheet, landscape=not sheet.landscape)
    upright, aside = cell_size(sheet), cell_size(turned)
    return turned if upright < 0.999 * sheet.look.cell[0] and aside > upright else sheet


def pages(sheet: Worksheet) -> tuple[Page, ...]:
    """All pages: tables first, then solutions."""
    made: list[Page] = [(*_head(sheet), *shapes) for shapes in _spread(sheet, solved=False)]
    if sheet.solutions:
        made += [(*_solutions_head(sheet), *shapes) for shapes in _spread(sheet, solved=True)]
    return tuple(
        _inked(sheet, (*page, *_foot(sheet, k, len(made)))) for k, page in enumerate(made, start=1)
    )


# Placing tables on pages.


def _spread(sheet: Worksheet, solved: bool) -> Iterator[Page]:
    """Tables on as many pages as they need."""
    block, room, grid = _plan(sheet, solved)
    size = grid.scale * _cell_width(puzzle_scene(sheet.items[0], solved)) / MM
    if size < SMALLEST_CELL:
        raise RulesError(
            f"expected a table whose cells are at least {SMALLEST_CELL} mm on {sheet.paper} paper, "
            f"got {size:.1f} mm for {sheet.board}"
        )
    places = slots(grid, block, room)
    for start in range(0, len(sheet.items), len(places)):
        page: list[Shape] = []
        for k, entry in enumerate(sheet.items[start : start + len(places)]):
            page += _table(sheet, start + k + 1, entry, places[k], grid.scale, solved)
        yield tuple(page)


def _plan(sheet: Worksheet, solved: bool) -> tuple[Block, Area, Grid]:
    scene = puzzle_scene(sheet.items[0], solved)
    left, top, right, bottom = scene.bounds
    block = Block(right - left, bottom - top, _caption_height(sheet, solved), GAP)
    room = _room(sheet, solved)
    sizes = sheet.look.solved if solved else sheet.look.cell
    least, largest = (size * MM / _cell_width(scene) for size in sizes)
    wanted = None if solved else sheet.per_page
    return block, room, best_grid(block, room, least, largest, len(sheet.items), wanted)


def _room(sheet: Worksheet, solved: bool) -> Area:
    """What head and foot leave of the page."""
    width, height = sheet.size
    head = 2.6 * sheet.look.text if solved else _head_height(sheet)
    foot = FOOT_LINE * len(_foot_lines(sheet)) + 6
    return (MARGIN, MARGIN + head, width - 2 * MARGIN, height - 2 * MARGIN - head - foot)


def cell_size(sheet: Worksheet) -> float:
    """The width of a cell to fill, in mm."""
    grid = _plan(sheet, solved=False)[2]
    return grid.scale * _cell_width(puzzle_scene(sheet.items[0], solved=False)) / MM


def _cell_width(scene: Scene) -> float:
    """The side of a square as large as a typical cell: a fair measure for every tiling."""
    if not scene.board.has_outlines:
        return 2 * scene.typical_radius
    points = scene.board.outline(0)
    ends = (*points[1:], points[0])
    twice = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, ends, strict=True))
    return math.sqrt(abs(twice) / 2) or 1.0


def _caption_size(sheet: Worksheet, solved: bool) -> float:
    return sheet.look.text * (0.95 if solved else 1.1)


def _caption_height(sheet: Worksheet, solved: bool) -> float:
    return 1.9 * _caption_size(sheet, solved)


def _table(
    sheet: Worksheet, number: int, entry: WorksheetItem, slot: Area, scale: float, solved: bool
) -> Iterator[Shape]:
    """A table in the middle of its slot under its number and difficulty."""
    scene = puzzle_scene(entry, solved, sheet.high_contrast)
    left, top, right, _ = scene.bounds
    wide = scale * (right - left)
    x = slot[0] + (slot[2] - wide) / 2
    y = slot[1] + _caption_height(sheet, solved)
    size = _caption_size(sheet, solved)
    middle = slot[1] + 0.7 * size
    yield Text((x, middle), str(number), size, "ink", anchor="start")
    if not solved:
        used = 2 * size
        if entry.note:
            beside = (x + used, middle)
            yield Text(beside, entry.note, 0.75 * size, "ink", anchor="start", bold=False)
            used += _text_width(entry.note, 0.75 * size)
        yield from _difficulty(entry, (x + wide, middle), 0.75 * size, wide - used)
    for shape in scene.shapes:
        yield transformed(shape, scale, (x - scale * left, y - scale * top))


def puzzle_scene(entry: WorksheetItem, solved: bool, high_contrast: bool = False) -> Scene:
    """A table to fill, or filled with crosses and dashes."""
    position = entry.position
    tint = PAPER if high_contrast else TINT
    colours = {cell: tint if position.marks[cell] >= 0 else PAPER for cell in position.board.cells}
    glyphs = {}
    if solved:
        safe = position.covered if entry.safe_cells is None else entry.safe_cells
        glyphs = dict.fromkeys(safe.tolist(), "dash")
        glyphs |= dict.fromkeys(entry.mine_cells.tolist(), "cross")
    outlined = entry.outlined if solved else ()
    return Scene.of(position, colours=colours, glyphs=glyphs, outlined=outlined, zeros=True)


def _difficulty(entry: WorksheetItem, end: Point, size: float, room: float) -> Iterator[Shape]:
    """Four dots, some of them filled, and the words for them where the table is wide enough."""
    x, y = end
    radius = 0.28 * size
    for k in reversed(range(4)):
        fill = "ink" if k < entry.difficulty else PAPER
        yield Circle((x - radius, y), radius, fill, "ink", 0.6)
        x -= 3 * radius
    if _text_width(entry.label, size) + 13 * radius <= room:
        yield Text((x - radius, y), entry.label, size, "faint", anchor="end", bold=False)


# Heads and feet.


def _head_height(sheet: Worksheet) -> float:
    size = sheet.look.text
    rules = 1.45 * size * len(_rule_lines(sheet)) + 0.9 * size
    return _title_height(sheet) + max(rules, _picture_size(sheet) + 0.5 * size) + 8


def _title_height(sheet: Worksheet) -> float:
    return (2.9 if _title_fits(sheet) else 5.0) * sheet.look.text


def _title_fits(sheet: Worksheet) -> bool:
    """Whether title, name and date stand in one line."""
    room = _width(sheet) - 31 * sheet.look.text
    return not sheet.large and _text_width(sheet.title, 1.75 * sheet.look.text) <= room


def _picture_size(sheet: Worksheet) -> float:
    return 7.2 * sheet.look.text


def _width(sheet: Worksheet) -> float:
    return sheet.size[0] - 2 * MARGIN


def _text_width(text: str, size: float) -> float:
    """A generous guess: bold letters of usual words are some 0.58 of their size wide."""
    return 0.58 * size * len(text)


def _head(sheet: Worksheet) -> Iterator[Shape]:
    """Title, lines for name and date, rules, and the picture of a cell's neighbours."""
    size = sheet.look.text
    right = MARGIN + _width(sheet)
    line = MARGIN + 0.9 * size
    one_line = _title_fits(sheet)
    yield _title(sheet.title, line, 1.75 * size, _width(sheet))
    date = right - 9.5 * size
    name = date - 16.5 * size if one_line else MARGIN + 2.8 * size
    line += 0.3 * size if one_line else 2.6 * size
    for word, x, end in (("Name", name, date - 3.6 * size), ("Date", date, right)):
        yield Text((x, line), word, size, "faint", anchor="end", bold=False)
        yield Line((x + 5, line + 0.5 * size), (end, line + 0.5 * size), "faint", 0.7)
    top = MARGIN + _title_height(sheet)
    for k, text in enumerate(_rule_lines(sheet)):
        middle = top + 1.45 * size * k + 0.75 * size
        yield Text((MARGIN, middle), text, size, "ink", anchor="start", bold=False)
    yield from _neighbours(sheet, (right, top), _picture_size(sheet))


def _title(title: str, middle: float, size: float, room: float) -> Shape:
    """A title, smaller where it would be wider than its room."""
    title = printable(title)
    size *= min(1.0, room / max(_text_width(title, size), 1.0))
    return Text((MARGIN, middle), title, size, "ink", anchor="start")


def rules_text(sheet: Worksheet) -> tuple[str, ...]:
    """The game in a few sentences."""
    board = sheet.board
    return (
        "Some of the empty cells hide a mine. A number tells how many of the cells next to it "
        "hide one; a cell with a number never hides a mine itself.",
        *sheet.task,
        GRAPH_NEIGHBOURS_TEXT if board.tiling is None else TILINGS[board.tiling].neighbours_text,
    )


def _rule_lines(sheet: Worksheet) -> tuple[str, ...]:
    """The rules, broken into lines that leave room for the picture."""
    room = _width(sheet) - 1.5 * _picture_size(sheet)
    # Letters of the regular face are narrower than the bold ones: 0.5 of the size.
    letters = int(room / (0.5 * sheet.look.text))
    return tuple(line for rule in rules_text(sheet) for line in textwrap.wrap(rule, letters))


def _neighbours(sheet: Worksheet, corner: Point, size: float) -> Iterator[Shape]:
    """A small piece of the board: one cell with a dot, its neighbours shaded; right-aligned."""
    board = sheet.board
    if board.tiling is None:
        piece = board
        cell = int(np.argmax(board.neighbour_counts))
    else:
        width, height, name = TILINGS[board.tiling].piece
        piece = tiling(board.tiling, width, height)
        cell = piece.cell(name)
    colours = dict.fromkeys(piece.cells, PAPER)
    colours.update(dict.fromkeys(piece.around(cell).tolist(), SHADE))
    scene = Scene.of(piece, colours=colours, glyphs={cell: "dot"})
    left, top, right, bottom = scene.bounds
    scale = min(1.35 * size / (right - left), size / (bottom - top))
    for shape in scene.shapes:
        yield transformed(shape, scale, (corner[0] - scale * right, corner[1] - scale * top))


def _solutions_head(sheet: Worksheet) -> Iterator[Shape]:
    size = sheet.look.text
    title = f"{sheet.title}: solutions"
    width, _ = sheet.size
    yield _title(title, MARGIN + 0.9 * size, 1.4 * size, _width(sheet) - 14 * size)
    legend = "cross: mine, dash: no mine"
    end = (width - MARGIN, MARGIN + 0.9 * size)
    yield Text(end, legend, size, "faint", anchor="end", bold=False)


def _foot(sheet: Worksheet, page: int, count: int) -> Iterator[Shape]:
    width, height = sheet.size
    bottom = height - MARGIN + 10
    for k, text in enumerate(reversed(_foot_lines(sheet))):
        place = (MARGIN, bottom - FOOT_LINE * k)
        yield Text(place, text, FOOT_TEXT, "faint", anchor="start", bold=False)
    number = f"page {page} of {count}"
    yield Text((width - MARGIN, bottom), number, FOOT_TEXT, "faint", anchor="end", bold=False)


def _foot_lines(sheet: Worksheet) -> list[str]:
    """The footer; a long command, one that names many open cells, takes several lines."""
    letters = int(_width(sheet) / (0.52 * FOOT_TEXT))
    return [
        line
        for text in sheet.footer
        for line in textwrap.wrap(text, letters, break_on_hyphens=False)
    ]


def _inked(sheet: Worksheet, page: Page) -> Page:
    """The page in the colours of print; in high contrast black on white with heavier lines."""
    inks = BLACK if sheet.high_contrast else INKS

    def ink(colour: str | None) -> str | None:
        return None if colour is None else inks.get(colour, colour)

    made: list[Shape] = []
    heavier = 2.2 if sheet.high_contrast else 1.0
    for shape in page:
        match shape:
            case Text():
                made.append(replace(shape, fill=inks.get(shape.fill, shape.fill)))
            case Line():
                made.append(replace(shape, stroke=inks.get(shape.stroke, shape.stroke)))
            case Polygon() | Circle():
                width = max(0.5, shape.width * heavier) if shape.stroke else 0.0
                made.append(
                    replace(shape, fill=ink(shape.fill), stroke=ink(shape.stroke), width=width)
                )
    return tuple(made)
