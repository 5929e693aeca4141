"""Find the board in a picture: try lattices, and classify their cells with the network."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sapper.errors import Unavailable
from sapper.pictures.edges import Edges, best_rectangle
from sapper.pictures.fitting import (
    MAX_CUT,
    SAMPLE,
    align_to_lines,
    fit_lattice,
    resample,
    shift_to_clearest,
)
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
"""Larger pictures are scaled down for the search: first to QUICK_PIXELS, then to MAX_PIXELS."""
MAX_CANDIDATES = 14
"""The number of lattices that are tried."""
CLEAR_SHARE, MIN_SHARE = 0.9, 0.5
"""Shares of a lattice's cells that look like cells of a board: above the first, few other lattices
are tried; below the second, the lattice is rejected."""
MIN_HALF_QUALITY, MIN_UNUSUAL_QUALITY = 0.99, 0.975
"""The minimum quality of a board in half of the picture that replaces an unclear board, and of a
board on an unusual lattice."""
MAX_FILLED_SHARE, OTHER_BOARD_PIXELS = 0.6, 400_000
"""If the first board fills at most this share of the picture, a second one is searched for in the
picture scaled down to this many pixels."""
MAX_EXTENT_STEPS, MAX_MARGIN = 8, 4
"""How often the extent of a board is corrected, and the widest margin that is classified for it."""
MARGIN = 2
"""Cells around a lattice that are classified too, because its extent is a guess."""


@dataclass(frozen=True)
class FoundBoard:
    """A lattice whose cells look like those of a board."""

    lattice: Lattice
    alone: Floats
    """Log-probabilities (rows, columns, classes) of each cell, from that cell alone."""
    joint: Floats
    """The same, from all cells together."""
    pixels: npt.NDArray[np.uint8]
    """The cells, scaled to CELL pixels each."""
    quality: float
    """The mean probability that its cells belong to a board."""


def find_boards(picture: Image, size: tuple[int, int] | None = None) -> list[FoundBoard]:
    """Return the boards in a picture, the most plausible first; raise Unavailable if none."""
    pixels = picture.width * picture.height
    # Small cells need more pixels; at half the size, dithering and the blocks of JPEG disappear.
    sizes = [QUICK_PIXELS, MAX_PIXELS, QUICK_PIXELS // 4]
    if not QUICK_PIXELS < pixels < 4 * MAX_PIXELS:  # 8K pictures rarely have small cells
        sizes = [QUICK_PIXELS, min(pixels, QUICK_PIXELS) // 4]
    for max_pixels in sizes:
        board, edges = _find_board(picture, max_pixels, size, MAX_CANDIDATES, MIN_SHARE)
        if board is not None:
            if board.quality < CLEAR_SHARE:
                board = _board_in_half(picture, board, size)
            return [board, *_other_boards(picture, board.lattice)]
    board, edges = _find_board(picture, QUICK_PIXELS // 4, size, None, CLEAR_SHARE)
    if board is not None and board.quality >= MIN_UNUSUAL_QUALITY:
        return [board, *_other_boards(picture, board.lattice)]
    if is_staggered(edges):
        raise Unavailable(
            "no board of rows and columns found: the cells seem to be hexagons, which "
            "cannot be read"
        )
    raise Unavailable("no board found in the picture")


def _board_in_half(picture: Image, unclear: FoundBoard, size: tuple[int, int] | None) -> FoundBoard:
    """Return a clear board in half of the picture, if there is one, else the unclear board.

    An unclear board may be two boards side by side: their lines do not fit one lattice, or there
    are no cells between them.
    """
    inside = 1 - np.exp(unclear.joint[..., OUTSIDE])
    if min(inside.mean(axis=0).min(), inside.mean(axis=1).min()) > MIN_SHARE:
        return unclear
    width, height = picture.size
    x, y = width // 2, height // 2
    for box in ((0, 0, x, height), (x, 0, width, height), (0, 0, width, y), (0, y, width, height)):
        half = picture.crop(box)
        board, _ = _find_board(half, QUICK_PIXELS // 2, size, MAX_CANDIDATES, CLEAR_SHARE)
        if board is None or board.quality < MIN_HALF_QUALITY:
            continue
        lattice = board.lattice
        if lattice.columns * lattice.rows > unclear.lattice.columns * unclear.lattice.rows / 3:
            shifted = replace(lattice, left=lattice.left + box[0], top=lattice.top + box[1])
            return replace(board, lattice=shifted)
    return unclear


def _other_boards(picture: Image, lattice: Lattice) -> list[FoundBoard]:
    """Return a second board beside a known one, if there is space for one."""
    width, height = lattice.columns * lattice.width, lattice.rows * lattice.height
    if width * height > MAX_FILLED_SHARE * picture.width * picture.height:
        return []
    rest = picture.copy()
    left, top = round(lattice.left), round(lattice.top)
    rest.paste((128, 128, 128), (left, top, left + round(width), top + round(height)))
    other, _ = _find_board(rest, OTHER_BOARD_PIXELS, None, MAX_CANDIDATES // 3, CLEAR_SHARE)
    return [] if other is None or other.quality < CLEAR_SHARE else [other]


def _find_board(
    picture: Image,
    max_pixels: int,
    size: tuple[int, int] | None,
    max_candidates: int | None,
    min_share: float,
) -> tuple[FoundBoard | None, Edges]:
    """Return the most plausible board, and the edges of the picture.

    If *max_candidates* is None, unusual lattices are tried instead.
    """
    shrink = max(1.0, math.sqrt(picture.width * picture.height / max_pixels))
    small = picture
    if shrink > 1:
        small = picture.resize((round(picture.width / shrink), round(picture.height / shrink)))
    edges = Edges(np.asarray(small))
    scored: list[tuple[float, float, Lattice]] = []
    lattices = (
        unusual_candidates(edges) if max_candidates is None else candidates(edges, max_candidates)
    )
    for score, lattice in lattices:
        # Where square cells fit, only lattices with cells of about the same size are tried.
        if any(
            share > CLEAR_SHARE
            and _overlaps(lattice, other)
            and 0.93 < other.width / other.height < 1.07
            and not 0.96 < lattice.width * lattice.height / (other.width * other.height) < 1.04
            for share, _, other in scored
        ):
            continue
        source, scale = _source_of_cells(picture, small, shrink, lattice)
        share = _share_of_cells(source, lattice.scaled(scale))
        scored.append((share, share * share * score, lattice))
    scored.sort(key=lambda row: -row[1])
    for share, _, lattice in scored:
        if share < min_share:
            continue
        source, scale = _source_of_cells(picture, small, shrink, lattice)
        board = read_lattice(source, edges, scale, lattice.scaled(scale), size)
        if board is not None:
            return replace(board, lattice=board.lattice.scaled(shrink / scale)), edges
    return None, edges


def _source_of_cells(
    picture: Image, small: Image, shrink: float, lattice: Lattice
) -> tuple[Image, float]:
    """Return the picture from which to take the cells, and its scale relative to *small*.

    *lattice* is in the pixels of *small*.
    """
    if min(lattice.width, lattice.height) >= CELL:
        return small, 1.0
    return picture, shrink


def _share_of_cells(picture: Image, lattice: Lattice) -> float:
    """Return the share of the cells in the middle of a lattice that look like cells."""
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
    lattice = fit_lattice(picture, edges, shrink, lattice)
    margin = MARGIN if lattice.columns * lattice.rows >= 60 else MARGIN + 2
    is_shifted = False
    for _ in range(MAX_EXTENT_STEPS):
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
            best_rectangle(balance) if size is None else _best_of_size(balance, size)
        )
        extent = wide.part(left, top, right - left, bottom - top)
        # The board may continue at a side where it reaches the end of the classified cells.
        grown = _widened(extent, 1, picture.size)
        reached = (left == 0, top == 0, right == wide.columns, bottom == wide.rows)
        has_space = (
            grown.left < extent.left,
            grown.top < extent.top,
            grown.columns - extent.columns > (grown.left < extent.left),
            grown.rows - extent.rows > (grown.top < extent.top),
        )
        growing = any(map(all, zip(reached, has_space, strict=True)))
        is_fitted = (extent.columns, extent.rows) == (lattice.columns, lattice.rows)
        if is_fitted and not growing and margin == MARGIN:
            clearest = extent if is_shifted else shift_to_clearest(picture, extent)
            if clearest is extent:
                break
            is_shifted, extent = True, clearest
        lattice = extent
        if not is_fitted:  # with more lines, the pitch is more precise
            lattice = align_to_lines(extent, *lines_near(edges, extent.scaled(1 / shrink)), shrink)
        # The network is most reliable with a narrow margin.
        margin = min(2 * margin, MAX_MARGIN) if growing else MARGIN
    window = np.s_[top:bottom, left:right]
    quality = float(np.exp(inside[window]).mean())
    if right - left < 3 or bottom - top < 3 or quality < MIN_SHARE:
        return None
    board_pixels = pixels[top * CELL : bottom * CELL, left * CELL : right * CELL]
    return FoundBoard(extent, alone[window], joint[window], board_pixels, quality)


def _widened(lattice: Lattice, margin: int, size: tuple[int, int]) -> Lattice:
    """Return a lattice with up to *margin* more cells at each side, within the picture."""

    def cells(space: float, pitch: float) -> int:
        return max(0, min(margin, int(space / pitch + 0.6)))

    left, top = cells(lattice.left, lattice.width), cells(lattice.top, lattice.height)
    right = size[0] - lattice.left - lattice.columns * lattice.width
    bottom = size[1] - lattice.top - lattice.rows * lattice.height
    columns = lattice.columns + left + cells(right, lattice.width)
    rows = lattice.rows + top + cells(bottom, lattice.height)
    return lattice.part(-left, -top, columns, rows)


def _best_of_size(balance: Floats, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the best rectangle of a given width and height."""
    columns, rows = min(size[0], balance.shape[1]), min(size[1], balance.shape[0])
    sums = np.pad(balance, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    total = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns]
    total += sums[:-rows, :-columns]
    top, left = np.unravel_index(int(total.argmax()), total.shape)
    return int(top), int(top) + rows, int(left), int(left) + columns


def _out_of_view(lattice: Lattice, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return the cells with more than MAX_CUT of their area outside the picture."""
    visible_shares = []
    for start, pitch, count, end in (
        (lattice.top, lattice.height, lattice.rows, size[1]),
        (lattice.left, lattice.width, lattice.columns, size[0]),
    ):
        first = start + np.arange(count) * pitch
        visible_shares.append(
            (np.minimum(first + pitch, end) - np.maximum(first, 0)).clip(0) / pitch
        )
    return np.asarray(np.outer(*visible_shares) < 1 - MAX_CUT)
