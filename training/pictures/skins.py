"""Skins: how a program could draw the cells of a board.

A `Skin` says how each state of a cell is drawn; `random_skin` invents one. States are the
characters of a transcription: `#` covered, `?` covered with a question mark, `F` flag, `.` zero,
`1` to `8`, `*` mine, `X` the mine that ended the game.
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

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

BITMAPS_5X7 = {
    "0": "01110 10001 10011 10101 11001 10001 01110",
    "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111",
    "3": "11110 00001 00001 01110 00001 00001 11110",
    "4": "00010 00110 01010 10010 11111 00010 00010",
    "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "00110 01000 10000 11110 10001 10001 01110",
    "7": "11111 00001 00010 00100 01000 01000 01000",
    "8": "01110 10001 10001 01110 10001 10001 01110",
}
BITMAPS_BLOCK = {
    "0": "1111 1001 1001 1001 1111",
    "1": "0110 1110 0110 0110 1111",
    "2": "1111 0011 1111 1100 1111",
    "3": "1111 0011 0111 0011 1111",
    "4": "1101 1101 1111 0011 0011",
    "5": "1111 1100 1111 0011 1111",
    "6": "1111 1100 1111 1011 1111",
    "7": "1111 0011 0011 0110 0110",
    "8": "1111 1011 0110 1011 1111",
}
BITMAPS_3X5 = {
    "0": "111 101 101 101 111",
    "1": "010 110 010 010 111",
    "2": "111 001 111 100 111",
    "3": "111 001 111 001 111",
    "4": "101 101 111 001 001",
    "5": "111 100 111 001 111",
    "6": "111 100 111 101 111",
    "7": "111 001 001 010 010",
    "8": "111 101 111 101 111",
}
BITMAPS = {"5x7": BITMAPS_5X7, "3x5": BITMAPS_3X5, "block": BITMAPS_BLOCK}
"""Rows of pixels for each digit, by font."""
SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
}
PIPS = {
    1: [(1, 1)],
    2: [(0, 0), (2, 2)],
    3: [(0, 0), (1, 1), (2, 2)],
    4: [(0, 0), (2, 0), (0, 2), (2, 2)],
    5: [(0, 0), (2, 0), (0, 2), (2, 2), (1, 1)],
    6: [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
    7: [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2), (1, 1)],
    8: [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2), (1, 0), (1, 2)],
}

COVERS = ("flat", "bevel", "gradient", "glossy", "outline", "texture", "badge", "inner", "plain")
OPENS = ("flat", "sunken", "lined", "clear", "outline", "ring", "tinted", "dark_edge")
FLAGS = (
    "pennant",
    "rectangle",
    "swallow",
    "pole",
    "letter",
    "emoji",
    "pin",
    "cross",
    "mark",
    "dot",
)
MINES = ("spiked", "ball", "emoji", "letter", "star", "fuse")


@dataclass(frozen=True)
class Skin:
    """How the cells of a board are drawn; colours are RGB, lengths shares of a cell."""

    name: str = "random"
    cover: str = "bevel"
    cover_colours: tuple[Colour, Colour] = ((192, 192, 192), (192, 192, 192))
    """Of the two colours of a checkerboard; equal where there is none."""
    open: str = "lined"
    open_colours: tuple[Colour, Colour] = ((192, 192, 192), (192, 192, 192))
    zero_colours: tuple[Colour, Colour] | None = None
    """Of zeros, where they differ from numbers."""
    zero_glyph: bool = False
    page: Colour = (192, 192, 192)
    line: Colour = (128, 128, 128)
    line_width: float = 0.06
    gap: float = 0.0
    radius: float = 0.0
    bevel: float = 0.12
    font: str = "5x7"
    font_size: float = 0.7
    colours: dict[int, Colour] = field(default_factory=lambda: dict(CLASSIC))
    shadow: Colour | None = None
    flag: str = "pennant"
    flag_colour: Colour = (255, 0, 0)
    flag_second: Colour = (0, 0, 0)
    flag_background: Colour | None = None
    flag_size: float = 0.7
    mine: str = "spiked"
    mine_colour: Colour = (0, 0, 0)
    mine_covered: bool = False
    """Whether mines are drawn on a covered cell."""
    exploded: Colour = (255, 0, 0)
    smooth: bool = True
    offset: tuple[float, float] = (0.0, 0.0)
    letter: str = "F"
    light: float = 0.0
    """Strength of a gradient over the whole board."""
    badge: str = ""
    """What every covered cell has in its middle: dot, ring, square, hatch, or a character."""
    zero: str | None = None
    """How zeros are drawn, where that differs from numbers."""
    stroke: Colour | None = None
    """The outline of glyphs."""
    mirrored: bool = False
    jitter: float = 0.0
    """How much the brightness of cells differs."""
    glow: float = 0.0
    wallpaper: float = 0.0
    """Strength of a picture over the whole board."""
    crossed: bool = False
    """Whether a mine that ended the game is crossed out."""
    seed: int = 0


def shade(colour: Colour, by: float) -> Colour:
    """Return a colour made lighter (by > 0) or darker."""
    goal = 255 if by > 0 else 0
    red, green, blue = (round(c + (goal - c) * abs(by)) for c in colour)
    return red, green, blue


def distance(a: Colour, b: Colour) -> float:
    """Return how far two colours are apart, 0 to about 441."""
    return math.dist(a, b)


def luminance(colour: Colour) -> float:
    """Return the brightness of a colour, 0 to 255."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


