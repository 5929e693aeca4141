"""Reports of campaigns: JSON, a sentence, and tables as text, Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sapper.games.play_many import wilson
from sapper.lab.results import CampaignTotals
from sapper.lab.shards import format_ranges

Row = Mapping[str, Any]


def report_json(totals: CampaignTotals) -> dict[str, Any]:
    """Return the totals of a campaign as JSON; the win rate is None without games."""
    campaign, games = totals.campaign, totals.games
    rules = campaign.rules
    board = rules.board
    low, high = wilson(totals.wins, games)
    size = board.title if board.tiling is None else "{}x{}".format(*board.size)
    return {
        "games": games,
        "wins": totals.wins,
        "win_rate": totals.wins / games if games else None,
        "low": low,
        "high": high,
        "guesses": totals.guesses,
        "without_guess": totals.by_guesses[0] if totals.by_guesses else 0,
        "seconds": round(totals.seconds, 3),
        "size": f"{size}/{rules.mines}",
        "tiling": board.tiling,
        "rule": rules.rule,
        "first": board.name(campaign.first),
        "player": campaign.player,
        "label": campaign.player_label,
        "settings": dict(campaign.settings),
        "seed": campaign.seeds.start,
        "seeds": [[seeds.start, seeds.stop - 1] for seeds in totals.ranges],
        "versions": list(totals.versions),
        "name": campaign.name,
    }


def summary_line(row: Row) -> str:
    """Return the results of a campaign as one line."""
    return (
        f"{row['label']} on {_board(row)} {row['rule']} {row['first']}: {_rate(row)}% "
        f"({_interval(row)}) of {row['games']:,} games won, {_guesses(row)} guesses per game, "
        f"seeds {_seeds(row)}"
    )


def as_text(rows: Iterable[Row]) -> str:
    """Return a table for the terminal."""
    lines = _table_lines(rows)
    widths = [max(len(line[i]) for line in lines) for i in range(len(_COLUMNS))]
    return "\n".join(
        "  ".join(
            text.rjust(width) if is_number else text.ljust(width)
            for text, width, (_, is_number, _) in zip(line, widths, _COLUMNS, strict=True)
        ).rstrip()
        for line in lines
    )


def as_markdown(rows: Iterable[Row]) -> str:
    """Return a Markdown table."""
    head, *body = _table_lines(rows)
    separator = ["---:" if is_number else "---" for _, is_number, _ in _COLUMNS]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, separator, *body))


def as_csv(rows: Iterable[Row]) -> str:
    """Return CSV with the keys of the JSON; lists and settings are written as text."""
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        plain = {
            **row,
            "settings": " ".join(f"{name}={value}" for name, value in row["settings"].items()),
            "seeds": format_ranges(_ranges(row)) or "none",
            "versions": " ".join(row["versions"]),
        }
        if writer is None:
            writer = csv.DictWriter(out, list(plain), lineterminator="\n")
            writer.writeheader()
        writer.writerow(plain)
    return out.getvalue().rstrip("\n")


def _board(row: Row) -> str:
    return f"{row['tiling']} {row['size']}" if row["tiling"] else str(row["size"])


def _rate(row: Row) -> str:
    return "-" if row["win_rate"] is None else f"{100 * row['win_rate']:.2f}"


def _interval(row: Row) -> str:
    return f"{100 * row['low']:.2f} to {100 * row['high']:.2f}"


def _guesses(row: Row) -> str:
    return f"{row['guesses'] / row['games']:.2f}" if row["games"] else "-"


def _seeds(row: Row) -> str:
    return format_ranges(_ranges(row), short=True) or "none"


def _ranges(row: Row) -> list[range]:
    return [range(first, last + 1) for first, last in row["seeds"]]


def _speed(row: Row) -> str:
    return f"{row['games'] / row['seconds']:,.0f}" if row["seconds"] else "-"


# Heading, whether the column is numeric, and a function that returns its text.
_COLUMNS: tuple[tuple[str, bool, Callable[[Row], str]], ...] = (
    ("board", False, _board),
    ("rule", False, lambda row: str(row["rule"])),
    ("first", False, lambda row: str(row["first"])),
    ("player", False, lambda row: str(row["label"])),
    ("won %", True, _rate),
    ("95% interval", False, _interval),
    ("games", True, lambda row: f"{row['games']:,}"),
    ("seeds", False, _seeds),
    ("guesses per game", True, _guesses),
    ("games per worker second", True, _speed),
)


def _table_lines(rows: Iterable[Row]) -> list[list[str]]:
    return [
        [heading for heading, _, _ in _COLUMNS],
        *([write(row) for _, _, write in _COLUMNS] for row in rows),
    ]
