import pytest
from tests.error_messages import assert_refused

from sapper import Board, Rules, RulesError, tiling


def test_number_of_mines_must_leave_a_safe_cell():
    cases = [(mines, "expected from 0 to 24 mines on square 5x5") for mines in (-1, 25)]
    assert_refused(lambda mines: Rules(tiling("square", 5, 5), mines), cases, RulesError)


@pytest.mark.parametrize(
    ("rules", "first", "name"),
    [
        ("9x9/10", None, "r5c5"),
        ("9x9/10", "r2c3", "r2c3"),
        ("expert safe", "best", "r1c1"),
        ("expert any", "Best", "r1c1"),
        ("expert zero", "best", "r4c4"),
        ("intermediate zero", "best", "r3c3"),
        ("9x2/3 zero", "best", "r1c5"),
        ("9x3/3 zero", "best", "r3c3"),
        ("4x4/12 zero", "best", "r1c1"),
        ("hexagonal 9x9/10 safe", "best", "r1c1"),
    ],
)
def test_first_click_is_the_middle_a_name_or_the_best_by_the_rule(rules, first, name):
    rules = Rules.parse(rules)
    assert rules.board.name(rules.first_cell(first)) == name


def test_cell_named_best_takes_precedence():
    board = Board.from_edges([("a", "best"), ("best", "c")])
    assert Rules(board, 1, "safe").first_cell("best") == 1
    other = Board.from_edges([("a", "b"), ("b", "c")])
    assert Rules(other, 1, "safe").first_cell("best") == 0
