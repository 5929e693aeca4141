"""Statistics: summaries and history of results, by category.

A category is the games of the same tiling, size, rule and generator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.rules import LEVELS, level_of
from sapper.games.many import wilson
from sapper.web.live_games import store_of
from sapper.web.server.http import JsonResponse, owner_of
from sapper.web.storage.store import ResultRow

LAST_GAMES = 100
BEST_GAMES = 10
MONTHS = 36


@dataclass(frozen=True)
class Summary:
    """The results of one category.

    Layouts that were played before are left out. A win with help is counted separately, and does
    not change a streak.
    """

    title: str
    tiling: str
    size: str
    rule: str
    generator: str
    games: int
    wins: int
    helped_wins: int
    win_rate: float | None
    low: float | None
    """The 95% Wilson interval of the win rate."""
    high: float | None
    streak: int
    best_streak: int
    best_milliseconds: int | None
    mean_milliseconds: float | None
    best_three_bv_per_second: float | None
    mean_efficiency: float | None


@dataclass(frozen=True)
class Record:
    """One game in comparison with the others of its category."""

    counts: bool
    """Whether the statistics count it as won or lost."""
    best_milliseconds: int | None
    """The best time of the others."""
    streak: int
    """The wins in a row up to this game."""
    streak_before: int
    best_streak: int
    """The most wins in a row of the others."""


def summarise(results: Iterable[ResultRow]) -> list[Summary]:
    """Return the summaries, in the order of the levels, then by number of games."""
    summaries = [_summary(rows) for rows in by_category(results)]
    sizes = list(LEVELS.values())
    return sorted(
        summaries,
        key=lambda s: (
            s.tiling != "square",
            sizes.index(s.size) if s.size in sizes else len(sizes),
            -s.games,
            s.title,
        ),
    )


def by_category(results: Iterable[ResultRow]) -> list[list[ResultRow]]:
    """Group the first attempts by category, in the order of the results."""
    categories: dict[tuple[str, str, str, str], list[ResultRow]] = {}
    for row in results:
        if not row.repeated:
            categories.setdefault(_category(row), []).append(row)
    return list(categories.values())


def compare(results: Iterable[ResultRow], game: str) -> Record | None:
    """Compare a game with the others of its category; None for a game without a result."""
    rows = list(results)
    own = next((row for row in rows if row.id == game), None)
    if own is None:
        return None
    counted = [row for row in rows if _category(row) == _category(own) and counts(row)]
    others = [row for row in counted if row is not own]
    streak_before, best_streak = _streaks([row for row in others if row.finished <= own.finished])
    return Record(
        counts=counts(own),
        best_milliseconds=min(
            (row.milliseconds for row in others if row.outcome == "won"), default=None
        ),
        streak=_streaks(counted)[0],
        streak_before=streak_before,
        best_streak=best_streak,
    )


def title_of_category(row: ResultRow) -> str:
    """Return the title of a category: its level, or its size."""
    level = level_of(row.size)
    return level.capitalize() if level else row.size


def counts(row: ResultRow) -> bool:
    """Return whether a result counts: a first attempt, and not a win with help."""
    return not row.repeated and not (row.outcome == "won" and row.helped)


def speed(row: ResultRow) -> float:
    """Return 3BV/s."""
    return 1000 * row.three_bv / max(row.milliseconds, 1)


def mean(values: list[float]) -> float | None:
    """Return the mean, or None without values."""
    return sum(values) / len(values) if values else None


def _category(row: ResultRow) -> tuple[str, str, str, str]:
    return row.tiling, row.size, row.rule, row.generator


def _summary(rows: list[ResultRow]) -> Summary:
    counted = [row for row in rows if counts(row)]
    wins = [row for row in counted if row.outcome == "won"]
    low, high = wilson(len(wins), len(counted)) if counted else (None, None)
    streak, best_streak = _streaks(counted)
    times = [row.milliseconds for row in wins]
    first = rows[0]
    return Summary(
        title=title_of_category(first),
        tiling=first.tiling,
        size=first.size,
        rule=first.rule,
        generator=first.generator,
        games=len(counted),
        wins=len(wins),
        helped_wins=len(rows) - len(counted),
        win_rate=len(wins) / len(counted) if counted else None,
        low=low,
        high=high,
        streak=streak,
        best_streak=best_streak,
        best_milliseconds=min(times, default=None),
        mean_milliseconds=mean([*times]),
        best_three_bv_per_second=max(map(speed, wins), default=None),
        mean_efficiency=mean([row.three_bv / max(row.clicks, 1) for row in wins]),
    )


def _streaks(rows: list[ResultRow]) -> tuple[int, int]:
    """Return the wins in a row at the end, and the most wins in a row."""
    streak = best = 0
    for row in rows:
        streak = streak + 1 if row.outcome == "won" else 0
        best = max(best, streak)
    return streak, best


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


async def summaries(request: Request) -> Response:
    """Return a summary of each category of games."""
    results = await to_thread.run_sync(store_of(request).results, owner_of(request))
    rows = await to_thread.run_sync(summarise, results)
    return JsonResponse({"results": len(results), "summaries": [asdict(row) for row in rows]})


async def history(request: Request) -> Response:
    """Return the last games, the best games and the months of each category."""
    store, owner = store_of(request), owner_of(request)
    results = await to_thread.run_sync(store.results, owner)
    categories = await to_thread.run_sync(histories, results)
    shown = {game.id for category in categories for game in (*category.last, *category.best)}
    available = await to_thread.run_sync(store.existing_games, owner, shown)
    return JsonResponse(
        {
            "categories": [asdict(category) for category in categories],
            "available": sorted(available),
        }
    )


async def delete_all(request: Request) -> Response:
    """Delete all results."""
    return JsonResponse({"deleted": await store_of(request).delete_results(owner_of(request))})


ROUTES = [
    Route("/api/statistics", summaries),
    Route("/api/statistics", delete_all, methods=["DELETE"]),
    Route("/api/statistics/history", history),
]
