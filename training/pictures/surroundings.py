"""The surroundings of a board: a page, text, buttons, counters, another board."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from training.pictures.colours import Colour, Random, contrasting, shade
from training.pictures.glyphs import draw_glyph, load_font
from training.pictures.skins import Skin


def draw_page(rng: Random, width: int, height: int, base: Colour) -> Image.Image:
    """Return a page: one colour, a gradient, or soft blobs as on a wallpaper."""
    kind = rng.random()
    if kind < 0.6:
        return Image.new("RGB", (width, height), base)
    return draw_blobs(rng, width, height, 2 if kind < 0.85 else int(rng.integers(4, 24)), base)


def draw_blobs(rng: Random, width: int, height: int, n: int, base: Colour) -> Image.Image:
    """Return a picture of *n* by *n* soft blobs around a colour."""
    noise = rng.normal(0, 22 if n == 2 else 35, (n, n, 3)) + np.asarray(base, float)
    small = Image.fromarray(noise.clip(0, 255).astype(np.uint8))
    return small.resize((width, height), Image.Resampling.BICUBIC)


def draw_text_lines(
    draw: ImageDraw.ImageDraw, rng: Random, box: tuple[int, int, int, int], colour: Colour
) -> None:
    """Fill a box with lines of words."""
    x0, y0, x1, y1 = box
    size = int(rng.integers(9, 22))
    y = y0 + size
    while y + size < y1:
        words = " ".join(
            "".join(chr(97 + int(c)) for c in rng.integers(0, 26, rng.integers(2, 9)))
            for _ in range(int(rng.integers(1, 7)))
        )
        if rng.random() < 0.3:
            words += f" {rng.integers(0, 1000)}"
        max_length = max(1, int((x1 - x0) / (size * 0.6)))
        draw.text((x0, y), words[:max_length], font=load_font("default", size), fill=colour)
        y += int(size * 1.5)


def _draw_counter(
    draw: ImageDraw.ImageDraw,
    rng: Random,
    text: str,
    at: tuple[float, float],
    size: float,
    colour: Colour,
) -> None:
    """Draw a counter: seven segments on black, or plain text."""
    if rng.random() < 0.4:
        half = size * 0.42 * len(text)
        draw.rectangle(
            (at[0] - half, at[1] - size * 0.75, at[0] + half, at[1] + size * 0.75), fill=(0, 0, 0)
        )
        for i, digit in enumerate(text):
            x = at[0] + (i - (len(text) - 1) / 2) * size * 0.75
            if digit.isdigit() and digit != "9":
                draw_glyph(draw, digit, size, (x, at[1]), "segments", (255, 20, 20))
    else:
        draw.text(
            at, text, font=load_font("default", max(6, round(size))), fill=colour, anchor="mm"
        )


def draw_surroundings(
    page: Image.Image,
    draw: ImageDraw.ImageDraw,
    rng: Random,
    skin: Skin,
    board: tuple[int, int, int, int],
    ink: Colour,
    size: int,
    counter: int,
) -> None:
    """Draw a title bar, a header with counters, text, buttons and decoys around a board."""
    width, height = page.size
    left, top, right, bottom = board
    if rng.random() < 0.35 and top > 24:  # a title bar
        h = min(top // 2, int(rng.integers(16, 40)))
        draw.rectangle((0, 0, width, h), fill=contrasting(rng, skin.page, 40))
        draw_text_lines(draw, rng, (6, -8, width // 2, h), ink)
    header = top > size * 0.8
    if header:
        y = top - min(top, size * 1.6) / 2
        high = min(top * 0.5, size * rng.uniform(0.5, 1.1))
        if rng.random() < 0.35:  # a panel behind it
            draw.rectangle(
                (left, top - min(top, size * 1.6), right, top - 2),
                fill=shade(skin.page, rng.uniform(-0.3, 0.3)),
            )
        if rng.random() < 0.7:
            _draw_counter(draw, rng, f"{counter:03d}", (left + high * 1.6, y), high, ink)
            _draw_counter(
                draw, rng, f"{rng.integers(0, 999):03d}", (right - high * 1.6, y), high, ink
            )
        if rng.random() < 0.5:
            x, r = (left + right) / 2, high * 0.6
            draw.rectangle(
                (x - r * 1.2, y - r * 1.2, x + r * 1.2, y + r * 1.2),
                fill=shade(skin.cover_colours[0], 0.2),
                outline=skin.line,
            )
            draw.ellipse((x - r, y - r, x + r, y + r), fill=(255, 230, 0), outline=(0, 0, 0))
    for box in (
        (right + 8, top, width - 4, bottom),
        (8, top, left - 8, bottom),
        (8, bottom + 6, width - 8, height - 4),
        (8, 4, width - 8, top - int(size * 1.7)),
    ):
        if box[2] - box[0] < 40 or box[3] - box[1] < 24 or rng.random() < 0.5:
            continue
        if rng.random() < 0.6:
            draw_text_lines(draw, rng, box, ink)
        else:
            for _ in range(int(rng.integers(1, 5))):  # buttons, pictures, panels
                x = rng.uniform(box[0], box[2])
                y = rng.uniform(box[1], box[3])
                w = min(rng.uniform(20, 160), box[2] - x)
                h = min(rng.uniform(12, 90), box[3] - y)
                if w > 18 and h > 18:
                    draw.rounded_rectangle(
                        (x, y, x + w, y + h),
                        radius=float(rng.integers(0, 8)),
                        fill=contrasting(rng, skin.page, 30),
                        outline=ink,
                    )
        if rng.random() < 0.12:  # a small decoy board
            n, m, c = (int(v) for v in rng.integers((3, 2, 6), (9, 6, 16)))
            if box[0] + n * c < box[2] and box[1] + m * c < box[3]:
                for i in range(n):
                    for j in range(m):
                        x, y = box[0] + i * c, box[1] + j * c
                        shades = (230, 200, 120, 90)
                        v = shades[int(rng.integers(4))]
                        draw.rectangle((x, y, x + c, y + c), fill=(v, v, v), outline=(60, 60, 60))


def draw_labels(
    page: Image.Image, rng: Random, skin: Skin, board: tuple[int, int, int, int], size: int
) -> None:
    """Write a letter above each column and a number beside each row, as far as there is space."""
    left, top, right, bottom = board
    draw, ink = ImageDraw.Draw(page), contrasting(rng, skin.page)
    first, high = int(rng.integers(2)), size * rng.uniform(0.35, 0.6)
    has_letters = rng.random() < 0.5
    for i in range((right - left) // size):
        text = chr(65 + i % 26) if has_letters else str(i + first)
        draw_glyph(draw, text, high, (left + (i + 0.5) * size, top - size / 2), "default", ink)
    for i in range((bottom - top) // size):
        at = (left - size / 2, top + (i + 0.5) * size)
        draw_glyph(draw, str(i + first), high, at, "default", ink)
