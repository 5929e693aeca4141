"""Windows report which game they have open; without reports the clock of a game stops."""

from functools import partial

import pytest

from sapper.web import live_games
from sapper.web.features import play
from sapper.web.features.play import OpenWindows


@pytest.fixture
def report(client):
    def send(game, window, action="open"):
        response = client.post(f"/api/games/{game['id']}/{action}", json={"window": window})
        assert response.status_code == 200, response.text
        return response.json().get("others")

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


def test_late_report_does_not_open_a_closed_window(client, new_game, move):
    game = new_game(size="beginner")
    move(game, "flag", 0)

    def send(action, report, window="one"):
        body = {"window": window, "report": report}
        return client.post(f"/api/games/{game['id']}/{action}", json=body).json().get("others")

    assert send("open", 1) == 0
    send("close", 3)
    assert send("open", 2) == 0  # sent before the window was closed
    assert open_games(client) == {game["id"]: False}
    assert send("open", 1, window="two") == 0
    assert send("open", 4) == 1  # the page was loaded again
    assert open_games(client) == {game["id"]: True}


def test_late_report_does_not_close_a_reloaded_window():
    windows = OpenWindows()
    windows.open("ann", "one", "game", 3)
    windows.close("ann", "one", 2)
    assert windows.games() == {"game"}
    windows.close("ann", "one", 4)
    assert windows.games() == set()


@pytest.fixture
def now(monkeypatch):
    """Return a list whose only item is the current time for the clocks of new games."""
    seconds = [1000.0]
    clock = partial(live_games.GameClock, clock=lambda: seconds[0])
    monkeypatch.setattr(live_games, "GameClock", clock)
    return seconds


def test_clock_stops_at_the_last_report_of_a_window(client, new_game, move, report, now):
    game = new_game(size="beginner", seed="1")
    report(game, "one")
    now[0] += 100  # before the first reveal
    move(game, "reveal", 40)
    now[0] += 5
    report(game, "one")
    now[0] += 600  # the browser has crashed
    state = client.post(f"/api/games/{game['id']}/resume").json()["state"]
    assert (state["milliseconds"], state["running"]) == (5000, True)
    now[0] += 2
    assert move(game, "flag", 0)["state"]["milliseconds"] == 7000
    now[0] += 40  # without a report
    assert move(game, "unflag", 0)["state"]["milliseconds"] == 7000


def test_clock_of_a_client_that_never_reports_does_not_stop(new_game, move, now):
    game = new_game(size="beginner", seed="1")
    move(game, "reveal", 40)
    now[0] += 600
    assert move(game, "flag", 0)["state"]["milliseconds"] == 600_000


def test_clock_of_an_opened_game_stops_too(client, new_game, move, report, now):
    saved = (
        "sapper: game 1\nboard: square 9x9\nmines: 10\nrule: zero\nseed: 7\n\n0.000 reveal r5c5\n"
    )
    game = new_game(text=saved)
    client.post(f"/api/games/{game['id']}/resume")
    report(game, "one")
    now[0] += 600
    assert move(game, "flag", 0)["state"]["milliseconds"] == 0


def test_clock_shows_the_last_report_while_the_user_is_away():
    seconds = [0.0]
    clock = live_games.GameClock(clock=lambda: seconds[0])
    clock.report()
    for elapsed, shown in ((5.0, 5.0), (7.0, 0.0), (600.0, 0.0)):
        seconds[0] = elapsed
        assert clock() == shown
    clock.report()
    seconds[0] += 3
    assert clock() == 3.0


def test_number_of_windows_is_limited(monkeypatch):
    monkeypatch.setattr(play, "MAX_WINDOWS", 3)
    windows = OpenWindows()
    for k in range(10):
        windows.open("ann", str(k), f"game {k}")
    assert windows.games() == {"game 7", "game 8", "game 9"}


def test_bad_window_name_is_rejected(client, new_game):
    game = new_game(size="beginner")
    for window in ("", "x" * 65, 3, None):
        response = client.post(f"/api/games/{game['id']}/open", json={"window": window})
        assert response.status_code == 400
        assert "window" in response.json()["error"]
