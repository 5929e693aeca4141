"""The history of the score book: last and best games, and the months beside a slow twin."""

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.unit.web.features.test_web_statistics import LOSS, WIN

from sapper.games.tally import wilson
from sapper.web.statistics.history import BEST, LAST, MONTHS, histories

DAY = 86_400.0


def book(count: int, seed: int = 1):
    luck = random.Random(seed)
    rows = []
    for k in range(count):
        row = replace(
            WIN if luck.random() < 0.4 else LOSS,
            id=str(k),
            finished=k * 3 * DAY,
            size=luck.choice(["9x9/10", "30x16/99"]),
            milliseconds=luck.randrange(1, 300_000),
            three_bv=luck.randrange(1, 200),
            helped=luck.random() < 0.1,
            again=luck.random() < 0.1,
        )
        rows.append(row)
    return rows


def test_months_add_up_as_counted_one_by_one():
    rows = book(300)
    for kind in histories(rows):
        counted = [
            row
            for row in rows
            if row.size == kind.size and not row.again and not (row.outcome == "won" and row.helped)
        ]
        for month in kind.months:
            year, number = map(int, month.month.split("-"))
            start = datetime(year, number, 1, tzinfo=UTC).timestamp()
            end = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC).timestamp()
            own = [row for row in counted if start <= row.finished < end]
            wins = [row for row in own if row.outcome == "won"]
            assert (month.games, month.wins) == (len(own), len(wins))
            assert month.win_rate == len(wins) / len(own)
            assert (month.low, month.high) == wilson(len(wins), len(own))
            if wins:
                assert month.best_milliseconds == min(row.milliseconds for row in wins)
                speeds = [row.three_bv / (row.milliseconds / 1000) for row in wins]
                assert month.best_three_bv_per_second == pytest.approx(max(speeds))
                assert month.mean_three_bv_per_second == pytest.approx(sum(speeds) / len(speeds))
            else:
                assert month.best_milliseconds is month.mean_milliseconds is None
        assert [month.month for month in kind.months] == sorted({m.month for m in kind.months})


def test_last_and_best_games_are_few_and_in_order():
    rows = book(1000)
    for kind in histories(rows):
        own = [row for row in rows if row.size == kind.size and not row.again]
        assert [played.id for played in kind.last] == [row.id for row in own[-LAST:]]
        wins = [row.milliseconds for row in own if row.outcome == "won" and not row.helped]
        assert [played.milliseconds for played in kind.best] == sorted(wins)[:BEST]
        assert len(kind.months) <= MONTHS


def test_the_kind_that_was_played_last_comes_first():
    rows = [WIN, replace(WIN, id="b", size="9x9/10", finished=2.0)]
    assert [kind.title for kind in histories(rows)] == ["Beginner", "Expert"]
    assert histories([replace(WIN, again=True)]) == []


def test_only_games_that_are_here_can_be_opened(client, new_game, move):
    game = new_game(text="*.")
    move(game, "reveal", 0)
    imported = {
        "format": "sapper statistics 1",
        "results": [{**WIN.__dict__, "id": "elsewhere", "finished": 5.0}],
    }
    assert client.post("/api/statistics", json=imported).json()["added"] == 1
    answer = client.get("/api/statistics/history").json()
    assert answer["known"] == [game["id"]]
    assert [kind["size"] for kind in answer["kinds"]] == ["2x1/1", "30x16/99"]
    assert answer["kinds"][0]["last"][0]["outcome"] == "lost"
