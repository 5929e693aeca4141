"""The score book: what counts, what it adds up to, and that it travels."""

import json
from dataclasses import asdict, replace

import pytest

from sapper.games.tally import wilson
from sapper.web.statistics.summaries import check_result, summarise
from sapper.web.storage.store import ResultRow

WIN = ResultRow(
    id="a",
    finished=1.0,
    tiling="square",
    size="30x16/99",
    rule="zero",
    deal="plain",
    seed="7",
    outcome="won",
    milliseconds=90_000,
    clicks=200,
    three_bv=150,
    helped=False,
    again=False,
)
LOSS = replace(WIN, outcome="lost", milliseconds=5_000)


def book(*rows):
    return [replace(row, id=str(k), finished=float(k)) for k, row in enumerate(rows)]


def test_wins_losses_streaks_and_times():
    fast = replace(WIN, milliseconds=60_000)
    (row,) = summarise(book(WIN, fast, LOSS, WIN))
    assert (row.title, row.games, row.wins) == ("Expert", 4, 3)
    assert (row.streak, row.best_streak) == (1, 2)
    assert (row.best_milliseconds, row.mean_milliseconds) == (60_000, 80_000)
    assert row.best_three_bv_per_second == 2.5
    assert row.mean_efficiency == 0.75


def test_a_win_with_help_is_counted_apart_and_leaves_the_streak_alone():
    (row,) = summarise(book(WIN, replace(WIN, helped=True, milliseconds=1), WIN))
    assert (row.games, row.wins, row.helped_wins, row.streak) == (2, 2, 1, 2)
    assert row.best_milliseconds == 90_000


def test_a_deal_that_was_played_before_counts_nowhere():
    assert summarise(book(replace(WIN, again=True))) == []


def test_kinds_of_games_are_kept_apart_and_levels_come_first():
    rows = book(
        replace(WIN, tiling="hexagonal"),
        replace(WIN, size="20x20/50"),
        WIN,
        replace(WIN, size="9x9/10"),
        replace(WIN, rule="any"),
    )
    assert [(row.title, row.tiling, row.rule) for row in summarise(rows)] == [
        ("Beginner", "square", "zero"),
        ("Expert", "square", "zero"),
        ("Expert", "square", "any"),
        ("20x20/50", "square", "zero"),
        ("Expert", "hexagonal", "zero"),
    ]


def test_the_share_of_wins_has_wilsons_interval_unless_no_game_counts():
    (row,) = summarise(book(WIN, LOSS))
    assert (row.win_rate, row.low, row.high) == (0.5, *wilson(1, 2))
    (row,) = summarise(book(replace(WIN, helped=True)))
    assert (row.games, row.win_rate, row.low, row.high) == (0, None, None, None)


def test_a_result_travels():
    assert check_result("result 1", json.loads(json.dumps(asdict(WIN)))) == WIN


def test_an_exported_book_is_imported_once(client, new_game, move):
    game = new_game(size="beginner", seed="3", rule="safe")
    from sapper.board.rules import Rules
    from sapper.generators.layouts import generate

    move(game, "reveal", 40)
    layout = generate(Rules.parse("beginner", rule="safe"), 3, 40).layout
    move(game, "reveal", int(layout.mine_mask.argmax()))
    exported = client.get("/api/statistics/export")
    assert "attachment" in exported.headers["content-disposition"]
    assert client.request("DELETE", "/api/statistics").json() == {"forgotten": 1}
    assert client.get("/api/statistics").json()["summaries"] == []
    assert client.post("/api/statistics", json=exported.json()).json() == {"added": 1, "known": 0}
    assert client.post("/api/statistics", json=exported.json()).json() == {"added": 0, "known": 1}
    (summary,) = client.get("/api/statistics").json()["summaries"]
    assert (summary["games"], summary["wins"]) == (1, 0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "format 'sapper profile 1' or 'sapper statistics 1', got none"),
        ({"format": "sapper statistics 9"}, "got 'sapper statistics 9'"),
        ({"format": "sapper statistics 1", "results": [1]}, "result 1: expected the keys"),
        ({"format": "sapper statistics 1", "results": [{"id": 1}]}, "result 1: expected the keys"),
    ],
)
def test_another_file_is_refused(client, data, message):
    answer = client.post("/api/statistics", json=data)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("milliseconds", -1),
        ("milliseconds", "1"),
        ("helped", 1),
        ("id", "x" * 100),
        ("outcome", "drawn"),
        ("finished", -1),
    ],
)
def test_a_result_that_makes_no_sense_is_refused(client, key, value):
    data = {"format": "sapper statistics 1", "results": [{**asdict(WIN), key: value}]}
    answer = client.post("/api/statistics", json=data)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("result 1: expected")
