"""Colours for invented skins."""

from __future__ import annotations

import colorsys
import math

import numpy as np

Colour = tuple[int, int, int]
Random = np.random.Generator

CLASSIC = {
    1: (0, 0, 255),
    2: (0, 128, 0),
    3: (255, 0, 0),
    4: (0, 0, 128),
    5: (128, 0, 0),
    6: (0, 128, 128),
    7: (0, 0, 0),
    8: (128, 128, 128),
}
"""The colours of the numbers in Windows."""


def shade(colour: Colour, by: float) -> Colour:
    """Return a colour made lighter (by > 0) or darker."""
    target = 255 if by > 0 else 0
    red, green, blue = (round(c + (target - c) * abs(by)) for c in colour)
    return red, green, blue


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Return a colour between two others; *share* is that of the second."""
    red, green, blue = (int(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def distance(a: Colour, b: Colour) -> float:
    """Return the distance of two colours, 0 to about 441."""
    return math.dist(a, b)


def luminance(colour: Colour) -> float:
    """Return the brightness of a colour, 0 to 255."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def from_hls(hue: float, light: float, saturation: float) -> Colour:
    """Return the colour of a hue, a lightness and a saturation, each 0 to 1."""
    r, g, b = colorsys.hls_to_rgb(hue, light, saturation)
    return round(r * 255), round(g * 255), round(b * 255)


def random_colour(
    rng: Random, light: tuple[float, float], saturation: tuple[float, float]
) -> Colour:
    """Return a colour with a lightness and a saturation in given ranges."""
    return from_hls(rng.random(), rng.uniform(*light), rng.uniform(*saturation))


def any_colour(rng: Random) -> Colour:
    """Return a colour whose three components are independent."""
    red, green, blue = (int(c) for c in rng.integers(0, 256, 3))
    return red, green, blue


def contrasting(rng: Random, background: Colour, min_distance: float = 75) -> Colour:
    """Return a colour that is visible on a background."""
    for _ in range(30):
        colour = random_colour(rng, (0.05, 0.95), (0.0, 1.0))
        if abs(luminance(colour) - luminance(background)) > min_distance * 0.6 and (
            distance(colour, background) > min_distance
        ):
            return colour
    return (0, 0, 0) if luminance(background) > 128 else (255, 255, 255)


def number_colours(rng: Random, background: Colour) -> dict[int, Colour]:
    """Return colours for the numbers: classic, all the same, a ramp, or all different."""
    kind = rng.random()
    dark = luminance(background) < 110
    if kind < 0.45 and not dark:
        return dict(CLASSIC)
    if kind < 0.65:
        return dict.fromkeys(range(9), contrasting(rng, background))
    if kind < 0.75:  # from dim to bright
        target = contrasting(rng, background)
        return {n: mixed(background, target, 0.35 + 0.08 * n) for n in range(9)}
    return {n: contrasting(rng, background) for n in range(9)}
