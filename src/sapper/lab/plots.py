"""Pictures of what was measured, by matplotlib: every rate with its band, and what it is of."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sapper.errors import NotationError, Unavailable
from sapper.games.tally import wilson
from sapper.lab.results import CampaignTotals
from sapper.lab.seed_ranges import format_ranges_short
from sapper.lab.symmetry import classes
from sapper.registry import Registry

FORMATS = ("svg", "png", "pdf")

# Okabe and Ito's colours, which people with any kind of colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
SMALL = 8.0

Rate = Callable[[CampaignTotals], tuple[int, int]]


@dataclass(frozen=True)
class Plot:
    """A row of PLOTS: `draw(axes, sums)` draws it and says how to read it.

    `fits(sums)` says whether it suggests itself.
    """

    name: str
    about: str
    draw: Callable[[Any, Sequence[CampaignTotals]], str]
    fits: Callable[[Sequence[CampaignTotals]], bool]


def picture(
    sums: Sequence[CampaignTotals], suffix: str, kind: str | None = None, title: str | None = None
) -> bytes:
    """A picture of campaigns' results, as the bytes of a file; the same for the same results."""
    if suffix not in FORMATS:
        raise NotationError(f"expected a picture {', '.join(FORMATS)}, got {suffix!r:.60}")
    sums = [one for one in sums if one.games]
    if not sums:
        raise NotationError("expected results of some games, got none")
    plot = (
        next(row for row in PLOTS.values() if row.fits(sums)) if kind is None else PLOTS.find(kind)
    )
    matplotlib = _matplotlib()
    style = {"svg.hashsalt": "sapper", "font.size": 10, "axes.grid": False}
    with matplotlib.rc_context(style):
        figure = matplotlib.figure.Figure(figsize=(7.2, 4.6), layout="constrained")
        axes = figure.subplots()
        how = plot.draw(axes, sums)
        axes.set_title(title or _shared(sums), loc="left")
        figure.supxlabel(f"{_what_of(sums)}; {how}", fontsize=SMALL, color="#444444")
        out = io.BytesIO()
        dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure.savefig(out, format=suffix, dpi=150, metadata=dated.get(suffix))
    return out.getvalue()


def _density(axes: Any, sums: Sequence[CampaignTotals]) -> str:
    return _rates(axes, sums, lambda one: (one.wins, one.games), "games won (%)")


def _no_guess(axes: Any, sums: Sequence[CampaignTotals]) -> str:
    return _rates(axes, sums, lambda one: (one.by_guesses[0], one.games), "without a guess (%)")


def _rates(axes: Any, sums: Sequence[CampaignTotals], rate: Rate, what: str) -> str:
    """A rate against the share of mines, a line and a band for each player and board."""
    lines: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    names = _names(sums, leave_out=("mines",))
    for one, name in zip(sums, names, strict=True):
        hits, games = rate(one)
        low, high = wilson(hits, games)
        rules = one.campaign.rules
        share = 100 * rules.mines / len(rules.board)
        lines[name].append((share, 100 * hits / games, 100 * low, 100 * high))
    for number, (name, points) in enumerate(lines.items()):
        x, y, low_ends, high_ends = zip(*sorted(points), strict=True)
        colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
        axes.fill_between(x, low_ends, high_ends, color=colour, alpha=0.25, linewidth=0)
        axes.plot(x, y, color=colour, marker=mark, markersize=4, linewidth=1.2, label=name)
    axes.set_xlabel("mines (% of the cells)")
    axes.set_ylabel(what)
    axes.grid(alpha=0.3)
    if len(lines) > 1:
        axes.legend(frameon=False)
    return "bands are Wilson's 95 % intervals"


