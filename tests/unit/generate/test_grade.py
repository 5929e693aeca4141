import pytest
from tests.stuck_frames import single_hint_frame

from sapper.errors import OutOfBudget, RulesError
from sapper.generate.grade import grade, hardest
from sapper.infer.budget import Budget
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS, rung_of
from sapper.model.frame import Frame
from sapper.model.layout import Layout

NAMES = [rung.name for rung in RUNGS]


def test_the_table_has_a_rung_for_every_proof():
    assert NAMES == ["one", "two", "three", "four", "count"]
    assert [rung_of(n) for n in (0, 1, 2, 3, 4, 40)] == ["one", "one", "two", "three"] + [
        "four"
    ] * 2
    assert rung_of(1, mine_count=True) == "count"


def test_a_board_that_one_click_wins_is_on_the_lowest_rung():
    result = grade(Layout.parse("c....\n.....\n....*\n"))
    assert (result.rung, result.guesses, sum(result.steps.values())) == ("one", 0, 0)


def test_a_pair_that_only_gives_a_mine_makes_the_board_as_hard_as_the_pair():
    # A pair of hints tells the mines in the second column; single hints do the rest.
    result = grade(
        Layout.parse("""
        .*..c
        .....
        .*...
    """)
    )
    assert (result.rung, result.guesses) == ("two", 0)
    assert result.steps == dict.fromkeys(NAMES, 0) | {"one": 4}


def test_a_coin_flip_is_a_guess_that_opens_the_free_cell_of_least_odds():
    result = grade(Layout.parse("*.\n.c\n"))
    assert (result.guesses, sum(result.steps.values())) == (2, 0)


def test_a_layout_without_click_is_refused():
    with pytest.raises(RulesError, match="expected a layout with its click"):
        grade(Layout.parse("*.\n"))


def test_a_grade_that_takes_too_long_stops():
    with pytest.raises(OutOfBudget, match=r"at most 1e-09 s, got \d free cells left"):
        grade(Layout.parse("*.\n.c\n"), budget=Budget(seconds=1e-9))


def test_the_papers_frame_is_on_rung_three_because_what_is_known_is_carried_along():
    frame = Frame.parse("""
        #####
        #222#
        #2.2#
        #222#
        #####
    """)
    steps = list(Climb(frame).steps())
    assert [(step.rung, len(step.reveal)) for step in steps] == [("three", 4), ("one", 4)]
    assert hardest(step.rung for step in steps) == "three"
    assert list(Climb(Frame.parse("1##\n###")).steps()) == []


def test_single_hint_rules_stop_where_a_pair_is_needed():
    layout = Layout.parse("""
        .*.*
        ....
        ....
        ..c.
    """)
    frame = single_hint_frame(layout)
    assert str(frame).splitlines() == ["mines: 2", "####", "1121", "....", "...."]
    found = Climb(frame).moves()
    assert found is not None
    assert found[0] == "two"
