"""The period and phase of the cells in a picture."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from sapper.pictures import lattice
from sapper.pictures.boards import _out_of_view, _widened
from sapper.pictures.edges import Edges, best_rectangle
from sapper.pictures.lattice import (
    Lattice,
    candidates,
    is_staggered,
    lines_near,
    unusual_candidates,
)
from sapper.pictures.reading import _cut_sides


def board_picture(cell_width=26, columns=9, rows=7, left=40, top=31, contrast=12, alternate=False):
    """Return a picture of a board whose cells differ little from the background."""
    picture = Image.new(
        "RGB", (left * 2 + columns * cell_width, top * 2 + rows * cell_width), (90, 90, 90)
    )
    draw = ImageDraw.Draw(picture)
    for j in range(rows):
        for i in range(columns):
            x, y = left + i * cell_width, top + j * cell_width
            shade = 90 + contrast if (i + j) % 2 or not alternate else 90 + 2 * contrast
            draw.rectangle(
                (x, y, x + cell_width - 1, y + cell_width - 1), fill=(shade,) * 3, outline=(80,) * 3
            )
    return picture


def test_halves_and_thirds_of_a_prominent_pitch_are_tried_too(monkeypatch):
    monkeypatch.setattr(lattice, "_peaks", lambda _: ([(48.0, 1.0)], [(48.0, 0.9)]))
    assert list(lattice._pitches(None)) == [(48.0, 48.0), (24.0, 24.0), (16.0, 16.0)]


@pytest.mark.parametrize("alternate", [False, True])
def test_best_candidate_has_the_columns_and_rows_of_the_board(alternate):
    edges = Edges(np.asarray(board_picture(alternate=alternate)))
    _, found = candidates(edges, 3)[0]
    assert (found.columns, found.rows) == (9, 7)
    assert (found.width, found.height) == pytest.approx((26, 26), abs=0.1)
    assert (found.left, found.top) == pytest.approx((40, 31), abs=1.5)


def test_inexact_lattice_is_fitted_to_the_whole_board():
    edges = Edges(np.asarray(board_picture(columns=20)))
    columns, _ = lines_near(edges, Lattice(40.5, 31, 26.1, 26, 20, 7))
    assert [pitch for _, pitch in columns] == pytest.approx([26] * len(columns), abs=0.03)
    assert min(abs(left - 40) for left, _ in columns) < 0.6


def test_a_picture_that_is_cropped_to_the_board_gives_its_lines():
    picture = board_picture(left=0, top=0, cell_width=25).resize((9 * 26 + 1, 7 * 26))
    columns, rows = lines_near(Edges(np.asarray(picture)), Lattice(2, 1, 25.5, 26, 9, 7))
    assert (0, pytest.approx(235 / 9)) in columns and (0, pytest.approx(26)) in rows


@pytest.mark.parametrize("width", [24, 24.5, 25.2])
def test_whole_and_fractional_cell_widths_are_found(width):
    picture = board_picture(cell_width=25, columns=8, rows=8)
    size = (round(picture.width * width / 25), round(picture.height * width / 25))
    _, found = candidates(Edges(np.asarray(picture.resize(size, Image.Resampling.BILINEAR))), 3)[0]
    assert (found.width, found.height) == pytest.approx((width, width), abs=0.12)


def test_cells_in_staggered_rows_are_recognised():
    picture = Image.new("RGB", (420, 360), (220, 220, 220))
    draw = ImageDraw.Draw(picture)
    for j in range(10):
        for i in range(11):
            x, y = 20 + i * 32 + j % 2 * 16, 20 + j * 28
            corners = [(0, -18), (16, -9), (16, 9), (0, 18), (-16, 9), (-16, -9)]
            draw.polygon([(x + u, y + v) for u, v in corners], fill=(180,) * 3, outline=(40,) * 3)
    assert is_staggered(Edges(np.asarray(picture)))
    assert is_staggered(Edges(np.asarray(picture.rotate(90, expand=True))))
    assert not is_staggered(Edges(np.asarray(board_picture())))


def test_best_rectangle_has_the_largest_sum():
    rng = np.random.default_rng(3)
    for shape in ((5, 8), (8, 5), (1, 6)):
        values = rng.normal(0, 1, shape)
        top, bottom, left, right = best_rectangle(values)
        largest = max(
            values[a:b, c:d].sum()
            for a in range(shape[0])
            for b in range(a + 1, shape[0] + 1)
            for c in range(shape[1])
            for d in range(c + 1, shape[1] + 1)
        )
        assert values[top:bottom, left:right].sum() == pytest.approx(largest)


def test_sides_beyond_the_picture_are_reported_as_cut():
    picture = Image.new("RGB", (100, 80))
    for left, top, cut in (
        (0, 0, (False, False, False, False)),
        (-1.5, -1.5, (False, False, False, False)),  # less than a tenth of a cell
        (-3, 4, (False, True, True, False)),
        (4, -3, (True, False, False, True)),
    ):
        assert _cut_sides(Lattice(left, top, 20, 20, 5, 4), picture, 0.1) == cut


def test_lattice_is_widened_by_the_cells_that_fit_in_the_picture():
    # 2.5 cells to the left, 0.3 above, 1.5 to the right and 5 below; 0.4 of a cell is enough.
    widened = _widened(Lattice(50, 6, 20, 20, 5, 4), 3, (180, 186))
    assert widened == Lattice(-10, 6, 20, 20, 10, 7)


def test_cells_of_which_a_large_part_is_outside_the_picture_are_out_of_view():
    # The first column begins half a cell before the picture, the last row ends at its edge.
    left = _out_of_view(Lattice(-10, 0, 20, 20, 3, 2), (50, 40))
    assert left.tolist() == [[True, False, False]] * 2
    assert _out_of_view(Lattice(0, 5, 20, 20, 2, 2), (40, 30)).tolist() == [[False] * 2, [True] * 2]
    assert not _out_of_view(Lattice(-1, -1, 20, 20, 2, 2), (38, 38)).any()


@pytest.mark.parametrize(("columns", "rows"), [(8, 1), (1, 8)])
def test_a_single_row_of_cells_is_no_lattice(columns, rows):
    edges = Edges(np.asarray(board_picture(columns=columns, rows=rows, left=90, top=90)))
    found = [lattice for _, lattice in (*candidates(edges, 9), *unusual_candidates(edges))]
    assert found and min(min(lattice.columns, lattice.rows) for lattice in found) >= 2
