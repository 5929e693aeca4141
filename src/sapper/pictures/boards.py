"""Find the board in a picture: check the lattices by what the network sees in their cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sapper.pictures.lattice import Lattice, best_rectangle, candidates
from sapper.pictures.network import CELL, OUTSIDE, Floats, classify

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 4_000_000
"""Larger pictures are searched for lattices at a smaller size."""
SAMPLE = (14, 10)
"""Columns and rows of the part in which a lattice is tried."""
MARGIN = 2
"""Cells around a lattice that are looked at too, because its extent is a guess."""


@dataclass(frozen=True)
class FoundBoard:
    """A lattice whose cells look like those of a board."""

    lattice: Lattice
    alone: Floats
    """Log-probabilities of the classes of each cell by its own look: (rows, columns, classes)."""
    joint: Floats
    """The same, by all cells together."""
    quality: float
    """How sure it is that this is a board, 0 to 1."""


def resample(picture: Image, lattice: Lattice) -> npt.NDArray[np.uint8]:
    """Return the cells of a lattice at CELL pixels each; black beyond the picture."""
    from PIL.Image import Resampling

    width, height = lattice.columns * lattice.width, lattice.rows * lattice.height
    x0, y0 = math.floor(lattice.left) - 1, math.floor(lattice.top) - 1
    x1, y1 = math.ceil(lattice.left + width) + 1, math.ceil(lattice.top + height) + 1
    left, top = lattice.left - x0, lattice.top - y0
    part = picture.crop((x0, y0, x1, y1)).resize(
        (lattice.columns * CELL, lattice.rows * CELL),
        Resampling.BILINEAR,
        box=(left, top, left + width, top + height),
    )
    return np.asarray(part)


def find_boards(picture: Image, size: tuple[int, int] | None = None) -> list[FoundBoard]:
    """Return the boards in a picture, the most plausible first."""
    shrink = max(1.0, math.sqrt(picture.width * picture.height / MOST_PIXELS))
    small = picture
    if shrink > 1:
        small = picture.resize((round(picture.width / shrink), round(picture.height / shrink)))
    scored = []
    for score, lattice in candidates(np.asarray(small)):
        lattice = lattice.scaled(shrink)
        scored.append((_try(picture, lattice) * score, lattice))
    scored.sort(key=lambda pair: -pair[0])
    boards: list[FoundBoard] = []
    for value, lattice in scored[:3]:
        if boards and (value < 0.25 * scored[0][0] or _overlaps(lattice, boards[0].lattice)):
            continue
        board = read_lattice(picture, lattice, size)
        if board is not None:
            boards.append(board)
    return boards


def _try(picture: Image, lattice: Lattice) -> float:
    """Return the share of a lattice's cells, in a part of it, that look like cells."""
    columns, rows = min(SAMPLE[0], lattice.columns), min(SAMPLE[1], lattice.rows)
    part = lattice.part((lattice.columns - columns) // 2, (lattice.rows - rows) // 2, columns, rows)
    _, joint = classify(resample(picture, part))
    return float((1 - np.exp(joint[..., OUTSIDE])).mean())


def _overlaps(a: Lattice, b: Lattice) -> bool:
    return (
        a.left < b.left + b.columns * b.width
        and b.left < a.left + a.columns * a.width
        and a.top < b.top + b.rows * b.height
        and b.top < a.top + a.rows * a.height
    )


def read_lattice(
    picture: Image, lattice: Lattice, size: tuple[int, int] | None = None
) -> FoundBoard | None:
    """Return the board on a lattice, with the extent that its cells suggest."""
    for _ in range(3):
        wide = lattice.part(
            -MARGIN, -MARGIN, lattice.columns + 2 * MARGIN, lattice.rows + 2 * MARGIN
        )
        alone, joint = classify(resample(picture, wide))
        outside = joint[..., OUTSIDE]
        inside = np.log1p(-np.exp(outside).clip(max=1 - 1e-6))
        odds = (inside - outside).clip(-4, 4)
        odds[_out_of_view(wide, picture.size)] = -4
        if odds.max() <= 0:
            return None
        top, bottom, left, right = best_rectangle(odds)
        if size is not None:
            top, bottom, left, right = _of_size(odds, size)
        found = wide.part(left, top, right - left, bottom - top)
        grown = left == 0 or top == 0 or right == odds.shape[1] or bottom == odds.shape[0]
        lattice = found
        if not grown:
            break
    window = np.s_[top:bottom, left:right]
    quality = float(np.exp(inside[window]).mean())
    if right - left < 3 or bottom - top < 3 or quality < 0.5:
        return None
    return FoundBoard(found, alone[window], joint[window], quality)


def _of_size(odds: Floats, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the best rectangle of a given width and height."""
    columns, rows = min(size[0], odds.shape[1]), min(size[1], odds.shape[0])
    sums = np.pad(odds, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    total = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns]
    total += sums[:-rows, :-columns]
    top, left = np.unravel_index(int(total.argmax()), total.shape)
    return int(top), int(top) + rows, int(left), int(left) + columns


def _out_of_view(lattice: Lattice, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return the cells of which less than 62 % is in the picture."""
    seen = []
    for start, pitch, count, most in (
        (lattice.top, lattice.height, lattice.rows, size[1]),
        (lattice.left, lattice.width, lattice.columns, size[0]),
    ):
        first = start + np.arange(count) * pitch
        seen.append((np.minimum(first + pitch, most) - np.maximum(first, 0)).clip(0) / pitch)
    return np.asarray(np.outer(*seen) < 0.62)
