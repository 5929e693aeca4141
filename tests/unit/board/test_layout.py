import numpy as np
import pytest
from hypothesis import given
from tests.error_messages import assert_refused
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


@pytest.mark.parametrize(
    ("mines", "click", "error", "message"),
    [
        ([1, 0], 0, RulesError, "the first click r1c1 is a mine"),
        ([1, 0, 0], None, NotationError, r"expected 2 cells for square 2x1, got shape \(3,\)"),
        (["0", "0"], None, SapperError, "expected True or False for each cell, got"),
        ([float("nan"), 0], None, SapperError, "expected True or False for each cell, got"),
    ],
)
def test_impossible_layout_is_refused(mines, click, error, message):
    with pytest.raises(error, match=message):
        Layout(tiling("square", 2, 1), mines, click)


def test_mines_are_available_as_mask_cells_and_count():
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
    with pytest.raises(IllegalMove, match="cannot reveal r1c1: it is a mine"):
        layout.position([2, 0])
    with pytest.raises(IllegalMove, match="cannot reveal r1c3: it is flagged"):
        layout.position([2], flags=[2])


def test_cells_outside_the_board_are_refused():
    wrong = [[-1], [3], ["r9c9"], [1.5], [True], 1, None, "r1c2", np.array([True]), np.array([-1])]
    cases = [(cells, "expected (a cell|cells) of square 3x1, got") for cells in wrong]
    assert_refused(Layout.parse("*..").position, cases)
    assert_refused(lambda cells: Layout.parse("*..").position([], flags=cells), cases)
