"""Windows hold their games: no other one is led into them while they live."""

import pytest

from sapper.web.play import open_windows
from sapper.web.play.open_windows import OpenWindows


@pytest.fixture
def hold(client):
    def say(game, window, what="hold"):
        answer = client.post(f"/api/games/{game['id']}/{what}", json={"window": window})
        assert answer.status_code == 200, answer.text
        return answer.json().get("others")

    return say


def listed(client):
    return {row["id"]: row["held"] for row in client.get("/api/games").json()["games"]}


def test_a_game_is_held_until_its_window_is_closed(client, new_game, move, hold):
    game = new_game(size="beginner")
    move(game, "flag", 0)
    assert listed(client) == {game["id"]: False}
    assert hold(game, "one") == 0
    assert hold(game, "two") == 1
    assert hold(game, "two") == 1  # the same window once more
    hold(game, "one", "release")
    assert listed(client) == {game["id"]: True}
    hold(game, "two", "release")
    assert listed(client) == {game["id"]: False}


def test_a_window_holds_one_game(client, new_game, move, hold):
    first, second = new_game(size="beginner"), new_game(size="expert")
    for game in (first, second):
        move(game, "flag", 0)
        hold(game, "one")
    assert listed(client) == {first["id"]: False, second["id"]: True}


def test_a_window_that_is_not_heard_of_any_more_holds_nothing():
    now = [0.0]
    held = OpenWindows(clock=lambda: now[0])
    held.hold("ann", "one", "game")
    now[0] = open_windows.SECONDS - 1
    assert held.held() == {"game"}
    held.hold("ann", "two", "other")
    now[0] = open_windows.SECONDS + 1
    assert held.held() == {"other"}


def test_windows_without_end_take_no_memory_without_end(monkeypatch):
    monkeypatch.setattr(open_windows, "MOST", 3)
    held = OpenWindows()
    for k in range(10):
        held.hold("ann", str(k), f"game {k}")
    assert held.held() == {"game 7", "game 8", "game 9"}


@pytest.mark.parametrize("window", ["", "x" * 65, 3, None])
def test_a_window_has_a_name(client, new_game, window):
    game = new_game(size="beginner")
    answer = client.post(f"/api/games/{game['id']}/open", json={"window": window})
    assert answer.status_code == 400
    assert "expected" in answer.json()["error"]
