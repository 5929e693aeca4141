"""Fit a lattice to a picture: shift it to where the network classifies its cells most clearly."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sapper.pictures.edges import Edges
from sapper.pictures.lattice import Lattice, Lines, lines_near
from sapper.pictures.network import CELL, OUTSIDE, classify

if TYPE_CHECKING:
    from PIL.Image import Image

SAMPLE = 9
"""The maximum number of columns and of rows that are classified to judge a lattice."""
SHIFT_STEP = 0.07
"""The step by which a lattice is shifted, as a share of a cell."""
CLEAR_ENOUGH = -0.02
"""A lattice with a clarity above this is not shifted any more."""
MAX_IMPRECISE = 8
"""With at most this many columns or rows, the size of a cell is known only roughly."""
MAX_CUT = 0.34
"""The share of a cell that may be outside the picture."""


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
    pixels = np.array(part)
    _fill_cut_cells(pixels, lattice.left, lattice.width, lattice.columns, picture.width)
    by_columns = pixels.swapaxes(0, 1)
    _fill_cut_cells(by_columns, lattice.top, lattice.height, lattice.rows, picture.height)
    return pixels


def _fill_cut_cells(
    pixels: npt.NDArray[np.uint8], start: float, pitch: float, count: int, picture_width: int
) -> None:
    """Fill the part of a column outside the picture with that part of the next column."""
    # The columns at the left and the right side of the picture, if they are in the lattice.
    first = math.floor(-start / pitch)
    last = math.floor((picture_width - start) / pitch)
    cut = -start / pitch - first
    if 0 <= first < count - 1 and 0.02 < cut < MAX_CUT:
        missing = math.ceil(cut * CELL) + 1
        x = first * CELL
        pixels[:, x : x + missing] = pixels[:, x + CELL : x + CELL + missing]
    cut = last + 1 - (picture_width - start) / pitch
    if 0 < last < count and 0.02 < cut < MAX_CUT:
        missing = math.ceil(cut * CELL) + 1
        x = (last + 1) * CELL
        pixels[:, x - missing : x] = pixels[:, x - CELL - missing : x - CELL]


def fit_lattice(picture: Image, edges: Edges, shrink: float, lattice: Lattice) -> Lattice:
    """Return a lattice shifted and stretched to where its cells look clearest.

    The strongest edges need not be the borders of the cells: a bevel has inner edges too. On small
    boards, where the size of a cell is imprecise, square cells are tried as well.
    """
    columns, rows = lines_near(edges, lattice.scaled(1 / shrink))
    best = align_to_lines(lattice, columns, rows, shrink)
    clarity = _clarity(picture, best)
    if clarity > CLEAR_ENOUGH:
        return best
    options = [lattice]
    options += [replace(best, left=x * shrink, width=pitch * shrink) for x, pitch in columns[1:]]
    best, clarity = _clearest(picture, best, clarity, options)
    options = [replace(best, top=y * shrink, height=pitch * shrink) for y, pitch in rows[1:]]
    if min(best.columns, best.rows) <= MAX_IMPRECISE:
        options += [_square(best, length) for length in (best.width, best.height)]
    best, clarity = _clearest(picture, best, clarity, options)
    return _shift_to_clearest(picture, best, clarity)


def shift_to_clearest(picture: Image, lattice: Lattice) -> Lattice:
    """Return a lattice shifted by a part of a cell to where its cells look clearest."""
    return _shift_to_clearest(picture, lattice, _clarity(picture, lattice))


def _shift_to_clearest(picture: Image, best: Lattice, clarity: float) -> Lattice:
    if clarity > CLEAR_ENOUGH:
        return best
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        option = best
        for _ in range(2):
            option = replace(
                option,
                left=option.left + dx * SHIFT_STEP * option.width,
                top=option.top + dy * SHIFT_STEP * option.height,
            )
            value = _clarity(picture, option)
            if value <= clarity + 0.01:
                break
            best, clarity = option, value
    return best


def align_to_lines(lattice: Lattice, columns: Lines, rows: Lines, shrink: float) -> Lattice:
    """Return a lattice with the first of the given lines, if there are any."""
    for left, width in columns[:1]:
        lattice = replace(lattice, left=left * shrink, width=width * shrink)
    for top, height in rows[:1]:
        lattice = replace(lattice, top=top * shrink, height=height * shrink)
    return lattice


def _clearest(
    picture: Image, best: Lattice, clarity: float, options: list[Lattice]
) -> tuple[Lattice, float]:
    """Return the first lattice that is clear enough, else the clearest, with its clarity."""
    for option in options:
        if clarity > CLEAR_ENOUGH:
            break
        value = _clarity(picture, option)
        if value > clarity + 0.002:
            best, clarity = option, value
    return best, clarity


def _square(lattice: Lattice, length: float) -> Lattice:
    """Return a lattice of square cells with the same centre."""
    return replace(
        lattice,
        left=lattice.left + (lattice.columns // 2) * (lattice.width - length),
        top=lattice.top + (lattice.rows // 2) * (lattice.height - length),
        width=length,
        height=length,
    )


def _clarity(picture: Image, lattice: Lattice) -> float:
    """Return how clearly cells from all over a lattice are classified: 0 is perfect.

    This is the mean log-probability of the most likely class of each cell, from the whole board
    and, with a smaller weight, from the cell alone, which drops first if the lattice is shifted.
    """
    rows, columns = _sample_indices(lattice.rows), _sample_indices(lattice.columns)
    cells = resample(picture, lattice).reshape(lattice.rows, CELL, lattice.columns, CELL, 3)
    part = cells[rows][:, :, columns].reshape(len(rows) * CELL, len(columns) * CELL, 3)
    alone, joint = classify(part)
    most_likely = joint[..., :OUTSIDE].argmax(axis=-1)[..., None]
    from_cell_alone = np.take_along_axis(alone, most_likely, axis=-1).clip(min=-5)
    return float((np.take_along_axis(joint, most_likely, axis=-1) + 0.2 * from_cell_alone).mean())


def _sample_indices(count: int) -> list[int]:
    """Return the first, the middle and the last indices, at most SAMPLE in all."""
    part = SAMPLE // 3
    if count <= SAMPLE:
        return list(range(count))
    middle = (count - part) // 2
    return [*range(part), *range(middle, middle + part), *range(count - part, count)]
