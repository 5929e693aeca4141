"""The edges of a picture as evidence for lines, and the rectangle where cells are.

Evidence for a vertical line at a pixel is the share of a run of pixels, centred there, that have
an edge of one sign. The strokes of glyphs, noise and dithering cancel; faint borders add up.
Everything about horizontal lines is the same on the transposed picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

CLIP = 5
"""Larger differences of pixels are clipped, so that a faint border counts like a strong one."""


class Edges:
    """The edges of a picture at several scales, in both directions."""

    def __init__(self, pixels: npt.NDArray[np.uint8]):
        self._pixels = [pixels]
        self._sums: dict[tuple[int, int], Floats] = {}

    def shape(self, scale: int) -> tuple[int, int]:
        """Return height and width of the picture, halved *scale* times."""
        return self._level(scale).shape[:2]

    def _level(self, scale: int) -> npt.NDArray[np.uint8]:
        while len(self._pixels) <= scale:
            last = self._pixels[-1]
            h, w = last.shape[0] // 2 * 2, last.shape[1] // 2 * 2
            total = last[:h:2, :w:2].astype(np.uint16)
            for dy, dx in ((0, 1), (1, 0), (1, 1)):
                total += last[dy:h:2, dx:w:2]
            self._pixels.append((total >> 2).astype(np.uint8))
        return self._pixels[scale]

    def evidence(
        self, axis: int, scale: int, length: int, step: int, rows: slice = slice(None)
    ) -> Floats:
        """Return the evidence for lines across an axis (1: vertical lines), 0 to 1.

        The result has the shape of the picture, transposed for axis 0, with only every *step*-th
        row and, of those, only *rows*. A value is for the border before its pixel.
        """
        sums = self._sums.get((axis, scale))
        if sums is None:
            pixels = self._level(scale).transpose(2, 0, 1) if axis else self._level(scale).T
            sums = np.zeros((3, pixels.shape[1] + 1, pixels.shape[2]), np.float32)
            for channel, levels in zip(sums, pixels, strict=True):  # one at a time, to save memory
                edges = np.diff(levels.astype(np.int16), axis=1)
                channel[1:, 1:] = edges.clip(-CLIP, CLIP)
                channel /= CLIP
                np.cumsum(channel, axis=0, out=channel)
            self._sums[axis, scale] = sums
        n = sums.shape[1] - 1
        length = max(3, min(length, n))
        start = (np.arange(0, n, step)[rows] - length // 2).clip(0, n - length)
        strongest = np.zeros((len(start), sums.shape[2]), np.float32)
        for channel in sums:
            difference = channel[start + length] - channel[start]
            np.maximum(strongest, np.abs(difference, out=difference), out=strongest)
        strongest /= length
        return np.asarray(strongest * np.sqrt(strongest), np.float32)


def best_rectangle(values: npt.NDArray[np.floating]) -> tuple[int, int, int, int]:
    """Return top, bottom, left and right of the rectangle with the largest sum; ends exclusive."""
    rows, columns = values.shape
    if rows > columns:
        left, right, top, bottom = best_rectangle(values.T)
        return top, bottom, left, right
    sums = np.zeros((rows + 1, columns))
    np.cumsum(values, axis=0, out=sums[1:])
    # Kadane's algorithm along the columns, for every range first:last of rows at once.
    first, last = np.triu_indices(rows + 1, 1)
    best = np.full(len(first), -np.inf)
    ends = np.zeros((2, len(first)), int)
    running = np.zeros(len(first))
    start_column = np.zeros(len(first), int)
    for x in range(columns):
        restarted = running <= 0
        start_column[restarted] = x
        running = np.where(restarted, 0, running) + sums[last, x] - sums[first, x]
        better = running > best
        best[better] = running[better]
        ends[0, better], ends[1, better] = start_column[better], x + 1
    k = int(best.argmax())
    return int(first[k]), int(last[k]), int(ends[0, k]), int(ends[1, k])
