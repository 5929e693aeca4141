"""Windows of cells, cut from scenes, with the class of each cell."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from training.pictures.scenes import Scene, make_scene
from training.pictures.skins import FLAGS, random_skin

CELL = 20
"""Pixels per cell that the network sees."""
WINDOW = 14
CLASSES = "012345678#F*-?"
"""Zero to 8, covered, flag, mine, outside the board, obscured."""
IGNORE = -1
LABEL = {**{c: i for i, c in enumerate(CLASSES)}, ".": 0, "X": 11, "?": 9}


def cut_window(scene: Scene, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a window of cells as pixels and labels; sometimes on a wrong lattice."""
    rows, columns = len(scene.rows), len(scene.rows[0])
    labels = np.full((WINDOW, WINDOW), LABEL["-"], np.int64)
    # The window mostly shows the board, with up to three cells around it.
    i0 = int(rng.integers(-3, max(-2, columns - WINDOW + 4)))
    j0 = int(rng.integers(-3, max(-2, rows - WINDOW + 4)))
    px, py = scene.width * rng.normal(1, 0.0015), scene.height * rng.normal(1, 0.0015)
    x0 = scene.left + rng.normal(0, 0.02) * px
    y0 = scene.top + rng.normal(0, 0.02) * py
    wrong = rng.random() < 0.15
    if wrong:
        kind = rng.random()
        if kind < 0.5:  # shifted
            dx, dy = rng.uniform(0.3, 0.7, 2)
            which = rng.integers(3)
            x0 += px * dx * (which != 1)
            y0 += py * dy * (which != 0)
        else:  # another pitch
            factor = float(rng.choice([0.5, 2.0, 1.5, 2 / 3, 3.0, 1 / 3, rng.uniform(0.6, 1.7)]))
            if 0.93 < factor < 1.07:
                factor = 1.2
            fx, fy = (factor, factor) if rng.random() < 0.7 else (factor, 1.0)
            i0, j0 = round(i0 / fx), round(j0 / fy)
            px, py = px * fx, py * fy
    else:
        for j in range(WINDOW):
            for i in range(WINDOW):
                if 0 <= j + j0 < rows and 0 <= i + i0 < columns:
                    share = scene.obscured[j + j0, i + i0]
                    label = LABEL[scene.rows[j + j0][i + i0]]
                    labels[j, i] = label if share < 0.2 else IGNORE if share < 0.4 else LABEL["?"]
                x, y = x0 + (i + i0) * px, y0 + (j + j0) * py
                seen = _overlap(x, px, scene.picture.width) * _overlap(y, py, scene.picture.height)
                if seen < 0.5:
                    labels[j, i] = LABEL["-"]
                elif seen < 0.7:
                    labels[j, i] = IGNORE
    left, top = x0 + i0 * px, y0 + j0 * py
    return resample(scene.picture, left, top, px * WINDOW, py * WINDOW, WINDOW, WINDOW), labels


def _overlap(start: float, length: float, most: float) -> float:
    return max(0.0, min(start + length, most) - max(start, 0.0)) / length


def resample(
    picture: Image.Image,
    left: float,
    top: float,
    width: float,
    height: float,
    columns: int,
    rows: int,
) -> np.ndarray:
    """Return a part of a picture at CELL pixels per cell; grey beyond its edges."""
    x0, y0 = math.floor(left) - 1, math.floor(top) - 1
    x1, y1 = math.ceil(left + width) + 1, math.ceil(top + height) + 1
    part = picture.crop((x0, y0, x1, y1))  # black beyond the edges
    return np.asarray(
        part.resize(
            (columns * CELL, rows * CELL),
            Image.Resampling.BILINEAR,
            box=(left - x0, top - y0, left - x0 + width, top - y0 + height),
        )
    )


def random_window(rng: np.random.Generator, fonts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Draw a scene in an invented skin, and cut a window of it."""
    size = round(math.exp(rng.uniform(math.log(12), math.log(56))))
    columns, rows = (int(v) for v in rng.integers(5, 19, 2))
    scene = make_scene(
        rng, random_skin(rng, fonts, FLAGS), size, columns, rows, jumbled=rng.random() < 0.07
    )
    return cut_window(scene, rng)
