"""The periods of edges in one direction: roughly by autocorrelation, precisely by comb filters."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sapper.pictures.edges import Edges, Floats

MIN_PITCH, MAX_PITCH_SHARE = 9.0, 0.34
"""The range of pitches: in pixels, and as a share of the longer side of the picture."""
MAX_PHASES = 4
"""The number of phases in each direction; strokes of digits recur as well as lines."""

Peaks: TypeAlias = list[tuple[float, float]]
"""Distances at which edges recur, in pixels, with the prominence of each."""


def correlation(edges: Edges, axis: int) -> npt.NDArray[np.float64]:
    """Return how strongly edges recur, by distance in pixels."""
    height, width = edges.shape(0) if axis else edges.shape(0)[::-1]
    evidence = edges.evidence(axis, 0, 9, 4)
    max_lag = int(min(width * 0.45, max(edges.shape(0)) * MAX_PITCH_SHARE))
    total = np.zeros(max_lag + 1)
    size = 1 << int(np.ceil(np.log2(width + max_lag + 1)))
    for band in (*np.array_split(evidence, max(1, min(8, height // 160))), evidence):
        share = np.sqrt(len(band) / len(evidence))
        # Row by row, then all rows together for boards whose cells alternate in colour.
        for rows in (band, band.sum(axis=0, keepdims=True)):
            spectrum = np.abs(np.fft.rfft(rows - rows.mean(), size, axis=1)) ** 2
            correlation = np.fft.irfft(spectrum.sum(axis=0), size)[: max_lag + 1]
            if correlation[0] > 0:
                total += correlation / correlation[0] * share
    return total


def peaks(correlation: npt.NDArray[np.float64]) -> Peaks:
    """Return the local maxima, refined by a parabola, the most prominent first."""
    n = len(correlation)
    maxima = []
    for lag in range(int(MIN_PITCH), n - 1):
        if correlation[lag] < max(correlation[lag - 1], correlation[lag + 1]):
            continue
        around = correlation[max(2, int(lag * 0.8)) : int(lag * 1.2) + 2]
        prominence = correlation[lag] - float(np.median(around))
        if prominence > 0.004:
            a, b, c = correlation[lag - 1 : lag + 2]
            curvature = a - 2 * b + c
            shift = 0.5 * (a - c) / curvature if curvature else 0.0
            maxima.append((lag + float(np.clip(shift, -0.5, 0.5)), float(prominence)))
    maxima.sort(key=lambda pair: -pair[1])
    return maxima[:12]


def comb(profile: Floats, pitch: float, tolerance: float = 0.0) -> tuple[float, list[float]]:
    """Return the pitch near a given one that fits a profile of edges best, and its best phases.

    A comb is a set of equally spaced lines; it collects the evidence at its lines. *tolerance* is
    the share by which the pitch may change; the default is the precision of the autocorrelation.
    """
    x = np.arange(len(profile), dtype=np.float64)
    centre = float((x * profile).sum() / max(float(profile.sum()), 1e-9))
    bins = max(8, round(pitch * 2))
    span = tolerance * pitch or max(0.012 * pitch, 0.55)
    best, given_pitch = -np.inf, pitch
    sums: npt.NDArray[np.float64] = np.zeros(bins)
    for reach, count in ((span, 25), (span / 12, 7)):  # coarsely, then around the best
        for candidate in np.linspace(pitch - reach, pitch + reach, count):
            # Each comb starts one bin after the previous one.
            lines = np.arange(-int(centre / candidate) - 1, int((len(x) - centre) / candidate) + 1)
            starts = np.arange(bins) * (candidate / bins)
            collected = np.interp(centre + starts + candidate * lines[:, None], x, profile, 0, 0)
            folded = collected.sum(axis=0)
            # Bevels have edges at both sides of a line; all of them are sharpest at the right
            # pitch.
            blurred = _blurred(folded)
            value = float((blurred**2).mean() / max(blurred.mean() ** 2, 1e-9))
            value -= 0.05 * abs(value) * abs(candidate - given_pitch) / span
            if value > best:
                best, pitch, sums = value, float(candidate), folded
    phases: list[float] = []
    blurred = _blurred(sums)
    for k in np.argsort(-blurred).tolist():
        if blurred[k] < 0.45 * blurred.max() or len(phases) == MAX_PHASES:
            break
        a, b, c = sums[k - 1], sums[k], sums[(k + 1) % bins]
        curvature = a - 2 * b + c
        shift = float(np.clip(0.5 * (a - c) / curvature, -0.5, 0.5)) if curvature else 0.0
        phase = (k + shift) / bins
        if all(abs((phase - other + 0.5) % 1 - 0.5) > 0.08 for other in phases):
            phases.append(phase)
    return pitch, [float((centre + phase * pitch) % pitch) for phase in phases]


def quietest_phase(profile: Floats, pitch: float) -> float:
    """Return the phase of the comb whose wide lines collect the least evidence."""
    bins = max(8, round(pitch * 2))
    lines = np.arange(int(len(profile) / pitch) + 1) * pitch
    starts = np.arange(bins) * (pitch / bins)
    at = np.arange(len(profile), dtype=np.float64)
    folded = np.interp(starts + lines[:, None], at, profile, 0, 0).sum(axis=0)
    reach = bins // 6
    collected = sum(np.roll(folded, shift) for shift in range(-reach, reach + 1))
    return float(np.argmin(collected) * pitch / bins)


def _blurred(bins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return bins + 0.5 * (np.roll(bins, 1) + np.roll(bins, -1))
