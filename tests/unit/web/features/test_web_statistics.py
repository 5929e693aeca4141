"""Statistics: summaries and history of results."""

import csv
import io
import json
import random

from msgspec.structs import asdict, replace

from sapper.games.play_many import wilson
from sapper.web.features.statistics import BEST_GAMES, LAST_GAMES, summarise
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


def test_win_rate_after_each_game_is_that_of_the_last_games():
    rows = random_results(400)
    for category in summarise(rows):
        counted = [
            row.outcome == "won"
            for row in rows
            if row.size == category["size"]
            and not row.repeated
            and not (row.outcome == "won" and row.helped)
        ]
        assert len(category["win_rates"]) == LAST_GAMES
        for back, found in enumerate(reversed(category["win_rates"])):
            recent = counted[: len(counted) - back][-LAST_GAMES:]
            assert found["win_rate"] == sum(recent) / LAST_GAMES
            assert (found["low"], found["high"]) == wilson(sum(recent), LAST_GAMES)
    (first,) = summarise(in_order(WIN, LOSS))
    assert [row["win_rate"] for row in first["win_rates"]] == [1, 0.5]


def test_history_has_the_last_games_the_last_wins_and_the_best():
    rows = random_results(2_000)
    for category in summarise(rows):
        own = [row for row in rows if row.size == category["size"] and not row.repeated]
        wins = [row for row in own if row.outcome == "won" and not row.helped]
        assert [game["id"] for game in category["last"]] == [row.id for row in own[-LAST_GAMES:]]
        assert [game["id"] for game in category["last_wins"]] == [
            row.id for row in wins[-LAST_GAMES:]
        ]
        times = sorted(row.milliseconds for row in wins)
        assert [game["milliseconds"] for game in category["best"]] == times[:BEST_GAMES]


def import_results(client, *rows):
    lines = ({"format": "sapper profile 1"}, *({"result": asdict(row)} for row in rows))
    headers = {"content-type": "application/x-ndjson"}
    content = "\n".join(map(json.dumps, lines))
    return client.post("/api/profile/import", content=content, headers=headers).json()["results"]


def test_csv_has_one_line_for_each_result(client):
    assert import_results(client, *in_order(WIN)) == {"added": 1, "known": 0}
    exported = client.get("/api/statistics/export.csv")
    assert exported.headers["content-type"].startswith("text/csv")
    assert "sapper-statistics.csv" in exported.headers["content-disposition"]
    (row,) = csv.DictReader(io.StringIO(exported.text))
    assert row == {
        **{"id": "0", "finished_utc": "1970-01-01 00:00:00", "level": "expert"},
        **{"tiling": "square", "size": "30x16/99", "rule": "zero", "generator": "plain"},
        **{"seed": "7", "outcome": "won", "seconds": "90.000", "3bv": "150"},
        **{"3bv_per_second": "1.667", "clicks": "200", "efficiency": "0.750"},
        **{"helped": "false", "repeated": "false"},
    }


def lost_game(new_game, move):
    game = new_game(text="*..\n...")
    move(game, "reveal", 0)
    return game


def test_only_stored_games_of_the_history_can_be_opened(client, new_game, move):
    game = lost_game(new_game, move)
    import_results(client, replace(WIN, id="elsewhere"))
    answer = client.get("/api/statistics").json()
    assert len(answer["summaries"]) == 2
    assert answer["available"] == [game["id"]]