def _first(axes: Any, sums: Sequence[CampaignTotals]) -> str:
    """Win rate by first cell, on the board; cells that are alike share what was measured."""
    from matplotlib.collections import PolyCollection

    boards = {one.campaign.rules for one in sums}
    if len(boards) > 1 or len({one.campaign.who for one in sums}) > 1:
        raise NotationError("expected one player on one board with several first cells, got more")
    board = sums[0].campaign.rules.board
    if not board.has_outlines:
        raise NotationError(f"expected a board with outlines, got {board}")
    alike = {cell: group for group in classes(board) for cell in group}
    rates: dict[int, float] = {}
    for one in sums:
        for cell in alike[one.campaign.first]:
            rates.setdefault(cell, 100 * one.wins / one.games)
    for one in sums:
        rates[one.campaign.first] = 100 * one.wins / one.games
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
    widest = max(high - low for low, high in (wilson(one.wins, one.games) for one in sums))
    return f"each within {50 * widest:.2g} points (95 %); the star is the best"


def _guesses(axes: Any, sums: Sequence[CampaignTotals]) -> str:
    """How many games took how many guesses."""
    most = max(_last_seen(one) for one in sums)
    width = 0.8 / len(sums)
    for number, (one, name) in enumerate(zip(sums, _names(sums), strict=True)):
        shares = [100 * games / one.games for games in one.by_guesses[: most + 1]]
        places = [
            guesses + (number - (len(sums) - 1) / 2) * width for guesses in range(len(shares))
        ]
        label = f"{name}: {one.guesses / one.games:.2f} a game"
        axes.bar(places, shares, width, color=COLOURS[number % len(COLOURS)], label=label)
    axes.set_xlabel("guesses in a game")
    axes.set_ylabel("games (%)")
    axes.legend(frameon=False)
    return "numbers that fewer than one game in 1,000 took are left out"


def _last_seen(sums: CampaignTotals) -> int:
    """The most guesses that at least one game in a thousand took."""
    return max(number for number, games in enumerate(sums.by_guesses) if 1000 * games >= sums.games)


PLOTS = Registry(
    "plot",
    (
        Plot(
            "first",
            "win rate by first cell, on the board",
            _first,
            lambda sums: len({one.campaign.first for one in sums}) > 1,
        ),
        Plot(
            "density",
            "win rate against the share of mines",
            _density,
            lambda sums: len({one.campaign.rules.mines for one in sums}) > 1,
        ),
        Plot("guesses", "how many games took how many guesses", _guesses, lambda sums: True),
        Plot(
            "no-guess",
            "share of games without a guess against the share of mines",
            _no_guess,
            lambda sums: False,
        ),
    ),
)


# Words: what differs between campaigns stands at the lines, what they share above, the rest below.


def _traits(sums: CampaignTotals) -> Mapping[str, str]:
    campaign = sums.campaign
    rules = campaign.rules
    board = rules.board
    return {
        "player": sums.campaign.who,
        "board": str(board),
        "mines": f"{rules.mines} mines",
        "rule": rules.rule,
        "first": board.name(campaign.first),
    }


def _differing(sums: Sequence[CampaignTotals]) -> set[str]:
    traits = [_traits(one) for one in sums]
    return {key for key in traits[0] if len({one[key] for one in traits}) > 1}


def _names(sums: Sequence[CampaignTotals], leave_out: Iterable[str] = ()) -> list[str]:
    """A name for each campaign: all that tells it from the others."""
    keys = _differing(sums) - set(leave_out)
    return [
        " ".join(t for key, t in _traits(one).items() if key in keys) or one.campaign.who
        for one in sums
    ]


def _shared(sums: Sequence[CampaignTotals]) -> str:
    keys = _differing(sums)
    return ", ".join(trait for key, trait in _traits(sums[0]).items() if key not in keys)


def _what_of(sums: Sequence[CampaignTotals]) -> str:
    games = sorted({one.games for one in sums})
    seeds = {one.spans for one in sums}
    starts = {one.spans[0].start for one in sums}
    many = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    each = " each" if len(sums) > 1 else ""
    of = f", seeds {format_ranges_short(seeds.pop())}" if len(seeds) == 1 else ""
    of = of or (f", seeds from {starts.pop()}" if len(starts) == 1 else "")
    return f"{many} games{each}{of}"


def _matplotlib() -> Any:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise Unavailable(
            "expected matplotlib for pictures, got none: pip install 'sapper[lab]'"
        ) from None
    return matplotlib
