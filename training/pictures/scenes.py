"""Scenes: pictures of whole boards with things around and over them, and what they show."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from training.pictures.skins import (
    Colour,
    Random,
    Skin,
    _contrasting,
    _glyph,
    _load,
    draw_tile,
    luminance,
    shade,
)


@dataclass
class Scene:
    """A picture and the truth about it."""

    picture: Image.Image
    rows: list[str]
    """The transcription of the cells in view."""
    left: float
    top: float
    width: float
    """Of a cell, in pixels."""
    height: float
    obscured: npt.NDArray[np.float64]
    """The share of each cell that something else covers."""
    counter: int | None = None
    """The mine counter in view: mines minus flags."""


def random_position(rng: Random, width: int, height: int) -> tuple[list[str], int]:
    """Return the states of a random game as rows, and its mine counter."""
    density = rng.uniform(0.08, 0.24) if rng.random() < 0.8 else rng.uniform(0.24, 0.5)
    n = width * height
    mines = np.zeros((height, width), bool)
    mines.flat[rng.choice(n, max(1, round(density * n)), replace=False)] = True
    padded = np.pad(mines.astype(int), 1)
    counts = sum(
        padded[1 + i : 1 + i + height, 1 + j : 1 + j + width]
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    )
    opened = np.zeros_like(mines)
    kind = rng.random()
    if kind < 0.12:
        goal = 1.0  # won
    elif kind < 0.18:
        goal = 0.0
    else:
        goal = rng.uniform(0.05, 0.98)
    safe = np.flatnonzero(~mines)
    zeros = np.flatnonzero(~mines.ravel() & (counts.ravel() == 0))
    tries = list(rng.permutation(safe))
    if len(zeros) and kind >= 0.12:
        tries.insert(0, int(rng.choice(zeros)))
    for start in tries:
        if opened.sum() >= goal * len(safe):
            break
        if opened.any() and goal < 1 and rng.random() < 0.7:
            # Players open next to what is open.
            near = np.pad(opened, 1)
            touches = sum(
                near[1 + i : 1 + i + height, 1 + j : 1 + j + width]
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
            )
            if not touches.flat[start]:
                continue
        stack = [int(start)]
        while stack:
            cell = stack.pop()
            if opened.flat[cell]:
                continue
            opened.flat[cell] = True
            if counts.flat[cell] == 0:
                y, x = divmod(cell, width)
                stack += [
                    j * width + i
                    for j in range(max(0, y - 1), min(height, y + 2))
                    for i in range(max(0, x - 1), min(width, x + 2))
                ]
    text = np.full((height, width), "#")
    for number in range(9):
        text[opened & (counts == number)] = "." if number == 0 else str(number)
    near = np.pad(opened, 1)
    touched = sum(
        near[1 + i : 1 + i + height, 1 + j : 1 + j + width].astype(int)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    )
    share = rng.choice([0.0, 0.3, 0.8, 1.0], p=[0.25, 0.2, 0.3, 0.25])
    flags = mines & (touched > 0) & (rng.random(mines.shape) < share)
    if kind < 0.12 and rng.random() < 0.7:
        flags = mines
    text[flags] = "F"
    if rng.random() < 0.04:
        text[(text == "#") & (rng.random(text.shape) < 0.05)] = "?"
    if goal < 1 and rng.random() < 0.14:  # lost
        text[mines & (text != "F")] = "*"
        left = np.flatnonzero((text == "*").ravel())
        if len(left) and rng.random() < 0.8:
            text.flat[rng.choice(left)] = "X"
    return ["".join(row) for row in text], int(mines.sum() - (text == "F").sum())


def draw_board(skin: Skin, rows: list[str], size: int) -> Image.Image:
    """Return the board alone as an RGBA picture, *size* pixels per cell."""
    height, width = len(rows), len(rows[0])
    board = Image.new("RGBA", (width * size, height * size), (0, 0, 0, 0))
    tiles: dict[tuple[str, int], Image.Image] = {}
    for y, row in enumerate(rows):
        for x, state in enumerate(row):
            key = state, (x + y) % 2
            if key not in tiles:
                tiles[key] = draw_tile(skin, *key[:1], size, key[1])
            board.paste(tiles[key], (x * size, y * size))
    return board


def _jittered(board: Image.Image, rng: Random, most: float, size: int) -> Image.Image:
    """Return a board with cells of slightly different brightness."""
    pixels = np.asarray(board).astype(np.float32)
    rows, columns = pixels.shape[0] // size, pixels.shape[1] // size
    factor = np.kron(rng.normal(1, most, (rows, columns)), np.ones((size, size)))
    pixels[..., :3] *= factor[..., None]
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def _texture(rng: Random, width: int, height: int, base: Colour) -> Image.Image:
    """Return a page: one colour, a gradient, or soft blobs as on a wallpaper."""
    kind = rng.random()
    if kind < 0.6:
        return Image.new("RGB", (width, height), base)
    return _blobs(rng, width, height, 2 if kind < 0.85 else int(rng.integers(4, 24)), base)


def _blobs(rng: Random, width: int, height: int, n: int, base: Colour) -> Image.Image:
    """Return a picture of *n* by *n* soft blobs around a colour."""
    noise = rng.normal(0, 22 if n == 2 else 35, (n, n, 3)) + np.asarray(base, float)
    small = Image.fromarray(noise.clip(0, 255).astype(np.uint8))
    return small.resize((width, height), Image.Resampling.BICUBIC)


def _text_lines(
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
        most = max(1, int((x1 - x0) / (size * 0.6)))
        draw.text((x0, y), words[:most], font=_load("default", size), fill=colour)
        y += int(size * 1.5)


def _counter(
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
                _glyph(draw, digit, size, (x, at[1]), Skin(font="segments"), (255, 20, 20))
    else:
        draw.text(at, text, font=_load("default", max(6, round(size))), fill=colour, anchor="mm")


def make_scene(
    rng: Random,
    skin: Skin,
    size: int,
    columns: int,
    rows: int,
    plain: bool = False,
    random_states: bool = False,
) -> Scene:
    """Draw a random position in a skin with surroundings.

    *plain* leaves out what hides cells; *random_states* draws random cells instead of a position.
    """
    text, counter = random_position(rng, columns, rows)
    if random_states:
        states = list("..##FF112233445566778*")
        text = ["".join(rng.choice(states, columns)) for _ in range(rows)]
    board = draw_board(skin, text, size)
    bw, bh = board.size
    tight = rng.random() < 0.2
    most = 0.5 if rng.random() < 0.75 else 1.6
    margins = [0] * 4 if tight else [int(rng.uniform(0, most) * min(bw, bh)) for _ in range(4)]
    if not tight and rng.random() < 0.6:
        margins[1] += int(size * rng.uniform(0.5, 2.5))  # a header
    left, top, right, bottom = margins
    border = 0 if rng.random() < 0.45 else max(1, round(size * rng.uniform(0.03, 0.4)))
    border = min(border, left, top, right, bottom)
    width, height = bw + left + right, bh + top + bottom
    page = _texture(rng, width, height, skin.page)
    draw = ImageDraw.Draw(page)
    ink = _contrasting(rng, skin.page)
    if not tight:
        _surround(
            page,
            draw,
            rng,
            skin,
            (left - border, top - border, left + bw + border, top + bh + border),
            ink,
            size,
            counter,
        )
    if border:
        outer = (left - border, top - border, left + bw + border - 1, top + bh + border - 1)
        if rng.random() < 0.5:
            draw.rectangle(outer, fill=shade(skin.page, rng.uniform(-0.6, 0.6)))
        else:
            draw.rectangle(outer, fill=shade(skin.cover_colours[0], 0.6))
            draw.polygon(
                ((outer[0], outer[1]), (outer[2], outer[1]), (outer[0], outer[3])),
                fill=shade(skin.cover_colours[0], -0.4),
            )
    if border or (skin.gap and rng.random() < 0.5):  # what shows through between the cells
        clear = skin.cover == "outline" or skin.open in ("clear", "outline", "ring")
        fill = skin.page if clear else shade(skin.page, rng.uniform(-0.4, 0.4))
        draw.rectangle((left, top, left + bw - 1, top + bh - 1), fill=fill)
    if skin.jitter:
        board = _jittered(board, rng, skin.jitter, size)
    if skin.wallpaper:
        picture = _blobs(rng, bw, bh, int(rng.integers(4, 24)), (128, 128, 128))
        mixed = Image.blend(board.convert("RGB"), picture, skin.wallpaper)
        board = Image.merge("RGBA", (*mixed.split(), board.getchannel("A")))
    page.paste(board, (left, top), board)
    if skin.glow:
        blurred = page.filter(ImageFilter.GaussianBlur(size * 0.12))
        page = ImageChops.add(page, ImageEnhance.Brightness(blurred).enhance(skin.glow * 0.5))
        draw = ImageDraw.Draw(page)
    if rng.random() < 0.15:  # grid lines over everything, also where cells have none
        for i in range(columns + 1):
            draw.line((left + i * size, top, left + i * size, top + bh), fill=skin.line)
        for j in range(rows + 1):
            draw.line((left, top + j * size, left + bw, top + j * size), fill=skin.line)
    if skin.light:
        page = _lit(page, rng, skin.light, (left, top, left + bw, top + bh))
        draw = ImageDraw.Draw(page)
    obscured = np.zeros((rows, columns))
    if not plain:
        page = _overlays(page, rng, obscured, left, top, size)
    x0, y0, cw, ch = float(left), float(top), float(size), float(size)
    # Cropped so that a part of the board is out of view.
    if rng.random() < 0.12:
        cut = [int(rng.uniform(0, 2.2) * size) if rng.random() < 0.5 else 0 for _ in range(4)]
        cut[0] = min(cut[0], bw // 3) + left if cut[0] else 0
        cut[1] = min(cut[1], bh // 3) + top if cut[1] else 0
        cut[2] = width - right - min(cut[2], bw // 3) if cut[2] else width
        cut[3] = height - bottom - min(cut[3], bh // 3) if cut[3] else height
        page = page.crop((cut[0], cut[1], cut[2], cut[3]))
        x0, y0 = x0 - cut[0], y0 - cut[1]
        a = max(0, int(np.ceil(-x0 / size - 0.34)))
        b = max(0, int(np.ceil(-y0 / size - 0.34)))
        c = min(columns, int((page.width - x0) / size + 0.34))
        d = min(rows, int((page.height - y0) / size + 0.34))
        text = [row[a:c] for row in text[b:d]]
        obscured = obscured[b:d, a:c]
        x0, y0 = x0 + a * size, y0 + b * size
    # Scaled as a whole.
    if rng.random() < 0.4:
        least = max(0.45, 11.5 / size)
        fx = rng.uniform(least, max(least, 1.6))
        fy = fx * (rng.uniform(0.96, 1.04) if rng.random() < 0.2 else 1)
        w, h = max(8, round(page.width * fx)), max(8, round(page.height * fy))
        method = Image.Resampling(int(rng.choice([1, 2, 3])))
        fx, fy = w / page.width, h / page.height
        page = page.resize((w, h), method)
        x0, y0, cw, ch = x0 * fx, y0 * fy, cw * fx, ch * fy
    return Scene(_compressed(page, rng), text, x0, y0, cw, ch, obscured, counter)


def _surround(
    page: Image.Image,
    draw: ImageDraw.ImageDraw,
    rng: Random,
    skin: Skin,
    board: tuple[int, int, int, int],
    ink: Colour,
    size: int,
    counter: int,
) -> None:
    width, height = page.size
    left, top, right, bottom = board
    if rng.random() < 0.35 and top > 24:  # a title bar
        h = min(top // 2, int(rng.integers(16, 40)))
        draw.rectangle((0, 0, width, h), fill=_contrasting(rng, skin.page, 40))
        _text_lines(draw, rng, (6, -8, width // 2, h), ink)
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
            _counter(draw, rng, f"{counter:03d}", (left + high * 1.6, y), high, ink)
            _counter(draw, rng, f"{rng.integers(0, 999):03d}", (right - high * 1.6, y), high, ink)
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
            _text_lines(draw, rng, box, ink)
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
                        fill=_contrasting(rng, skin.page, 30),
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


def _lit(
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


def _overlays(
    page: Image.Image,
    rng: Random,
    obscured: npt.NDArray[np.float64],
    left: int,
    top: int,
    size: int,
) -> Image.Image:
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
        _text_lines(
            draw,
            rng,
            (int(x) + 4, int(y) - 6, int(x + w) - 4, int(y + h)),
            (0, 0, 0) if luminance(fill) > 128 else (255, 255, 255),
        )
        cover.rectangle((x, y, x + w, y + h), fill=255)
    if rng.random() < 0.06:  # one cell framed as the keyboard's
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


def _compressed(page: Image.Image, rng: Random) -> Image.Image:
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
