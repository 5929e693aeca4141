"""Somebody at a game: the terminal and the page see the same steps."""

import pytest

from sapper.board.rules import Rules
from sapper.errors import NotationError, RulesError, UnknownName
from sapper.games.setup import GameSetup
from sapper.serialize.watching import KINDS, start_watch, watchable

START = GameSetup(Rules.parse("beginner"), 7)


def test_the_usual_solver_of_a_board_without_a_guess_uses_the_mine_count():
    assert start_watch(START).name == "hybrid"
    assert start_watch(GameSetup(START.rules, 7, "no-guess")).name == "exact"


def test_everybody_can_be_named():
    assert tuple(watchable()) == KINDS
    for kind, names in watchable().items():
        assert [start_watch(START, kind, name).name for name in names] == list(names)
        assert [start_watch(START, kind, name.upper()).name for name in names] == list(names)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"kind": "referee"}, NotationError),
        ({"name": "nobody"}, UnknownName),
        ({"kind": "player", "name": "brute"}, UnknownName),
        ({"first": "r99c1"}, NotationError),
    ],
)
def test_what_cannot_be_watched_is_refused(asked, error):
    with pytest.raises(error, match=r"^expected .*, got "):
        start_watch(START, **asked)


def test_a_first_click_without_room_for_the_mines_is_refused():
    with pytest.raises(RulesError, match="at most 72 mines"):
        start_watch(GameSetup(Rules.parse("9x9/75"), 1), first=40)
