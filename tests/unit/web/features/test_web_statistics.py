"""Statistics: summaries and history of results."""

import json
import random
from datetime import UTC, datetime

import pytest
from msgspec.structs import asdict, replace

from sapper.games.many import wilson
from sapper.web.features.statistics import BEST_GAMES, LAST_GAMES, MONTHS, histories, summarise
from sapper.web.storage.store import ResultRow

WIN = ResultRow(
    id="a",
    finished=1.0,
    tiling="square",
    size="30x16/99",
    rule="zero",
    generator="plain",
    seed="7",
    outcome="won",
    milliseconds=90_000,
    clicks=200,
    three_bv=150,
    helped=False,
    repeated=False,
)
LOSS = replace(WIN, outcome="lost", milliseconds=5_000)
DAY = 86_400.0


def in_order(*rows):
    return [replace(row, id=str(k), finished=float(k)) for k, row in enumerate(rows)]


def test_summary_of_wins_losses_streaks_and_times():
    fast = replace(WIN, milliseconds=60_000)
    (row,) = summarise(in_order(WIN, fast, LOSS, WIN))
    assert (row["title"], row["games"], row["wins"]) == ("Expert", 4, 3)
    assert (row["streak"], row["best_streak"]) == (1, 2)
    assert (row["best_milliseconds"], row["mean_milliseconds"]) == (60_000, 80_000)
    assert row["best_three_bv_per_second"] == 2.5
    assert row["mean_efficiency"] == 0.75


def test_win_with_help_is_counted_separately_and_keeps_the_streak():
    (row,) = summarise(in_order(WIN, replace(WIN, helped=True, milliseconds=1), WIN))
    assert (row["games"], row["wins"], row["helped_wins"], row["streak"]) == (2, 2, 1, 2)
    assert row["best_milliseconds"] == 90_000


def test_second_game_on_a_layout_does_not_count():
    assert summarise(in_order(replace(WIN, repeated=True))) == []


def test_categories_are_separate_and_levels_come_first():
    rows = in_order(
        replace(WIN, tiling="hexagonal"),
        replace(WIN, size="20x20/50"),
        replace(WIN, size="5x5/5"),
        replace(LOSS, size="20x20/50"),
        WIN,
        replace(WIN, size="9x9/10"),
        replace(WIN, rule="any"),
    )
    assert [(row["title"], row["tiling"], row["rule"]) for row in summarise(rows)] == [
        ("Beginner", "square", "zero"),
        ("Expert", "square", "zero"),
        ("Expert", "square", "any"),
        ("20x20/50", "square", "zero"),
        ("5x5/5", "square", "zero"),
        ("Expert", "hexagonal", "zero"),
    ]


def test_win_rate_has_a_wilson_interval_unless_no_game_counts():
    (row,) = summarise(in_order(WIN, LOSS))
    assert (row["win_rate"], row["low"], row["high"]) == (0.5, *wilson(1, 2))
    (row,) = summarise(in_order(replace(WIN, helped=True)))
    assert (row["games"], row["win_rate"], row["low"], row["high"]) == (0, None, None, None)


def random_results(count: int, seed: int = 1):
    source = random.Random(seed)
    return [
        replace(
            WIN if source.random() < 0.4 else LOSS,
            id=str(k),
            finished=k * 3 * DAY,
            size=source.choice(["9x9/10", "30x16/99"]),
            milliseconds=source.randrange(1, 300_000),
            three_bv=source.randrange(1, 200),
            helped=source.random() < 0.1,
            repeated=source.random() < 0.1,
        )
        for k in range(count)
    ]


def test_months_match_a_naive_count():
    rows = random_results(300)
    for category in histories(rows):
        counted = [
            row
            for row in rows
            if row.size == category["size"]
            and not row.repeated
            and not (row.outcome == "won" and row.helped)
        ]
        for month in category["months"]:
            year, number = map(int, month["month"].split("-"))
            start = datetime(year, number, 1, tzinfo=UTC).timestamp()
            end = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC).timestamp()
            own = [row for row in counted if start <= row.finished < end]
            wins = [row for row in own if row.outcome == "won"]
            assert (month["games"], month["wins"]) == (len(own), len(wins))
            assert month["win_rate"] == len(wins) / len(own)
            assert (month["low"], month["high"]) == wilson(len(wins), len(own))
            if wins:
                assert month["best_milliseconds"] == min(row.milliseconds for row in wins)
                speeds = [row.three_bv / (row.milliseconds / 1000) for row in wins]
                assert month["best_three_bv_per_second"] == pytest.approx(max(speeds))
                assert month["mean_three_bv_per_second"] == pytest.approx(sum(speeds) / len(speeds))
            else:
                assert month["best_milliseconds"] is month["mean_milliseconds"] is None
        names = [month["month"] for month in category["months"]]
        assert names == sorted(set(names))


def test_history_has_the_last_and_the_best_games():
    rows = random_results(2_000)
    for category in histories(rows):
        own = [row for row in rows if row.size == category["size"] and not row.repeated]
        assert [game["id"] for game in category["last"]] == [row.id for row in own[-LAST_GAMES:]]
        times = sorted(row.milliseconds for row in own if row.outcome == "won" and not row.helped)
        assert [game["milliseconds"] for game in category["best"]] == times[:BEST_GAMES]
        assert len(category["months"]) == MONTHS
        last = datetime.fromtimestamp(own[-1].finished, UTC)
        assert category["months"][-1]["month"] == f"{last:%Y-%m}"
    latest = [category["last"][-1]["finished"] for category in histories(rows)]
    assert latest == sorted(latest, reverse=True)


def lost_game(new_game, move):
    game = new_game(text="*..\n...")
    move(game, "reveal", 0)
    return game


def test_exported_results_are_imported_once(client, new_game, move):
    lost_game(new_game, move)
    exported = client.get("/api/statistics/export")
    assert "attachment" in exported.headers["content-disposition"]
    assert client.request("DELETE", "/api/statistics").json() == {"deleted": 1}
    assert client.get("/api/statistics").json()["summaries"] == []
    headers = {"content-type": "application/x-ndjson"}
    for counts in ({"added": 1, "known": 0}, {"added": 0, "known": 1}):
        answer = client.post("/api/statistics", content=exported.content, headers=headers)
        assert answer.json() == counts
    (summary,) = client.get("/api/statistics").json()["summaries"]
    assert (summary["games"], summary["wins"]) == (1, 0)


def test_only_stored_games_of_the_history_can_be_opened(client, new_game, move):
    game = lost_game(new_game, move)
    lines = ({"format": "sapper statistics 2"}, {"result": asdict(replace(WIN, id="elsewhere"))})
    content = "\n".join(map(json.dumps, lines))
    headers = {"content-type": "application/x-ndjson"}
    answer = client.post("/api/statistics", content=content, headers=headers)
    assert answer.json() == {"added": 1, "known": 0}
    history = client.get("/api/statistics/history").json()
    assert len(history["categories"]) == 2
    assert history["available"] == [game["id"]]
