import dataclasses

import pytest

import sapper
from sapper.errors import Contradiction, IllegalMove, NotationError
from sapper.infer.proofs.nudges import DEGREES, nudge
from sapper.model.frame import Frame
from sapper.model.tilings import TILINGS

FRAME = Frame.parse("1 # #\n1 # #\n# # #", mines=2)
STUCK = Frame.parse("1##\n###", mines=2)

# From which degree on a field of a nudge may say something.
FROM = {"look": 1, "hints": 2, "rung": 2, "moves": 3, "why": 3, "play": 4}


@pytest.mark.parametrize("frame", [FRAME, STUCK], ids=["certain", "guess"])
@pytest.mark.parametrize("degree", range(1, len(DEGREES) + 1))
def test_a_nudge_never_tells_more_than_was_asked(frame, degree):
    told = dataclasses.asdict(nudge(frame, degree))
    whole = dataclasses.asdict(nudge(frame, 4))
    for name, least in FROM.items():
        assert told[name] == (whole[name] if degree >= least else type(told[name])())


def test_the_four_degrees_of_a_certain_step():
    first, second, third, fourth = (nudge(FRAME, degree) for degree in (1, 2, 3, 4))
    assert first.text == "Look around r2c1."
    assert second.text == "Look at r1c1 and r2c1."
    assert third.text.endswith("so r3c1 is free. The same hints also give: reveal r3c2.")
    assert fourth.play == ("reveal r3c1", "reveal r3c2")


def test_when_nothing_is_certain_it_says_so_with_the_odds_and_names_the_cell_from_degree_three():
    assert nudge(STUCK, 1).text == (
        "No blank is certainly free. The best guess is a mine with odds of 33.3 %."
    )
    assert nudge(STUCK, 3).text.endswith("33.3 %: reveal r1c2.")
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
    assert nudge(Frame.parse(text, mines=mines), 3).text == told


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


def test_a_flag_that_is_certainly_wrong_is_a_step_of_its_own():
    told = nudge(Frame.parse("1##\n1##\nF##", mines=2), 4)
    assert "unflag r3c1" in told.play or "reveal r3c2" in told.play
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
