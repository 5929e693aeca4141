import dataclasses

import pytest

import sapper
from sapper.board.position import FLAG, Position
from sapper.board.tilings import TILINGS
from sapper.errors import Contradiction, IllegalMove, NotationError
from sapper.proofs.hints import HINT_DETAILS, hint

POSITION = Position.parse("1 # #\n1 # #\n# # #", mines=2)
STUCK = Position.parse("1##\n###", mines=2)

# From which degree on a field of a hint may say something.
FROM = {"look": 1, "numbers": 2, "premises": 2, "difficulty": 2, "moves": 3, "why": 3, "play": 4}
FROM_GUESS = {**FROM, "moves": 4, "why": 4}


@pytest.mark.parametrize("position", [POSITION, STUCK], ids=["certain", "guess"])
@pytest.mark.parametrize("detail", range(1, len(HINT_DETAILS) + 1))
def test_a_hint_never_tells_more_than_was_asked(position, detail):
    told = dataclasses.asdict(hint(position, detail))
    whole = dataclasses.asdict(hint(position, 4))
    for name, least in (FROM if whole["certain"] else FROM_GUESS).items():
        assert told[name] == (whole[name] if detail >= least else type(told[name])())


def test_the_four_degrees_of_a_certain_step():
    first, second, third, fourth = (hint(POSITION, detail) for detail in (1, 2, 3, 4))
    assert first.text == "Look around r2c1."
    assert second.text == "Look at r1c1 and r2c1."
    assert third.text.endswith("so r3c1 is free. The same numbers also give: reveal r3c2.")
    assert fourth.play == ("reveal r3c1", "reveal r3c2")


def test_when_nothing_is_certain_it_says_so_with_the_probabilities_and_names_the_cell_at_degree_four():
    assert hint(STUCK, 1).text == (
        "No covered cell is certainly free. The best guess is a mine with probabilities of 33.3 %."
    )
    assert hint(STUCK, 3).text == hint(STUCK, 1).text
    assert hint(STUCK, 4).text.endswith("33.3 %: reveal r1c2.")
    assert hint(STUCK, 4).play == ("reveal r1c2",)
    assert "no probabilities" in hint(Position.parse("###"), 1).text


@pytest.mark.parametrize(
    ("text", "mines", "told"),
    [
        ("1#", None, "No covered cell is left to reveal."),
        ("1#\n11", 1, "No covered cell is left to reveal."),
        ("1F", None, "No covered cell is left to reveal."),
        ("F1F", None, "No covered cell is left to reveal; but a flag may be wrong."),
        ("1##", None, "No covered cell is certainly free. There are no probabilities to guess by."),
        ("1###", 2, "No covered cell is certainly free. The best guess is a mine with probabilities of 50.0 %: "
                    "reveal r1c3."),
    ],
)  # fmt: skip
def test_a_certain_mine_is_never_a_guess(text, mines, told):
    assert hint(Position.parse(text, mines=mines), 4).text == told


def test_the_mine_count_alone_is_no_number():
    told = hint(Position.parse("###", mines=0), 3).text
    assert told.endswith("so r1c1 is free. The mine count also gives: reveal r1c2, reveal r1c3.")


def test_mines_that_single_numbers_give_count_as_known():
    position = Position.parse("""
        #1#
        11#
    """)
    told = hint(position, 3)
    assert told.difficulty == "one"
    assert told.why == "r1c2 shows 1 and has its mine, r1c1, so r1c3 is free."


def test_a_flag_that_is_certainly_wrong_comes_first():
    told = hint(Position.parse("1##\n1##\nF##", mines=2), 4)
    assert told.play == ("unflag r3c1",)
    position = Position.parse("1##\n1##\nFFF", mines=2)
    told = hint(position, 4)
    assert told.play == ("unflag r3c1", "unflag r3c2")
    assert told.text.count("Its flag is wrong.") == 1


def test_what_cannot_be_helped_is_one_clear_line():
    with pytest.raises(NotationError, match="from 1 to 4, got 5"):
        hint(POSITION, 5)
    with pytest.raises(IllegalMove, match="every cell is revealed"):
        hint(Position.parse(".."), 1)
    with pytest.raises(Contradiction):
        hint(Position.parse("9#"), 1)


@pytest.mark.parametrize("tiling", TILINGS)
def test_following_the_hints_only_guesses_lose_games(tiling):
    rules = sapper.Rules.parse("6x6/7", tiling, "safe")
    for seed in range(3):
        game = sapper.Game.new(rules, seed)
        game.play(f"reveal {rules.board.name(0)}")
        while not game.over:
            told = hint(game.position, 4)
            for move in told.play:
                action, name = move.split()
                if action == "reveal" and game.position.marks[rules.board.cell(name)] >= 0:
                    continue
                game.play(move)
                assert game.outcome != "lost" or not told.certain
                if game.over:
                    break


def test_the_older_name_of_a_degree_still_holds():
    told = hint(POSITION, level=3)
    assert (told, told.level) == (hint(POSITION, 3), 3)


def test_what_a_step_takes_as_known_is_told_with_its_own_reason():
    position = Position.parse("""
        #1#
        11#
    """)
    (known,) = hint(position, 2).premises
    assert (known.cell, known.mine, known.flagged, known.numbers) == (
        "r1c1",
        True,
        False,
        ("r2c1",),
    )
    assert known.why == "r2c1 needs 1 and has only 1 covered cell, r1c1, so r1c1 is a mine."
    assert hint(position, 1).premises == ()
    (known,) = hint(position.with_marks({0: FLAG}), 2).premises
    assert known.flagged


def test_a_flag_that_only_several_numbers_prove_is_told_with_all_of_them():
    position = Position.parse("#######\n#32212#\n#1...1#")
    (mine,) = (
        m for m in sapper.explain_all(position) if m.move.format(position.board) == "flag r1c3"
    )
    told = hint(position.with_marks({position.board.cell("r1c3"): FLAG}), 2)
    reasons = {one.cell: one.numbers for one in told.premises}
    assert "r1c3" not in told.moves
    assert reasons.get("r1c3", mine.numbers) == mine.numbers


def test_what_the_flags_say_is_not_told_again():
    position = Position.parse("#######\n#32212#\n#1...1#")
    told = hint(position, 3)
    flags = [position.board.cell(move.split()[1]) for move in told.moves if move.startswith("flag")]
    again = hint(position.with_marks(dict.fromkeys(flags, FLAG)), 3)
    assert not set(told.moves) & set(again.moves) or not flags


@pytest.mark.parametrize("detail", [1, 2, 3, 4])
def test_a_guess_is_told_by_degrees(detail):
    position = Position.parse("# 1 # # #", mines=2)
    told = sapper.hint(position, detail)
    assert bool(told.candidates) == (detail >= 2)
    assert all(one.values and one.helps is not None for one in told.candidates) == (detail != 2)
    assert ("because" in told.text) == bool(told.moves) == bool(told.why) == (detail == 4)
    by_cell = {one.cell: one for one in sapper.hint(position, 3).candidates}
    assert by_cell["r1c3"].values == ((0, 0.25), (1, 0.25))
    assert (by_cell["r1c3"].helps, by_cell["r1c1"].helps) == (1.0, 0.0)


def test_each_degree_of_a_guess_says_another_thing():
    texts = [sapper.hint(STUCK, detail).text for detail in (1, 2, 3, 4)]
    assert len(set(texts)) == 4
    assert "r1c2" not in texts[0]
