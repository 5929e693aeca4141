"""The strip of a game: a bar for each move, as high as its risk, as a small SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.sax.saxutils import escape

from sapper.render import palette

HEIGHT = 60
STEP = 8


class Bar(NamedTuple):
    """A move of the strip."""

    risk: float
    colour: str
    """A role of the palette."""
    title: str
    """What a reader hears of it, and what a mouse over it shows."""


def risk_chart_svg(bars: Iterable[Bar], title: str) -> str:
    """Bars from left to right on a line; a move without risk is a dot on it."""
    drawn = [_bar(i, bar) for i, bar in enumerate(bars)]
    width = STEP * max(1, len(drawn)) + STEP
    line = f'<path d="M0 {HEIGHT + 4.5}H{width}" stroke="{palette.light("edge")}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 8}" '
        f'viewBox="0 0 {width} {HEIGHT + 8}" role="img"><title>{escape(title)}</title>'
        f"{line}{''.join(drawn)}</svg>\n"
    )


def _bar(place: int, bar: Bar) -> str:
    high = max(2.0, HEIGHT * bar.risk)
    return (
        f'<rect x="{STEP * place + STEP // 2}" y="{HEIGHT + 4 - high:.1f}" width="{STEP - 2}" '
        f'height="{high:.1f}" fill="{palette.light(bar.colour)}">'
        f"<title>{escape(bar.title)}</title></rect>"
    )
