"""The history of a score book: the last and the best games of each kind, and month by month."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sapper.games.tally import wilson
from sapper.web.statistics.summaries import by_kind, counts, speed, title_of_kind
from sapper.web.storage.store import ResultRow

LAST = 100
BEST = 10
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
    """The games of one kind that ended in one month; only those count that the summary counts."""

    month: str
    """Such as 2026-11, in UTC."""
    games: int
    wins: int
    win_rate: float
    low: float
    """The Wilson interval of the share of wins, 95 %."""
    high: float
    best_milliseconds: int | None
    mean_milliseconds: float | None
    best_three_bv_per_second: float | None
    mean_three_bv_per_second: float | None


@dataclass(frozen=True)
class History:
    """One kind of game: its last games, its best ones, its months, each in the order of time."""

    title: str
    tiling: str
    size: str
    rule: str
    deal: str
    last: tuple[HistoryGame, ...]
    best: tuple[HistoryGame, ...]
    """The quickest wins without help, the quickest first."""
    months: tuple[Month, ...]


def histories(results: Iterable[ResultRow]) -> list[History]:
    """The history of each kind of game, the one that was played last first."""
    found = [_history(rows) for rows in by_kind(results)]
    return sorted(found, key=lambda one: -one.last[-1].finished)


def _history(rows: list[ResultRow]) -> History:
    first = rows[0]
    wins = [row for row in rows if counts(row) and row.outcome == "won"]
    months: dict[str, list[ResultRow]] = {}
    for row in rows:
        if counts(row):
            months.setdefault(_month(row), []).append(row)
    quickest = sorted(wins, key=lambda row: (row.milliseconds, row.finished))
    return History(
        title=title_of_kind(first),
        tiling=first.tiling,
        size=first.size,
        rule=first.rule,
        deal=first.deal,
        last=tuple(map(_played, rows[-LAST:])),
        best=tuple(map(_played, quickest[:BEST])),
        months=tuple(_of_month(month, months[month]) for month in sorted(months)[-MONTHS:]),
    )


def _month(row: ResultRow) -> str:
    return datetime.fromtimestamp(row.finished, UTC).strftime("%Y-%m")


def _of_month(month: str, rows: list[ResultRow]) -> Month:
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
        sum(times) / len(times) if times else None,
        max(speeds, default=None),
        sum(speeds) / len(speeds) if speeds else None,
    )


def _played(row: ResultRow) -> HistoryGame:
    return HistoryGame(
        row.id, row.finished, row.outcome, row.milliseconds, row.three_bv, row.clicks, row.helped
    )
