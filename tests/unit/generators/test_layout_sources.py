"""Games on no-guess boards generated after the first click."""

import pytest

from sapper import (
    Budget,
    GameSetup,
    Layout,
    NotationError,
    OutOfBudget,
    Position,
    Rules,
    Session,
    grade,
)
from sapper.generators.layouts import LAYOUT_GENERATORS, layout_generators


def test_game_needs_no_guess_from_any_first_click_and_loads_again():
    for name in [name for name in LAYOUT_GENERATORS if name != "plain"]:
        rules = Rules.parse("16x16/44")
        session = Session(GameSetup(rules, 5, name))
        session.act("reveal r3c4")
        layout = session.game.layout
        clicked = Layout(layout.board, layout.mine_mask, layout.board.cell("r3c4"))
        found = grade(clicked)
        assert found.guesses == 0
        difficulty = name.removeprefix("no-guess").removeprefix("-")
        assert difficulty in ("", "without-count") or found.difficulty == difficulty
        assert difficulty != "without-count" or found.difficulty != "count"
        again = Session.load(session.save())
        assert again.game.layout == layout and again.position == session.position


def test_first_click_without_a_no_guess_board_changes_nothing():
    rules = Rules.parse("2x9/7", rule="safe")
    session = Session(
        GameSetup(rules, 1, "no-guess"), layout_generators=layout_generators(Budget(seconds=0.1))
    )
    with pytest.raises(OutOfBudget, match=r"0\.1 s"):
        session.act("reveal r1c1")
    assert session.position == Position.initial(rules.board, 7)
    assert not session.log


def test_setup_with_generator_is_read_as_written():
    header = "sapper: game 1\nboard: square 5x5\nmines: 14\nrule: safe\n"
    header += "generator: no-guess\nseed: 3\n"
    setup = GameSetup.parse(header)
    assert setup == GameSetup(Rules.parse("5x5/14", rule="safe"), 3, "no-guess")
    assert setup.format() == header


def test_setup_with_moves_is_refused_with_their_line():
    header = Session(GameSetup(Rules.of("5x5/4"), 3)).save()
    line = len(header.splitlines()) + 1
    with pytest.raises(NotationError, match=f"line {line}: expected a header, got 'reveal r1c1'"):
        GameSetup.parse(f"{header}reveal r1c1\nreveal r1c2\n")
