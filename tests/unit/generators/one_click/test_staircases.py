"""The three ways to make a staircase agree with each other, with the proof and with the game."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.one_click_judge import is_one_click

from sapper import Layout, tiling
from sapper.generators.one_click import staircase
from sapper.generators.one_click_staircases import backtrack, closed_form, contest_cases

METHODS = (contest_cases, closed_form, backtrack)


def possible(rows: int, columns: int, empty: int) -> bool:
    """Return whether a board exists, by the proof of docs/how-it-works/one-click.md."""
    if min(rows, columns) == 1:
        return empty >= 1
    if min(rows, columns) == 2:
        return empty == 1 or (empty >= 4 and empty % 2 == 0)
    return empty not in (0, 2, 3, 5, 7)


def check(rows: int, columns: int, empty: int) -> None:
    """Check that all three find a board that the click wins, or all three find none."""
    found = {method(rows, columns, empty) for method in METHODS}
    if not possible(rows, columns, empty):
        assert found == {None}
        return
    for widths in found:
        assert widths is not None
        assert sum(widths) == empty
        assert len(widths) == rows
        layout = staircase(tiling("square", columns, rows), widths)
        assert is_one_click(layout) and layout.click == len(layout.board) - 1


@pytest.mark.parametrize(
    ("text", "wins"),
    [
        ("***....\n***...c", True),
        ("*******\n******.\n.......\n.......\n......c", False),
        ("*******\n*****..\n*......\n.......\n......c", True),
        ("*******\n**.....\n**.....\n*.....c", False),
        ("*******\n***....\n*......\n*.....c", True),
    ],
    ids=["2x7", "5x7 before", "5x7 after", "4x7 before", "4x7 after"],
)
def test_examples_of_the_analysis_are_what_the_cases_make(text, wins):
    example = Layout.parse(text)
    columns, rows = example.board.size
    empty = len(example.board) - example.mine_count
    layout = staircase(example.board, contest_cases(rows, columns, empty))
    assert is_one_click(example) == wins
    assert (layout == example) == wins
    assert layout.mine_count == example.mine_count


def test_remainder_of_all_but_two_columns_stays_in_its_row():
    # Read literally, the analysis would make this 4x3 board of one mine, which is not won.
    literal = Layout.parse("...\n*..\n...\n..c")
    assert not is_one_click(literal)
    assert contest_cases(4, 3, 11) == (2, 3, 3, 3)


def test_mines_in_two_opposite_corners_leave_empty_cells_connected_but_not_opened():
    assert not is_one_click(Layout.parse("*..\n.c.\n..*"))


# Up to 50x50, 1,628,125 cases in all, by `make check-long SUITE=one-click`.
@pytest.mark.parametrize("max_side", [7, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.plain
def test_all_methods_agree_with_the_proof_on_small_boards(max_side):
    for rows, columns in product(range(1, max_side + 1), repeat=2):
        for empty in range(rows * columns + 1):
            check(rows, columns, empty)


@given(st.integers(1, 50), st.integers(1, 50), st.data())
def test_all_methods_agree_with_the_proof_on_a_sample(rows, columns, data):
    few = st.integers(0, min(3 * columns + 2, rows * columns))
    empty = data.draw(few | st.integers(0, rows * columns))
    check(rows, columns, empty)


def test_boards_of_a_thousand_rows_are_solved():
    for method in METHODS:
        for empty in (8, 2999, 3001, 500_001, 999_999):
            widths = method(1000, 1000, empty)
            assert widths is not None
            assert sum(widths) == empty