@lru_cache(maxsize=600)
def _load(font: str, size: int) -> ImageFont.FreeTypeFont:
    if font == "default":
        loaded = ImageFont.load_default(size)
        assert isinstance(loaded, ImageFont.FreeTypeFont)
        return loaded
    return ImageFont.truetype(font, size)


@lru_cache(maxsize=64)
def _emoji(path: str, text: str) -> Image.Image:
    font = ImageFont.truetype(path, 109)
    image = Image.new("RGBA", (160, 160), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((10, 10), text, font=font, embedded_color=True)
    box = image.getbbox()
    return image.crop(box) if box else image


EMOJI_FONT: list[str] = []
"""The path of a colour emoji font, where there is one."""
SYMBOL_FONTS: dict[str, str] = {}
"""The paths of fonts with symbols, by the names in SYMBOLS."""
SYMBOLS = {
    "Symbola": ("⚑⚐🏁🏴🏳✖✗✘✕❌★☆◆●▲▶♦❗‼⚠✓✔⚔🎌⛳", "💣☠☢✹✸✺⊗⬤💥🔥☀❋"),
    "FontAwesome": (
        "\uf024\uf11d\uf11e\uf00d\uf05e\uf071\uf005\uf041\uf111\uf12a",
        "\uf1e2\uf069\uf185\uf06d",
    ),
}
"""What is drawn as a flag and as a mine with these fonts."""


def _glyph(
    draw: ImageDraw.ImageDraw,
    text: str,
    box: float,
    at: tuple[float, float],
    skin: Skin,
    colour: Colour,
) -> None:
    """Draw a digit or letter of height *box* pixels, centred at a point."""
    font = skin.font
    if text.isdigit() and font == "pips":
        if text == "0":
            return
        r = box * 0.13
        for x, y in PIPS[int(text)]:
            cx, cy = at[0] + (x - 1) * box * 0.36, at[1] + (y - 1) * box * 0.36
            draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=colour)
        return
    if text.isdigit() and font in BITMAPS:
        rows = BITMAPS[font][text].split()
        unit = box / len(rows)
        left, top = at[0] - unit * len(rows[0]) / 2, at[1] - box / 2
        for i, row in enumerate(rows):
            y0, y1 = round(top + i * unit), round(top + (i + 1) * unit) - 1
            for j, bit in enumerate(row):
                x0, x1 = round(left + j * unit), round(left + (j + 1) * unit) - 1
                if bit == "1":
                    draw.rectangle((x0, y0, max(x0, x1), max(y0, y1)), fill=colour)
        return
    if text.isdigit() and font == "segments":
        _segments(draw, text, box, at, colour)
        return
    has_stroke = skin.stroke is not None and text.isdigit()
    draw.text(
        at,
        text,
        font=_load(font if "/" in font else "default", max(5, round(box * 1.38))),
        fill=colour,
        anchor="mm",
        stroke_width=max(1, round(box * 0.07)) if has_stroke else 0,
        stroke_fill=skin.stroke if has_stroke else None,
    )


def _segments(
    draw: ImageDraw.ImageDraw, text: str, box: float, at: tuple[float, float], colour: Colour
) -> None:
    h, w, t = box / 2, box * 0.28, max(1, round(box * 0.14))
    x, y = at
    lines = {
        "a": (x - w, y - h, x + w, y - h),
        "b": (x + w, y - h, x + w, y),
        "c": (x + w, y, x + w, y + h),
        "d": (x - w, y + h, x + w, y + h),
        "e": (x - w, y, x - w, y + h),
        "f": (x - w, y - h, x - w, y),
        "g": (x - w, y, x + w, y),
    }
    for name in SEGMENTS[text]:
        draw.line(lines[name], fill=colour, width=t)


