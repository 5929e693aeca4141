"""The pages of a worksheet: puzzles, then solutions.

A page is a list of shapes in points (1/72 inch), y down, for the PDF and the SVG writer.
Every page of puzzles has the title, the rules and lines for name and date, so that pages can be
handed out separately.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from sapper.board.board import Point
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import RulesError
from sapper.render.qr_codes import qr_rows, qr_shapes
from sapper.render.scene import Scene, printable
from sapper.render.shapes import Circle, Line, Polygon, Shape, Text, transformed
from sapper.worksheets.grid import Area, Block, Grid, best_grid, block_areas
from sapper.worksheets.kind import WorksheetItem
from sapper.worksheets.options import MM
from sapper.worksheets.sheet import WHITE, Worksheet, puzzle_scene, rules_text

Page = tuple[Shape, ...]
MIN_CELL_WIDTH = 3.5
"""In mm; smaller cells are illegible."""

MARGIN = 15 * MM
FOOTER_TEXT, FOOTER_LINE = 7.5, 11.0
PAGE_NUMBER_WIDTH = 16 * MM
# A QR code is in the lower right corner; telephones need at least this width for a module.
MODULE = 0.42 * MM
QR_MARGIN = 8 * MM
QUIET_ZONE = 4 * MODULE
GAP = 8 * MM

SHADE = "#b9c9da"
# Print needs darker lines than a screen, for copiers.
PRINT_COLOURS: Mapping[str, str] = {"edge": "#4c5866", "link": "#4c5866", "faint": "#3f4853"}
HIGH_CONTRAST_COLOURS: Mapping[str, str] = {
    **dict.fromkeys(("edge", "link", "faint", "ink"), "#000000"),
    SHADE: "#bdbdbd",
}


def with_best_orientation(sheet: Worksheet) -> Worksheet:
    """Return the worksheet, in the other orientation if its cells are too small and that helps."""
    turned = replace(sheet, landscape=not sheet.landscape)
    size, turned_size = cell_size(sheet), cell_size(turned)
    return turned if size < 0.999 * sheet.print_size.cell[0] and turned_size > size else sheet


def pages(sheet: Worksheet) -> tuple[Page, ...]:
    """Return all pages: puzzles, then solutions."""
    puzzles = [(*_header(sheet), *page) for page in _puzzle_pages(sheet, solved=False)]
    if sheet.style.solutions:
        solutions = _puzzle_pages(sheet, solved=True)
        puzzles += [(*_solutions_header(sheet), *page) for page in solutions]
    return tuple(
        _in_print_colours(sheet, (*page, *_footer(sheet, number, len(puzzles))))
        for number, page in enumerate(puzzles, start=1)
    )


# Puzzles on pages.


def _puzzle_pages(sheet: Worksheet, solved: bool) -> Iterator[Page]:
    """Yield the puzzles of each page."""
    block, area, grid = _plan(sheet, solved)
    size = grid.scale * _cell_width(puzzle_scene(sheet.items[0], solved)) / MM
    if size < MIN_CELL_WIDTH:
        raise RulesError(
            f"{sheet.board} is too large for {sheet.style.paper} paper: "
            f"its cells would be {size:.1f} mm wide, less than {MIN_CELL_WIDTH} mm"
        )
    for start in range(0, len(sheet.items), grid.blocks):
        page: list[Shape] = []
        items = sheet.items[start : start + grid.blocks]
        for number, (item, item_area) in enumerate(
            zip(items, block_areas(grid, block, area), strict=False), start=start + 1
        ):
            page += _puzzle(sheet, number, item, item_area, grid.scale, solved)
        yield tuple(page)


def _plan(sheet: Worksheet, solved: bool) -> tuple[Block, Area, Grid]:
    """Return the size of a puzzle, the area for puzzles on a page, and their grid."""
    scene = puzzle_scene(sheet.items[0], solved)
    left, top, right, bottom = scene.bounds
    block = Block(
        width=right - left,
        height=bottom - top,
        caption_height=_caption_height(sheet, solved),
        height_below=_height_below(sheet, solved),
        min_width=_width_below(sheet, solved),
        gap=GAP,
    )
    area = _content_area(sheet, solved)
    sizes = sheet.print_size.cell
    if solved:
        labelled = any(item.answer_labels for item in sheet.items)
        sizes = sheet.print_size.labelled_cell if labelled else sheet.print_size.solution_cell
    min_scale, max_scale = (size * MM / _cell_width(scene) for size in sizes)
    per_page = None if solved else sheet.style.per_page
    return block, area, best_grid(block, area, min_scale, max_scale, len(sheet.items), per_page)


def _content_area(sheet: Worksheet, solved: bool) -> Area:
    """Return the area between header and footer."""
    width, height = sheet.size
    header = 2.6 * sheet.print_size.text if solved else _header_height(sheet)
    footer = max(
        FOOTER_LINE * max(2, len(_footer_lines(sheet))),
        _qr_size(sheet) + QUIET_ZONE + QR_MARGIN - MARGIN,
    )
    return (MARGIN, MARGIN + header, width - 2 * MARGIN, height - 2 * MARGIN - header - footer - 6)


def cell_size(sheet: Worksheet) -> float:
    """Return the width of a cell of a puzzle, in mm."""
    grid = _plan(sheet, solved=False)[2]
    return grid.scale * _cell_width(puzzle_scene(sheet.items[0], solved=False)) / MM


def _cell_width(scene: Scene) -> float:
    """Return the side of a square with the area of a cell."""
    if not scene.board.has_outlines:
        return 2 * scene.typical_radius
    points = scene.board.outline(0)
    ends = (*points[1:], points[0])
    double_area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, ends, strict=True))
    return math.sqrt(abs(double_area) / 2) or 1.0


def _caption_size(sheet: Worksheet, solved: bool) -> float:
    return sheet.print_size.text * (0.95 if solved else 1.1)


def _caption_height(sheet: Worksheet, solved: bool) -> float:
    return 1.9 * _caption_size(sheet, solved)


def _puzzle(
    sheet: Worksheet, number: int, item: WorksheetItem, area: Area, scale: float, solved: bool
) -> Iterator[Shape]:
    """Yield the shapes of a puzzle in its area, with its number and difficulty."""
    scene = puzzle_scene(item, solved, sheet.style.high_contrast)
    left, top, right, bottom = scene.bounds
    board_width = scale * (right - left)
    board_y = area[1] + _caption_height(sheet, solved)
    if item.answer if solved else item.answer_rows:
        x, width = area[0], area[2]
    else:
        x, width = area[0] + (area[2] - board_width) / 2, board_width
    size = _caption_size(sheet, solved)
    middle = area[1] + 0.7 * size
    yield Text((x, middle), str(number), size, "ink", anchor="start")
    if not solved:
        used_width = 2 * size
        if item.note:
            beside = (x + used_width, middle)
            yield Text(beside, item.note, 0.75 * size, "ink", anchor="start", bold=False)
            used_width += _text_width(item.note, 0.75 * size)
        if item.dots:
            yield from _difficulty(item, (x + width, middle), 0.75 * size, width - used_width)
    for shape in scene.shapes:
        yield transformed(shape, scale, (x - scale * left, board_y - scale * top))
    corner = (x, board_y + scale * (bottom - top))
    yield from (
        _answer(sheet, item, corner, width) if solved else _answer_rows(sheet, item, corner, width)
    )


def _difficulty(item: WorksheetItem, end: Point, size: float, width: float) -> Iterator[Shape]:
    """Yield four dots, some of them filled, and the label if there is space for it."""
    x, y = end
    radius = 0.28 * size
    for k in reversed(range(4)):
        fill = "ink" if k < item.dots else WHITE
        yield Circle((x - radius, y), radius, fill, "ink", 0.6)
        x -= 3 * radius
    if _text_width(item.label, size) + 13 * radius <= width:
        yield Text((x - radius, y), item.label, size, "faint", anchor="end", bold=False)


# Lines to write on below a puzzle, and the answer below its solution.


def _line_height(sheet: Worksheet, solved: bool) -> float:
    return (1.35 if solved else 2.6) * sheet.print_size.text


def _height_below(sheet: Worksheet, solved: bool) -> float:
    width = _width_below(sheet, solved)
    lines = max(
        len(_answer_lines(sheet, item, width) if solved else item.answer_rows)
        for item in sheet.items
    )
    return lines * _line_height(sheet, solved) + (0.8 * sheet.print_size.text if lines else 0)


def _width_below(sheet: Worksheet, solved: bool) -> float:
    """Return the width that lines and answers need, in points."""
    size = sheet.print_size.text
    if solved:
        longest = max((len(text) for item in sheet.items for text in item.answer), default=0)
        return (18 if longest > 60 else 14) * size if longest else 0
    rows = [row for item in sheet.items for row in item.answer_rows]
    return max((21 * size if row == ("",) else 5.3 * size * len(row) for row in rows), default=0)


def _answer_rows(
    sheet: Worksheet, item: WorksheetItem, corner: Point, width: float
) -> Iterator[Shape]:
    size, height = sheet.print_size.text, _line_height(sheet, solved=False)
    for k, row in enumerate(item.answer_rows, start=1):
        base = corner[1] + k * height
        share = (width + size) / len(row)
        for i, prompt in enumerate(row):
            x, end = corner[0] + i * share, corner[0] + (i + 1) * share - size
            if prompt:
                middle = (x, base - 0.4 * size)
                yield Text(middle, prompt, size, "ink", anchor="start", bold=False)
                x += _text_width(prompt, size) + 0.3 * size
            yield Line((x, base), (end, base), "faint", 0.6)


def _answer_lines(sheet: Worksheet, item: WorksheetItem, width: float) -> list[str]:
    # Names of cells have many digits, which are wider than letters.
    line_length = int(width / (0.58 * _caption_size(sheet, solved=True)))
    return [line for sentence in item.answer for line in textwrap.wrap(sentence, line_length)]


def _answer(sheet: Worksheet, item: WorksheetItem, corner: Point, width: float) -> Iterator[Shape]:
    size, height = _caption_size(sheet, solved=True), _line_height(sheet, solved=True)
    for k, line in enumerate(_answer_lines(sheet, item, width)):
        middle = (corner[0], corner[1] + 0.8 * size + (k + 0.5) * height)
        yield Text(middle, line, size, "ink", anchor="start", bold=False)


# Headers and footers.


def _header_height(sheet: Worksheet) -> float:
    size = sheet.print_size.text
    rules = 1.45 * size * len(_rule_lines(sheet)) + 0.9 * size
    return _title_height(sheet) + max(rules, _picture_size(sheet) + 0.5 * size) + 8


def _title_height(sheet: Worksheet) -> float:
    return (2.9 if _title_fits(sheet) else 5.0) * sheet.print_size.text


def _title_fits(sheet: Worksheet) -> bool:
    """Return whether title, name and date fit on one line."""
    size = sheet.print_size.text
    title_width = _text_width(sheet.style.title, 1.75 * size)
    return not sheet.style.large_print and title_width <= _width(sheet) - 31 * size


def _picture_size(sheet: Worksheet) -> float:
    return 7.2 * sheet.print_size.text


def _width(sheet: Worksheet) -> float:
    return sheet.size[0] - 2 * MARGIN


def _text_width(text: str, size: float) -> float:
    """Estimate the width of a text: bold letters are about 0.58 of the font size wide."""
    return 0.58 * size * len(text)


def _header(sheet: Worksheet) -> Iterator[Shape]:
    """Yield the title, lines for name and date, the rules, and a picture of a cell's neighbours."""
    size = sheet.print_size.text
    right = MARGIN + _width(sheet)
    line = MARGIN + 0.9 * size
    one_line = _title_fits(sheet)
    yield _title(sheet.style.title, line, 1.75 * size, _width(sheet))
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
    yield from _neighbours_picture(sheet, (right, top), _picture_size(sheet))


