"""Find the board in a picture: check the lattices by what the network sees in their cells."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sapper.errors import Unavailable
from sapper.pictures.edges import Edges, best_rectangle
from sapper.pictures.fitting import MAX_CUT, SAMPLE, fitted, moved, on_lines, resample
from sapper.pictures.lattice import (
    Lattice,
    candidates,
    is_staggered,
    lines_near,
    unusual_candidates,
)
from sapper.pictures.network import CELL, OUTSIDE, Floats, classify

if TYPE_CHECKING:
    from PIL.Image import Image

QUICK_PIXELS, MAX_PIXELS = 2_100_000, 4_000_000
"""Larger pictures are searched for lattices at a smaller size: first at the smallest."""
CANDIDATES = 14
"""Lattices that are tried."""
CLEAR, MIN_SHARE = 0.9, 0.5
"""Shares of cells that look like cells: where no other lattice is tried, and the least."""
SURE_BOARD, UNUSUAL_BOARD = 0.99, 0.975
"""Quality of a board in half of a picture that replaces an unclear one in the whole; and of one on
an unusual lattice."""
MAX_FILLED, MAX_PIXELS_BESIDE = 0.6, 400_000
"""Another board is looked for if the first fills less of the picture; at that size."""
MAX_LOOKS, MAX_MARGIN = 8, 4
"""How often the extent of a board is looked at, each time with more cells around it."""
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
    pixels: npt.NDArray[np.uint8]
    """The cells at CELL pixels each."""
    quality: float
    """How sure it is that this is a board, 0 to 1."""


def find_boards(picture: Image, size: tuple[int, int] | None = None) -> list[FoundBoard]:
    """Return the boards in a picture, the most plausible first; raise Unavailable if none."""
    pixels = picture.width * picture.height
    # Small cells need more pixels; at half the size, dithering and the blocks of JPEG disappear.
    sizes = [QUICK_PIXELS, MAX_PIXELS, QUICK_PIXELS // 4]
    if not QUICK_PIXELS < pixels < 4 * MAX_PIXELS:  # 8K pictures rarely have small cells
        sizes = [QUICK_PIXELS, min(pixels, QUICK_PIXELS) // 4]
    for most_pixels in sizes:
        board, edges = _find_board(picture, most_pixels, size, CANDIDATES, MIN_SHARE)
        if board is not None:
            if board.quality < CLEAR:
                board = _board_in_half(picture, board, size)
            return [board, *_other_boards(picture, board.lattice)]
    board, edges = _find_board(picture, QUICK_PIXELS // 4, size, None, CLEAR)
    if board is not None and board.quality >= UNUSUAL_BOARD:
        return [board, *_other_boards(picture, board.lattice)]
    if is_staggered(edges):
        raise Unavailable(
            "no board of rows and columns found: the cells seem to be hexagons, which are not read"
        )
    raise Unavailable("no board found in the picture")


def _board_in_half(picture: Image, unclear: FoundBoard, size: tuple[int, int] | None) -> FoundBoard:
    """Return a clear board in half of the picture instead of an unclear one, if there is any.

    The lines of two boards side by side do not fit one lattice, or no cells are between them.
    """
    inside = 1 - np.exp(unclear.joint[..., OUTSIDE])
    if min(inside.mean(axis=0).min(), inside.mean(axis=1).min()) > MIN_SHARE:
        return unclear
    width, height = picture.size
    x, y = width // 2, height // 2
    for box in ((0, 0, x, height), (x, 0, width, height), (0, 0, width, y), (0, y, width, height)):
        half = picture.crop(box)
        board, _ = _find_board(half, QUICK_PIXELS // 2, size, CANDIDATES, CLEAR)
        if board is None or board.quality < SURE_BOARD:
            continue
        lattice = board.lattice
        if lattice.columns * lattice.rows > unclear.lattice.columns * unclear.lattice.rows / 3:
            shifted = replace(lattice, left=lattice.left + box[0], top=lattice.top + box[1])
            return replace(board, lattice=shifted)
    return unclear


def _other_boards(picture: Image, lattice: Lattice) -> list[FoundBoard]:
    """Return a board beside a known one, if there is room for any."""
    width, height = lattice.columns * lattice.width, lattice.rows * lattice.height
    if width * height > MAX_FILLED * picture.width * picture.height:
        return []
    rest = picture.copy()
    left, top = round(lattice.left), round(lattice.top)
    rest.paste((128, 128, 128), (left, top, left + round(width), top + round(height)))
    other, _ = _find_board(rest, MAX_PIXELS_BESIDE, None, CANDIDATES // 3, CLEAR)
    return [] if other is None or other.quality < CLEAR else [other]


def _find_board(
    picture: Image,
    most_pixels: int,
    size: tuple[int, int] | None,
    count: int | None,
    min_share: float,
) -> tuple[FoundBoard | None, Edges]:
    """Return the most plausible board, and the edges that were looked at.

    *count* lattices are tried; None tries the unusual ones.
    """
    shrink = max(1.0, math.sqrt(picture.width * picture.height / most_pixels))
    small = picture
    if shrink > 1:
        small = picture.resize((round(picture.width / shrink), round(picture.height / shrink)))
    edges = Edges(np.asarray(small))
    scored: list[tuple[float, float, Lattice]] = []
    lattices = unusual_candidates(edges) if count is None else candidates(edges, count)
    for score, lattice in lattices:
        # Where square cells fit, only others of about their size are tried in the same place.
        if any(
            share > CLEAR
            and _overlaps(lattice, other)
            and 0.93 < other.width / other.height < 1.07
            and not 0.96 < lattice.width * lattice.height / (other.width * other.height) < 1.04
            for share, _, other in scored
        ):
            continue
        view, scale = _view(picture, small, shrink, lattice)
        share = _share_of_cells(view, lattice.scaled(scale))
        scored.append((share, share * share * score, lattice))
    scored.sort(key=lambda row: -row[1])
    for share, _, lattice in scored:
        if share < min_share:
            continue
        view, scale = _view(picture, small, shrink, lattice)
        board = read_lattice(view, edges, scale, lattice.scaled(scale), size)
        if board is not None:
            return replace(board, lattice=board.lattice.scaled(shrink / scale)), edges
    return None, edges


def _view(picture: Image, small: Image, shrink: float, lattice: Lattice) -> tuple[Image, float]:
    """Return the picture to look at the cells of a lattice of the small one, and its scale."""
    if min(lattice.width, lattice.height) >= CELL:
        return small, 1.0
    return picture, shrink


def _share_of_cells(picture: Image, lattice: Lattice) -> float:
    """Return the share of a lattice's cells, in the middle of it, that look like cells."""
    _, joint = classify(resample(picture, _middle(lattice)))
    return float((1 - np.exp(joint[..., OUTSIDE])).mean())


