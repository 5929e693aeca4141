"""The periods of edges in one direction: by autocorrelation, and precisely by a comb."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.pictures.edges import Edges, Floats

MIN_PITCH, MAX_PITCH = 9.0, 0.34
"""The pitches looked for: in pixels, and as a share of the picture's longer side."""
PHASES = 4
"""Phases that are tried in each direction: strokes of digits recur as lines do."""


def correlation(edges: Edges, axis: int) -> npt.NDArray[np.float64]:
    """Return how strongly edges recur, by distance in pixels."""
    height, width = edges.shape(0) if axis else edges.shape(0)[::-1]
    evidence = edges.evidence(axis, 0, 9, 4)
    most = int(min(width * 0.45, max(edges.shape(0)) * MAX_PITCH))
    total = np.zeros(most + 1)
    size = 1 << int(np.ceil(np.log2(width + most + 1)))
    for band in (*np.array_split(evidence, max(1, min(8, height // 160))), evidence):
        share = np.sqrt(len(band) / len(evidence))
        # Row by row; and all rows together, for boards whose cells alternate in colour.
        for rows in (band, band.sum(axis=0, keepdims=True)):
            spectrum = np.abs(np.fft.rfft(rows - rows.mean(), size, axis=1)) ** 2
            correlation = np.fft.irfft(spectrum.sum(axis=0), size)[: most + 1]
            if correlation[0] > 0:
                total += correlation / correlation[0] * share
    return total


def peaks(correlation: npt.NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return the lags of local maxima above their surroundings, with heights, highest first."""
    n = len(correlation)
    maxima = []
    for lag in range(int(MIN_PITCH), n - 1):
        if correlation[lag] < max(correlation[lag - 1], correlation[lag + 1]):
            continue
        around = correlation[max(2, int(lag * 0.8)) : int(lag * 1.2) + 2]
        height = correlation[lag] - float(np.median(around))
        if height > 0.004:
            a, b, c = correlation[lag - 1 : lag + 2]
            bend = a - 2 * b + c
            shift = 0.5 * (a - c) / bend if bend else 0.0
            maxima.append((lag + float(np.clip(shift, -0.5, 0.5)), float(height)))
    maxima.sort(key=lambda pair: -pair[1])
    return maxima[:12]


def comb(profile: Floats, pitch: float, within: float = 0.0) -> tuple[float, list[float]]:
    """Return the pitch near a given one at which a comb collects most, and the best phases.

    *within* is the share by which the pitch may change; by default, what autocorrelation leaves.
    """
    x = np.arange(len(profile), dtype=np.float64)
    centre = float((x * profile).sum() / max(float(profile.sum()), 1e-9))
    bins = max(8, round(pitch * 2))
    span = within * pitch or max(0.012 * pitch, 0.55)
    best, near = -np.inf, pitch
    sums: npt.NDArray[np.float64] = np.zeros(bins)
    for reach, count in ((span, 25), (span / 12, 7)):  # coarsely, then around the best
        for candidate in np.linspace(pitch - reach, pitch + reach, count):
            # What each comb of lines collects; each starts one bin after the one before.
            lines = np.arange(-int(centre / candidate) - 1, int((len(x) - centre) / candidate) + 1)
            starts = np.arange(bins) * (candidate / bins)
            collected = np.interp(centre + starts + candidate * lines[:, None], x, profile, 0, 0)
            folded = collected.sum(axis=0)
            # Bevels have edges at both sides of a line: all are sharpest at the right pitch.
            wide = _blurred(folded)
            value = float((wide**2).mean() / max(wide.mean() ** 2, 1e-9))
            value -= 0.05 * abs(value) * abs(candidate - near) / span
            if value > best:
                best, pitch, sums = value, float(candidate), folded
    phases: list[float] = []
    wide = _blurred(sums)
    for k in np.argsort(-wide).tolist():
        if wide[k] < 0.45 * wide.max() or len(phases) == PHASES:
            break
        a, b, c = sums[k - 1], sums[k], sums[(k + 1) % bins]
        bend = a - 2 * b + c
        shift = float(np.clip(0.5 * (a - c) / bend, -0.5, 0.5)) if bend else 0.0
        phase = (k + shift) / bins
        if all(abs((phase - other + 0.5) % 1 - 0.5) > 0.08 for other in phases):
            phases.append(phase)
    return pitch, [float((centre + phase * pitch) % pitch) for phase in phases]


def quietest_phase(profile: Floats, pitch: float) -> float:
    """Return the phase around which a comb of wide teeth collects least."""
    bins = max(8, round(pitch * 2))
    lines = np.arange(int(len(profile) / pitch) + 1) * pitch
    starts = np.arange(bins) * (pitch / bins)
    at = np.arange(len(profile), dtype=np.float64)
    folded = np.interp(starts + lines[:, None], at, profile, 0, 0).sum(axis=0)
    reach = bins // 6
    wide = sum(np.roll(folded, shift) for shift in range(-reach, reach + 1))
    return float(np.argmin(wide) * pitch / bins)


def _blurred(bins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return bins + 0.5 * (np.roll(bins, 1) + np.roll(bins, -1))
