"""Somebody at a game: the terminal and the page see the same steps."""

import pytest

from sapper.board.rules import Rules
from sapper.errors import NotationError, RulesError, UnknownName
from sapper.games.setup import GameSetup
from sapper.serialize.watching import KINDS, start_watch, who

START = GameSetup(Rules.parse("beginner"), 7)


@pytest.mark.parametrize(("kind", "name"), [("solver", "hybrid"), ("player", "careful")])
def test_the_command_and_the_page_show_the_same_steps(client, sapper, kind, name):
    options = (f"--{kind}", name, "--seed", 7, "--plain", "--first", "r2c3")
    told = sapper("watch", "beginner", *options)[1]
    asked = {"size": "beginner", "seed": "7", "kind": kind, "name": name, "first": 11}
    watched = client.post("/api/watch", json=asked).json()
    answer = client.post(f"/api/watch/{watched['id']}/steps", json={"from": 0}).json()
    lines = [f"{step['move']}: {step['reason']}" for step in answer["steps"]]
    assert len(lines) > 5
    assert told.startswith("\n".join(lines) + "\n")
    assert told.endswith(answer["end"]["summary"] + "\n")


def test_the_usual_solver_of_a_board_without_a_guess_uses_the_mine_count():
    assert start_watch(START).name == "hybrid"
    assert start_watch(GameSetup(START.rules, 7, "no-guess")).name == "exact"


def test_everybody_can_be_named():
    assert tuple(who()) == KINDS
    for kind, names in who().items():
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
