"""Which first click is meant."""

import pytest

from sapper.board.board import Board
from sapper.board.rules import Rules


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("expert safe", "r1c1"),
        ("expert any", "r1c1"),
        ("expert zero", "r4c4"),
        ("intermediate zero", "r3c3"),
        ("beginner zero", "r3c3"),
        ("9x2/3 zero", "r1c5"),
        ("4x4/12 zero", "r1c1"),
        ("hexagonal 9x9/10 safe", "r1c1"),
    ],
)
def test_the_best_first_click_goes_by_the_rule(rules, name):
    rules = Rules.parse(rules)
    assert rules.board.name(rules.first_cell("best")) == name
    assert rules.first_cell("Best") == rules.first_cell("best")


def test_without_a_wish_it_is_the_middle_and_names_are_names():
    rules = Rules.parse("9x9/10")
    assert rules.board.name(rules.first_cell()) == "r5c5"
    assert rules.board.name(rules.first_cell("r2c3")) == "r2c3"


def test_a_cell_of_that_name_comes_first():
    board = Board.from_edges([("a", "best"), ("best", "c")])
    assert Rules(board, 1, "safe").first_cell("best") == 1
    other = Board.from_edges([("a", "b"), ("b", "c")])
    assert Rules(other, 1, "safe").first_cell("best") == 0
