"""Scenes: pictures of whole boards with things around and over them, and what they show."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from training.pictures.colours import Colour, Random, contrasting, shade
from training.pictures.disturbances import (
    compressed,
    darkened,
    draw_dialog,
    draw_overlays,
    tint_cells,
)
from training.pictures.positions import random_position
from training.pictures.skins import Skin
from training.pictures.surroundings import draw_blobs, draw_labels, draw_page, draw_surroundings
from training.pictures.tiles import draw_tile


@dataclass(frozen=True)
class Scene:
    """A picture of a board, and what it shows."""

    picture: Image.Image
    rows: list[str]
    """The states of the cells in view, as characters (see skins.py)."""
    left: float
    top: float
    width: float
    """The width of a cell, in pixels."""
    height: float
    """The height of a cell, in pixels."""
    obscured: npt.NDArray[np.float64]
    """The share of each cell that something else covers."""
    counter: int | None = None
    """The mine counter in view: mines minus flags."""


def draw_board(skin: Skin, rows: list[str], size: int) -> Image.Image:
    """Return the board alone as an RGBA picture, *size* pixels per cell."""
    height, width = len(rows), len(rows[0])
    board = Image.new("RGBA", (width * size, height * size), (0, 0, 0, 0))
    tiles: dict[tuple[str, int], Image.Image] = {}
    for y, row in enumerate(rows):
        for x, state in enumerate(row):
            parity = (x + y) % 2
            if (state, parity) not in tiles:
                tiles[state, parity] = draw_tile(skin, state, size, parity)
            board.paste(tiles[state, parity], (x * size, y * size))
    if skin.rim is not None:
        _draw_rim(board, skin.rim, rows, size)
    return board


def _draw_rim(board: Image.Image, colour: Colour, rows: list[str], size: int) -> None:
    """Draw lines between covered and open cells."""
    draw = ImageDraw.Draw(board)
    covered = np.array([[state in "#?F" for state in row] for row in rows])
    width = max(1, size // 14)
    for y, x in zip(*np.nonzero(covered[:, 1:] != covered[:, :-1]), strict=True):
        at = (int(x) + 1) * size
        draw.line((at, int(y) * size, at, (int(y) + 1) * size), fill=colour, width=width)
    for y, x in zip(*np.nonzero(covered[1:] != covered[:-1]), strict=True):
        at = (int(y) + 1) * size
        draw.line((int(x) * size, at, (int(x) + 1) * size, at), fill=colour, width=width)


def _jittered(board: Image.Image, rng: Random, deviation: float, size: int) -> Image.Image:
    """Return a board with cells of slightly different brightness."""
    pixels = np.asarray(board).astype(np.float32)
    rows, columns = pixels.shape[0] // size, pixels.shape[1] // size
    factor = np.kron(rng.normal(1, deviation, (rows, columns)), np.ones((size, size)))
    pixels[..., :3] *= factor[..., None]
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def make_scene(
    rng: Random,
    skin: Skin,
    size: int,
    columns: int,
    rows: int,
    *,
    plain: bool = False,
    random_states: bool = False,
    rare: bool = False,
) -> Scene:
    """Draw a random position in a skin with surroundings.

    *plain* leaves out what hides cells; *random_states* draws random cells instead of a position;
    *rare* adds what few programs do: labels beside the rows, tinted cells, cells that are not
    square.
    """
    text, counter = random_position(rng, columns, rows)
    if random_states:
        states = list("..##FF112233445566778*")
        text = ["".join(rng.choice(states, columns)) for _ in range(rows)]
    board = draw_board(skin, text, size)
    page, left, top = _place(rng, skin, board, size, counter)
    inside = (left, top, left + board.width, top + board.height)
    if rare and rng.random() < 0.08:
        draw_labels(page, rng, skin, inside, size)
    if skin.jitter:
        board = _jittered(board, rng, skin.jitter, size)
    if skin.wallpaper:
        picture = draw_blobs(rng, *board.size, int(rng.integers(4, 24)), (128, 128, 128))
        blended = Image.blend(board.convert("RGB"), picture, skin.wallpaper)
        board = Image.merge("RGBA", (*blended.split(), board.getchannel("A")))
    page.paste(board, (left, top), board)
    if skin.glow:
        blurred = page.filter(ImageFilter.GaussianBlur(size * 0.12))
        page = ImageChops.add(page, ImageEnhance.Brightness(blurred).enhance(skin.glow * 0.5))
    if rng.random() < 0.15:  # grid lines over everything, also where cells have none
        draw = ImageDraw.Draw(page)
        for i in range(columns + 1):
            draw.line((left + i * size, top, left + i * size, inside[3]), fill=skin.line)
        for j in range(rows + 1):
            draw.line((left, top + j * size, inside[2], top + j * size), fill=skin.line)
    if skin.light:
        page = darkened(page, rng, skin.light, inside)
    obscured = np.zeros((rows, columns))
    if rare and rng.random() < 0.06:
        page = tint_cells(page, rng, (rows, columns), (left, top), size)
    if not plain:
        page = draw_overlays(page, rng, obscured, left, top, size)
        if rare and rng.random() < 0.05:
            page = draw_dialog(page, rng, obscured, left, top, size)
    scene = Scene(page, text, left, top, size, size, obscured, counter)
    if rng.random() < 0.12:
        scene = _cropped(scene, rng, inside)
    if rng.random() < 0.4:
        scene = _resized(scene, rng, rare)
    return replace(scene, picture=compressed(scene.picture, rng))


def _place(
    rng: Random, skin: Skin, board: Image.Image, size: int, counter: int
) -> tuple[Image.Image, int, int]:
    """Return a page with the surroundings of a board, and the corner where the board belongs."""
    bw, bh = board.size
    tight = rng.random() < 0.2
    max_margin = 0.5 if rng.random() < 0.75 else 1.6
    margins = (
        [0] * 4 if tight else [int(rng.uniform(0, max_margin) * min(bw, bh)) for _ in range(4)]
    )
    if not tight and rng.random() < 0.6:
        margins[1] += int(size * rng.uniform(0.5, 2.5))  # a header
    left, top, right, bottom = margins
    border = 0 if rng.random() < 0.45 else max(1, round(size * rng.uniform(0.03, 0.4)))
    border = min(border, left, top, right, bottom)
    page = draw_page(rng, bw + left + right, bh + top + bottom, skin.page)
    draw = ImageDraw.Draw(page)
    ink = contrasting(rng, skin.page)
    outer = (left - border, top - border, left + bw + border, top + bh + border)
    if not tight:
        draw_surroundings(page, draw, rng, skin, outer, ink, size, counter)
    if border:
        x0, y0, x1, y1 = outer[0], outer[1], outer[2] - 1, outer[3] - 1
        if rng.random() < 0.5:
            draw.rectangle((x0, y0, x1, y1), fill=shade(skin.page, rng.uniform(-0.6, 0.6)))
        else:
            draw.rectangle((x0, y0, x1, y1), fill=shade(skin.cover_colours[0], 0.6))
            dark = shade(skin.cover_colours[0], -0.4)
            draw.polygon(((x0, y0), (x1, y0), (x0, y1)), fill=dark)
    if border or (skin.gap and rng.random() < 0.5):  # what shows through between the cells
        is_clear = skin.cover in ("outline", "clear") or skin.open in ("clear", "outline", "ring")
        fill = skin.page if is_clear else shade(skin.page, rng.uniform(-0.4, 0.4))
        draw.rectangle((left, top, left + bw - 1, top + bh - 1), fill=fill)
    return page, left, top


def _cropped(scene: Scene, rng: Random, inside: tuple[int, int, int, int]) -> Scene:
    """Return a scene with a part of the board outside the picture."""
    left, top, right, bottom = inside
    page, size = scene.picture, scene.width
    max_cut_x, max_cut_y = (right - left) // 3, (bottom - top) // 3
    cut = [int(rng.uniform(0, 2.2) * size) if rng.random() < 0.5 else 0 for _ in range(4)]
    cut[0] = min(cut[0], max_cut_x) + left if cut[0] else 0
    cut[1] = min(cut[1], max_cut_y) + top if cut[1] else 0
    cut[2] = right - min(cut[2], max_cut_x) if cut[2] else page.width
    cut[3] = bottom - min(cut[3], max_cut_y) if cut[3] else page.height
    page = page.crop((cut[0], cut[1], cut[2], cut[3]))
    x0, y0 = left - cut[0], top - cut[1]
    # A cell counts as long as two thirds of it are in view.
    first_column = max(0, math.ceil(-x0 / size - 0.34))
    first_row = max(0, math.ceil(-y0 / size - 0.34))
    columns = slice(first_column, min(len(scene.rows[0]), int((page.width - x0) / size + 0.34)))
    rows = slice(first_row, min(len(scene.rows), int((page.height - y0) / size + 0.34)))
    return replace(
        scene,
        picture=page,
        rows=[row[columns] for row in scene.rows[rows]],
        left=x0 + first_column * size,
        top=y0 + first_row * size,
        obscured=scene.obscured[rows, columns],
    )


def _resized(scene: Scene, rng: Random, rare: bool) -> Scene:
    """Return a scene at another size; sometimes width and height change differently."""
    page, min_factor = scene.picture, max(0.45, 11.5 / scene.width)
    fx = rng.uniform(min_factor, max(min_factor, 1.6))
    fy = fx * (rng.uniform(0.96, 1.04) if rng.random() < 0.2 else 1)
    if rare and rng.random() < 0.25:
        fy = max(min_factor, fx * math.exp(rng.normal(0, 0.3)))
    w, h = max(8, round(page.width * fx)), max(8, round(page.height * fy))
    method = Image.Resampling(int(rng.choice([1, 2, 3])))
    fx, fy = w / page.width, h / page.height
    return replace(
        scene,
        picture=page.resize((w, h), method),
        left=scene.left * fx,
        top=scene.top * fy,
        width=scene.width * fx,
        height=scene.height * fy,
    )
