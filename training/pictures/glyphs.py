"""Characters and symbols, drawn with fonts, as bitmaps, as pips or as seven segments."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from training.pictures.colours import Colour

Point = tuple[float, float]

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
DRAWN_FONTS = ["5x7", "3x5", "block", "segments", "pips", "default"]
"""Fonts that need no file."""

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


def font_paths(folder: Path) -> list[str]:
    """Return the fonts in a folder that have digits, sorted; remember fonts with symbols."""
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


@lru_cache(maxsize=600)
def load_font(font: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font by its path, or Pillow's own for "default"."""
    if font == "default":
        loaded = ImageFont.load_default(size)
        assert isinstance(loaded, ImageFont.FreeTypeFont)
        return loaded
    return ImageFont.truetype(font, size)


def draw_glyph(
    draw: ImageDraw.ImageDraw,
    text: str,
    height: float,
    at: Point,
    font: str,
    colour: Colour,
    stroke: Colour | None = None,
) -> None:
    """Draw a digit or letter of a height in pixels, centred at a point; digits with a stroke."""
    if text.isdigit() and font == "pips":
        if text != "0":
            _draw_pips(draw, int(text), height, at, colour)
        return
    if text.isdigit() and font in BITMAPS:
        _draw_bitmap(draw, BITMAPS[font][text].split(), height, at, colour)
        return
    if text.isdigit() and font == "segments":
        _draw_segments(draw, text, height, at, colour)
        return
    has_stroke = stroke is not None and text.isdigit()
    draw.text(
        at,
        text,
        font=load_font(font if "/" in font else "default", max(5, round(height * 1.38))),
        fill=colour,
        anchor="mm",
        stroke_width=max(1, round(height * 0.07)) if has_stroke else 0,
        stroke_fill=stroke if has_stroke else None,
    )


def _draw_pips(
    draw: ImageDraw.ImageDraw, number: int, height: float, at: Point, colour: Colour
) -> None:
    r = height * 0.13
    for x, y in PIPS[number]:
        cx, cy = at[0] + (x - 1) * height * 0.36, at[1] + (y - 1) * height * 0.36
        draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=colour)


def _draw_bitmap(
    draw: ImageDraw.ImageDraw, rows: list[str], height: float, at: Point, colour: Colour
) -> None:
    unit = height / len(rows)
    left, top = at[0] - unit * len(rows[0]) / 2, at[1] - height / 2
    for i, row in enumerate(rows):
        y0, y1 = round(top + i * unit), round(top + (i + 1) * unit) - 1
        for j, bit in enumerate(row):
            x0, x1 = round(left + j * unit), round(left + (j + 1) * unit) - 1
            if bit == "1":
                draw.rectangle((x0, y0, max(x0, x1), max(y0, y1)), fill=colour)


def _draw_segments(
    draw: ImageDraw.ImageDraw, text: str, height: float, at: Point, colour: Colour
) -> None:
    h, w, t = height / 2, height * 0.28, max(1, round(height * 0.14))
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


def draw_symbol(
    draw: ImageDraw.ImageDraw, font: str, text: str, height: float, at: Point, colour: Colour
) -> None:
    """Draw a character of a height in pixels, centred at a point by its ink."""
    loaded = load_font(font, max(5, round(height)))
    x0, y0, x1, y1 = draw.textbbox((0, 0), text, font=loaded)
    draw.text((at[0] - (x0 + x1) / 2, at[1] - (y0 + y1) / 2), text, font=loaded, fill=colour)


@lru_cache(maxsize=64)
def _emoji(path: str, text: str) -> Image.Image:
    font = ImageFont.truetype(path, 109)
    image = Image.new("RGBA", (160, 160), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((10, 10), text, font=font, embedded_color=True)
    box = image.getbbox()
    return image.crop(box) if box else image


def paste_emoji(image: Image.Image, text: str, height: float, at: Point) -> None:
    """Draw an emoji in colour, centred at a point."""
    emoji = _emoji(EMOJI_FONT[0], text)
    scale = height * 1.1 / max(emoji.size)
    small = emoji.resize((max(1, round(emoji.width * scale)), max(1, round(emoji.height * scale))))
    image.alpha_composite(
        small, (max(0, round(at[0] - small.width / 2)), max(0, round(at[1] - small.height / 2)))
    )
