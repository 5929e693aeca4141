"""Find the lattice of cells in a picture: the period and phase of its edges in both directions.

Evidence for a vertical line at a pixel is the share of a run of pixels, centred there, that have
an edge of one sign. The strokes of glyphs, noise and dithering cancel; faint borders add up.
Everything about horizontal lines is the same on the transposed picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

CLIP = 5.0
"""Levels at which the size of an edge stops to count: a faint border is as good as a strong one."""
LEAST, MOST = 9.0, 0.34
"""The pitches looked for: in pixels, and as a share of the picture's longer side."""
COARSE = 52.0
"""Pitches above this are fitted on a smaller copy of the picture."""


@dataclass(frozen=True)
class Lattice:
    """Cells in rows and columns: the top left corner, the size of a cell and how many there are."""

    left: float
    top: float
    width: float
    height: float
    columns: int
    rows: int

    def scaled(self, factor: float) -> Lattice:
        """Return the same lattice in a picture that is larger by a factor."""
        return Lattice(
            self.left * factor,
            self.top * factor,
            self.width * factor,
            self.height * factor,
            self.columns,
            self.rows,
        )

    def part(self, left: int, top: int, columns: int, rows: int) -> Lattice:
        """Return some of its columns and rows, or more of them where *left* or *top* is negative."""
        return Lattice(
            self.left + left * self.width,
            self.top + top * self.height,
            self.width,
            self.height,
            columns,
            rows,
        )


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
            four = last[:h, :w].reshape(h // 2, 2, w // 2, 2, 3).astype(np.uint16)
            self._pixels.append((four.sum(axis=(1, 3)) // 4).astype(np.uint8))
        return self._pixels[scale]

    def evidence(self, axis: int, scale: int, length: int) -> Floats:
        """Return the evidence for lines across an axis (1: vertical lines), 0 to 1.

        The result has the picture's shape, transposed for axis 0, and belongs to the border before
        each pixel.
        """
        sums = self._sums.get((axis, scale))
        if sums is None:
            pixels = self._level(scale).astype(np.int16)
            if axis == 0:
                pixels = pixels.transpose(1, 0, 2)
            edges = np.diff(pixels, axis=1, prepend=pixels[:, :1])
            clipped = edges.clip(-CLIP, CLIP).astype(np.float32) / CLIP
            sums = np.zeros((clipped.shape[0] + 1, *clipped.shape[1:]), np.float32)
            np.cumsum(clipped, axis=0, out=sums[1:])
            self._sums[axis, scale] = sums
        n = sums.shape[0] - 1
        length = max(3, min(length, n))
        start = (np.arange(n) - length // 2).clip(0, n - length)
        strongest = np.abs(sums[start + length] - sums[start]).max(axis=2) / length
        return np.asarray(strongest * np.sqrt(strongest), np.float32)


def candidates(pixels: npt.NDArray[np.uint8], count: int = 8) -> list[tuple[float, Lattice]]:
    """Return the most plausible lattices of a picture with their scores, best first."""
    edges = Edges(pixels)
    found = []
    for width, height in _pitches(edges):
        fitted = _fit(edges, width, height)
        if fitted is not None:
            found.append(fitted)
    found.sort(key=lambda pair: -pair[0])
    distinct: list[tuple[float, Lattice]] = []
    for score, lattice in found:
        if not any(_same(lattice, other) for _, other in distinct):
            distinct.append((score, lattice))
    return distinct[:count]


def _same(a: Lattice, b: Lattice) -> bool:
    return (
        abs(a.width / b.width - 1) < 0.01
        and abs(a.height / b.height - 1) < 0.01
        and abs(a.left - b.left) < a.width * max(1, a.columns / 4)
        and abs(a.top - b.top) < a.height * max(1, a.rows / 4)
    )


def _pitches(edges: Edges) -> Iterator[tuple[float, float]]:
    """Yield pairs of a width and a height at which edges recur, the most marked first."""
    tops = []
    for axis in (1, 0):
        height, width = edges.shape(0) if axis else edges.shape(0)[::-1]
        evidence = edges.evidence(axis, 0, 9)[::4]
        most = int(min(width * 0.45, max(edges.shape(0)) * MOST))
        total = np.zeros(most + 1)
        size = 1 << int(np.ceil(np.log2(width + most + 1)))
        bands = np.array_split(evidence, max(1, min(8, height // 160)))
        for band in (*bands, evidence):
            spectrum = np.abs(np.fft.rfft(band - band.mean(), size, axis=1)) ** 2
            correlation = np.fft.irfft(spectrum.sum(axis=0), size)[: most + 1]
            if correlation[0] > 0:
                total += correlation / correlation[0] * np.sqrt(len(band) / len(evidence))
        tops.append(_peaks(total))
    pairs = []
    for x, a in tops[0]:
        for y, b in tops[1]:
            if abs(np.log(x / y)) < 0.07:
                pairs.append((np.sqrt(a * b), x, y))
        # Where lines of the other direction are missing, cells are square.
        pairs.append((0.4 * a, x, x))
    pairs += [(0.4 * b, y, y) for y, b in tops[1]]
    pairs.sort(reverse=True)
    chosen: list[tuple[float, float]] = []
    for _, x, y in pairs:
        if not any(abs(x / u - 1) < 0.03 and abs(y / v - 1) < 0.03 for u, v in chosen):
            chosen.append((x, y))
    yield from chosen[:10]


def _peaks(correlation: npt.NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return the lags of local maxima above their surroundings, with heights, highest first."""
    n = len(correlation)
    found = []
    for lag in range(int(LEAST), n - 1):
        if correlation[lag] < max(correlation[lag - 1], correlation[lag + 1]):
            continue
        around = correlation[max(2, int(lag * 0.8)) : int(lag * 1.2) + 2]
        height = correlation[lag] - float(np.median(around))
        if height > 0.004:
            a, b, c = correlation[lag - 1 : lag + 2]
            bend = a - 2 * b + c
            shift = 0.5 * (a - c) / bend if bend else 0.0
            found.append((lag + float(np.clip(shift, -0.5, 0.5)), float(height)))
    found.sort(key=lambda pair: -pair[1])
    return found[:12]


def _fit(edges: Edges, width: float, height: float) -> tuple[float, Lattice] | None:
    """Return the lattice of about this pitch with its score."""
    scale = 0
    while min(width, height) / 2**scale > COARSE:
        scale += 1
    factor = 2.0**scale
    px, py = width / factor, height / factor
    vertical = edges.evidence(1, scale, round(0.7 * py))
    horizontal = edges.evidence(0, scale, round(0.7 * px)).T
    density = np.sqrt(_smooth(_recurring(vertical, px), px, py) *
                      _smooth(_recurring(horizontal.T, py).T, px, py))
    density = density / max(float(density.max()), 1e-6)
    weight = density * density
    px, left = _comb((vertical * weight).sum(axis=0), px)
    py, top = _comb((horizontal * weight).sum(axis=1), py)
    score, lattice = _extent(vertical, horizontal, px, py, left, top)
    return (score, lattice.scaled(factor)) if lattice is not None else None


def _recurring(evidence: Floats, pitch: float) -> Floats:
    """Return evidence that recurs one pitch to the left or to the right."""
    step = round(pitch)
    wide = np.maximum(evidence, 0)
    for d in range(1, max(1, round(pitch * 0.03)) + 1):
        wide[:, d:] = np.maximum(wide[:, d:], evidence[:, :-d])
        wide[:, :-d] = np.maximum(wide[:, :-d], evidence[:, d:])
    best = np.zeros_like(evidence)
    if step < evidence.shape[1]:
        best[:, step:] = wide[:, :-step]
        best[:, :-step] = np.maximum(best[:, :-step], wide[:, step:])
    return np.minimum(evidence, best)


def _smooth(values: Floats, px: float, py: float) -> Floats:
    """Return means over three cells in each direction."""
    for axis, length in ((0, round(3 * py)), (1, round(3 * px))):
        n = values.shape[axis]
        length = min(length | 1, n)
        sums = np.cumsum(values, axis=axis, dtype=np.float64)
        sums = np.concatenate([np.zeros_like(sums.take([0], axis)), sums], axis)
        start = (np.arange(n) - length // 2).clip(0, n - length)
        values = ((sums.take(start + length, axis) - sums.take(start, axis)) / length).astype(
            np.float32
        )
    return values


def _comb(profile: Floats, pitch: float) -> tuple[float, float]:
    """Return the pitch near a given one, and the phase, at which a comb collects most."""
    x = np.arange(len(profile), dtype=np.float64)
    best = (-1.0, pitch, 0.0)
    centre = float((x * profile).sum() / max(float(profile.sum()), 1e-9))
    bins = max(8, round(pitch * 2))
    span = max(0.012 * pitch, 0.55)
    for candidate in np.linspace(pitch - span, pitch + span, 81):
        position = ((x - centre) / candidate) % 1.0 * bins
        low = np.floor(position).astype(int) % bins
        share = position - np.floor(position)
        sums = np.bincount(low, profile * (1 - share), bins)
        sums += np.bincount((low + 1) % bins, profile * share, bins)
        k = int(sums.argmax())
        value = float(sums[k] + 0.5 * (sums[k - 1] + sums[(k + 1) % bins]))
        value -= 3 * float(sums.mean())
        if value > best[0]:
            a, b, c = sums[k - 1], sums[k], sums[(k + 1) % bins]
            bend = a - 2 * b + c
            shift = 0.5 * (a - c) / bend if bend else 0.0
            best = (value, float(candidate), (k + shift) / bins)
    _, pitch, phase = best
    return pitch, float((centre + phase * pitch) % pitch)


def _extent(vertical: Floats, horizontal: Floats, px: float, py: float, left: float,
            top: float) -> tuple[float, Lattice | None]:
    """Return the rectangle of cells with the best sides."""
    height, width = vertical.shape
    left, top = left % px, top % py
    if left > 0.38 * px:
        left -= px
    if top > 0.38 * py:
        top -= py
    columns = int((width - left) / px + 0.38)
    rows = int((height - top) / py + 0.38)
    if columns < 2 or rows < 2:
        return 0.0, None
    sides = _sides(vertical, left, px, columns, top, py, rows)
    levels = _sides(horizontal.T, top, py, rows, left, px, columns).T
    score = np.sqrt(
        (sides[:, :-1] + sides[:, 1:]) * (levels[:-1] + levels[1:]) / 4
    )
    off = np.zeros_like(score)
    for share in (1 / 2, 1 / 3, 2 / 3):
        across = _sides(vertical, left + share * px, px, columns, top, py, rows)[:, :-1]
        along = _sides(horizontal.T, top + share * py, py, rows, left, px, columns).T[:-1]
        off = np.maximum(off, np.sqrt(across * along))
    score = score - 0.5 * off
    level = max(float(np.quantile(score, 0.98)), 0.02)
    y0, y1, x0, x1 = best_rectangle(score - 0.45 * level)
    inside = score[y0:y1, x0:x1]
    n = inside.size
    if y1 - y0 < 2 or x1 - x0 < 2:
        return 0.0, None
    area = np.sqrt(n * px * py)
    value = float(inside.mean()) * area * min(1.0, n / 40)
    return value, Lattice(left, top, px, py, columns, rows).part(x0, y0, x1 - x0, y1 - y0)


def _sides(evidence: Floats, start: float, pitch: float, count: int, across: float,
           across_pitch: float, across_count: int) -> Floats:
    """Return the evidence at each line of a lattice, half a cell into each cell across it."""
    height, width = evidence.shape
    centres = across + (np.arange(across_count) + 0.5) * across_pitch
    y = centres.round().astype(int).clip(0, height - 1)
    lines = start + np.arange(count + 1) * pitch
    x = lines.round().astype(int)
    reach = max(1, round(pitch * 0.05))
    result = np.zeros((across_count, count + 1), np.float32)
    for d in range(-reach, reach + 1):
        at = (x + d).clip(0, width - 1)
        result = np.maximum(result, evidence[np.ix_(y, at)])
    # The edge of the picture counts as half a line.
    result[:, (x <= 1) | (x >= width - 1)] = np.maximum(
        result[:, (x <= 1) | (x >= width - 1)], 0.35
    )
    return result


def best_rectangle(values: npt.NDArray[np.floating]) -> tuple[int, int, int, int]:
    """Return top, bottom, left and right of the rectangle with the largest sum; ends exclusive."""
    rows, columns = values.shape
    if rows > columns:
        left, right, top, bottom = best_rectangle(values.T)
        return top, bottom, left, right
    sums = np.zeros((rows + 1, columns))
    np.cumsum(values, axis=0, out=sums[1:])
    first, last = np.triu_indices(rows + 1, 1)
    best = np.full(len(first), -np.inf)
    ends = np.zeros((2, len(first)), int)
    running = np.zeros(len(first))
    begin = np.zeros(len(first), int)
    for x in range(columns):
        fresh = running <= 0
        begin[fresh] = x
        running = np.where(fresh, 0, running) + sums[last, x] - sums[first, x]
        better = running > best
        best[better] = running[better]
        ends[0, better], ends[1, better] = begin[better], x + 1
    k = int(best.argmax())
    return int(first[k]), int(last[k]), int(ends[0, k]), int(ends[1, k])