def _title(title: str, middle: float, size: float, width: float) -> Shape:
    """Return a title, scaled down to the width of its area."""
    title = printable(title)
    size *= min(1.0, width / max(_text_width(title, size), 1.0))
    return Text((MARGIN, middle), title, size, "ink", anchor="start")


def _rule_lines(sheet: Worksheet) -> tuple[str, ...]:
    """Return the rules as lines that leave space for the picture."""
    width = _width(sheet) - 1.5 * _picture_size(sheet)
    # Regular letters are about 0.5 of the font size wide.
    line_length = int(width / (0.5 * sheet.print_size.text))
    return tuple(line for rule in rules_text(sheet) for line in textwrap.wrap(rule, line_length))


def _neighbours_picture(sheet: Worksheet, corner: Point, size: float) -> Iterator[Shape]:
    """Yield a small part of the board: a cell with a dot, its neighbours shaded."""
    board = sheet.board
    if board.tiling is None:
        example = board
        cell = int(np.argmax(board.neighbour_counts))
    else:
        width, height, name = TILINGS[board.tiling].example
        example = tiling(board.tiling, width, height)
        cell = example.cell(name)
    colours = dict.fromkeys(example.cells, WHITE)
    colours.update(dict.fromkeys(example.around(cell).tolist(), SHADE))
    scene = Scene.of(example, colours=colours, glyphs={cell: "dot"})
    left, top, right, bottom = scene.bounds
    scale = min(1.35 * size / (right - left), size / (bottom - top))
    for shape in scene.shapes:
        yield transformed(shape, scale, (corner[0] - scale * right, corner[1] - scale * top))