def _flag(
    image: Image.Image, draw: ImageDraw.ImageDraw, s: float, at: tuple[float, float], skin: Skin
) -> None:
    """Draw the flag of a skin, *s* pixels high, centred at a point."""
    x, y = at
    main, second, kind = skin.flag_colour, skin.flag_second, skin.flag
    h = s / 2

    side = -1 if skin.mirrored else 1

    def p(u: float, v: float) -> tuple[float, float]:
        return x + side * u * h, y + v * h

    def box(u: float, v: float, a: float, b: float) -> tuple[float, float, float, float]:
        return min(p(u, v)[0], p(a, b)[0]), p(u, v)[1], max(p(u, v)[0], p(a, b)[0]), p(a, b)[1]

    w = max(1, round(s * 0.09))
    if kind == "emoji" and EMOJI_FONT:
        _paste_emoji(image, "🚩" if skin.letter.isascii() else skin.letter, s, at)
    elif kind in SYMBOL_FONTS:
        symbols = SYMBOLS[kind][0]
        _symbol(draw, SYMBOL_FONTS[kind], symbols[skin.seed % len(symbols)], s, at, main)
    elif kind == "shapes":
        _shapes(draw, s, at, skin)
    elif kind == "pennant":  # the classic flag: a triangle to the left, a stand below
        draw.line((*p(0.15, -1), *p(0.15, 0.6)), fill=second, width=w)
        draw.polygon((p(0.2, -1), p(-0.75, -0.45), p(0.2, 0.1)), fill=main)
        draw.rectangle(box(-0.35, 0.5, 0.55, 0.75), fill=second)
        draw.rectangle(box(-0.75, 0.75, 0.85, 1), fill=second)
    elif kind == "rectangle":
        draw.line((*p(-0.6, -1), *p(-0.6, 1)), fill=second, width=w)
        draw.rectangle(box(-0.55, -0.95, 0.75, 0), fill=main)
    elif kind == "swallow":
        draw.line((*p(-0.6, -1), *p(-0.6, 1)), fill=second, width=w)
        draw.polygon(
            (p(-0.55, -0.95), p(0.85, -0.95), p(0.4, -0.45), p(0.85, 0.05), p(-0.55, 0.05)),
            fill=main,
        )
    elif kind == "pole":  # a triangle to the right on a thin pole
        draw.line((*p(-0.45, -1), *p(-0.45, 1)), fill=second, width=w)
        draw.polygon((p(-0.45, -1), p(0.75, -0.5), p(-0.45, 0)), fill=main)
        if skin.seed % 2:
            draw.line((*p(-0.8, 1), *p(0.1, 1)), fill=second, width=w)
    elif kind == "pin":
        draw.polygon((p(-0.5, -0.3), p(0.5, -0.3), p(0, 1)), fill=main)
        draw.ellipse(box(-0.55, -1, 0.55, 0.1), fill=main)
        draw.ellipse(box(-0.2, -0.65, 0.2, -0.25), fill=second)
    elif kind == "cross":
        draw.line((*p(-0.7, -0.7), *p(0.7, 0.7)), fill=main, width=max(1, round(s * 0.16)))
        draw.line((*p(-0.7, 0.7), *p(0.7, -0.7)), fill=main, width=max(1, round(s * 0.16)))
    elif kind == "mark":
        draw.rectangle(box(-0.15, -0.9, 0.15, 0.35), fill=main)
        draw.ellipse(box(-0.18, 0.55, 0.18, 0.9), fill=main)
    elif kind == "dot":
        draw.ellipse(box(-0.6, -0.6, 0.6, 0.6), fill=main, outline=second)
    elif kind == "wave":  # held out
        draw.line((*p(-0.7, -1), *p(-0.7, 1)), fill=second, width=w)
        top = [p(-0.7 + t * 0.2, -0.8 + 0.15 * math.sin(t * 1.2)) for t in range(8)]
        bottom = [p(-0.7 + t * 0.2, 0.1 + 0.15 * math.sin(t * 1.2)) for t in range(8)]
        draw.polygon((*top, *reversed(bottom)), fill=main)
    elif kind == "chequered":  # held out
        draw.line((*p(-0.7, -1), *p(-0.7, 1)), fill=second, width=w)
        for i in range(4):
            for j in range(3):
                u, v = -0.65 + i * 0.38, -0.95 + j * 0.38
                fill = main if (i + j) % 2 else second
                draw.rectangle(box(u, v, u + 0.36, v + 0.36), fill=fill)
    elif kind == "diamond":  # held out
        draw.polygon((p(0, -0.9), p(0.7, 0), p(0, 0.9), p(-0.7, 0)), fill=main)
        draw.polygon((p(0, -0.4), p(0.3, 0), p(0, 0.4), p(-0.3, 0)), fill=second)
    else:
        text = skin.letter if kind == "letter" and skin.letter.isascii() else "F"
        _glyph(draw, text, s * 0.75, at, skin, main)


