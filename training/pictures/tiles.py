"""Draw one cell in a skin."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from PIL import Image, ImageDraw

from training.pictures.colours import Colour, luminance, shade
from training.pictures.glyphs import Point, draw_glyph
from training.pictures.markers import draw_badge, draw_flag, draw_mine
from training.pictures.skins import Skin

Box = tuple[int, int, int, int]


def draw_tile(skin: Skin, state: str, size: int, parity: int) -> Image.Image:
    """Return one cell as an RGBA picture; transparent where the page shows through."""
    if state == "F" and skin.flag_tint is not None:
        colours = (skin.flag_tint, skin.flag_tint)
        skin = replace(skin, cover_colours=colours, badge_colour=skin.flag_tint)
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
    if skin.badge and (state == "#" or (state == "F" and skin.flag_tint is not None)):
        draw_badge(draw, skin, s, at, parity)
    if state == "F":
        if skin.flag_background is not None:
            draw.rounded_rectangle(box, radius=skin.radius * s, fill=skin.flag_background)
        draw_flag(image, draw, inner * skin.flag_size, at, skin)
    elif state == "?":
        draw_glyph(draw, "?", inner * skin.font_size, at, skin.font, skin.flag_second)
    elif state in "*X":
        _draw_exposed_mine(image, draw, skin, state, box, at)
    elif state.isdigit() or (state == "." and skin.zero_mark):
        _draw_number(draw, skin, state, box, at)
    opacity = skin.opacities[0 if covered else 1]
    if opacity < 1:
        image.putalpha(image.getchannel("A").point(lambda level: int(level * opacity)))
    return image if factor == 1 else image.resize((size, size), Image.Resampling.BOX)


def _draw_exposed_mine(
    image: Image.Image, draw: ImageDraw.ImageDraw, skin: Skin, state: str, box: Box, at: Point
) -> None:
    """Draw a mine that a lost game shows."""
    s = image.width
    x0, y0, x1, y1 = box
    background = skin.exploded if state == "X" and not skin.crossed else skin.mine_background
    if background is not None:
        draw.rounded_rectangle(box, radius=skin.radius * s, fill=background)
    draw_mine(image, draw, (x1 - x0 + 1) * min(0.8, skin.flag_size + 0.1), at, skin)
    if state == "X" and skin.crossed:
        width = max(1, round(s * 0.08))
        draw.line((x0, y0, x1, y1), fill=skin.exploded, width=width)
        draw.line((x0, y1, x1, y0), fill=skin.exploded, width=width)


def _draw_number(draw: ImageDraw.ImageDraw, skin: Skin, state: str, box: Box, at: Point) -> None:
    """Draw a number, or the content of a zero."""
    s = box[2] + box[0] + 1
    number = 0 if state == "." else int(state)
    text = str(number) if number else skin.zero_mark
    height = (box[2] - box[0] + 1) * skin.font_size
    colour = skin.colours.get(number, skin.colours[1])
    if text == "dot":
        r = s * 0.05
        draw.ellipse((at[0] - r, at[1] - r, at[0] + r, at[1] + r), fill=colour)
        return
    if skin.number_box is not None:
        e = s * 0.12
        part = (box[0] + e, box[1] + e, box[2] - e, box[3] - e)
        draw.rounded_rectangle(part, radius=s * 0.12, fill=skin.number_box)
    if skin.shadow is not None:
        d = max(1, round(s * 0.03))
        draw_glyph(draw, text, height, (at[0] + d, at[1] + d), skin.font, skin.shadow, skin.stroke)
    if skin.open == "tinted" and number:
        draw.rounded_rectangle(box, radius=skin.radius * s, fill=colour)
        colour = skin.line
    draw_glyph(draw, text, height, at, skin.font, colour, skin.stroke)


def _draw_cover(
    image: Image.Image,
    draw: ImageDraw.ImageDraw,
    skin: Skin,
    state: str,
    box: Box,
    parity: int,
) -> None:
    s = image.width
    colour = skin.cover_colours[parity]
    width = max(1, round(skin.bevel * s))
    line = max(1, round(skin.line_width * s))
    x0, y0, x1, y1 = box
    tile = partial(draw.rounded_rectangle, box, radius=skin.radius * s)
    if skin.cover == "clear":
        return
    if skin.cover == "bevel":
        light, dark = (shade(colour, by) for by in skin.bevel_shades)
        _draw_bevel(draw, box, width, light, colour, dark)
    elif skin.cover == "soft":  # a rounded tile, lighter above and darker below
        tile(fill=shade(colour, -0.3))
        draw.rounded_rectangle((x0, y0, x1, y1 - line), radius=skin.radius * s, fill=colour)
        draw.line((x0 + skin.radius * s, y0, x1 - skin.radius * s, y0), shade(colour, 0.5), line)
    elif skin.cover == "ledge":  # a tile whose lower side shows
        tile(fill=shade(colour, -0.35))
        top = (x0, y0, x1, y1 - width)
        draw.rounded_rectangle(top, radius=skin.radius * s, fill=colour)
    elif skin.cover in ("gradient", "glossy", "radial"):
        a = np.asarray(shade(colour, 0.3), float)
        b = np.asarray(shade(colour, -0.2), float)
        t = np.linspace(0, 1, s)
        ramp = np.broadcast_to(
            (t[:, None] + (t[None, :] if skin.seed % 2 else t[:, None])) / 2, (s, s)
        )
        if skin.cover == "radial":
            ramp = np.minimum(1, np.hypot(t[:, None] - 0.5, t[None, :] - 0.5) * 1.5)
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


def _draw_bevel(
    draw: ImageDraw.ImageDraw, box: Box, width: int, light: Colour, middle: Colour, dark: Colour
) -> None:
    """Draw a square with a light left and upper side and a dark right and lower one."""
    x0, y0, x1, y1 = box
    draw.rectangle(box, fill=dark)
    draw.polygon(
        ((x0, y0), (x1, y0), (x1 - width, y0 + width), (x0 + width, y1 - width), (x0, y1)),
        fill=light,
    )
    draw.rectangle((x0 + width, y0 + width, x1 - width, y1 - width), fill=middle)


def _paste_rounded(image: Image.Image, patch: Image.Image, box: Box, radius: float) -> None:
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius=radius, fill=255)
    image.paste(patch.convert("RGBA"), (0, 0), mask)


def _draw_open(
    image: Image.Image,
    draw: ImageDraw.ImageDraw,
    skin: Skin,
    state: str,
    box: Box,
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
    elif kind in ("raised", "inset"):
        light, dark = (shade(colour, by) for by in skin.bevel_shades)
        if kind == "inset":
            light, dark = dark, light
        _draw_bevel(draw, box, max(1, round(skin.bevel * s)), light, colour, dark)
    elif kind == "dark_edge":
        draw.rectangle(box, fill=shade(colour, -0.15))
        draw.rectangle((x0 + width, y0 + width, x1 - width, y1 - width), fill=colour)
    else:
        tile(fill=colour)
        if kind == "lined" and skin.line_width:
            tile(outline=skin.line, width=width)
