"""A game that is open in one window is not opened by another window by itself."""

import pytest

from sapper.web.features import play
from sapper.web.features.play import OpenWindows


@pytest.fixture
def report(client):
    def send(game, window, what="open"):
        answer = client.post(f"/api/games/{game['id']}/{what}", json={"window": window})
        assert answer.status_code == 200, answer.text
        return answer.json().get("others")

    return send


def open_games(client):
    return {row["id"]: row["open"] for row in client.get("/api/games").json()["games"]}


def test_game_is_open_until_its_windows_are_closed(client, new_game, move, report):
    game = new_game(size="beginner")
    move(game, "flag", 0)
    assert open_games(client) == {game["id"]: False}
    assert report(game, "one") == 0
    assert report(game, "two") == 1
    assert report(game, "two") == 1  # the same window again
    report(game, "one", "close")
    assert open_games(client) == {game["id"]: True}
    report(game, "two", "close")
    assert open_games(client) == {game["id"]: False}


def test_window_has_one_game_open(client, new_game, move, report):
    first, second = new_game(size="beginner"), new_game(size="expert")
    for game in (first, second):
        move(game, "flag", 0)
        report(game, "one")
    assert open_games(client) == {first["id"]: False, second["id"]: True}


def test_window_that_stops_reporting_expires():
    now = [0.0]
    windows = OpenWindows(clock=lambda: now[0])
    windows.open("ann", "one", "game")
    now[0] = play.WINDOW_SECONDS - 1
    assert windows.games() == {"game"}
    windows.open("ann", "two", "other")
    now[0] = play.WINDOW_SECONDS + 1
    assert windows.games() == {"other"}


def test_number_of_windows_is_limited(monkeypatch):
    monkeypatch.setattr(play, "MAX_WINDOWS", 3)
    windows = OpenWindows()
    for k in range(10):
        windows.open("ann", str(k), f"game {k}")
    assert windows.games() == {"game 7", "game 8", "game 9"}


def test_bad_window_name_is_rejected(client, new_game):
    game = new_game(size="beginner")
    for window in ("", "x" * 65, 3, None):
        answer = client.post(f"/api/games/{game['id']}/open", json={"window": window})
        assert answer.status_code == 400
        assert "window" in answer.json()["error"]
