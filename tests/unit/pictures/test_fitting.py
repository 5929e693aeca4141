"""The cells of a lattice: cut out of the picture, judged and shifted."""

import numpy as np
import pytest
from PIL import Image

from sapper.pictures import boards, fitting
from sapper.pictures.lattice import Lattice
from sapper.pictures.network import CELL

PICTURE = Image.new("RGB", (100, 80))


def coloured(columns, rows, size):
    """Return a picture of plain cells, each in its own colour."""
    colours = np.random.default_rng(1).integers(0, 256, (rows, columns, 3)).astype(np.uint8)
    return colours, Image.fromarray(colours.repeat(size, axis=0).repeat(size, axis=1))


def test_resampled_cells_have_the_colours_of_the_cells_in_the_picture():
    colours, picture = coloured(5, 4, 30)
    found = fitting.resample(picture, Lattice(30, 60, 30, 30, 3, 2))
    assert found.shape == (2 * CELL, 3 * CELL, 3)
    inner = found.reshape(2, CELL, 3, CELL, 3)[:, 2:-2, :, 2:-2]
    assert (inner == colours[2:, None, 1:4, None]).all()


def test_cells_beyond_the_picture_are_black():
    found = fitting.resample(Image.new("RGB", (60, 60), "white"), Lattice(-30, 30, 30, 30, 4, 2))
    shades = found.reshape(2, CELL, 4, CELL, 3)[:, CELL // 2, :, CELL // 2, 0]
    assert shades.tolist() == [[0, 255, 255, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize(("cut", "missing"), [(1, 0), (3, 2), (23, 6), (33, 8), (35, 0)])
def test_the_cut_part_of_a_cell_is_filled_from_its_neighbour(cut, missing):
    before = np.random.default_rng(2).integers(0, 256, (3, 4 * CELL, 3)).astype(np.uint8)
    for column in range(3):
        # Columns have 100 pixels, and the picture begins in this one.
        pixels, expected = before.copy(), before.copy()
        fitting._fill_cut_cells(pixels, -100.0 * column - cut, 100.0, 4, 999)
        x = CELL * column
        expected[:, x : x + missing] = before[:, x + CELL : x + CELL + missing]
        assert np.array_equal(pixels, expected)
        # It ends in the next one.
        pixels, expected = before.copy(), before.copy()
        fitting._fill_cut_cells(pixels, 0.0, 100.0, 4, 100 * column + 200 - cut)
        x += 2 * CELL
        expected[:, x - missing : x] = before[:, x - CELL - missing : x - CELL]
        assert np.array_equal(pixels, expected)
    # In the last column there is no next one to fill it from, in the first none before it.
    pixels = before.copy()
    fitting._fill_cut_cells(pixels, -300.0 - cut, 100.0, 4, 999)
    fitting._fill_cut_cells(pixels, 0.0, 100.0, 4, 100 - cut)
    assert np.array_equal(pixels, before)


def test_up_to_nine_columns_from_both_ends_and_the_middle_are_classified():
    assert fitting._sample_indices(9) == list(range(9))
    assert fitting._sample_indices(10) == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    assert fitting._sample_indices(30) == [0, 1, 2, 13, 14, 15, 27, 28, 29]


def test_a_lattice_of_square_cells_has_the_same_middle():
    squared = fitting._square(Lattice(10, 20, 12, 15, 6, 4), 14)
    assert squared == Lattice(4, 22, 14, 14, 6, 4)


def clarity_by_place(monkeypatch, left=0.0, top=0.0):
    """Let the clarity of a lattice be minus its distance from a place."""
    monkeypatch.setattr(
        fitting,
        "_clarity",
        lambda _, lattice: -abs(lattice.left - left) - abs(lattice.top - top),
    )


@pytest.mark.parametrize(
    ("place", "reached"),
    [
        ((0.0, 0.0), (0.0, 0.0)),
        ((1.4, 0.0), (1.4, 0.0)),
        ((-1.4, 0.0), (-1.4, 0.0)),
        ((9.0, 9.0), (2.8, 2.8)),  # two steps at most
        ((0.0, -9.0), (0.0, -2.8)),
        ((0.6, 0.0), (0.0, 0.0)),  # a step would be too far
    ],
)
def test_a_lattice_is_shifted_by_steps_to_where_it_is_clearest(monkeypatch, place, reached):
    clarity_by_place(monkeypatch, *place)
    found = fitting.shift_to_clearest(PICTURE, Lattice(0, 0, 20, 20, 4, 4))
    assert (found.left, found.top) == pytest.approx(reached)


def test_the_clearest_lattice_is_chosen_until_one_is_clear_enough(monkeypatch):
    clarity_by_place(monkeypatch, left=5)
    first, second, clear, clearest = (Lattice(x, 0, 20, 20, 4, 4) for x in (1, 3, 4.99, 5))
    found = fitting._clearest(PICTURE, first, -4.0, [second, clear, clearest])
    assert found == (clear, pytest.approx(-0.01))
    assert fitting._clearest(PICTURE, first, -4.0, [Lattice(0, 0, 20, 20, 4, 4)]) == (first, -4.0)


def test_a_lattice_is_aligned_to_the_first_lines_of_the_smaller_picture():
    lattice = Lattice(1, 2, 30, 30, 4, 4)
    columns, rows = [(5.0, 14.0), (6.0, 15.0)], [(7.0, 16.0)]
    assert fitting.align_to_lines(lattice, columns, rows, 2) == Lattice(10, 14, 28, 32, 4, 4)
    assert fitting.align_to_lines(lattice, [], [], 2) == lattice


def test_the_best_rectangle_of_a_known_size_has_the_largest_sum():
    balance = np.random.default_rng(3).normal(0, 1, (6, 8)).astype(np.float32)
    for columns, rows in ((3, 2), (1, 6), (8, 1)):
        top, bottom, left, right = boards._best_of_size(balance, (columns, rows))
        assert (right - left, bottom - top) == (columns, rows)
        largest = max(
            balance[y : y + rows, x : x + columns].sum()
            for y in range(7 - rows)
            for x in range(9 - columns)
        )
        assert balance[top:bottom, left:right].sum() == pytest.approx(largest, abs=1e-5)
    # The whole of a lattice that is too small.
    assert boards._best_of_size(balance, (20, 20)) == (0, 6, 0, 8)


def test_lattices_overlap_if_they_share_some_area():
    first = Lattice(10, 10, 20, 20, 2, 3)
    for left, top, expected in (
        (10, 10, True),
        (49, 69, True),
        (50, 10, False),
        (10, 70, False),
        (-30, 10, False),
        (-29, -49, True),
        (10, -50, False),
    ):
        second = Lattice(left, top, 20, 20, 2, 3)
        assert boards._overlaps(first, second) is boards._overlaps(second, first) is expected


def test_a_lattice_is_judged_by_the_cells_in_its_middle():
    assert boards._middle(Lattice(10, 20, 5, 5, 30, 16)) == Lattice(60, 35, 5, 5, 9, 9)
    assert boards._middle(Lattice(10, 20, 5, 5, 4, 3)) == Lattice(10, 20, 5, 5, 4, 3)


def test_small_cells_are_taken_from_the_picture_before_scaling():
    small = PICTURE.resize((50, 40))
    for width, height, source in ((20, 20, (small, 1.0)), (19, 30, (PICTURE, 2.0))):
        lattice = Lattice(0, 0, width, height, 2, 2)
        assert boards._source_of_cells(PICTURE, small, 2.0, lattice) == source
