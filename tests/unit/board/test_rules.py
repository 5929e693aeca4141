import pytest

from sapper import Board, Rules, RulesError, tiling


@pytest.mark.parametrize("mines", [-1, 25])
def test_number_of_mines_must_leave_a_safe_cell(mines):
    with pytest.raises(RulesError, match="expected from 0 to 24 mines on square 5x5"):
        Rules(tiling("square", 5, 5), mines)


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
def test_best_first_click_depends_on_the_rule(rules, name):
    rules = Rules.parse(rules)
    assert rules.board.name(rules.first_cell("best")) == name
    assert rules.first_cell("Best") == rules.first_cell("best")


def test_default_first_click_is_the_middle():
    rules = Rules.parse("9x9/10")
    assert rules.board.name(rules.first_cell()) == "r5c5"
    assert rules.board.name(rules.first_cell("r2c3")) == "r2c3"


def test_cell_named_best_takes_precedence():
    board = Board.from_edges([("a", "best"), ("best", "c")])
    assert Rules(board, 1, "safe").first_cell("best") == 1
    other = Board.from_edges([("a", "b"), ("b", "c")])
    assert Rules(other, 1, "safe").first_cell("best") == 0
