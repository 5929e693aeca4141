"""Periods of edges in one direction, and the steps of fitting a lattice to them."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.unit.pictures.test_lattice import board_picture

from sapper.pictures import lattice
from sapper.pictures.edges import CLIP, Edges
from sapper.pictures.lattice import Lattice, candidates, lines_near, unusual_candidates
from sapper.pictures.periods import comb, correlation, peaks, quietest_phase


def profile_with_lines(at, length=200, height=1.0):
    """Return a profile with a line, two pixels wide on each side, at each of some places."""
    x = np.arange(length)
    lines = [height * np.maximum(0, 1 - np.abs(x - place) / 2) for place in at]
    return np.sum(lines, axis=0).astype(np.float32)


def test_peaks_are_refined_between_the_samples_and_ordered_by_prominence():
    lags = np.arange(60.0)
    waves = {20.25: 0.5, 41.0: 0.9}
    values = sum(height * np.maximum(0, 1 - ((lags - at) / 4) ** 2) for at, height in waves.items())
    found = peaks(values)
    assert [lag for lag, _ in found[:2]] == pytest.approx([41.0, 20.25], abs=0.01)
    # Prominence is the height above the median of the lags from 0.8 to 1.2 times the lag.
    assert found[0][1] == pytest.approx(0.9 - np.median(values[32:51]), abs=1e-6)
    assert peaks(values[:42])[0][0] == pytest.approx(20.25, abs=0.01)  # no peak at the last lag
    assert peaks(np.zeros(60)) == []


def test_no_more_than_twelve_peaks_are_returned():
    lags = np.arange(400.0)
    assert len(peaks(np.cos(lags * 2 * np.pi / 16))) == 12


@pytest.mark.parametrize("axis", [0, 1])
def test_edges_correlate_at_multiples_of_the_pitch_of_that_direction(axis):
    picture = board_picture(cell_width=20).resize((440, 304))
    found = correlation(Edges(np.asarray(picture)), axis)
    width, height = picture.size
    pitch = 20 * (width / 260 if axis else height / 202)
    assert len(found) == int(min((width if axis else height) * 0.45, width * 0.34)) + 1
    multiples = [lag / pitch for lag, _ in peaks(found)[:3]]
    assert multiples == pytest.approx([round(multiple) for multiple in multiples], abs=0.02)
    assert found[round(pitch)] > 0.5 * found[0]


@pytest.mark.parametrize(("pitch", "phase"), [(17.3, 4.0), (24.0, 11.5), (31.7, 0.5)])
def test_comb_finds_the_pitch_and_the_phase_of_lines(pitch, phase):
    profile = profile_with_lines(np.arange(phase, 400, pitch), 400)
    found, phases = comb(profile, pitch * 1.009)
    assert found == pytest.approx(pitch, abs=0.05)
    assert len(phases) == 1
    assert (phases[0] - phase + pitch / 2) % pitch == pytest.approx(pitch / 2, abs=0.3)


def test_comb_lists_weaker_lines_after_stronger_ones_but_not_faint_ones():
    lines = np.arange(5, 400, 25.0)
    profile = sum(
        profile_with_lines(lines + shift, 400, height)
        for shift, height in ((0, 1.0), (7, 0.8), (14, 0.6), (19, 0.3))
    )
    pitch, phases = comb(profile, 25.1)
    assert pitch == pytest.approx(25, abs=0.05)
    assert phases == pytest.approx([5, 12, 19], abs=0.3)


def test_comb_changes_the_pitch_by_its_tolerance_at_most():
    profile = profile_with_lines(np.arange(5, 400, 25.0), 400)
    assert comb(profile, 24.0, tolerance=0.02)[0] <= 24 * 1.02 * (1 + 0.02 / 12)
    assert comb(profile, 24.0, tolerance=0.06)[0] == pytest.approx(25, abs=0.05)


def test_quietest_phase_is_in_the_middle_of_the_widest_gap():
    profile = sum(profile_with_lines(np.arange(shift, 300, 30.0), 300) for shift in (4, 9, 14))
    assert quietest_phase(profile, 30.0) == pytest.approx(24, abs=3)


def test_evidence_is_the_share_of_a_run_with_edges_of_one_sign():
    rng = np.random.default_rng(4)
    pixels = rng.integers(0, 12, (14, 9, 3)).astype(np.uint8)
    edges = Edges(pixels)
    for axis, levels in ((1, pixels), (0, pixels.swapaxes(0, 1))):
        steps = np.zeros(levels.shape)
        steps[:, 1:] = np.diff(levels.astype(int), axis=1).clip(-CLIP, CLIP) / CLIP
        found = edges.evidence(axis, 0, 5, 2)
        for row, y in zip(found, range(0, len(levels), 2), strict=True):
            first = min(max(y - 2, 0), len(levels) - 5)
            share = np.abs(steps[first : first + 5].mean(axis=0)).max(axis=1)
            assert row == pytest.approx(share**1.5, abs=1e-5)
        part = edges.evidence(axis, 0, 5, 2, slice(1, 3))
        assert np.array_equal(part, found[1:3])
    halved = pixels[:, :8].reshape(7, 2, 4, 2, 3).sum(axis=(1, 3)) // 4
    assert edges.shape(1) == (7, 4)
    expected = Edges(halved.astype(np.uint8)).evidence(1, 0, 3, 1)
    assert np.array_equal(edges.evidence(1, 1, 1, 1), expected)


def test_recurring_evidence_has_equal_evidence_one_pitch_away():
    rng = np.random.default_rng(5)
    for pitch in (4.2, 38.0):
        evidence = rng.random((3, 90)).astype(np.float32)
        found = lattice._recurring(evidence, pitch)
        reach, step = max(1, round(pitch * 0.03)), round(pitch)
        for y, x in np.ndindex(evidence.shape):
            near = [
                evidence[y, at + d]
                for at in (x - step, x + step)
                for d in range(-reach, reach + 1)
                if 0 <= at < 90 and 0 <= at + d < 90
            ]
            assert found[y, x] == min(evidence[y, x], max(near, default=0))
    assert not lattice._recurring(evidence, 200.0).any()


def test_smoothed_values_are_means_over_windows_inside_the_picture():
    values = np.random.default_rng(6).random((11, 23)).astype(np.float32)
    found = lattice._smooth(values, 4.2, 6.4, 3)
    assert found.shape == (11, 8)
    for y, i in np.ndindex(found.shape):
        top, left = min(max(y - 2, 0), 11 - 5), min(max(3 * i - 3, 0), 23 - 7)
        assert found[y, i] == pytest.approx(values[top : top + 5, left : left + 7].mean())
    assert lattice._smooth(values, 99, 99, 3)[0] == pytest.approx([values.mean()] * 8)


def test_phases_near_a_stronger_one_are_merged_or_centred():
    assert lattice._offset(1.0, 19.0, 20.0) == -2.0 and lattice._offset(19.0, 1.0, 20.0) == 2.0
    assert lattice._distinct([3.0, 19.0, 9.0, 12.0], 20.0) == [3.0, 12.0]
    assert lattice._to_middle(3.0, [3.0, 19.0], 20.0) == -2.0
    assert lattice._to_middle(3.0, [3.0, 13.0], 20.0) == 0.0


def test_lattices_are_the_same_if_size_and_place_differ_little():
    first = Lattice(100, 60, 20, 20, 16, 12)
    for change, same in (
        ({}, True),
        ({"width": 20.15}, True),
        ({"width": 20.4}, False),
        ({"height": 19.6}, False),
        ({"left": 100.9}, True),
        ({"left": 102.0}, False),
        ({"top": 58.0}, False),
        ({"left": 160.0}, True),  # three columns fewer
        ({"left": 200.0}, False),
        ({"top": 100.0}, True),
        ({"top": 140.0}, False),
    ):
        second = Lattice(**{**vars(first), **change})
        assert lattice._same(first, second) is same, change


def noisy(picture):
    """Return a picture with a little noise: without it, two lattices may be exactly equal."""
    pixels = np.asarray(picture).astype(int)
    noise = np.random.default_rng(7).integers(-2, 3, pixels.shape)
    return (pixels + noise).clip(0, 255).astype(np.uint8)


def fitted_pictures():
    """Return pictures by name, with a lattice near the board in each."""
    large = board_picture(cell_width=70, columns=5, rows=4)
    cropped = board_picture(left=0, top=0).resize((200, 156), Image.Resampling.BILINEAR)
    return {
        "alternating": (board_picture(alternate=True, left=12), Lattice(12, 31, 26, 26, 9, 7)),
        "oblong": (board_picture().resize((314, 318)), Lattice(40, 40.5, 26, 34, 9, 7)),
        "large cells": (large, Lattice(41, 30, 70, 70, 5, 4)),
        "cropped": (cropped, Lattice(1, 0, 22, 22, 9, 7)),
    }


GOLDEN_LATTICES = Path(__file__).parents[2] / "golden/lattices.json"


@pytest.mark.parametrize("name", fitted_pictures())
def test_fitted_lattices_equal_the_golden_ones(name, request):
    picture, near = fitted_pictures()[name]
    edges = Edges(noisy(picture))
    fitted = {
        "candidates": [[score, *vars(found).values()] for score, found in candidates(edges, 4)],
        "unusual": [
            [score, *vars(found).values()] for score, found in unusual_candidates(edges)[:6]
        ],
        "lines": [list(line) for lines in lines_near(edges, near) for line in lines],
    }
    if request.config.getoption("--regenerate"):
        stored = json.loads(GOLDEN_LATTICES.read_text()) if GOLDEN_LATTICES.exists() else {}
        rounded = {
            key: [[round(x, 3) for x in row] for row in rows] for key, rows in fitted.items()
        }
        GOLDEN_LATTICES.write_text(json.dumps(stored | {name: rounded}) + "\n")
    expected = json.loads(GOLDEN_LATTICES.read_text())[name]
    assert fitted.keys() == expected.keys()
    for key, rows in expected.items():
        assert len(fitted[key]) == len(rows)
        for found, row in zip(fitted[key], rows, strict=True):
            assert found == pytest.approx(row, rel=1e-3, abs=2e-3), key
