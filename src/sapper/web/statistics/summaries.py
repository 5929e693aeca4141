"""Statistics: what the score book adds up to, and the book as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

from sapper.board.rules import LEVELS, level_of
from sapper.errors import NotationError
from sapper.games.tally import wilson
from sapper.web.server.limits import is_text
from sapper.web.storage.store import ResultRow

FORMAT = "sapper statistics 1"


@dataclass(frozen=True)
class Summary:
    """The results of one kind of game: same tiling, size, rule and way to deal.

    Only first attempts without help are won or lost here; a deal that was played before counts
    nowhere, and a win with help is counted apart and leaves the streak alone.
    """

    title: str
    tiling: str
    size: str
    rule: str
    deal: str
    games: int
    wins: int
    helped_wins: int
    win_rate: float | None
    low: float | None
    """The Wilson interval of the share of wins, 95 %."""
    high: float | None
    streak: int
    best_streak: int
    best_milliseconds: int | None
    mean_milliseconds: float | None
    best_three_bv_per_second: float | None
    mean_efficiency: float | None


def summarise(results: Iterable[ResultRow]) -> list[Summary]:
    """One summary for each kind of game, in the order of the levels, then the most played first."""
    summaries = [_summary(rows) for rows in by_kind(results)]
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


def by_kind(results: Iterable[ResultRow]) -> list[list[ResultRow]]:
    """The results of each kind of game, first attempts only, in the order of the book."""
    kinds: dict[tuple[str, str, str, str], list[ResultRow]] = {}
    for row in results:
        if not row.again:
            kinds.setdefault(_kind(row), []).append(row)
    return list(kinds.values())


def title_of_kind(row: ResultRow) -> str:
    """What games such as this one are called: their level, or their size."""
    level = level_of(row.size)
    return level.capitalize() if level else row.size


@dataclass(frozen=True)
class Record:
    """How one game stands among the others of its kind."""

    counts: bool
    """Whether it is won or lost in the statistics: a first attempt, and no win with help."""
    best_milliseconds: int | None
    """The best time of the others."""
    streak: int
    """The wins in a row that it ends with."""
    streak_before: int
    best_streak: int
    """The most wins in a row of the others."""


def record(results: Iterable[ResultRow], game: str) -> Record | None:
    """How a game of the book stands among those of its kind; None where it is not in the book."""
    rows = list(results)
    own = next((row for row in rows if row.id == game), None)
    if own is None:
        return None
    counted = [row for row in rows if _kind(row) == _kind(own) and counts(row)]
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


def _kind(row: ResultRow) -> tuple[str, str, str, str]:
    return row.tiling, row.size, row.rule, row.deal


def counts(row: ResultRow) -> bool:
    """Whether a result is won or lost in the statistics: a first attempt, and no win with help."""
    return not row.again and not (row.outcome == "won" and row.helped)


def speed(row: ResultRow) -> float:
    """3BV for each second."""
    return 1000 * row.three_bv / max(row.milliseconds, 1)


def _summary(rows: list[ResultRow]) -> Summary:
    counted = [row for row in rows if counts(row)]
    wins = [row for row in counted if row.outcome == "won"]
    low, high = wilson(len(wins), len(counted)) if counted else (None, None)
    streak, best_streak = _streaks(counted)
    times = [row.milliseconds for row in wins]
    first = rows[0]
    return Summary(
        title=title_of_kind(first),
        tiling=first.tiling,
        size=first.size,
        rule=first.rule,
        deal=first.deal,
        games=len(counted),
        wins=len(wins),
        helped_wins=len(rows) - len(counted),
        win_rate=len(wins) / len(counted) if counted else None,
        low=low,
        high=high,
        streak=streak,
        best_streak=best_streak,
        best_milliseconds=min(times, default=None),
        mean_milliseconds=_mean(times),
        best_three_bv_per_second=max(map(speed, wins), default=None),
        mean_efficiency=_mean([row.three_bv / max(row.clicks, 1) for row in wins]),
    )


def _streaks(rows: list[ResultRow]) -> tuple[int, int]:
    """The wins in a row at the end, and the most wins in a row."""
    streak = best = 0
    for row in rows:
        streak = streak + 1 if row.outcome == "won" else 0
        best = max(best, streak)
    return streak, best


def _mean(values: list[Any]) -> float | None:
    return sum(values) / len(values) if values else None


_TEXT_MOST = 64
_CHECKS: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: is_text(value) and len(value) <= _TEXT_MOST,
    "int": lambda value: type(value) is int and 0 <= value < 2**53,
    "float": lambda value: type(value) in (int, float) and 0 <= value < 1e12,
    "bool": lambda value: isinstance(value, bool),
}


def check_result(what: str, data: Any) -> ResultRow:
    """A result of a file; *what* is how a message calls it."""
    names = {field.name: str(field.type) for field in fields(ResultRow)}
    if not isinstance(data, dict) or data.keys() != names.keys():
        raise NotationError(f"{what}: expected the keys {', '.join(names)}, got others")
    for name, kind in names.items():
        if not _CHECKS[kind](data[name]):
            raise NotationError(f"{what}: expected {name} as {kind}, got {data[name]!r:.60}")
    if data["outcome"] not in ("won", "lost"):
        raise NotationError(f"{what}: expected won or lost, got {data['outcome']!r:.60}")
    return ResultRow(**data)
