"""Flags, mines and the decoration of covered cells."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from training.pictures.colours import luminance, shade
from training.pictures.glyphs import (
    EMOJI_FONT,
    SYMBOL_FONTS,
    SYMBOLS,
    Point,
    draw_glyph,
    draw_symbol,
    paste_emoji,
)
from training.pictures.skins import Skin


def draw_flag(
    image: Image.Image, draw: ImageDraw.ImageDraw, s: float, at: Point, skin: Skin
) -> None:
    """Draw the flag of a skin, *s* pixels high, centred at a point."""
    x, y = at
    main, second, kind = skin.flag_colour, skin.flag_second, skin.flag
    h = s / 2
    side = -1 if skin.mirrored else 1

    # p and box take coordinates from -1 to 1, in units of half the height.

    def p(u: float, v: float) -> tuple[float, float]:
        return x + side * u * h, y + v * h

    def box(u: float, v: float, a: float, b: float) -> tuple[float, float, float, float]:
        return min(p(u, v)[0], p(a, b)[0]), p(u, v)[1], max(p(u, v)[0], p(a, b)[0]), p(a, b)[1]

    w = max(1, round(s * 0.09))
    if kind == "none":
        return
    if kind == "emoji" and EMOJI_FONT:
        paste_emoji(image, "🚩" if skin.letter.isascii() else skin.letter, s, at)
    elif kind in SYMBOL_FONTS:
        symbols = SYMBOLS[kind][0]
        draw_symbol(draw, SYMBOL_FONTS[kind], symbols[skin.seed % len(symbols)], s, at, main)
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
    elif kind == "ring":
        draw.ellipse(box(-0.6, -0.6, 0.6, 0.6), outline=main, width=w)
        draw.ellipse(box(-0.25, -0.25, 0.25, 0.25), fill=second)
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
        draw_glyph(draw, text, s * 0.75, at, skin.font, main)


def _shapes(draw: ImageDraw.ImageDraw, s: float, at: Point, skin: Skin) -> None:
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


def draw_mine(
    image: Image.Image, draw: ImageDraw.ImageDraw, s: float, at: Point, skin: Skin
) -> None:
    """Draw the mine of a skin, *s* pixels high, centred at a point."""
    x, y = at
    h, colour = s / 2, skin.mine_colour

    # p takes coordinates from -1 to 1, in units of half the height.
    def p(u: float, v: float) -> tuple[float, float]:
        return x + u * h, y + v * h

    if skin.mine == "emoji" and EMOJI_FONT:
        paste_emoji(image, "💣" if skin.seed % 3 else "💥", s, at)
    elif skin.mine in SYMBOL_FONTS:
        symbols = SYMBOLS[skin.mine][1]
        draw_symbol(draw, SYMBOL_FONTS[skin.mine], symbols[skin.seed % len(symbols)], s, at, colour)
    elif skin.mine == "letter":
        draw_glyph(draw, "*BMX"[skin.seed % 4], s * 0.8, at, skin.font, colour)
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


def draw_badge(draw: ImageDraw.ImageDraw, skin: Skin, s: int, at: Point, parity: int) -> None:
    """Draw the decoration in the middle of a covered cell."""
    ground = skin.page if skin.cover == "outline" else skin.cover_colours[parity]
    default = shade(ground, 0.4 if luminance(ground) < 128 else -0.35)
    colour = skin.badge_colour or default
    x, y = at
    r = s * (0.06 + 0.04 * (skin.seed % 5))
    box = (x - r, y - r, x + r, y + r)
    line = max(1, s // 24)
    if skin.badge == "dot":
        draw.ellipse(box, fill=colour)
    elif skin.badge == "ring":
        draw.ellipse(box, outline=colour, width=line)
    elif skin.badge == "square":
        draw.rectangle(box, outline=colour, width=line)
    elif skin.badge == "block":
        r = s * (0.2 + 0.04 * (skin.seed % 5))
        draw.rectangle((x - r, y - r, x + r, y + r), fill=colour)
    elif skin.badge == "hatch":
        for k in range(-3, 4):
            d = k * s / 7
            draw.line(
                (x - s * 0.3 + d, y + s * 0.3, x + s * 0.3 + d, y - s * 0.3),
                fill=colour,
                width=max(1, s // 30),
            )
    elif skin.cover == "clear":  # a character among others
        draw_glyph(draw, skin.badge, s * skin.font_size, at, skin.font, colour)
    else:
        draw_glyph(draw, skin.badge, s * 0.5, at, "default", colour)
