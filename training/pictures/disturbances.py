"""Disturbances of a picture: uneven light, pointers and dialogs over the board, compression."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from training.pictures.colours import Random, any_colour, luminance
from training.pictures.surroundings import draw_text_lines


def darkened(
    page: Image.Image, rng: Random, strength: float, box: tuple[int, int, int, int]
) -> Image.Image:
    """Darken a corner gradually, as a gradient behind the cells does."""
    pixels = np.asarray(page, np.float32).copy()
    x0, y0, x1, y1 = box
    part = pixels[y0:y1, x0:x1]
    u = np.linspace(0, 1, part.shape[1])[None, :]
    v = np.linspace(0, 1, part.shape[0])[:, None]
    angle = rng.uniform(0, 2 * np.pi)
    ramp = u * np.cos(angle) + v * np.sin(angle)
    ramp = (ramp - ramp.min()) / (np.ptp(ramp) + 1e-9)
    part *= (1 - strength * ramp)[..., None]
    return Image.fromarray(pixels.astype(np.uint8))


def draw_overlays(
    page: Image.Image,
    rng: Random,
    obscured: npt.NDArray[np.float64],
    left: int,
    top: int,
    size: int,
) -> Image.Image:
    """Return a page with a pointer, a tooltip, an outline or a disc over some cells, or none.

    *obscured* becomes the share of each cell that is hidden.
    """
    rows, columns = obscured.shape
    mask = Image.new("L", page.size, 0)
    cover, draw = ImageDraw.Draw(mask), ImageDraw.Draw(page)
    if rng.random() < 0.22:  # a pointer
        x = left + rng.uniform(0, columns) * size
        y = top + rng.uniform(0, rows) * size
        h = max(10.0, min(rng.uniform(14, 26), size * 1.2))
        shape = [
            (0, 0),
            (0, 0.75),
            (0.18, 0.6),
            (0.32, 0.95),
            (0.45, 0.9),
            (0.31, 0.56),
            (0.55, 0.54),
        ]
        points = [(x + u * h, y + v * h) for u, v in shape]
        light = rng.random() < 0.7
        draw.polygon(
            points,
            fill=(255, 255, 255) if light else (0, 0, 0),
            outline=(0, 0, 0) if light else (255, 255, 255),
        )
        cover.polygon(points, fill=255)
    if rng.random() < 0.06:  # a tooltip, a dialog or a button
        w, h = rng.uniform(1.2, 5) * size, rng.uniform(0.6, 2.5) * size
        x = left + rng.uniform(0, max(0.1, columns - w / size)) * size
        y = top + rng.uniform(0, max(0.1, rows - h / size)) * size
        fill = tuple(int(c) for c in rng.integers(0, 256, 3))
        draw.rounded_rectangle(
            (x, y, x + w, y + h), radius=float(rng.integers(0, 10)), fill=fill, outline=(40, 40, 40)
        )
        draw_text_lines(
            draw,
            rng,
            (int(x) + 4, int(y) - 6, int(x + w) - 4, int(y + h)),
            (0, 0, 0) if luminance(fill) > 128 else (255, 255, 255),
        )
        cover.rectangle((x, y, x + w, y + h), fill=255)
    if rng.random() < 0.06:  # one cell outlined, as by keyboard focus
        i, j = int(rng.integers(columns)), int(rng.integers(rows))
        box = (left + i * size, top + j * size, left + (i + 1) * size - 1, top + (j + 1) * size - 1)
        draw.rectangle(
            box, outline=tuple(int(c) for c in rng.integers(0, 256, 3)), width=max(1, size // 12)
        )
    if rng.random() < 0.04:  # a translucent disc
        x, y = left + rng.uniform(0, columns) * size, top + rng.uniform(0, rows) * size
        r = rng.uniform(0.5, 1.4) * size
        layer = Image.new("RGBA", page.size, (0, 0, 0, 0))
        fill = (*(int(c) for c in rng.integers(0, 256, 3)), int(rng.integers(40, 110)))
        ImageDraw.Draw(layer).ellipse((x - r, y - r, x + r, y + r), fill=fill)
        page = Image.alpha_composite(page.convert("RGBA"), layer).convert("RGB")
    area = np.asarray(mask, np.float32)[top : top + rows * size, left : left + columns * size] / 255
    obscured[:] = area.reshape(rows, size, columns, size).mean(axis=(1, 3))
    return page


def tint_cells(
    page: Image.Image, rng: Random, shape: tuple[int, int], corner: tuple[int, int], size: int
) -> Image.Image:
    """Return a page with a colour over some cells, as hover effects and hints have it."""
    layer = Image.new("RGBA", page.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    colours = [(*any_colour(rng), int(rng.integers(30, 110))) for _ in range(2)]
    for _ in range(int(rng.choice([1, 1, 2, 6, 15]))):
        x = corner[0] + int(rng.integers(shape[1])) * size
        y = corner[1] + int(rng.integers(shape[0])) * size
        colour = colours[int(rng.integers(2))]
        draw.rectangle((x, y, x + size - 1, y + size - 1), fill=colour)
    return Image.alpha_composite(page.convert("RGBA"), layer).convert("RGB")


def draw_dialog(
    page: Image.Image,
    rng: Random,
    obscured: npt.NDArray[np.float64],
    left: int,
    top: int,
    size: int,
) -> Image.Image:
    """Return a dimmed page with a message over the middle of the board, as at the end of a game."""
    rows, columns = obscured.shape
    dimming = any_colour(rng) if rng.random() < 0.3 else (0, 0, 0)
    page = Image.blend(page, Image.new("RGB", page.size, dimming), rng.uniform(0.1, 0.6))
    x0, x1 = sorted(rng.uniform(0.1, 0.9, 2) * columns)
    y0, y1 = sorted(rng.uniform(0.2, 0.8, 2) * rows)
    box = (
        left + int(x0 * size),
        top + int(y0 * size),
        left + int(x1 * size) + size,
        top + int(y1 * size) + size // 2,
    )
    fill = any_colour(rng)
    draw = ImageDraw.Draw(page)
    draw.rounded_rectangle(box, radius=float(rng.integers(0, 12)), fill=fill)
    ink = (0, 0, 0) if luminance(fill) > 128 else (255, 255, 255)
    draw_text_lines(draw, rng, (box[0] + 6, box[1] - 4, box[2] - 6, box[3]), ink)
    hidden = np.zeros(page.size[::-1], np.float32)
    hidden[box[1] : box[3], box[0] : box[2]] = 1
    area = hidden[top : top + rows * size, left : left + columns * size]
    shares = area.reshape(rows, size, columns, size).mean(axis=(1, 3))
    np.maximum(obscured, shares, out=obscured)
    return page


def compressed(page: Image.Image, rng: Random) -> Image.Image:
    """Return a picture with the losses of JPEG or of a palette, or unchanged."""
    kind = rng.random()
    if kind < 0.35:
        stream = io.BytesIO()
        page.save(stream, "JPEG", quality=int(rng.integers(35, 96)))
        return Image.open(io.BytesIO(stream.getvalue())).convert("RGB")
    if kind < 0.45:
        colours = int(rng.choice([32, 64, 128, 256]))
        dither = Image.Dither.FLOYDSTEINBERG if rng.random() < 0.5 else Image.Dither.NONE
        return page.quantize(colours, dither=dither).convert("RGB")
    if kind < 0.5:
        return page.convert("P", dither=Image.Dither.FLOYDSTEINBERG).convert("RGB")  # web colours
    return page