def _solutions_header(sheet: Worksheet) -> Iterator[Shape]:
    size = sheet.print_size.text
    title = f"{sheet.style.title}: {sheet.task.key_title}"
    width, _ = sheet.size
    legend = sheet.task.legend
    legend_width = 14 / 26 * size * len(legend)
    yield _title(title, MARGIN + 0.9 * size, 1.4 * size, _width(sheet) - legend_width)
    end = (width - MARGIN, MARGIN + 0.9 * size)
    yield Text(end, legend, size, "faint", anchor="end", bold=False)


def _footer(sheet: Worksheet, page: int, count: int) -> Iterator[Shape]:
    width, height = sheet.size
    bottom, right = height - MARGIN + 10, width - MARGIN
    if sheet.link:
        size = _qr_size(sheet)
        corner = (right - size, height - QR_MARGIN - size)
        yield from qr_shapes(sheet.link, corner, MODULE)
        right -= size + QUIET_ZONE
    lines = _footer_lines(sheet)
    for k, text in enumerate(lines, start=1):
        place = (MARGIN, bottom - FOOTER_LINE * (len(lines) - k))
        yield Text(place, text, FOOTER_TEXT, "faint", anchor="start", bold=False)
    number = f"page {page} of {count}"
    yield Text((right, bottom), number, FOOTER_TEXT, "faint", anchor="end", bold=False)


