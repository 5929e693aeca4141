"""Plots of campaigns, drawn by matplotlib: rates with their intervals."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sapper.board.symmetries import outline_classes
from sapper.errors import NotationError, Unavailable
from sapper.games.play_many import wilson
from sapper.lab.results import CampaignTotals
from sapper.lab.shards import format_ranges
from sapper.registry import Registry

FILE_FORMATS = ("svg", "png", "pdf")

# The palette of Okabe and Ito, which is friendly to colour-blind readers.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
SMALL_FONT_SIZE = 8.0


@dataclass(frozen=True)
class Plot:
    """An entry of PLOTS."""

    name: str
    about: str
    draw: Callable[[Any, Sequence[CampaignTotals]], str]
    """Draws campaigns on axes and returns a note for the caption."""
    is_default_for: Callable[[Sequence[CampaignTotals]], bool]
    """Whether the plot is the default for these campaigns."""


def draw_plot(
    campaigns: Sequence[CampaignTotals],
    suffix: str,
    kind: str | None = None,
    title: str | None = None,
) -> bytes:
    """Return a plot of campaigns as the bytes of a file, always the same for the same results."""
    if suffix not in FILE_FORMATS:
        raise NotationError(f"expected a picture in svg, png or pdf, got {suffix!r:.60}")
    campaigns = [totals for totals in campaigns if totals.games]
    if not campaigns:
        raise NotationError("the files contain no games")
    if kind is None:
        plot = next(entry for entry in PLOTS.values() if entry.is_default_for(campaigns))
    else:
        plot = PLOTS.find(kind)
    matplotlib = _import_matplotlib()
    style = {"svg.hashsalt": "sapper", "font.size": 10, "axes.grid": False}
    with matplotlib.rc_context(style):
        figure = matplotlib.figure.Figure(figsize=(7.2, 4.6), layout="constrained")
        axes = figure.subplots()
        note = plot.draw(axes, campaigns)
        axes.set_title(title or _shared_traits(campaigns), loc="left")
        figure.supxlabel(
            f"{_caption(campaigns)}; {note}", fontsize=SMALL_FONT_SIZE, color="#444444"
        )
        out = io.BytesIO()
        without_date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure.savefig(out, format=suffix, dpi=150, metadata=without_date.get(suffix))
    return out.getvalue()


def _draw_by_density(axes: Any, campaigns: Sequence[CampaignTotals]) -> str:
    return _draw_rates(axes, campaigns, [totals.wins for totals in campaigns], "games won (%)")


def _draw_no_guess_share(axes: Any, campaigns: Sequence[CampaignTotals]) -> str:
    return _draw_rates(
        axes, campaigns, [totals.by_guesses[0] for totals in campaigns], "without a guess (%)"
    )


def _draw_rates(
    axes: Any, campaigns: Sequence[CampaignTotals], counts: Sequence[int], label: str
) -> str:
    """Draw counts per game against the mine density: a line and a band per player and board."""
    lines: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    names = _legend_names(campaigns, leave_out=("mines",))
    for totals, name, count in zip(campaigns, names, counts, strict=True):
        low, high = wilson(count, totals.games)
        rules = totals.campaign.rules
        density = 100 * rules.mines / len(rules.board)
        lines[name].append((density, 100 * count / totals.games, 100 * low, 100 * high))
    for i, (name, points) in enumerate(lines.items()):
        x, y, low_ends, high_ends = zip(*sorted(points), strict=True)
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        axes.fill_between(x, low_ends, high_ends, color=colour, alpha=0.25, linewidth=0)
        axes.plot(x, y, color=colour, marker=marker, markersize=4, linewidth=1.2, label=name)
    axes.set_xlabel("mines (% of the cells)")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    if len(lines) > 1:
        axes.legend(frameon=False)
    return "bands are Wilson's 95% intervals"


def _draw_by_first_cell(axes: Any, campaigns: Sequence[CampaignTotals]) -> str:
    """Draw the win rate by first cell on the board; equivalent cells share their results."""
    from matplotlib.collections import PolyCollection

    boards = {totals.campaign.rules for totals in campaigns}
    if len(boards) > 1 or len({totals.campaign.player_label for totals in campaigns}) > 1:
        raise NotationError("expected campaigns of one player on one board")
    board = campaigns[0].campaign.rules.board
    if not board.has_outlines:
        raise NotationError(f"expected a board with outlines, got {board}")
    equivalent = {cell: group for group in outline_classes(board) for cell in group}
    rates: dict[int, float] = {}
    for totals in campaigns:
        for cell in equivalent[totals.campaign.first]:
            rates.setdefault(cell, 100 * totals.wins / totals.games)
    for totals in campaigns:
        rates[totals.campaign.first] = 100 * totals.wins / totals.games
    known = sorted(rates)
    cells = PolyCollection(
        [board.outline(cell) for cell in known], cmap="cividis", edgecolors="white", linewidths=0.3
    )
    cells.set_array([rates[cell] for cell in known])
    axes.add_collection(cells)
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.invert_yaxis()
    axes.set_axis_off()
    best = max(known, key=lambda cell: rates[cell])
    x, y = (sum(ends) / len(ends) for ends in zip(*board.outline(best), strict=True))
    axes.plot(x, y, marker="*", color="#D55E00", markersize=9)
    axes.figure.colorbar(cells, ax=axes, label="games won (%)", shrink=0.8)
    intervals = [wilson(totals.wins, totals.games) for totals in campaigns]
    widest = max(high - low for low, high in intervals)
    return f"each within {50 * widest:.2g} points (95%); the star is the best"


def _draw_guesses(axes: Any, campaigns: Sequence[CampaignTotals]) -> str:
    """Draw a histogram of the guesses per game."""
    # The largest number of guesses that one game in a thousand has.
    max_guesses = max(
        guesses
        for totals in campaigns
        for guesses, games in enumerate(totals.by_guesses)
        if 1000 * games >= totals.games
    )
    width = 0.8 / len(campaigns)
    for i, (totals, name) in enumerate(zip(campaigns, _legend_names(campaigns), strict=True)):
        shares = [100 * games / totals.games for games in totals.by_guesses[: max_guesses + 1]]
        xs = [guesses + (i - (len(campaigns) - 1) / 2) * width for guesses in range(len(shares))]
        label = f"{name}: {totals.guesses / totals.games:.2f} per game"
        axes.bar(xs, shares, width, color=COLOURS[i % len(COLOURS)], label=label)
    axes.set_xlabel("guesses in a game")
    axes.set_ylabel("games (%)")
    axes.legend(frameon=False)
    return "numbers with fewer than one game in 1,000 are left out"


PLOTS = Registry(
    "plot",
    (
        Plot(
            "first",
            "win rate by first cell, on the board",
            _draw_by_first_cell,
            lambda campaigns: len({totals.campaign.first for totals in campaigns}) > 1,
        ),
        Plot(
            "density",
            "win rate against the mine density",
            _draw_by_density,
            lambda campaigns: len({totals.campaign.rules.mines for totals in campaigns}) > 1,
        ),
        Plot("guesses", "histogram of the guesses per game", _draw_guesses, lambda campaigns: True),
        Plot(
            "no-guess",
            "share of games without a guess against the mine density",
            _draw_no_guess_share,
            lambda campaigns: False,
        ),
    ),
)


# The legend names what differs between campaigns, the title what they share.


def _traits(totals: CampaignTotals) -> Mapping[str, str]:
    campaign = totals.campaign
    rules = campaign.rules
    board = rules.board
    return {
        "player": campaign.player_label,
        "board": str(board),
        "mines": f"{rules.mines} mines",
        "rule": rules.rule,
        "first": board.name(campaign.first),
    }


def _differing_traits(campaigns: Sequence[CampaignTotals]) -> set[str]:
    rows = [_traits(totals) for totals in campaigns]
    return {key for key in rows[0] if len({row[key] for row in rows}) > 1}


def _legend_names(campaigns: Sequence[CampaignTotals], leave_out: Iterable[str] = ()) -> list[str]:
    """Return a name for each campaign, of the traits that differ."""
    keys = _differing_traits(campaigns) - set(leave_out)
    return [
        " ".join(trait for key, trait in _traits(totals).items() if key in keys)
        or totals.campaign.player_label
        for totals in campaigns
    ]


def _shared_traits(campaigns: Sequence[CampaignTotals]) -> str:
    keys = _differing_traits(campaigns)
    return ", ".join(trait for key, trait in _traits(campaigns[0]).items() if key not in keys)


def _caption(campaigns: Sequence[CampaignTotals]) -> str:
    games = sorted({totals.games for totals in campaigns})
    seeds = {totals.ranges for totals in campaigns}
    starts = {totals.ranges[0].start for totals in campaigns}
    text = f"{games[0]:,} games" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,} games"
    text += " each" if len(campaigns) > 1 else ""
    if len(seeds) == 1:
        return f"{text}, seeds {format_ranges(seeds.pop(), short=True)}"
    return f"{text}, seeds from {starts.pop()}" if len(starts) == 1 else text


def _import_matplotlib() -> Any:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise Unavailable(
            "cannot draw plots without matplotlib: pip install 'sapper[lab]'"
        ) from None
    return matplotlib
