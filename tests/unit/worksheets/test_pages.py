"""Worksheets: all shapes are on the page, and none covers another."""

import io
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import segno
from pypdf import PdfReader
from reportlab.pdfbase.pdfmetrics import stringWidth

from sapper import TILINGS, Board, Layout, Position, RulesError, tiling
from sapper.render.pdf import pages_pdf
from sapper.render.shapes import Polygon, Text, corners_of
from sapper.render.svg import pages_svg
from sapper.worksheets.kind import WorksheetItem
from sapper.worksheets.options import PAPER_SIZES, SheetStyle
from sapper.worksheets.pages import MODULE, pages, with_best_orientation
from sapper.worksheets.registry import WORKSHEET_KINDS
from sapper.worksheets.sheet import Worksheet, worksheet_text

GRAPH = Board.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "e")])


def puzzle_item(board):
    layout = Layout(board, [cell % 4 == 1 for cell in board.cells])
    position = layout.position([c for c in board.cells if c % 4 != 1 and c % 3])
    return WorksheetItem(position, layout.mine_cells, "two")


def exercise_item(board):
    """Return an item with letters, lines to write on, coordinates and an answer."""
    item = puzzle_item(board)
    letters = dict(zip(item.position.covered.tolist(), "ABC", strict=False))
    return replace(
        item,
        position=Position(board, item.position.marks, 12),
        letters=letters,
        shows_mine_count=True,
        answer_rows=(("A =", "B =", "C ="), ("Safe cell", "because"), ("",)),
        answer=("a long sentence that has to be wrapped, " * 6, "another one"),
        answer_labels=dict.fromkeys(letters, "11/13"),
        coordinates=True,
    )


LINK = "http://192.168.1.5:8765/#/print?size=9x10&difficulty=two&count=4&seed=123456"


def sheet(board, count=5, item=puzzle_item, footer="seed 1", link="", **style):
    style = SheetStyle(**{"title": "A title", **style})
    task = WORKSHEET_KINDS["puzzle"].task
    return Worksheet([item(board)] * count, footer, style, task, link)


BOARDS = [*(tiling(name, 7, 6) for name in TILINGS), GRAPH]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_every_shape_stays_within_the_page_and_no_two_cells_overlap(board):
    for paper, large, item in product(PAPER_SIZES, (False, True), (puzzle_item, exercise_item)):
        width, height = PAPER_SIZES[paper]
        for page in pages(sheet(board, item=item, paper=paper, large_print=large)):
            for x, y in (corner for shape in page for corner in corners_of(shape)):
                assert 20 <= x <= width - 20 and 20 <= y <= height - 20
            cells = [s for s in page if isinstance(s, Polygon)]
            if board.tiling:
                cells = [s for s in cells if len(s.points) == len(board.outline(0))]
                extremes = [(np.min(s.points, axis=0), np.max(s.points, axis=0)) for s in cells]
                middles = {tuple(np.round((low + high) / 2, 1)) for low, high in extremes}
                assert len(middles) == len(cells)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_lines_and_answers_are_below_their_board_and_do_not_overlap(board, large):
    for page in pages(sheet(board, count=4, item=exercise_item, large_print=large)):
        rows = [
            shape.centre
            for shape in page
            if isinstance(shape, Text)
            and shape.text.startswith(("A =", "Safe", "a long", "another"))
        ]
        assert len(set(rows)) == len(rows)
        cells = [p for shape in page if isinstance(shape, Polygon) for p in shape.points]
        for x, y in rows:
            inside = [(a, b) for a, b in cells if abs(b - y) < 4 and abs(a - x) < 4]
            assert not inside


def test_puzzles_and_solutions_are_numbered_under_a_large_title():
    shapes = [shape for page in pages(sheet(tiling("square", 9, 10), count=13)) for shape in page]
    texts = [shape.text for shape in shapes if isinstance(shape, Text) and shape.anchor == "start"]
    for number in range(1, 14):
        assert texts.count(str(number)) == 2
    worksheet = sheet(tiling("square", 5, 5))
    texts = {shape.text: shape for shape in pages(worksheet)[0] if isinstance(shape, Text)}
    assert texts["A title"].size == 1.75 * worksheet.print_size.text
    layout = Layout.parse("..")
    zero = WorksheetItem(layout.position([0]), layout.mine_cells)
    page, _ = pages(replace(worksheet, items=[zero]))
    assert "0" in [shape.text for shape in page if isinstance(shape, Text)]


def test_worksheet_equals_the_golden_file(golden):
    sheets = {
        "puzzles": sheet(tiling("square", 5, 4), count=3),
        "exercises": sheet(
            tiling("hexagonal", 4, 3), count=2, item=exercise_item, large_print=True
        ),
    }
    for name, worksheet in sheets.items():
        golden(f"render/worksheet-{name}.svg", pages_svg(pages(worksheet), PAPER_SIZES["a4"], name))


def test_high_contrast_is_black_and_white_except_for_shaded_neighbours():
    picture = pages_svg(pages(sheet(tiling("square", 5, 5), high_contrast=True)), (595, 842), "T")
    colours = {part[:7] for part in picture.split('"') if part.startswith("#")}
    assert colours == {"#000000", "#ffffff", "#bdbdbd"}


