"""History of results: the last and the best games of each category, and its months."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sapper.games.tally import wilson
from sapper.web.statistics.summaries import by_category, counts, mean, speed, title_of_category
from sapper.web.storage.store import ResultRow

LAST_GAMES = 100
BEST_GAMES = 10
MONTHS = 36


@dataclass(frozen=True)
class HistoryGame:
    """One game of the history."""

    id: str
    finished: float
    outcome: str
    milliseconds: int
    three_bv: int
    clicks: int
    helped: bool


@dataclass(frozen=True)
class Month:
    """The games of one category that ended in one month, as far as the summary counts them."""

    month: str
    """Such as 2026-11, in UTC."""
    games: int
    wins: int
    win_rate: float
    low: float
    """The 95% Wilson interval of the win rate."""
    high: float
    best_milliseconds: int | None
    mean_milliseconds: float | None
    best_three_bv_per_second: float | None
    mean_three_bv_per_second: float | None


@dataclass(frozen=True)
class History:
    """One category of games."""

    title: str
    tiling: str
    size: str
    rule: str
    generator: str
    last: tuple[HistoryGame, ...]
    """The last games, in the order of time."""
    best: tuple[HistoryGame, ...]
    """The fastest wins without help, fastest first."""
    months: tuple[Month, ...]


def histories(results: Iterable[ResultRow]) -> list[History]:
    """Return the history of each category, the most recently played first."""
    found = [_history(rows) for rows in by_category(results)]
    return sorted(found, key=lambda one: -one.last[-1].finished)


def _history(rows: list[ResultRow]) -> History:
    first = rows[0]
    wins = [row for row in rows if counts(row) and row.outcome == "won"]
    months: dict[str, list[ResultRow]] = {}
    for row in rows:
        if counts(row):
            month = datetime.fromtimestamp(row.finished, UTC).strftime("%Y-%m")
            months.setdefault(month, []).append(row)
    fastest = sorted(wins, key=lambda row: (row.milliseconds, row.finished))
    return History(
        title=title_of_category(first),
        tiling=first.tiling,
        size=first.size,
        rule=first.rule,
        generator=first.generator,
        last=tuple(map(_history_game, rows[-LAST_GAMES:])),
        best=tuple(map(_history_game, fastest[:BEST_GAMES])),
        months=tuple(_month(month, months[month]) for month in sorted(months)[-MONTHS:]),
    )


def _month(month: str, rows: list[ResultRow]) -> Month:
    wins = [row for row in rows if row.outcome == "won"]
    low, high = wilson(len(wins), len(rows))
    times, speeds = [row.milliseconds for row in wins], [speed(row) for row in wins]
    return Month(
        month,
        len(rows),
        len(wins),
        len(wins) / len(rows),
        low,
        high,
        min(times, default=None),
        mean([*times]),
        max(speeds, default=None),
        mean(speeds),
    )


def _history_game(row: ResultRow) -> HistoryGame:
    return HistoryGame(
        row.id, row.finished, row.outcome, row.milliseconds, row.three_bv, row.clicks, row.helped
    )
