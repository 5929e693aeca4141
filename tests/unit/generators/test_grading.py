import pytest
from tests.stuck_positions import single_number_position

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.engine.budget import Budget
from sapper.errors import OutOfBudget, RulesError
from sapper.generators.grading import grade, hardest
from sapper.proofs.difficulty import DIFFICULTIES, difficulty_of
from sapper.proofs.steps import StepFinder

NAMES = list(DIFFICULTIES)


def test_the_table_has_a_difficulty_for_every_proof():
    assert NAMES == ["one", "two", "three", "four", "count"]
    assert [difficulty_of(n) for n in (0, 1, 2, 3, 4, 40)] == ["one", "one", "two", "three"] + [
        "four"
    ] * 2
    assert difficulty_of(1, uses_mine_count=True) == "count"


def test_a_board_that_one_click_wins_is_on_the_lowest_difficulty():
    result = grade(Layout.parse("c....\n.....\n....*\n"))
    assert (result.difficulty, result.guesses, sum(result.steps.values())) == ("one", 0, 0)


def test_a_pair_that_only_gives_a_mine_makes_the_board_as_hard_as_the_pair():
    # A pair of numbers tells the mines in the second column; single numbers do the rest.
    result = grade(
        Layout.parse("""
        .*..c
        .....
        .*...
    """)
    )
    assert (result.difficulty, result.guesses) == ("two", 0)
    assert result.steps == dict.fromkeys(NAMES, 0) | {"one": 4}


def test_a_coin_flip_is_a_guess_that_opens_the_free_cell_of_least_probabilities():
    result = grade(Layout.parse("*.\n.c\n"))
    assert (result.guesses, sum(result.steps.values())) == (2, 0)


def test_a_layout_without_click_is_refused():
    with pytest.raises(RulesError, match="expected a layout with its click"):
        grade(Layout.parse("*.\n"))


def test_a_grade_that_takes_too_long_stops():
    with pytest.raises(OutOfBudget, match=r"at most 1e-09 s, got \d free cells left"):
        grade(Layout.parse("*.\n.c\n"), budget=Budget(seconds=1e-9))


def test_the_papers_position_is_on_difficulty_three_because_what_is_known_is_carried_along():
    position = Position.parse("""
        #####
        #222#
        #2.2#
        #222#
        #####
    """)
    steps = list(StepFinder(position).steps())
    assert [(step.difficulty, len(step.reveal)) for step in steps] == [("three", 4), ("one", 4)]
    assert hardest(step.difficulty for step in steps) == "three"
    assert list(StepFinder(Position.parse("1##\n###")).steps()) == []


def test_single_number_rules_stop_where_a_pair_is_needed():
    layout = Layout.parse("""
        .*.*
        ....
        ....
        ..c.
    """)
    position = single_number_position(layout)
    assert str(position).splitlines() == ["mines: 2", "####", "1121", "....", "...."]
    found = StepFinder(position).moves()
    assert found is not None
    assert found[0] == "two"
