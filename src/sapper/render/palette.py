"""The colours of all pictures: SVG, coloured text and the web page.

Numbers have a contrast of at least 4.5 to 1 to their cells, and overlays go from blue to orange
instead of green to red, so that colour-blind users can distinguish them. Tests check both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sapper.errors import NotationError

_HEX = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)


@dataclass(frozen=True)
class Colour:
    """An entry of PALETTE: the colour of a role on light and dark pages and in a terminal."""

    role: str
    light: str
    dark: str
    terminal: str
    """A rich style in the terminal's own colours, since its background is unknown."""


PALETTE: dict[str, Colour] = {
    row.role: row
    for row in (
        # Backgrounds and lines.
        Colour("page", "#ffffff", "#14171b", ""),
        Colour("revealed", "#fbfbf9", "#1f242a", ""),
        Colour("covered", "#aab8c8", "#4d5a69", ""),
        Colour("edge", "#76869a", "#36404b", ""),
        Colour("link", "#8794a3", "#6c7a89", ""),
        Colour("faint", "#5d6773", "#9aa5b1", "bright_black"),
        # Contents of cells.
        Colour("ink", "#111111", "#f4f4f4", "bold"),
        Colour("covered-text", "#111111", "#f4f4f4", "bright_black"),
        Colour("flag", "#a3120a", "#ffb0a6", "bold red"),
        Colour("mine", "#111111", "#f4f4f4", "bold magenta"),
        Colour("click", "#0b57d0", "#8ab8ff", "bold cyan"),
        Colour("outline", "#0b57d0", "#8ab8ff", "bold cyan"),
        # Numbers; 13 and more, on graphs, have the colour of 12.
        Colour("number-0", "#5d6773", "#9aa5b1", "bright_black"),
        Colour("number-1", "#1d4fd8", "#86b6ff", "blue"),
        Colour("number-2", "#0f6b35", "#74d494", "green"),
        Colour("number-3", "#bb1f16", "#ff9a90", "red"),
        Colour("number-4", "#5a2a9b", "#cbaaff", "bold blue"),
        Colour("number-5", "#7d4300", "#ffbd6b", "yellow"),
        Colour("number-6", "#005f6e", "#64dbe6", "cyan"),
        Colour("number-7", "#1a1a1a", "#f2f2f2", "bold"),
        Colour("number-8", "#555555", "#bdbdbd", "magenta"),
        Colour("number-9", "#9c1457", "#ff9ed3", "bold magenta"),
        Colour("number-10", "#3d5200", "#c5dc6a", "bold green"),
        Colour("number-11", "#7a1f00", "#ffac8c", "bold red"),
        Colour("number-12", "#26377a", "#b3c1ff", "bold cyan"),
        # Overlays.
        Colour("reveal", "#8cc8ff", "#135a94", "black on bright_cyan"),
        Colour("mark", "#ffb066", "#94450a", "black on yellow"),
        Colour("proof", "#fff0b0", "#4a3d00", "underline"),
        Colour("guess", "#d9bdf5", "#5d3a86", "black on bright_magenta"),
        Colour("lost", "#ff9d94", "#8f1d14", "white on red"),
        # Certain cells: darker than any probability, and always with a tick or a cross.
        Colour("certain-safe", "#0b6e4a", "#0b6e4a", "bold white on green"),
        Colour("certain-mine", "#5b1049", "#5b1049", "bold white on magenta"),
        Colour("on-certain", "#ffffff", "#ffffff", "bold"),
    )
}

# Backgrounds on which numbers keep their colours; on others they are written in ink.
NEUTRAL_BACKGROUNDS = frozenset({"page", "revealed", "covered", "proof"})

# Backgrounds that are dark both on light and on dark pages.
CERTAIN_BACKGROUNDS = frozenset({"certain-safe", "certain-mine"})