def _middle(lattice: Lattice) -> Lattice:
    columns, rows = min(SAMPLE, lattice.columns), min(SAMPLE, lattice.rows)
    return lattice.part((lattice.columns - columns) // 2, (lattice.rows - rows) // 2, columns, rows)


def _overlaps(a: Lattice, b: Lattice) -> bool:
    return (
        a.left < b.left + b.columns * b.width
        and b.left < a.left + a.columns * a.width
        and a.top < b.top + b.rows * b.height
        and b.top < a.top + a.rows * a.height
    )


def read_lattice(
    picture: Image,
    edges: Edges,
    shrink: float,
    lattice: Lattice,
    size: tuple[int, int] | None = None,
) -> FoundBoard | None:
    """Return the board on a lattice, with the extent that its cells suggest."""
    lattice = fitted(picture, edges, shrink, lattice)
    margin = MARGIN if lattice.columns * lattice.rows >= 60 else MARGIN + 2
    is_moved = False
    for _ in range(MAX_LOOKS):
        wide = _widened(lattice, margin, picture.size)
        pixels = resample(picture, wide)
        alone, joint = classify(pixels)
        outside = joint[..., OUTSIDE]
        inside = np.log1p(-np.exp(outside).clip(max=1 - 1e-6))
        balance = (inside - outside).clip(-4, 4)
        balance[_out_of_view(wide, picture.size)] = -4
        if balance.max() <= 0:
            return None
        top, bottom, left, right = (
            best_rectangle(balance) if size is None else _of_size(balance, size)
        )
        extent = wide.part(left, top, right - left, bottom - top)
        # At a side where it reaches the end of what was looked at, there may be more.
        more = _widened(extent, 1, picture.size)
        reached = (left == 0, top == 0, right == wide.columns, bottom == wide.rows)
        room = (
            more.left < extent.left,
            more.top < extent.top,
            more.columns - extent.columns > (more.left < extent.left),
            more.rows - extent.rows > (more.top < extent.top),
        )
        growing = any(map(all, zip(reached, room, strict=True)))
        is_fitted = (extent.columns, extent.rows) == (lattice.columns, lattice.rows)
        if is_fitted and not growing and margin == MARGIN:
            clearest = extent if is_moved else moved(picture, extent)
            if clearest is extent:
                break
            is_moved, extent = True, clearest
        lattice = extent
        if not is_fitted:  # more lines give the pitch more precisely
            lattice = on_lines(extent, *lines_near(edges, extent.scaled(1 / shrink)), shrink)
        # The network is most reliable with a narrow margin.
        margin = min(2 * margin, MAX_MARGIN) if growing else MARGIN
    window = np.s_[top:bottom, left:right]
    quality = float(np.exp(inside[window]).mean())
    if right - left < 3 or bottom - top < 3 or quality < MIN_SHARE:
        return None
    shown = pixels[top * CELL : bottom * CELL, left * CELL : right * CELL]
    return FoundBoard(extent, alone[window], joint[window], shown, quality)


def _widened(lattice: Lattice, margin: int, size: tuple[int, int]) -> Lattice:
    """Return a lattice with more cells at each side, as far as they are in the picture."""

    def cells(space: float, pitch: float) -> int:
        return max(0, min(margin, int(space / pitch + 0.6)))

    left, top = cells(lattice.left, lattice.width), cells(lattice.top, lattice.height)
    right = size[0] - lattice.left - lattice.columns * lattice.width
    bottom = size[1] - lattice.top - lattice.rows * lattice.height
    columns = lattice.columns + left + cells(right, lattice.width)
    rows = lattice.rows + top + cells(bottom, lattice.height)
    return lattice.part(-left, -top, columns, rows)


def _of_size(balance: Floats, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the best rectangle of a given width and height."""
    columns, rows = min(size[0], balance.shape[1]), min(size[1], balance.shape[0])
    sums = np.pad(balance, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    total = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns]
    total += sums[:-rows, :-columns]
    top, left = np.unravel_index(int(total.argmax()), total.shape)
    return int(top), int(top) + rows, int(left), int(left) + columns


def _out_of_view(lattice: Lattice, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return the cells of which more than MAX_CUT is out of view."""
    seen = []
    for start, pitch, count, most in (
        (lattice.top, lattice.height, lattice.rows, size[1]),
        (lattice.left, lattice.width, lattice.columns, size[0]),
    ):
        first = start + np.arange(count) * pitch
        seen.append((np.minimum(first + pitch, most) - np.maximum(first, 0)).clip(0) / pitch)
    return np.asarray(np.outer(*seen) < 1 - MAX_CUT)
