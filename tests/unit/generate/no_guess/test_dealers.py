"""Games that are dealt without a guess after the player's own first click."""

import pickle

import pytest

from sapper.errors import OutOfBudget
from sapper.generate.dealers import DEALERS, DEALS, dealers
from sapper.generate.grade import grade
from sapper.infer.budget import Budget
from sapper.model.frame import Frame
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.play.session import Session
from sapper.play.start import Start


@pytest.mark.parametrize("deal", [name for name in DEALERS if name != "plain"])
def test_a_game_is_dealt_so_wherever_it_is_clicked_first_and_loads_again(deal):
    rules = Rules.parse("16x16/44")
    session = Session(Start(rules, 5, deal), dealers=DEALERS)
    session.act("reveal r3c4")
    layout = session.game.layout
    clicked = Layout(layout.board, layout.mine_mask, layout.board.cell("r3c4"))
    found = grade(clicked)
    assert found.guesses == 0
    rung = deal.removeprefix("no-guess").removeprefix("-")
    assert rung in ("", "without-count") or found.rung == rung
    assert rung != "without-count" or found.rung != "count"
    again = Session.load(session.save(), dealers=DEALERS)
    assert again.game.layout == layout and again.frame == session.frame


def test_every_way_to_deal_says_what_it_promises():
    assert list(DEALS) == list(DEALERS)


def test_a_first_click_that_finds_no_such_board_changes_nothing():
    rules = Rules.parse("2x9/7", rule="safe")
    session = Session(Start(rules, 1, "no-guess"), dealers=dealers(Budget(seconds=0.1)))
    with pytest.raises(OutOfBudget, match=r"at most 0\.1 s"):
        session.act("reveal r1c1")
    assert session.frame == Frame.blank(rules.board, 7)
    assert not session.log


def test_a_game_that_is_not_dealt_yet_can_be_pickled():
    game = Session(Start(Rules.parse("9x9/10"), 5, "no-guess"), dealers=DEALERS).game
    again = pickle.loads(pickle.dumps(game))
    for one in (game, again):
        one.play(Move("reveal", 3))
    assert again.layout == game.layout
