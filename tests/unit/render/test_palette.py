"""The palette: contrast, and colours that colour-blind users can distinguish."""

import itertools
import math
from itertools import product

import pytest
from tests.error_messages import assert_refused

from sapper import NotationError
from sapper.render.palette import (
    COLOUR_BLIND_NUMBERS,
    NEUTRAL_BACKGROUNDS,
    PALETTE,
    check_colour,
    contrast,
    dark,
    faded,
    ink_on,
    light,
    ramp,
)

NUMBERS = [role for role in PALETTE if role.startswith("number-") and role != "number-0"]


@pytest.mark.parametrize("page", [light, dark])
def test_numbers_ink_and_labels_have_enough_contrast(page):
    for role, background in product(NUMBERS, ("revealed", "proof")):
        assert contrast(page(role), page(background)) >= 4.5, (role, background)
    for background in ("reveal", "mark", "guess", "lost", "covered"):
        assert contrast(page("ink"), page(background)) >= 4.5, background
    assert contrast(page("flag"), page("covered")) >= 3
    assert contrast(page("revealed"), page("covered")) >= 1.8
    assert contrast(page("certain-safe"), page("certain-mine")) > 1.5
    for role in ("certain-safe", "certain-mine"):
        assert contrast(page(role), light(ink_on(role, "ink"))) >= 4.5


def test_labels_have_enough_contrast_on_every_probability():
    for colour in (ramp, faded, lambda probability: ramp(probability, "clear")):
        for step in range(101):
            background = colour(step / 100)
            assert contrast(ink_on(background, "ink"), background) >= 4.5
    for background in NEUTRAL_BACKGROUNDS - {"covered"}:
        for on_light, on_dark in COLOUR_BLIND_NUMBERS:
            assert contrast(on_light, light(background)) >= 4.5
            assert contrast(on_dark, dark(background)) >= 4.5


def test_palette_has_valid_colours_and_rich_styles():
    from rich.style import Style

    for entry in PALETTE.values():
        assert check_colour(entry.light) and check_colour(entry.dark)
        Style.parse(entry.terminal)
    assert set(PALETTE) > NEUTRAL_BACKGROUNDS


def test_invalid_colour_is_refused():
    cases = [
        (colour, "expected a colour")
        for colour in ["", "red", "#fff", "#12345g", "#1234567", "url(#x)"]
    ]
    assert_refused(check_colour, cases, NotationError)


# How dichromats see a colour, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SIMULATIONS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}


def linear(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def cielab(rgb):
    red, green, blue = rgb
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def perceived(sight, colour):
    """Return the CIELAB coordinates of a colour as a kind of sight perceives it."""
    rgb = linear(colour)
    rows = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in SIMULATIONS[sight])
    return cielab([min(1.0, max(0.0, value)) for value in rows])


def min_distance(sight, colours):
    places = [perceived(sight, colour) for colour in colours]
    return min(math.dist(a, b) for a, b in itertools.combinations(places, 2))


@pytest.mark.parametrize("sight", SIMULATIONS)
def test_colours_differ_for_all_users(sight):
    for page in (0, 1):
        numbers = [pair[page] for pair in COLOUR_BLIND_NUMBERS]
        assert min_distance(sight, numbers[:5]) > 30  # nearly all that a game shows
        assert min_distance(sight, numbers[:8]) > 20
        assert min_distance(sight, numbers) > 15
    for colours in ("standard", "clear"):
        steps = [ramp(share / 4, colours) for share in range(5)]
        assert min_distance(sight, steps) > 20, "probabilities a quarter apart"
    for page, (role, share) in product(
        (light, dark), (("certain-safe", 0.01), ("certain-mine", 0.99))
    ):
        for probability in (ramp(share), ramp(share, "clear"), faded(share)):
            assert min_distance(sight, [page(role), probability]) > 20, "nearly certain"


def test_clear_ramp_becomes_brighter_from_0_to_1():
    bright = [cielab(linear(ramp(step / 100, "clear")))[0] for step in range(101)]
    assert bright == sorted(bright)
