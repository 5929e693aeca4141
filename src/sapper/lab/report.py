"""What was measured, in words and tables: no rate without what it was measured on."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sapper.games.tally import wilson
from sapper.lab.results import CampaignTotals
from sapper.lab.seed_ranges import format_ranges_short, written

Row = Mapping[str, Any]


def describe(sums: CampaignTotals) -> dict[str, Any]:
    """Everything about a campaign's results, as JSON has it; rates are None of no games."""
    campaign, games = sums.campaign, sums.games
    rules = campaign.rules
    board = rules.board
    low, high = wilson(sums.wins, games)
    size = board.title if board.tiling is None else "{}x{}".format(*board.size)
    return {
        "games": games,
        "wins": sums.wins,
        "win_rate": sums.wins / games if games else None,
        "low": low,
        "high": high,
        "guesses": sums.guesses,
        "without_guess": sums.by_guesses[0] if sums.by_guesses else 0,
        "seconds": round(sums.seconds, 3),
        "size": f"{size}/{rules.mines}",
        "tiling": board.tiling,
        "rule": rules.rule,
        "first": board.name(campaign.first),
        "player": campaign.player,
        "who": campaign.who,
        "settings": dict(campaign.settings),
        "seed": campaign.seeds.start,
        "seeds": [[span.start, span.stop - 1] for span in sums.spans],
        "versions": list(sums.versions),
        "name": campaign.name,
    }


def sentence(row: Row) -> str:
    """A campaign's results as one line."""
    return (
        f"{_player(row)} on {_board(row)} {row['rule']} {row['first']}: {_rate(row)} % "
        f"({_interval(row)}) of {row['games']:,} games won, {_guesses(row)} guesses a game, "
        f"seeds {_seeds(row)}"
    )


def as_text(rows: Iterable[Row]) -> str:
    """A table for the terminal."""
    lines = _lines(rows)
    widths = [max(len(line[i]) for line in lines) for i in range(len(_COLUMNS))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, (_, number, _) in zip(line, widths, _COLUMNS, strict=True)
        ).rstrip()
        for line in lines
    )


def as_markdown(rows: Iterable[Row]) -> str:
    """A table for a page."""
    head, *body = _lines(rows)
    rule = ["---:" if number else "---" for _, number, _ in _COLUMNS]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *body))


def as_csv(rows: Iterable[Row]) -> str:
    """A table for other programs: the keys of the JSON, lists and settings in words."""
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        plain = {
            **row,
            "settings": " ".join(f"{name}={value}" for name, value in row["settings"].items()),
            "seeds": written(_spans(row)) or "none",
            "versions": " ".join(row["versions"]),
        }
        if writer is None:
            writer = csv.DictWriter(out, list(plain), lineterminator="\n")
            writer.writeheader()
        writer.writerow(plain)
    return out.getvalue().rstrip("\n")


def _board(row: Row) -> str:
    return f"{row['tiling']} {row['size']}" if row["tiling"] else str(row["size"])


def _player(row: Row) -> str:
    return str(row["who"])


def _rate(row: Row) -> str:
    return "-" if row["win_rate"] is None else f"{100 * row['win_rate']:.2f}"


def _interval(row: Row) -> str:
    return f"{100 * row['low']:.2f} to {100 * row['high']:.2f}"


def _guesses(row: Row) -> str:
    return f"{row['guesses'] / row['games']:.2f}" if row["games"] else "-"


def _seeds(row: Row) -> str:
    return format_ranges_short(_spans(row)) or "none"


def _spans(row: Row) -> list[range]:
    return [range(first, last + 1) for first, last in row["seeds"]]


def _speed(row: Row) -> str:
    return f"{row['games'] / row['seconds']:,.0f}" if row["seconds"] else "-"


# Heading, whether it is a number, and what stands under it.
_COLUMNS: tuple[tuple[str, bool, Callable[[Row], str]], ...] = (
    ("board", False, _board),
    ("rule", False, lambda row: str(row["rule"])),
    ("first", False, lambda row: str(row["first"])),
    ("player", False, _player),
    ("won %", True, _rate),
    ("95 % interval", False, _interval),
    ("games", True, lambda row: f"{row['games']:,}"),
    ("seeds", False, _seeds),
    ("guesses a game", True, _guesses),
    ("games a worker's second", True, _speed),
)


def _lines(rows: Iterable[Row]) -> list[list[str]]:
    return [
        [heading for heading, _, _ in _COLUMNS],
        *([write(row) for _, _, write in _COLUMNS] for row in rows),
    ]