def _footer_lines(sheet: Worksheet) -> list[str]:
    """Return the footer, wrapped; one with many open cells is long."""
    width = _width(sheet) - PAGE_NUMBER_WIDTH - _qr_size(sheet) - QUIET_ZONE
    line_length = int(width / (0.52 * FOOTER_TEXT))
    return [
        line
        for text in (sheet.footer, sheet.link)
        for line in textwrap.wrap(text, line_length, break_on_hyphens=False)
    ]


def _qr_size(sheet: Worksheet) -> float:
    """Return the width of the QR code, or 0 without a link."""
    return MODULE * len(qr_rows(sheet.link)) if sheet.link else 0.0


def _in_print_colours(sheet: Worksheet, page: Page) -> Page:
    """Return the page in print colours; in high contrast, black with thicker lines."""
    high_contrast = sheet.style.high_contrast
    colours = HIGH_CONTRAST_COLOURS if high_contrast else PRINT_COLOURS

    def recoloured(shape: Shape) -> Shape:
        changes: dict[str, Any] = {
            name: colours.get(colour, colour)
            for name in ("fill", "stroke")
            if (colour := getattr(shape, name, None)) is not None
        }
        if isinstance(shape, Polygon | Circle):
            width = max(0.5, shape.width * (2.2 if high_contrast else 1.0))
            changes["width"] = width if shape.stroke else 0.0
        return replace(shape, **changes)

    return tuple(map(recoloured, page))
