"""Statistics: summaries and history of results, by category.

A category is the games of the same tiling, size, rule and generator. Layouts that were played
before are left out. `low` and `high` are the 95% Wilson interval of a win rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.rules import LEVELS, level_of
from sapper.games.many import wilson
from sapper.serialize.cells import Json
from sapper.web.live_games import store_of
from sapper.web.server.http import JsonResponse, owner_of
from sapper.web.storage.store import ResultRow

LAST_GAMES = 100
BEST_GAMES = 10
MONTHS = 36


def summarise(results: Iterable[ResultRow]) -> list[Json]:
    """Return a summary of each category, in the order of the levels, then by number of games."""
    sizes = list(LEVELS.values())

    def order(summary: Json) -> tuple[bool, int, int, str]:
        size = summary["size"]
        level = sizes.index(size) if size in sizes else len(sizes)
        return summary["tiling"] != "square", level, -summary["games"], summary["title"]

    return sorted((_summary(rows) for rows in by_category(results)), key=order)


def by_category(results: Iterable[ResultRow]) -> list[list[ResultRow]]:
    """Group the first attempts by category, in the order of the results."""
    categories: dict[tuple[str, str, str, str], list[ResultRow]] = {}
    for row in results:
        if not row.repeated:
            categories.setdefault(_category(row), []).append(row)
    return list(categories.values())


def compare(results: Iterable[ResultRow], game: str) -> Json | None:
    """Compare a game with the others of its category; None for a game without a result."""
    rows = list(results)
    own = next((row for row in rows if row.id == game), None)
    if own is None:
        return None
    counted = [row for row in rows if _category(row) == _category(own) and counts(row)]
    others = [row for row in counted if row is not own]
    streak_before, best_streak = _streaks([row for row in others if row.finished <= own.finished])
    times = [row.milliseconds for row in others if row.outcome == "won"]
    return {
        "counts": counts(own),
        "best_milliseconds": min(times, default=None),
        "streak": _streaks(counted)[0],
        "streak_before": streak_before,
        "best_streak": best_streak,
    }


def counts(row: ResultRow) -> bool:
    """Return whether a result counts: a first attempt, and not a win with help."""
    return not row.repeated and not (row.outcome == "won" and row.helped)


def _speed(row: ResultRow) -> float:
    """Return 3BV/s."""
    return 1000 * row.three_bv / max(row.milliseconds, 1)


def _mean(values: Sequence[float]) -> float | None:
    """Return the mean, or None without values."""
    return sum(values) / len(values) if values else None


def _category(row: ResultRow) -> tuple[str, str, str, str]:
    return row.tiling, row.size, row.rule, row.generator


def _category_json(row: ResultRow) -> Json:
    level = level_of(row.size)
    return {
        "title": level.capitalize() if level else row.size,
        "tiling": row.tiling,
        "size": row.size,
        "rule": row.rule,
        "generator": row.generator,
    }


def _summary(rows: list[ResultRow]) -> Json:
    """Summarise one category; a win with help is counted separately, and changes no streak."""
    counted = [row for row in rows if counts(row)]
    wins = [row for row in counted if row.outcome == "won"]
    low, high = wilson(len(wins), len(counted)) if counted else (None, None)
    streak, best_streak = _streaks(counted)
    times = [row.milliseconds for row in wins]
    return {
        **_category_json(rows[0]),
        "games": len(counted),
        "wins": len(wins),
        "helped_wins": len(rows) - len(counted),
        "win_rate": len(wins) / len(counted) if counted else None,
        "low": low,
        "high": high,
        "streak": streak,
        "best_streak": best_streak,
        "best_milliseconds": min(times, default=None),
        "mean_milliseconds": _mean(times),
        "best_three_bv_per_second": max(map(_speed, wins), default=None),
        "mean_efficiency": _mean([row.three_bv / max(row.clicks, 1) for row in wins]),
    }


def _streaks(rows: list[ResultRow]) -> tuple[int, int]:
    """Return the wins in a row at the end, and the most wins in a row."""
    streak = best = 0
    for row in rows:
        streak = streak + 1 if row.outcome == "won" else 0
        best = max(best, streak)
    return streak, best


def histories(results: Iterable[ResultRow]) -> list[Json]:
    """Return the history of each category, the most recently played first."""
    categories = [_history(rows) for rows in by_category(results)]
    return sorted(categories, key=lambda category: -category["last"][-1]["finished"])


def _history(rows: list[ResultRow]) -> Json:
    """Return the last games, the fastest wins without help, and the months of a category."""
    counted = [row for row in rows if counts(row)]
    months: dict[str, list[ResultRow]] = {}
    for row in counted:
        month = datetime.fromtimestamp(row.finished, UTC).strftime("%Y-%m")
        months.setdefault(month, []).append(row)
    wins = [row for row in counted if row.outcome == "won"]
    fastest = sorted(wins, key=lambda row: (row.milliseconds, row.finished))
    return {
        **_category_json(rows[0]),
        "last": [_game_json(row) for row in rows[-LAST_GAMES:]],
        "best": [_game_json(row) for row in fastest[:BEST_GAMES]],
        "months": [_month_json(month, months[month]) for month in sorted(months)[-MONTHS:]],
    }


def _month_json(month: str, rows: list[ResultRow]) -> Json:
    """Return the figures of the games that ended in a month such as 2026-11, in UTC."""
    wins = [row for row in rows if row.outcome == "won"]
    low, high = wilson(len(wins), len(rows))
    times, speeds = [row.milliseconds for row in wins], [_speed(row) for row in wins]
    return {
        "month": month,
        "games": len(rows),
        "wins": len(wins),
        "win_rate": len(wins) / len(rows),
        "low": low,
        "high": high,
        "best_milliseconds": min(times, default=None),
        "mean_milliseconds": _mean(times),
        "best_three_bv_per_second": max(speeds, default=None),
        "mean_three_bv_per_second": _mean(speeds),
    }


def _game_json(row: ResultRow) -> Json:
    keys = ("id", "finished", "outcome", "milliseconds", "three_bv", "clicks", "helped")
    return {key: getattr(row, key) for key in keys}


async def summaries(request: Request) -> Response:
    """Return a summary of each category of games."""
    results = await to_thread.run_sync(store_of(request).results, owner_of(request))
    rows = await to_thread.run_sync(summarise, results)
    return JsonResponse({"results": len(results), "summaries": rows})


async def history(request: Request) -> Response:
    """Return the last games, the best games and the months of each category."""
    store, owner = store_of(request), owner_of(request)
    results = await to_thread.run_sync(store.results, owner)
    categories = await to_thread.run_sync(histories, results)
    games = [game for category in categories for game in (*category["last"], *category["best"])]
    shown = {game["id"] for game in games}
    available = await to_thread.run_sync(store.existing_games, owner, shown)
    return JsonResponse({"categories": categories, "available": sorted(available)})


async def delete_all(request: Request) -> Response:
    """Delete all results."""
    return JsonResponse({"deleted": await store_of(request).delete_results(owner_of(request))})


ROUTES = [
    Route("/api/statistics", summaries),
    Route("/api/statistics", delete_all, methods=["DELETE"]),
    Route("/api/statistics/history", history),
]
