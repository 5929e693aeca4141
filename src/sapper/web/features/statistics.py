"""Statistics: summaries and history of results by category, and results as CSV.

A category is all games with the same tiling, size, rule and generator; only the first game on a
layout counts. `low` and `high` are the 95% Wilson interval of a win rate.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.rules import LEVELS, level_of
from sapper.games.play_many import wilson
from sapper.serialize.cells import Json
from sapper.web.live_games import store_of
from sapper.web.server.http import JsonResponse, download, owner_of
from sapper.web.storage.store import ResultRow

# Games in the lists and charts, and in the moving average of the win rate.
LAST_GAMES = 50
BEST_GAMES = 10
HISTORY_KEYS = ("last", "last_wins", "best")

CSV_COLUMNS = (
    *("id", "finished_utc", "level", "tiling", "size", "rule", "generator", "seed", "outcome"),
    *("seconds", "3bv", "3bv_per_second", "clicks", "efficiency", "helped", "repeated"),
)


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
    counted = [row for row in rows if _category(row) == _category(own) and is_counted(row)]
    others = [row for row in counted if row is not own]
    streak_before, best_streak = _streaks([row for row in others if row.finished <= own.finished])
    times = [row.milliseconds for row in others if row.outcome == "won"]
    return {
        "counts": is_counted(own),
        "best_milliseconds": min(times, default=None),
        "streak": _streaks(counted)[0],
        "streak_before": streak_before,
        "best_streak": best_streak,
    }


def is_counted(row: ResultRow) -> bool:
    """Return whether a result counts: a first attempt, and not a win with help."""
    return not row.repeated and not (row.outcome == "won" and row.helped)


def _speed(row: ResultRow) -> float:
    """Return 3BV/s."""
    return 1000 * row.three_bv / max(row.milliseconds, 1)


def _efficiency(row: ResultRow) -> float:
    """Return 3BV per click."""
    return row.three_bv / max(row.clicks, 1)


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
    """Summarise one category, with the games of its lists and charts.

    A win with help is counted separately, and changes no streak.
    """
    counted = [row for row in rows if is_counted(row)]
    wins = [row for row in counted if row.outcome == "won"]
    streak, best_streak = _streaks(counted)
    times = [row.milliseconds for row in wins]
    fastest = sorted(wins, key=lambda row: (row.milliseconds, row.finished))
    return {
        **_category_json(rows[0]),
        "games": len(counted),
        "wins": len(wins),
        "helped_wins": len(rows) - len(counted),
        **_win_rate_json(len(wins), len(counted)),
        "streak": streak,
        "best_streak": best_streak,
        "best_milliseconds": min(times, default=None),
        "mean_milliseconds": _mean(times),
        "best_three_bv_per_second": max(map(_speed, wins), default=None),
        "mean_efficiency": _mean([_efficiency(row) for row in wins]),
        "last": [_game_json(row) for row in rows[-LAST_GAMES:]],
        "last_wins": [_game_json(row) for row in wins[-LAST_GAMES:]],
        "best": [_game_json(row) for row in fastest[:BEST_GAMES]],
        "win_rates": _win_rates(counted),
    }


def _streaks(rows: list[ResultRow]) -> tuple[int, int]:
    """Return the current and the longest winning streak."""
    streak = best = 0
    for row in rows:
        streak = streak + 1 if row.outcome == "won" else 0
        best = max(best, streak)
    return streak, best


def _win_rates(counted: list[ResultRow]) -> list[Json]:
    """Return the win rate after each of the last games, over at most LAST_GAMES games each."""
    rates = []
    for end in range(max(0, len(counted) - LAST_GAMES) + 1, len(counted) + 1):
        recent = counted[max(0, end - LAST_GAMES) : end]
        wins = sum(row.outcome == "won" for row in recent)
        rates.append({**_game_json(counted[end - 1]), **_win_rate_json(wins, len(recent))})
    return rates


def _win_rate_json(wins: int, games: int) -> Json:
    low, high = wilson(wins, games) if games else (None, None)
    return {"win_rate": wins / games if games else None, "low": low, "high": high}


def _game_json(row: ResultRow) -> Json:
    keys = ("id", "finished", "outcome", "milliseconds", "three_bv", "clicks", "helped")
    return {key: getattr(row, key) for key in keys}


def results_csv(results: Iterable[ResultRow]) -> str:
    """Return results as CSV with one line for each game, for a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(CSV_COLUMNS)
    for row in results:
        finished = datetime.fromtimestamp(row.finished, UTC)
        writer.writerow(
            (
                row.id,
                finished.strftime("%Y-%m-%d %H:%M:%S"),
                level_of(row.size) or "",
                row.tiling,
                row.size,
                row.rule,
                row.generator,
                row.seed,
                row.outcome,
                f"{row.milliseconds / 1000:.3f}",
                row.three_bv,
                f"{_speed(row):.3f}",
                row.clicks,
                f"{_efficiency(row):.3f}",
                str(row.helped).lower(),
                str(row.repeated).lower(),
            )
        )
    return text.getvalue()


async def statistics(request: Request) -> Response:
    """Return summary and history of each category, and which of the games can be opened."""
    store, owner = store_of(request), owner_of(request)
    results = await to_thread.run_sync(store.results, owner)
    rows = await to_thread.run_sync(summarise, results)
    listed = {game["id"] for row in rows for key in HISTORY_KEYS for game in row[key]}
    available = await to_thread.run_sync(store.existing_games, owner, listed)
    return JsonResponse(
        {"results": len(results), "summaries": rows, "available": sorted(available)}
    )


async def export_csv(request: Request) -> Response:
    """Return the results as a CSV file."""
    results = await to_thread.run_sync(store_of(request).results, owner_of(request))
    text = await to_thread.run_sync(results_csv, results)
    return download("sapper-statistics.csv", [text], "text/csv")


async def delete_all(request: Request) -> Response:
    """Delete all results."""
    return JsonResponse({"deleted": await store_of(request).delete_results(owner_of(request))})


ROUTES = [
    Route("/api/statistics", statistics),
    Route("/api/statistics", delete_all, methods=["DELETE"]),
    Route("/api/statistics/export.csv", export_csv),
]
