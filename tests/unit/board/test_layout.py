import numpy as np
import pytest
from hypothesis import given
from tests.oracle import naive
from tests.strategies import layouts

from sapper import IllegalMove, Layout, NotationError, RulesError, SapperError, tiling

pytestmark = pytest.mark.plain


@given(layouts())
def test_numbers_and_3bv_equal_the_reference(layout):
    mines = set(layout.mine_cells.tolist())
    assert layout.numbers.tolist() == naive.count_numbers(layout.board, mines)
    measured = (layout.three_bv, layout.openings, layout.islands)
    assert measured == naive.fewest_clicks(layout.board, mines)


def test_click_on_a_mine_is_refused():
    with pytest.raises(RulesError, match="the first click r1c1 is a mine"):
        Layout(tiling("square", 2, 1), [1, 0], click=0)


def test_layout_needs_a_value_for_every_cell():
    with pytest.raises(NotationError, match=r"expected 4 cells for square 2x2, got shape \(3,\)"):
        Layout(tiling("square", 2, 2), [1, 0, 0])


@pytest.mark.parametrize("mines", [["0", "0"], [float("nan"), 0]])
def test_mine_that_is_neither_true_nor_false_is_refused(mines):
    with pytest.raises(SapperError, match="expected True or False for each cell, got"):
        Layout(tiling("square", 2, 1), mines)


def test_position_that_reveals_a_mine_or_a_flag_is_refused():
    with pytest.raises(IllegalMove, match="cannot reveal r1c1: it is a mine"):
        Layout.parse("*..").position([2, 0])
    with pytest.raises(IllegalMove, match="cannot reveal r1c3: it is flagged"):
        Layout.parse("*..").position([2], flags=[2])


def test_mines_as_mask_as_cells_and_as_a_count():
    layout = Layout.parse("*.*c")
    assert layout.mine_mask.tolist() == [1, 0, 1, 0]
    assert layout.mine_cells.tolist() == [0, 2] and layout.mine_count == 2
    assert Layout(tiling("square", 4, 1), [2, 0, -1, 0], "r1c4") == layout, "any true value"


def test_cells_of_a_position_are_given_by_name_index_or_mask():
    layout = Layout.parse("*..")
    expected = layout.position([1], flags=[0])
    assert expected.marks.tolist() == [-2, 1, -1]
    assert layout.position(["r1c2"], flags=["r1c1"]) == expected
    assert layout.position(np.array([False, True, False]), flags=np.array([0])) == expected


@pytest.mark.parametrize(
    "cells", [[-1], [3], ["r9c9"], [1.5], [True], 1, None, "r1c2", np.array([True]), np.array([-1])]
)
def test_cells_outside_the_board_are_refused(cells):
    for arguments in ({"revealed": cells}, {"revealed": [], "flags": cells}):
        with pytest.raises(SapperError, match=r"expected (a cell|cells) of square 3x1, got"):
            Layout.parse("*..").position(**arguments)
