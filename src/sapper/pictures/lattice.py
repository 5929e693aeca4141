"""Find the lattice of cells in a picture: the period and phase of its edges in both directions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

import numpy as np

from sapper.pictures.edges import Edges, Floats, best_rectangle
from sapper.pictures.periods import MIN_PITCH, Peaks, comb, correlation, peaks, quietest_phase

MAX_PITCHES, MAX_OBLONG_PITCHES, MAX_UNUSUAL_PITCHES = 10, 2, 10
"""How many pitches are fitted: of square cells, of oblong ones, and if neither is found."""
LATTICES_PER_PITCH = 4
MAX_GAP = 0.33
"""The widest gap between cells, as a share of the pitch."""
MAX_STRETCH, MAX_OBLONG_STRETCH, MAX_UNUSUAL_STRETCH = 0.07, 0.45, 0.9
"""The largest abs(ln(width / height)) of square, oblong and unusual cells."""
MAX_FITTED_PITCH = 52.0
"""Larger pitches are fitted on a smaller copy of the picture."""

Lines: TypeAlias = list[tuple[float, float]]
"""Possible lines, each given by the first line and the distance between lines."""


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
        """Return the same lattice in a picture scaled by a factor."""
        return Lattice(
            self.left * factor,
            self.top * factor,
            self.width * factor,
            self.height * factor,
            self.columns,
            self.rows,
        )

    def part(self, left: int, top: int, columns: int, rows: int) -> Lattice:
        """Return the columns and rows from *left* and *top* on, which may be negative."""
        return Lattice(
            self.left + left * self.width,
            self.top + top * self.height,
            self.width,
            self.height,
            columns,
            rows,
        )


def candidates(edges: Edges, count: int) -> list[tuple[float, Lattice]]:
    """Return the most plausible lattices of a picture with their scores, best first."""
    lattices = []
    for width, height in islice(_pitches(edges), 2 * count):
        fitted = sorted(_fit(edges, width, height), key=lambda pair: -pair[0])
        lattices += fitted[:LATTICES_PER_PITCH]
    lattices.sort(key=lambda pair: -pair[0])
    distinct: list[tuple[float, Lattice]] = []
    for score, lattice in lattices:
        if not any(_same(lattice, other) for _, other in distinct):
            distinct.append((score, lattice))
    return distinct[:count]


def unusual_candidates(edges: Edges) -> list[tuple[float, Lattice]]:
    """Return lattices of cells that are not square, or of characters without lines between them.

    The scores are unreliable: such boards have few lines.
    """
    lattices = []
    for width, height in _unusual_pitches(edges):
        fitted = sorted(_fit(edges, width, height), key=lambda pair: -pair[0])
        lattices += fitted[:2] + _fit_between(edges, width, height)
    return lattices


def lines_near(edges: Edges, lattice: Lattice) -> tuple[Lines, Lines]:
    """Return possible lines of the columns and of the rows of a lattice, from the edges near them.

    The number of lines does not change.
    """
    scale = _scale_for(lattice.width, lattice.height)
    near = lattice.scaled(0.5**scale)
    step = max(1, int(min(near.width, near.height) / 6))
    height, width = edges.shape(scale)
    columns = (near.left, near.width, near.columns)
    rows = (near.top, near.height, near.rows)
    options = []
    for axis, along, across, size in ((1, columns, rows, width), (0, rows, columns, height)):
        start, pitch, count = along
        first = max(0, int(across[0] / step))
        last = max(first + 1, int((across[0] + across[1] * across[2]) / step))
        evidence = edges.evidence(axis, scale, round(0.7 * across[1]), step, slice(first, last))
        profile = evidence.sum(axis=0)
        at = np.arange(len(profile))
        margin = 0.3 * pitch
        profile[(at < start - margin) | (at > start + pitch * count + margin)] = 0
        fitted, phases = comb(profile, pitch, min(0.04, 0.8 / count))
        # Gaps and bevels have an edge at each side: cells meet in the middle.
        for i, phase in enumerate(phases):
            offsets = (_offset(phase, other, fitted) for other in phases[:i])
            phases = phases + [phase + d / 2 for d in offsets if abs(d) <= MAX_GAP * fitted]
        middle = start + pitch * (count // 2)
        shifts = [_offset(middle, phase, fitted) for phase in phases]
        lines = [
            (middle + shift - fitted * (count // 2), fitted)
            for shift in sorted(shifts, key=abs)
            if abs(shift) < 0.3 * fitted
        ]
        # The picture may be cropped to the board.
        if max(abs(start), abs(start + pitch * count - size)) < 0.3 * pitch:
            lines.append((0.0, size / count))
        options.append([(line * 2**scale, distance * 2**scale) for line, distance in lines])
    return options[0], options[1]


def is_staggered(edges: Edges) -> bool:
    """Return whether every other row, or column, is shifted by half a cell, as on hexagons."""
    for axis in (1, 0):
        for pitch, _ in peaks(correlation(edges, axis))[:6]:
            evidence = edges.evidence(axis, 0, max(5, round(0.3 * pitch)), 2)
            waves = evidence @ np.exp(-2j * np.pi * np.arange(evidence.shape[1]) / pitch)
            total = float((np.abs(waves) ** 2).sum())
            # How well rows agree in phase, by their distance: -1 if shifted by half a cell.
            agreement = [
                float((waves[lag:] * waves[: len(waves) - lag].conj()).real.sum()) / total
                for lag in range(1, min(len(waves), int(1.3 * pitch)))
            ]
            near = agreement[int(0.3 * pitch) : int(0.6 * pitch)]
            far = agreement[int(0.7 * pitch) :]
            if near and far and min(near) < -0.4 and max(far) > 0.4:
                return True
    return False


def _same(a: Lattice, b: Lattice) -> bool:
    return (
        abs(a.width / b.width - 1) < 0.01
        and abs(a.height / b.height - 1) < 0.01
        and abs(_offset(a.left, b.left, a.width)) < 0.05 * a.width
        and abs(_offset(a.top, b.top, a.height)) < 0.05 * a.height
        and abs(a.left - b.left) < a.width * max(1, a.columns / 4)
        and abs(a.top - b.top) < a.height * max(1, a.rows / 4)
    )


def _unusual_pitches(edges: Edges) -> list[tuple[float, float]]:
    """Return pairs of a width and a height at which edges recur, for cells that are not square."""
    return _oblong_pairs(*_peaks(edges), MAX_UNUSUAL_STRETCH)[:MAX_UNUSUAL_PITCHES]


def _peaks(edges: Edges) -> tuple[Peaks, Peaks]:
    """Return the widths and the heights at which edges recur, with their prominence."""
    return peaks(correlation(edges, 1)), peaks(correlation(edges, 0))


def _oblong_pairs(widths: Peaks, heights: Peaks, max_stretch: float) -> list[tuple[float, float]]:
    """Return pairs of a width and a height, which need not be equal, the most plausible first.

    Multiples of the true width and height recur too, so small pairs are preferred.
    """
    pairs = [
        (math.sqrt(a * b) / (x * y) ** 0.25, x, y)
        for x, a in widths
        for y, b in heights
        if abs(math.log(x / y)) < max_stretch
    ]
    return [(x, y) for _, x, y in sorted(pairs, reverse=True)]


def _pitches(edges: Edges) -> Iterator[tuple[float, float]]:
    """Yield pairs of a width and a height at which edges recur, the most prominent first."""
    widths, heights = _peaks(edges)
    pairs = []
    for x, a in widths:
        for y, b in heights:
            if abs(np.log(x / y)) < MAX_STRETCH:
                pairs.append((np.sqrt(a * b), x, y))
        # If lines of the other direction are missing, assume square cells.
        pairs.append((0.4 * a, x, x))
    pairs += [(0.4 * b, y, y) for y, b in heights]
    pairs.sort(reverse=True)
    chosen: list[tuple[float, float]] = []
    for _, x, y in pairs:
        if not any(abs(x / u - 1) < 0.03 and abs(y / v - 1) < 0.03 for u, v in chosen):
            chosen.append((x, y))
    chosen = chosen[:MAX_PITCHES]
    # Multiples are often more prominent than the pitch itself.
    for divisor in (2, 3):
        for x, y in chosen[:6]:
            u, v = x / divisor, y / divisor
            if min(u, v) >= MIN_PITCH and not any(
                abs(u / a - 1) < 0.03 and abs(v / b - 1) < 0.03 for a, b in chosen
            ):
                chosen.append((u, v))
    yield from chosen
    oblong = _oblong_pairs(widths, heights, MAX_OBLONG_STRETCH)
    yield from [(x, y) for x, y in oblong if abs(math.log(x / y)) >= MAX_STRETCH][
        :MAX_OBLONG_PITCHES
    ]


def _fit(edges: Edges, width: float, height: float) -> list[tuple[float, Lattice]]:
    """Return lattices of about this pitch, with their scores."""
    scale = _scale_for(width, height)
    factor = 2.0**scale
    px, py = width / factor, height / factor  # the pitch in the scaled picture
    # Evidence is an average over most of a cell, so every few rows are enough.
    step = max(1, int(min(px, py) / 6))
    vertical = edges.evidence(1, scale, round(0.7 * py), step)
    horizontal = edges.evidence(0, scale, round(0.7 * px), step)
    across = _smooth(_recurring(vertical, px), 3 * py / step, 3 * px, step)
    along = _smooth(_recurring(horizontal, py), 3 * px / step, 3 * py, step).T
    density = across * along
    weight = density / max(float(density.max()), 1e-9)
    rows, columns = vertical.shape[1], horizontal.shape[1]
    column_weight = weight.repeat(step, axis=1)[:, :rows]
    row_weight = weight.T.repeat(step, axis=1)[:, :columns]
    px, lefts = comb((vertical * column_weight).sum(axis=0), px)
    py, tops = comb((horizontal * row_weight).sum(axis=0), py)
    lattices = []
    for left in _distinct(lefts, px):
        for top in _distinct(tops, py):
            score, lattice = _extent(vertical, horizontal, step, (px, py), (left, top))
            if lattice is None:
                continue
            lattices.append((score, lattice))
            # Gaps and bevels have an edge at each side: the cells meet in the middle.
            centred = replace(
                lattice,
                left=lattice.left + _to_middle(left, lefts, px),
                top=lattice.top + _to_middle(top, tops, py),
            )
            if centred != lattice:
                lattices.append((score, centred))
    return [(score, lattice.scaled(factor)) for score, lattice in lattices]


def _fit_between(edges: Edges, width: float, height: float) -> list[tuple[float, Lattice]]:
    """Return the lattice of about this pitch whose lines are where the fewest edges are."""
    scale = _scale_for(width, height)
    factor = 2.0**scale
    px, py = width / factor, height / factor  # the pitch in the scaled picture
    step = max(1, int(min(px, py) / 6))
    vertical = edges.evidence(1, scale, round(0.4 * py), step)
    horizontal = edges.evidence(0, scale, round(0.4 * px), step)
    px, _ = comb(vertical.sum(axis=0), px)
    py, _ = comb(horizontal.sum(axis=0), py)
    phase = quietest_phase(vertical.sum(axis=0), px), quietest_phase(horizontal.sum(axis=0), py)
    score, lattice = _extent(vertical, horizontal, step, (px, py), phase, between=True)
    return [] if lattice is None else [(score, lattice.scaled(factor))]


def _scale_for(width: float, height: float) -> int:
    """Return how often the picture is halved to fit cells of this size."""
    return max(0, math.ceil(math.log2(min(width, height) / MAX_FITTED_PITCH)))


def _distinct(phases: list[float], pitch: float) -> list[float]:
    """Return the phases that are not close to a stronger one."""
    kept: list[float] = []
    for phase in phases:
        if all(abs(_offset(phase, other, pitch)) > MAX_GAP * pitch for other in kept):
            kept.append(phase)
    return kept


def _to_middle(phase: float, phases: list[float], pitch: float) -> float:
    """Return the distance from a phase to the middle between it and the strongest one near it."""
    near = [_offset(phase, other, pitch) for other in phases if other != phase]
    return next((d / 2 for d in near if abs(d) <= MAX_GAP * pitch), 0.0)


def _offset(phase: float, other: float, pitch: float) -> float:
    """Return the signed distance from a phase to another, at most half a pitch."""
    return (other - phase + pitch / 2) % pitch - pitch / 2


def _recurring(evidence: Floats, pitch: float) -> Floats:
    """Return evidence that recurs one pitch to the left or to the right."""
    step = round(pitch)
    widened = np.maximum(evidence, 0)
    for d in range(1, max(1, round(pitch * 0.03)) + 1):
        widened[:, d:] = np.maximum(widened[:, d:], evidence[:, :-d])
        widened[:, :-d] = np.maximum(widened[:, :-d], evidence[:, d:])
    best = np.zeros_like(evidence)
    if step < evidence.shape[1]:
        best[:, step:] = widened[:, :-step]
        best[:, :-step] = np.maximum(best[:, :-step], widened[:, step:])
    return np.minimum(evidence, best)


def _smooth(values: Floats, height: float, width: float, step: int) -> Floats:
    """Return means over windows of a given height and width, around every *step*-th column."""
    for axis, extent, every in ((1, width, step), (0, height, 1)):
        n = values.shape[axis]
        length = min(round(extent) | 1, n)
        sums = np.cumsum(values, axis=axis, dtype=np.float64)
        sums = np.concatenate([np.zeros_like(sums.take([0], axis)), sums], axis)
        start = (np.arange(0, n, every) - length // 2).clip(0, n - length)
        values = ((sums.take(start + length, axis) - sums.take(start, axis)) / length).astype(
            np.float32
        )
    return values


def _extent(
    vertical: Floats,
    horizontal: Floats,
    step: int,
    pitch: tuple[float, float],
    phase: tuple[float, float],
    *,
    between: bool = False,
) -> tuple[float, Lattice | None]:
    """Return the rectangle of cells with the most evidence at their sides, and its score.

    With *between*, the cells with the most evidence inside and the least at their sides.
    """
    width, height = vertical.shape[1], horizontal.shape[1]
    px, py = pitch
    left, top = phase[0] % px, phase[1] % py
    left -= px if left > 0.38 * px else 0
    top -= py if top > 0.38 * py else 0
    columns = int((width - left) / px + 0.38)
    rows = int((height - top) / py + 0.38)
    if columns < 2 or rows < 2:
        return 0.0, None

    def evidence_at(share: float) -> tuple[Floats, Floats]:
        """Return the evidence for lines that are shifted by a share of a cell."""
        x = (left + share * px, px, columns)
        y = (top + share * py, py, rows)
        return (
            _evidence_at_lines(vertical, x, (top, py, rows), step),
            _evidence_at_lines(horizontal, y, (left, px, columns), step).T,
        )

    at_sides, at_ends = evidence_at(0)
    score = np.sqrt((at_sides[:, :-1] + at_sides[:, 1:]) * (at_ends[:-1] + at_ends[1:]) / 4)
    inner = np.zeros_like(score)
    for share in (1 / 2, 1 / 3, 2 / 3):
        at_sides, at_ends = evidence_at(share)
        inner = np.maximum(inner, np.sqrt(at_sides[:, :-1] * at_ends[:-1]))
    score = inner - score if between else score - 0.5 * inner
    level = max(float(np.quantile(score, 0.98)), 0.02)
    y0, y1, x0, x1 = best_rectangle(score - 0.45 * level)
    if y1 - y0 < 2 or x1 - x0 < 2:
        return 0.0, None
    board_scores = score[y0:y1, x0:x1]
    value = float(
        board_scores.mean()
        * np.sqrt(board_scores.size * px * py)
        * min(1.0, board_scores.size / 40)
    )
    return value, Lattice(left, top, px, py, columns, rows).part(x0, y0, x1 - x0, y1 - y0)


def _evidence_at_lines(
    evidence: Floats,
    lines: tuple[float, float, int],
    cells: tuple[float, float, int],
    step: int,
) -> Floats:
    """Return the evidence at each line, in the middle of each cell along it.

    Lines and cells are given by their start, pitch and number.
    """
    height, width = evidence.shape
    start, pitch, count = cells
    middles = (start + (np.arange(count) + 0.5) * pitch) / step
    y = middles.round().astype(int).clip(0, height - 1)
    start, pitch, count = lines
    x = (start + np.arange(count + 1) * pitch).round().astype(int)
    reach = max(1, round(pitch * 0.05))
    result = np.zeros((len(y), count + 1), np.float32)
    for d in range(-reach, reach + 1):
        result = np.maximum(result, evidence[np.ix_(y, (x + d).clip(0, width - 1))])
    # The edge of the picture counts as a weak line.
    edge = (x <= 1) | (x >= width - 1)
    result[:, edge] = np.maximum(result[:, edge], 0.35)
    return result
