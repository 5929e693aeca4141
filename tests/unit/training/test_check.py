"""Players compared on the same layouts."""

import pytest
from training import check
from training.check import PlayerSpec, make_player

import sapper
from sapper.games.play_many import play_each

LINE = ("7x6/8", "safe", "r1c1")


def test_settings_of_a_player_follow_its_name():
    settings = make_player(PlayerSpec("patient:samples=20,inner=careful,first_error=0.02")).settings
    assert (settings.samples, settings.inner, settings.first_error) == (20, "careful", 0.02)
    assert make_player(PlayerSpec("shrewd")) == sapper.PLAYERS["shrewd"]


def test_players_are_compared_game_by_game(monkeypatch):
    monkeypatch.setattr(check, "GAMES_PER_TASK", 20)
    players = ["careful", "thoughtful:look_ahead=false,end_game=0,fifty_fifty=0.0"]
    rows = check.check(players, 0.0, 1, lines=(LINE,), seed=5)
    won = [
        play_each(LINE[0], make_player(PlayerSpec(player)), 20, seed=5, rule="safe", first="r1c1")
        for player in players
    ]
    base, own = (games[:, 0] > 0 for games in won)
    assert [row["games"] for row in rows] == [20, 20]
    assert [row["wins"] for row in rows] == [base.sum(), own.sum()]
    assert rows[1]["only it won"] == (own & ~base).sum()
    assert rows[1]["only base won"] == (base & ~own).sum()
    assert rows[1]["gain"] == pytest.approx(5 * (int(own.sum()) - int(base.sum())))
    assert rows[0]["gain"] == rows[0]["gain error"] == 0.0


def test_games_are_limited(monkeypatch):
    monkeypatch.setattr(check, "GAMES_PER_TASK", 10)
    (row,) = check.check(["careful"], 1e9, 1, lines=(LINE,), max_games=30)
    assert row["games"] == 30 and row["line"] == "7x6/8 safe r1c1"
