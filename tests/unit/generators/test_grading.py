"""Grading: the difficulty of layouts."""

import pytest

from sapper import Budget, Layout, OutOfBudget, Position, RulesError
from sapper.generators.grading import grade, hardest
from sapper.proofs.difficulty import DIFFICULTIES, difficulty_of
from sapper.proofs.steps import StepFinder

NAMES = list(DIFFICULTIES)


def test_difficulty_follows_from_the_number_of_numbers_and_the_mine_count():
    assert NAMES == ["one", "two", "three", "four", "count"]
    found = [difficulty_of(n) for n in (0, 1, 2, 3, 4, 40)]
    assert found == ["one", "one", "two", "three", "four", "four"]
    assert difficulty_of(1, uses_mine_count=True) == "count"


def test_grades_of_small_layouts():
    result = grade(Layout.parse("c....\n.....\n....*\n"))
    assert (result.difficulty, result.guesses) == ("one", 0)
    assert not any(result.revealed_by_difficulty.values())
    # A pair of numbers gives the mines in the second column; single numbers do the rest.
    result = grade(Layout.parse(".*..c\n.....\n.*..."))
    assert (result.difficulty, result.guesses) == ("two", 0)
    assert result.revealed_by_difficulty == dict.fromkeys(NAMES, 0) | {"one": 4}
    result = grade(Layout.parse("*.\n.c\n"))
    assert (result.guesses, sum(result.revealed_by_difficulty.values())) == (2, 0)


def test_layout_without_click_or_time_is_refused():
    with pytest.raises(RulesError, match="the layout has no first click"):
        grade(Layout.parse("*.\n"))
    with pytest.raises(OutOfBudget, match=r"1e-09 s.*\d safe cells left to reveal"):
        grade(Layout.parse("*.\n.c\n"), budget=Budget(seconds=1e-9))


def test_papers_position_needs_one_step_of_three_numbers():
    position = Position.parse("#####\n#222#\n#2.2#\n#222#\n#####")
    steps = list(iter(StepFinder(position).step, None))
    assert [(step.difficulty, len(step.reveal)) for step in steps] == [("three", 4), ("one", 4)]
    assert hardest(step.difficulty for step in steps) == "three"
    assert StepFinder(Position.parse("1##\n###")).step() is None