def test_long_title_is_above_the_lines_for_name_and_date():
    texts = {s.text: s for s in pages(sheet(GRAPH, title="A title " * 8))[0] if isinstance(s, Text)}
    assert texts["Name"].centre[1] > texts["A title " * 8].centre[1] + 10


@pytest.mark.parametrize("link", ["", LINK])
@pytest.mark.parametrize("paper", PAPER_SIZES)
def test_long_footer_is_below_the_cells_and_beside_page_number_and_qr_code(paper, link):
    footer = "revealed cells by name " + ",".join(f"r{k}c{k}" for k in range(100))
    page = pages(sheet(tiling("square", 12, 12), footer=footer, link=link, paper=paper))[0]
    texts = [shape for shape in page if isinstance(shape, Text) and shape.size == 7.5]
    *lines, number = texts
    assert "".join(s.text for s in lines) == footer + link
    left_of_number = number.centre[0] - stringWidth(number.text, "Helvetica", 7.5)
    ends = [s.centre[0] + stringWidth(s.text, "Helvetica", 7.5) for s in lines]
    assert all(end < left_of_number for end in ends)
    dark = [s.points for s in page if isinstance(s, Polygon) and s.stroke is None]
    cells = [s.points for s in page if isinstance(s, Polygon) and s.stroke is not None]
    bottom_of_cells = max(y for points in cells for _, y in points)
    assert bottom_of_cells < min(s.centre[1] for s in texts) - 5
    assert bool(dark) == bool(link)
    if link:
        left, top = np.min(dark, axis=(0, 1))
        assert number.centre[0] < left - 4 * MODULE + 0.01
        assert bottom_of_cells < top - 4 * MODULE
        matrix = np.array(segno.make_qr(link, error="l").matrix)
        drawn = np.zeros_like(matrix)
        for points in np.rint((np.array(dark) - (left, top)) / MODULE).astype(int):
            (x0, y0), (x1, y1) = points[0], points[2]
            drawn[y0:y1, x0:x1] += 1
        assert np.array_equal(drawn, matrix)


def test_board_that_is_too_large_for_the_paper_is_refused():
    message = r"too large for a4 paper: its cells would be 2\.\d mm wide, less than 3.5 mm"
    with pytest.raises(RulesError, match=message):
        pages(sheet(tiling("square", 80, 80), count=1))


def test_text_worksheet_has_puzzles_and_solutions():
    text = worksheet_text(sheet(tiling("square", 3, 2), count=1))
    assert "1   (two numbers together)\n\n" in text
    assert "Solutions (x: mine, -: no mine)" in text


def test_every_worksheet_can_be_written_as_pdf_and_svg():
    for board in BOARDS:
        sheet_pages = pages(sheet(board))
        assert pages_pdf(sheet_pages, PAPER_SIZES["a4"], "T").startswith(b"%PDF-")
        picture = pages_svg(sheet_pages, (595, 842), "T")
        drawn = re.findall(r'<g transform="translate\(0 ([\d.]+)\)">', picture)
        assert [float(y) for y in drawn] == [k * (842 + 12) for k in range(len(sheet_pages))]


def test_pdf_has_the_polygons_and_texts_of_its_pages():
    sheet_pages = pages(sheet(tiling("triangular", 4, 3), item=exercise_item))
    data = pages_pdf(sheet_pages, PAPER_SIZES["a4"], "T")
    for page, shapes in zip(PdfReader(io.BytesIO(data)).pages, sheet_pages, strict=True):
        operators = re.findall(rb"(?<= )[a-zA-Z*]+(?=[ \n]|$)", page.get_contents().get_data())
        polygons = [shape for shape in shapes if isinstance(shape, Polygon)]
        assert operators.count(b"h") >= len(polygons) >= 12  # closed paths
        texts = [shape.text for shape in shapes if isinstance(shape, Text)]
        assert [text for text in texts if text not in page.extract_text()] == []


def test_names_of_graph_cells_have_a_halo():
    printed = PdfReader(io.BytesIO(pages_pdf(pages(sheet(GRAPH)), PAPER_SIZES["a4"], "A title")))
    drawn = printed.pages[0].get_contents().get_data()
    # Outlined in white (text rendering mode 1): five names in five puzzles, and in the small board.
    assert drawn.count(b" 1 Tr ") + drawn.count(b"\n1 Tr ") == 5 * 5 + 5


def test_pages_hold_as_many_puzzles_as_fit_or_are_asked_for():
    wide, small = sheet(tiling("square", 30, 16)), sheet(tiling("square", 9, 10))
    assert with_best_orientation(wide).size == (wide.size[1], wide.size[0])
    assert with_best_orientation(small) == small
    sheet_pages = pages(sheet(tiling("square", 28, 9), count=3, solutions=False))
    assert len(sheet_pages) == 1
    for per_page in [1, 2, 3, 5, 7]:
        worksheet = sheet(tiling("square", 4, 4), count=14, per_page=per_page, solutions=False)
        assert len(pages(worksheet)) == -(-14 // per_page)
