"""Windows of cells, cut from scenes, with the class of each cell."""

from __future__ import annotations

import math

import numpy as np

from sapper.pictures.fitting import resample
from sapper.pictures.lattice import Lattice
from sapper.pictures.network import CLASSES, COVERED, HIDDEN, MINE, OUTSIDE
from training.pictures.scenes import Scene, make_scene
from training.pictures.skins import FLAGS, random_skin, with_rare_traits

WINDOW = 14
"""Cells per side of a window."""
IGNORE = -1
"""The label of a cell that training ignores."""
CLASS = {state: CLASSES.index(state) for state in "12345678#F*"}
CLASS |= {".": 0, "?": COVERED, "X": MINE}
"""The class of each state of a cell; a question mark counts as covered."""


def cut_window(scene: Scene, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a window of cells as pixels and labels; sometimes on a wrong grid.

    A window on a wrong grid is labelled as outside the board everywhere.
    """
    rows, columns, picture = len(scene.rows), len(scene.rows[0]), scene.picture
    labels = np.full((WINDOW, WINDOW), OUTSIDE, np.int64)
    # The window mostly shows the board, with up to three cells around it.
    i0 = int(rng.integers(-3, max(-2, columns - WINDOW + 4)))
    j0 = int(rng.integers(-3, max(-2, rows - WINDOW + 4)))
    # A lattice that is fitted to a picture is never exact.
    px, py = scene.width * rng.normal(1, 0.003), scene.height * rng.normal(1, 0.003)
    shifts = rng.normal(0, 0.03, 2) if rng.random() < 0.7 else rng.uniform(-0.12, 0.12, 2)
    x0 = scene.left + shifts[0] * px
    y0 = scene.top + shifts[1] * py
    is_wrong_grid = rng.random() < 0.15
    if is_wrong_grid:
        if rng.random() < 0.5:  # shifted
            dx, dy = rng.uniform(0.3, 0.7, 2)
            axis = rng.integers(3)  # horizontal, vertical, both
            x0 += px * dx * (axis != 1)
            y0 += py * dy * (axis != 0)
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
                    obscured = scene.obscured[j + j0, i + i0]
                    if obscured < 0.2:
                        labels[j, i] = CLASS[scene.rows[j + j0][i + i0]]
                    else:
                        labels[j, i] = IGNORE if obscured < 0.4 else HIDDEN
                x, y = x0 + (i + i0) * px, y0 + (j + j0) * py
                visible = _overlap(x, px, picture.width) * _overlap(y, py, picture.height)
                if visible < 0.5:
                    labels[j, i] = OUTSIDE
                elif visible < 0.7:
                    labels[j, i] = IGNORE
    lattice = Lattice(x0 + i0 * px, y0 + j0 * py, px, py, WINDOW, WINDOW)
    return resample(picture, lattice), labels


def _overlap(start: float, length: float, size: float) -> float:
    """Return the share of an interval that lies within 0 to *size*."""
    return max(0.0, min(start + length, size) - max(start, 0.0)) / length


def random_windows(
    rng: np.random.Generator, fonts: list[str], count: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw a scene in a random skin, and cut some windows from it."""
    min_size, max_size = (11.5, 18) if rng.random() < 0.2 else (12, 56)
    size = round(math.exp(rng.uniform(math.log(min_size), math.log(max_size))))
    columns, rows = (int(v) for v in rng.integers(5, 19, 2))
    skin = with_rare_traits(random_skin(rng, fonts, FLAGS), rng, fonts)
    random_states = bool(rng.random() < 0.07)
    scene = make_scene(rng, skin, size, columns, rows, random_states=random_states, rare=True)
    return [cut_window(scene, rng) for _ in range(count)]
