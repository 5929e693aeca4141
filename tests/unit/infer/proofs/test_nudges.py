import dataclasses

import pytest

import sapper
from sapper.errors import Contradiction, IllegalMove, NotationError
from sapper.infer.proofs.nudges import DEGREES, nudge
from sapper.model.frame import FLAG, Frame
from sapper.model.tilings import TILINGS

FRAME = Frame.parse("1 # #\n1 # #\n# # #", mines=2)
STUCK = Frame.parse("1##\n###", mines=2)

# From which degree on a field of a nudge may say something.
FROM = {"look": 1, "hints": 2, "follows": 2, "rung": 2, "moves": 3, "why": 3, "play": 4}
FROM_GUESS = {**FROM, "moves": 4, "why": 4}


@pytest.mark.parametrize("frame", [FRAME, STUCK], ids=["certain", "guess"])
@pytest.mark.parametrize("degree", range(1, len(DEGREES) + 1))
def test_a_nudge_never_tells_more_than_was_asked(frame, degree):
    told = dataclasses.asdict(nudge(frame, degree))
    whole = dataclasses.asdict(nudge(frame, 4))
    for name, least in (FROM if whole["certain"] else FROM_GUESS).items():
        assert told[name] == (whole[name] if degree >= least else type(told[name])())


def test_the_four_degrees_of_a_certain_step():
    first, second, third, fourth = (nudge(FRAME, degree) for degree in (1, 2, 3, 4))
    assert first.text == "Look around r2c1."
    assert second.text == "Look at r1c1 and r2c1."
    assert third.text.endswith("so r3c1 is free. The same hints also give: reveal r3c2.")
    assert fourth.play == ("reveal r3c1", "reveal r3c2")


def test_when_nothing_is_certain_it_says_so_with_the_odds_and_names_the_cell_at_degree_four():
    assert nudge(STUCK, 1).text == (
        "No blank is certainly free. The best guess is a mine with odds of 33.3 %."
    )
    assert nudge(STUCK, 3).text == nudge(STUCK, 1).text
    assert nudge(STUCK, 4).text.endswith("33.3 %: reveal r1c2.")
    assert nudge(STUCK, 4).play == ("reveal r1c2",)
    assert "no odds" in nudge(Frame.parse("###"), 1).text


@pytest.mark.parametrize(
    ("text", "mines", "told"),
    [
        ("1#", None, "No blank is left to reveal."),
        ("1#\n11", 1, "No blank is left to reveal."),
        ("1F", None, "No blank is left to reveal."),
        ("F1F", None, "No blank is left to reveal; but a flag may be wrong."),
        ("1##", None, "No blank is certainly free. There are no odds to guess by."),
        ("1###", 2, "No blank is certainly free. The best guess is a mine with odds of 50.0 %: "
                    "reveal r1c3."),
    ],
)  # fmt: skip
def test_a_certain_mine_is_never_a_guess(text, mines, told):
    assert nudge(Frame.parse(text, mines=mines), 4).text == told


def test_the_mine_count_alone_is_no_hint():
    told = nudge(Frame.parse("###", mines=0), 3).text
    assert told.endswith("so r1c1 is free. The mine count also gives: reveal r1c2, reveal r1c3.")


def test_mines_that_single_hints_give_count_as_known():
    frame = Frame.parse("""
        #1#
        11#
    """)
    told = nudge(frame, 3)
    assert told.rung == "one"
    assert told.why == "r1c2 shows 1 and has its mine, r1c1, so r1c3 is free."


def test_a_flag_that_is_certainly_wrong_comes_first():
    told = nudge(Frame.parse("1##\n1##\nF##", mines=2), 4)
    assert told.play == ("unflag r3c1",)
    frame = Frame.parse("1##\n1##\nFFF", mines=2)
    told = nudge(frame, 4)
    assert told.play == ("unflag r3c1", "unflag r3c2")
    assert told.text.count("Its flag is wrong.") == 1


def test_what_cannot_be_helped_is_one_clear_line():
    with pytest.raises(NotationError, match="from 1 to 4, got 5"):
        nudge(FRAME, 5)
    with pytest.raises(IllegalMove, match="every cell is revealed"):
        nudge(Frame.parse(".."), 1)
    with pytest.raises(Contradiction):
        nudge(Frame.parse("9#"), 1)


@pytest.mark.parametrize("tiling", TILINGS)
def test_following_the_nudges_only_guesses_lose_games(tiling):
    rules = sapper.Rules.parse("6x6/7", tiling, "safe")
    for seed in range(3):
        game = sapper.Game.deal(rules, seed)
        game.play(f"reveal {rules.board.name(0)}")
        while not game.over:
            told = nudge(game.frame, 4)
            for move in told.play:
                action, name = move.split()
                if action == "reveal" and game.frame.marks[rules.board.cell(name)] >= 0:
                    continue
                game.play(move)
                assert game.outcome != "lost" or not told.certain
                if game.over:
                    break


def test_the_older_name_of_a_degree_still_holds():
    told = nudge(FRAME, level=3)
    assert (told, told.level) == (nudge(FRAME, 3), 3)


def test_what_a_step_takes_as_known_is_told_with_its_own_reason():
    frame = Frame.parse("""
        #1#
        11#
    """)
    (known,) = nudge(frame, 2).follows
    assert (known.cell, known.mine, known.flagged, known.hints) == ("r1c1", True, False, ("r2c1",))
    assert known.why == "r2c1 needs 1 and has only 1 blank, r1c1, so r1c1 is a mine."
    assert nudge(frame, 1).follows == ()
    (known,) = nudge(frame.with_marks({0: FLAG}), 2).follows
    assert known.flagged


def test_a_flag_that_only_several_hints_prove_is_told_with_all_of_them():
    frame = Frame.parse("#######\n#32212#\n#1...1#")
    (mine,) = (m for m in sapper.explain_all(frame) if m.move.format(frame.board) == "flag r1c3")
    told = nudge(frame.with_marks({frame.board.cell("r1c3"): FLAG}), 2)
    reasons = {one.cell: one.hints for one in told.follows}
    assert "r1c3" not in told.moves
    assert reasons.get("r1c3", mine.hints) == mine.hints


def test_what_the_flags_say_is_not_told_again():
    frame = Frame.parse("#######\n#32212#\n#1...1#")
    told = nudge(frame, 3)
    flags = [frame.board.cell(move.split()[1]) for move in told.moves if move.startswith("flag")]
    again = nudge(frame.with_marks(dict.fromkeys(flags, FLAG)), 3)
    assert not set(told.moves) & set(again.moves) or not flags


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_a_guess_is_told_by_degrees(degree):
    frame = Frame.parse("# 1 # # #", mines=2)
    told = sapper.nudge(frame, degree)
    assert bool(told.candidates) == (degree >= 2)
    assert all(one.numbers and one.helps is not None for one in told.candidates) == (degree != 2)
    assert ("because" in told.text) == bool(told.moves) == bool(told.why) == (degree == 4)
    by_cell = {one.cell: one for one in sapper.nudge(frame, 3).candidates}
    assert by_cell["r1c3"].numbers == ((0, 0.25), (1, 0.25))
    assert (by_cell["r1c3"].helps, by_cell["r1c1"].helps) == (1.0, 0.0)


def test_each_degree_of_a_guess_says_another_thing():
    texts = [sapper.nudge(STUCK, degree).text for degree in (1, 2, 3, 4)]
    assert len(set(texts)) == 4
    assert "r1c2" not in texts[0]