def _symbol(
    draw: ImageDraw.ImageDraw,
    font: str,
    text: str,
    s: float,
    at: tuple[float, float],
    colour: Colour,
) -> None:
    """Draw a character, *s* pixels high, centred at a point."""
    loaded = _load(font, max(5, round(s)))
    x0, y0, x1, y1 = draw.textbbox((0, 0), text, font=loaded)
    draw.text((at[0] - (x0 + x1) / 2, at[1] - (y0 + y1) / 2), text, font=loaded, fill=colour)


def _shapes(draw: ImageDraw.ImageDraw, s: float, at: tuple[float, float], skin: Skin) -> None:
    """Draw two to four simple shapes, always the same for a skin."""
    rng = np.random.default_rng(skin.seed)
    for i in range(int(rng.integers(2, 5))):
        fill = (skin.flag_colour, skin.flag_second)[i % 2]
        points = at + rng.uniform(-0.5, 0.5, (int(rng.integers(2, 6)), 2)) * s
        if len(points) == 2:
            draw.line([tuple(point) for point in points], fill=fill, width=max(1, round(s * 0.12)))
        elif len(points) == 3:
            (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
            draw.ellipse((x0, y0, x1, y1), fill=fill)
        else:
            draw.polygon([tuple(point) for point in points], fill=fill)


def _paste_emoji(image: Image.Image, text: str, s: float, at: tuple[float, float]) -> None:
    emoji = _emoji(EMOJI_FONT[0], text)
    scale = s * 1.1 / max(emoji.size)
    small = emoji.resize((max(1, round(emoji.width * scale)), max(1, round(emoji.height * scale))))
    image.alpha_composite(
        small, (max(0, round(at[0] - small.width / 2)), max(0, round(at[1] - small.height / 2)))
    )


def _mine(
    image: Image.Image, draw: ImageDraw.ImageDraw, s: float, at: tuple[float, float], skin: Skin
) -> None:
    x, y = at
    h, colour = s / 2, skin.mine_colour

    def p(u: float, v: float) -> tuple[float, float]:
        return x + u * h, y + v * h

    if skin.mine == "emoji" and EMOJI_FONT:
        _paste_emoji(image, "💣" if skin.seed % 3 else "💥", s, at)
    elif skin.mine in SYMBOL_FONTS:
        symbols = SYMBOLS[skin.mine][1]
        _symbol(draw, SYMBOL_FONTS[skin.mine], symbols[skin.seed % len(symbols)], s, at, colour)
    elif skin.mine == "letter":
        _glyph(draw, "*BMX"[skin.seed % 4], s * 0.8, at, skin, colour)
    elif skin.mine == "star":
        points = []
        for i in range(16):
            r = 1.0 if i % 2 == 0 else 0.45
            points.append(p(r * math.cos(i * math.pi / 8), r * math.sin(i * math.pi / 8)))
        draw.polygon(points, fill=colour)
    else:
        w = max(1, round(s * 0.1))
        if skin.mine == "spiked":
            for u, v in ((1, 0), (0, 1), (0.7, 0.7), (0.7, -0.7)):
                draw.line((*p(-u, -v), *p(u, v)), fill=colour, width=w)
        if skin.mine == "fuse":
            draw.line((*p(0.3, -0.4), *p(0.8, -0.95)), fill=colour, width=w)
        draw.ellipse((*p(-0.65, -0.65), *p(0.65, 0.65)), fill=colour)
        if skin.mine != "ball" or skin.seed % 2:
            draw.ellipse((*p(-0.35, -0.35), *p(-0.1, -0.1)), fill=shade(colour, 0.8))


def draw_tile(skin: Skin, state: str, size: int, parity: int) -> Image.Image:
    """Return one cell as an RGBA picture; transparent where the page shows through."""
    factor = 3 if skin.smooth and size < 40 else 2 if skin.smooth and size < 80 else 1
    s = size * factor
    image = Image.new("RGBA", (s, s), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    if not skin.smooth:
        draw.fontmode = "1"
    inset = round(skin.gap * size / 2) * factor
    box = (inset, inset, s - 1 - inset, s - 1 - inset)
    covered = state in "#?F" or (state in "*X" and skin.mine_covered)
    (_draw_cover if covered else _draw_open)(image, draw, skin, state, box, parity)
    at = (s / 2 + skin.offset[0] * s, s / 2 + skin.offset[1] * s)
    inner = s - 2 * inset
    if state == "#" and skin.badge:
        _badge(draw, skin, s, at, parity)
    if state == "F":
        if skin.flag_background is not None:
            draw.rounded_rectangle(box, radius=skin.radius * s, fill=skin.flag_background)
        _flag(image, draw, inner * skin.flag_size, at, skin)
    elif state == "?":
        _glyph(draw, "?", inner * skin.font_size, at, skin, skin.flag_second)
    elif state in "*X":
        if state == "X" and not skin.crossed:
            draw.rounded_rectangle(box, radius=skin.radius * s, fill=skin.exploded)
        _mine(image, draw, inner * min(0.8, skin.flag_size + 0.1), at, skin)
        if state == "X" and skin.crossed:
            x0, y0, x1, y1 = box
            width = max(1, round(s * 0.08))
            draw.line((x0, y0, x1, y1), fill=skin.exploded, width=width)
            draw.line((x0, y1, x1, y0), fill=skin.exploded, width=width)
    elif state.isdigit() or (state == "." and skin.zero_glyph):
        number = 0 if state == "." else int(state)
        colour = skin.colours.get(number, skin.colours[1])
        if skin.shadow is not None:
            d = max(1, round(s * 0.03))
            _glyph(
                draw, str(number), inner * skin.font_size, (at[0] + d, at[1] + d), skin, skin.shadow
            )
        if skin.open == "tinted" and number:
            draw.rounded_rectangle(box, radius=skin.radius * s, fill=colour)
            colour = skin.line
        _glyph(draw, str(number), inner * skin.font_size, at, skin, colour)
    return image if factor == 1 else image.resize((size, size), Image.Resampling.BOX)


def _badge(
    draw: ImageDraw.ImageDraw, skin: Skin, s: int, at: tuple[float, float], parity: int
) -> None:
    """Draw what every covered cell has in its middle."""
    ground = skin.page if skin.cover == "outline" else skin.cover_colours[parity]
    colour = shade(ground, 0.4 if luminance(ground) < 128 else -0.35)
    x, y = at
    r = s * (0.06 + 0.04 * (skin.seed % 5))
    if skin.badge == "dot":
        draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)
    elif skin.badge == "ring":
        draw.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=max(1, s // 24))
    elif skin.badge == "square":
        draw.rectangle((x - r, y - r, x + r, y + r), outline=colour, width=max(1, s // 24))
    elif skin.badge == "hatch":
        for k in range(-3, 4):
            d = k * s / 7
            draw.line(
                (x - s * 0.3 + d, y + s * 0.3, x + s * 0.3 + d, y - s * 0.3),
                fill=colour,
                width=max(1, s // 30),
            )
    else:
        _glyph(draw, skin.badge, s * 0.5, at, replace(skin, font="default"), colour)


def _draw_cover(
    image: Image.Image,
    draw: ImageDraw.ImageDraw,
    skin: Skin,
    state: str,
    box: tuple[int, int, int, int],
    parity: int,
) -> None:
    s = image.width
    colour = skin.cover_colours[parity]
    width = max(1, round(skin.bevel * s))
    line = max(1, round(skin.line_width * s))
    x0, y0, x1, y1 = box
    tile = partial(draw.rounded_rectangle, box, radius=skin.radius * s)
    if skin.cover == "bevel":
        light, dark = shade(colour, 0.75), shade(colour, -0.35)
        draw.rectangle(box, fill=dark)
        draw.polygon(
            ((x0, y0), (x1, y0), (x1 - width, y0 + width), (x0 + width, y1 - width), (x0, y1)),
            fill=light,
        )
        draw.rectangle((x0 + width, y0 + width, x1 - width, y1 - width), fill=colour)
    elif skin.cover in ("gradient", "glossy"):
        a = np.asarray(shade(colour, 0.3), float)
        b = np.asarray(shade(colour, -0.2), float)
        t = np.linspace(0, 1, s)
        ramp = np.broadcast_to(
            (t[:, None] + (t[None, :] if skin.seed % 2 else t[:, None])) / 2, (s, s)
        )
        if skin.cover == "glossy":
            ramp = np.where(ramp < 0.45, ramp * 0.6, 0.6 + 0.3 * ramp)
        pixels = (a + (b - a) * ramp[..., None]).round().astype(np.uint8)
        _paste_rounded(image, Image.fromarray(pixels), box, skin.radius * s)
        if skin.line_width:
            tile(outline=shade(colour, -0.5), width=line)
    elif skin.cover == "outline":
        tile(outline=colour, width=max(1, round(skin.bevel * s * 0.7)))
    elif skin.cover == "texture":
        rng = np.random.default_rng(skin.seed + parity)
        n = 12
        noise = rng.normal(0, 10, (n, n, 1)) + np.asarray(colour, float)
        patch = Image.fromarray(noise.clip(0, 255).astype(np.uint8)).resize((s, s))
        _paste_rounded(image, patch, box, skin.radius * s)
        tile(outline=shade(colour, -0.3), width=line)
    elif skin.cover == "badge":  # something small in the middle of every covered cell
        tile(fill=colour, outline=skin.line, width=line)
        if state == "#":
            r = s * (0.08 + 0.05 * (skin.seed % 3))
            part = (s / 2 - r, s / 2 - r, s / 2 + r, s / 2 + r)
            mark = shade(colour, 0.35 if luminance(colour) < 128 else -0.3)
            if skin.seed % 2:
                draw.ellipse(part, outline=mark, width=max(1, s // 24))
            else:
                draw.rectangle(part, fill=mark)
    elif skin.cover == "inner":  # a smaller square inside
        tile(fill=shade(colour, -0.25))
        e = max(1, round(width * 0.8))
        inner = (x0 + e, y0 + e, x1 - e, y1 - e)
        draw.rounded_rectangle(inner, radius=skin.radius * s, fill=colour)
    else:
        tile(fill=colour)
        if skin.cover == "flat" and skin.line_width:
            tile(outline=skin.line, width=line)


def _paste_rounded(
    image: Image.Image, patch: Image.Image, box: tuple[int, int, int, int], radius: float
) -> None:
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius=radius, fill=255)
    image.paste(patch.convert("RGBA"), (0, 0), mask)


def _draw_open(
    image: Image.Image,
    draw: ImageDraw.ImageDraw,
    skin: Skin,
    state: str,
    box: tuple[int, int, int, int],
    parity: int,
) -> None:
    s = image.width
    colours = skin.open_colours
    if state == "." and skin.zero_colours is not None:
        colours = skin.zero_colours
    colour = colours[parity]
    width = max(1, round(skin.line_width * s))
    x0, y0, x1, y1 = box
    tile = partial(draw.rounded_rectangle, box, radius=skin.radius * s)
    kind = skin.zero if state == "." and skin.zero is not None else skin.open
    if kind == "clear":
        return
    if kind == "outline":
        tile(outline=colour, width=width)
    elif kind == "ring":
        if state != ".":
            e = s * 0.08
            draw.ellipse((x0 + e, y0 + e, x1 - e, y1 - e), outline=colour, width=width)
    elif kind == "sunken":
        draw.rectangle(box, fill=colour)
        draw.line((x0, y0, x1, y0), fill=shade(colour, -0.35), width=width)
        draw.line((x0, y0, x0, y1), fill=shade(colour, -0.35), width=width)
    elif kind == "dark_edge":
        draw.rectangle(box, fill=shade(colour, -0.15))
        draw.rectangle((x0 + width, y0 + width, x1 - width, y1 - width), fill=colour)
    else:
        tile(fill=colour)
        if kind == "lined" and skin.line_width:
            tile(outline=skin.line, width=width)


def _colour(rng: Random, light: tuple[float, float], saturation: tuple[float, float]) -> Colour:
    return _from_hls(rng.random(), rng.uniform(*light), rng.uniform(*saturation))


def _palette(rng: Random, background: Colour) -> dict[int, Colour]:
    kind = rng.random()
    dark = luminance(background) < 110
    if kind < 0.45 and not dark:
        return dict(CLASSIC)
    if kind < 0.65:
        return dict.fromkeys(range(9), _contrasting(rng, background))
    if kind < 0.75:  # a ramp from dim to bright
        base = np.asarray(background, float)
        goal = np.asarray(_contrasting(rng, background), float)
        steps = {n: base + (goal - base) * (0.35 + 0.08 * n) for n in range(9)}
        return {n: (int(r), int(g), int(b)) for n, (r, g, b) in steps.items()}
    return {n: _contrasting(rng, background) for n in range(9)}


def _contrasting(rng: Random, background: Colour, least: float = 75) -> Colour:
    for _ in range(30):
        colour = _colour(rng, (0.05, 0.95), (0.0, 1.0))
        if abs(luminance(colour) - luminance(background)) > least * 0.6 and (
            distance(colour, background) > least
        ):
            return colour
    return (0, 0, 0) if luminance(background) > 128 else (255, 255, 255)


def random_skin(rng: Random, fonts: list[str], flags: tuple[str, ...] = FLAGS) -> Skin:
    """Invent a skin."""

    def chance(p: float) -> bool:
        return bool(rng.random() < p)

    def pick(options: tuple[str, ...] | list[str], weights: list[float] | None = None) -> str:
        p = None if weights is None else np.asarray(weights) / sum(weights)
        return str(options[int(rng.choice(len(options), p=p))])

    cover = pick(COVERS, [4, 7, 2, 2, 1, 1.5, 1, 1, 3])
    open_ = pick(OPENS, [4, 3, 7, 1.5, 0.7, 0.5, 0.7, 1])
    if cover == "bevel" and chance(0.6):
        grey = int(rng.integers(165, 225))
        first: Colour = (grey, grey, grey)
    else:
        first = _colour(rng, (0.12, 0.92), (0.0, 1.0) if chance(0.6) else (0.0, 0.15))
    # Open cells are often lighter, sometimes the same, sometimes darker or another colour.
    kind = rng.random()
    if kind < 0.3:
        opened = shade(first, rng.uniform(0.12, 0.7))
    elif kind < 0.45:
        opened = shade(first, -rng.uniform(0.12, 0.6))
    elif kind < 0.6 and cover not in ("flat", "plain", "texture"):
        opened = first
    elif kind < 0.8:
        opened = _colour(rng, (0.7, 0.97), (0.0, 0.3))
    else:
        opened = _colour(rng, (0.08, 0.95), (0.0, 0.8))
    if distance(first, opened) < 22 and cover in ("flat", "plain", "texture", "badge"):
        opened = shade(first, 0.45 if luminance(first) < 150 else -0.3)
    checker = rng.random()
    step = rng.uniform(0.05, 0.14) * (1 if chance(0.5) else -1)
    covers = (first, shade(first, step) if checker < 0.13 else first)
    opens = (opened, shade(opened, step) if checker < 0.1 or 0.13 < checker < 0.15 else opened)
    page = (
        opened if chance(0.2) else first if chance(0.25) else _colour(rng, (0.0, 1.0), (0.0, 0.6))
    )
    ground = page if open_ in ("clear", "outline", "ring") else opened
    if cover == "outline" and distance(covers[0], page) < 45:
        covers = (_contrasting(rng, page),) * 2
    if open_ in ("outline", "ring") and distance(opens[0], page) < 25:
        opens = (_contrasting(rng, page),) * 2
    colours = _palette(rng, ground)
    line = shade(opened, -rng.uniform(0.15, 0.6)) if chance(0.7) else _contrasting(rng, opened)
    if open_ == "tinted":
        line = (20, 20, 20) if chance(0.6) else (255, 255, 255)
        base = rng.uniform(0.25, 0.7)
        colours = {n: _from_hls((0.33 - 0.04 * n) % 1, base, 0.7) for n in range(9)}
        if luminance(line) > 128:
            colours = {n: shade(c, -0.5) for n, c in colours.items()}
        else:
            colours = {n: shade(c, 0.4) for n, c in colours.items()}
    separated = chance(0.3)
    gap = rng.uniform(0.03, 0.14) if separated else 0.0
    if cover == "plain" and covers[0] == covers[1]:  # else the cells have no borders
        gap = max(gap, 0.06) if chance(0.6) else gap
        if not gap:
            cover = "flat"
    font = pick(["5x7", "3x5", "block", "segments", "pips", "default"], [3, 0.5, 1, 0.7, 0.9, 2])
    if fonts and chance(0.75):
        font = pick(fonts)
    ground_of_flag = covers[0]
    badge = ""
    if cover != "badge" and chance(0.1):
        badge = pick(
            ["dot", "ring", "square", "hatch", "dot", "ring", "#", "-", ".", "+", "o", "■"]
        )
    skin = Skin(
        badge=badge,
        zero=None if chance(0.88) else pick(["clear", "outline", "flat", "lined"]),
        stroke=_contrasting(rng, ground) if chance(0.07) else None,
        mirrored=chance(0.3),
        jitter=rng.uniform(0.01, 0.06) if chance(0.07) else 0.0,
        glow=rng.uniform(0.3, 0.9) if chance(0.04) else 0.0,
        cover=cover,
        cover_colours=covers,
        open=open_,
        open_colours=opens,
        zero_colours=None if chance(0.85) else (shade(opened, step), shade(opened, step)),
        zero_glyph=chance(0.06),
        page=page,
        line=line,
        line_width=rng.choice([0.0, 0.02, 0.04, 0.06, 0.09])
        if open_ != "lined"
        else rng.uniform(0.02, 0.08),
        gap=gap,
        radius=rng.uniform(0.04, 0.3) if chance(0.25) else 0.0,
        bevel=rng.uniform(0.05, 0.17),
        font=font,
        font_size=rng.uniform(0.35, 0.8),
        colours=colours,
        shadow=shade(ground, -0.5) if chance(0.08) else None,
        flag=pick(list(flags)),
        flag_colour=(230, 20, 20) if chance(0.45) else _contrasting(rng, ground_of_flag),
        flag_second=(0, 0, 0)
        if chance(0.5) and luminance(ground_of_flag) > 60
        else _contrasting(rng, ground_of_flag),
        flag_background=None if chance(0.85) else _colour(rng, (0.2, 0.9), (0.1, 1.0)),
        flag_size=rng.uniform(0.4, 0.82),
        mine=pick(MINES),
        mine_colour=(0, 0, 0) if chance(0.6) else _contrasting(rng, opened),
        mine_covered=chance(0.3),
        exploded=(255, 0, 0) if chance(0.7) else _colour(rng, (0.3, 0.7), (0.5, 1)),
        smooth=chance(0.75),
        offset=(rng.normal(0, 0.02), rng.normal(0, 0.025)),
        letter=pick(["🚩", "🚩", "🚩", "⛳", "🏁", "🏴", "📍", "❗", "🚫"])
        if EMOJI_FONT and chance(0.6)
        else pick(["F", "F", "P", "M", "X", "!", "B", "?"][:7]),
        light=rng.uniform(0.1, 0.5) if chance(0.12) else 0.0,
        seed=int(rng.integers(1 << 30)),
    )
    if cover == "flat" and covers[0] == covers[1] and not gap:
        skin = replace(skin, line_width=max(0.02, skin.line_width))
    return skin


def varied(skin: Skin, rng: Random) -> Skin:
    """Return a skin with rarer traits, in some of the cases: other flags and mines, a picture."""
    kinds = [*SYMBOL_FONTS, "shapes"]
    if rng.random() < 0.3:
        skin = replace(skin, flag=kinds[int(rng.integers(len(kinds)))])
    if SYMBOL_FONTS and rng.random() < 0.25:
        skin = replace(skin, mine=kinds[int(rng.integers(len(SYMBOL_FONTS)))])
    if rng.random() < 0.1:
        skin = replace(skin, wallpaper=rng.uniform(0.1, 0.6))
    if rng.random() < 0.12:  # numbers that hardly differ from the ground
        ground = np.asarray(skin.open_colours[0], float)
        share = rng.uniform(0.3, 0.8)
        faint = {n: ground + (np.asarray(c) - ground) * share for n, c in skin.colours.items()}
        colours = {n: (int(c[0]), int(c[1]), int(c[2])) for n, c in faint.items()}
        skin = replace(skin, colours=colours)
    return replace(skin, crossed=rng.random() < 0.3)


def _from_hls(hue: float, light: float, saturation: float) -> Colour:
    """Return the colour of a hue, a lightness and a saturation, each 0 to 1."""
    r, g, b = colorsys.hls_to_rgb(hue, light, saturation)
    return round(r * 255), round(g * 255), round(b * 255)


def font_paths(folder: Path) -> list[str]:
    """Return the fonts in a folder that have digits, sorted; note a colour emoji font."""
    paths = []
    for path in sorted((*folder.glob("*.ttf"), *folder.glob("*.otf"))):
        symbols = [name for name in SYMBOLS if path.name.startswith(name)]
        if "ColorEmoji" in path.name:
            EMOJI_FONT[:] = [str(path)]
        elif symbols:
            SYMBOL_FONTS[symbols[0]] = str(path)
        else:
            paths.append(str(path))
    return paths