# Light and dark colours of the numbers 1 to 12 for users with red-green colour blindness. As these
# users see them, any two differ more than in PALETTE: those of 1 to 8 by at least 20 in CIELAB.
# They were found by a search with the simulation in the tests.
COLOUR_BLIND_NUMBERS = (
    ("#0c6aba", "#4ebcff"),
    ("#0b775c", "#e5ffbf"),
    ("#966002", "#e99852"),
    ("#0000a0", "#efff08"),
    ("#00003f", "#a6ffff"),
    ("#136d87", "#eda200"),
    ("#102cff", "#ffff91"),
    ("#1c150a", "#00c0c7"),
    ("#1a4143", "#afdd83"),
    ("#5c3c18", "#00c88d"),
    ("#542279", "#57ddc3"),
    ("#080320", "#b5f054"),
)

_GREY = 0x98
# Colours of the probabilities 0, 0.5 and 1; "clear" becomes brighter from 0 to 1.
_RAMPS = {
    "standard": ((0x2F, 0x7F, 0xD1), (0xF4, 0xF1, 0xE6), (0xE0, 0x6A, 0x0E)),
    "clear": ((0x2E, 0x5F, 0xC8), (0xA2, 0xA4, 0xA0), (0xFF, 0xE9, 0x4A)),
}


def number_role(number: int) -> str:
    """Return the role of a number."""
    return f"number-{min(number, 12)}"


def ramp(probability: float, colours: str = "standard") -> str:
    """Return the colour of a probability from 0 (blue) over 0.5 (nearly white) to 1 (orange).

    With *colours* "clear" it goes from dark blue over grey to bright yellow.

    >>> ramp(0), ramp(0.5), ramp(1)
    ('#2f7fd1', '#f4f1e6', '#e06a0e')
    """
    probability = min(max(float(probability), 0.0), 1.0)
    start, middle, end = _RAMPS[colours]
    low, high = (start, middle) if probability < 0.5 else (middle, end)
    fraction = 2 * probability if probability < 0.5 else 2 * probability - 1
    return "#" + "".join(
        f"{round(a + (b - a) * fraction):02x}" for a, b in zip(low, high, strict=True)
    )


def faded(probability: float) -> str:
    """Return the colour of a probability in the interior: the ramp mixed with 60% grey.

    >>> faded(0), faded(1)
    ('#6e8eae', '#b48560')
    """
    colour = ramp(probability)
    parts = [(2 * int(colour[k : k + 2], 16) + 3 * _GREY) // 5 for k in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def check_colour(colour: str) -> str:
    """Return a role of PALETTE or a colour such as #1a2b3c; raise NotationError for others."""
    if colour in PALETTE or (isinstance(colour, str) and _HEX.fullmatch(colour)):
        return colour
    raise NotationError(f"expected a colour such as #1a2b3c or a role, got {colour!r:.60}")


def light(colour: str) -> str:
    """Return the colour of a role on a light page; a colour is returned unchanged."""
    return PALETTE[colour].light if colour in PALETTE else colour


def dark(colour: str) -> str:
    """Return the colour of a role on a dark page; a colour is returned unchanged."""
    return PALETTE[colour].dark if colour in PALETTE else colour


def ink_on(background: str, preferred: str) -> str:
    """Return *preferred* if it is readable on the background, else a readable ink.

    >>> ink_on("revealed", "number-1"), ink_on("reveal", "number-1"), ink_on("#ffffff", "number-1")
    ('number-1', 'ink', '#000000')
    """
    if background in CERTAIN_BACKGROUNDS:
        return "on-certain"
    if background in PALETTE:
        return preferred if background in NEUTRAL_BACKGROUNDS else "ink"
    return max("#000000", "#ffffff", key=lambda ink: contrast(background, ink))


def contrast(first: str, second: str) -> float:
    """Return the WCAG contrast of two colours, from 1 to 21."""
    dim, bright = sorted((_luminance(first), _luminance(second)))
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
