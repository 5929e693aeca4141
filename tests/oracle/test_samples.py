"""Drawn placements: satisfactory, and as frequent as the exact odds say."""

import itertools
import random

import numpy as np
import pytest

from sapper import (
    Budget,
    Contradiction,
    Frame,
    Layout,
    OutOfBudget,
    RulesError,
    analyse,
    sample,
)
from sapper.infer.odds import engine
from sapper.kernels.odds import position
from tests.frames import KINDS, random_frame
from tests.oracle import naive
from tests.stuck_frames import patterned_frame, stuck_frames


def check_rows(frame: Frame, rows: np.ndarray) -> None:
    """Every row meets every hint and the mine count."""
    board = frame.board
    shown = np.flatnonzero(frame.marks >= 0)
    assert not rows[:, shown].any()
    if frame.mines is not None:
        assert (rows.sum(axis=1) == frame.mines).all()
    for cell in shown.tolist():
        assert (rows[:, board.around(cell)].sum(axis=1) == frame.marks[cell]).all()


def squared_z(frame: Frame, rows: np.ndarray, pairs: bool = False) -> np.ndarray:
    """(seen - expected) ** 2 / variance for every cell where ten of each are expected."""
    odds, count = analyse(frame).probability, len(rows)
    cells = np.flatnonzero((odds * count >= 10) & ((1 - odds) * count >= 10))
    if not pairs:
        seen, p = rows[:, cells].sum(axis=0), odds[cells]
        return (seen - count * p) ** 2 / (count * p * (1 - p))
    found = []
    for a, b in itertools.pairwise(cells.tolist()[:12]):
        marks = np.array(frame.marks)
        marks[a] = -2
        # Both are mines as often as a is one and then b is.
        p = (
            odds[a]
            * analyse(Frame(frame.board, marks, frame.mines), trust_flags=True).probability[b]
        )
        if p * count >= 10 and (1 - p) * count >= 10:
            seen = (rows[:, a] & rows[:, b]).sum()
            found.append((seen - count * p) ** 2 / (count * p * (1 - p)))
    return np.array(found)


def check_frequencies(frames, count):
    single, double = [], []
    for number, frame in enumerate(frames):
        rows = sample(frame, count, seed=number)
        check_rows(frame, rows)
        single.append(squared_z(frame, rows))
        double.append(squared_z(frame, rows, pairs=True))
    for found in (np.concatenate(single), np.concatenate(double)):
        assert found.max() < 5.5**2
        yield float(found.mean())


def test_expert_samples_are_as_frequent_as_the_odds():
    frames = list(stuck_frames("expert", range(4)))[::6]
    single, double = check_frequencies(frames, 400)
    assert 0.7 < single < 1.3
    assert 0.6 < double < 1.4


def test_samples_hold_from_frame_to_frame_and_from_game_to_game():
    for frame in stuck_frames("16x16/40", range(25)):
        check_rows(frame, sample(frame, 12))


@pytest.mark.slow
def test_samples_of_two_hundred_expert_frames_are_as_frequent_as_the_odds():
    frames = list(stuck_frames("expert", range(40)))[::3][:200]
    single, double = check_frequencies(frames, 1000)
    assert 0.9 < single < 1.1
    assert 0.9 < double < 1.1


@pytest.mark.slow
def test_a_million_samples_are_all_satisfactory():
    for number, frame in enumerate(list(stuck_frames("expert", range(10)))[::4][:40]):
        check_rows(frame, sample(frame, 25_000, seed=number))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_samples_of_small_frames_are_placements_of_them_all_alike(kind):
    rng = random.Random(f"samples {kind}")
    for number in range(4):
        frame = random_frame(kind, rng, 7)
        expected = naive.exact_odds(frame)
        if expected is None:
            with pytest.raises(Contradiction):
                sample(frame, 1)
        elif frame.mines is not None:
            rows = sample(frame, 60 * min(expected[0], 8), seed=number)
            check_rows(frame, rows)
            seen = {row.tobytes() for row in rows}
            assert len(seen) <= expected[0]
            if expected[0] <= 8:
                assert len(seen) == expected[0]


@pytest.mark.parametrize("pattern", ["random", "checkerboard"])
def test_frames_of_the_general_engine_are_sampled_along_its_joins(pattern, monkeypatch):
    monkeypatch.setattr(engine, "_positions", engine.OrderedDict())
    monkeypatch.setattr(position, "MOST_LAYER", 2)
    frames = [patterned_frame(pattern, 9, 0.3, seed) for seed in range(6)]
    single, double = check_frequencies(frames, 400)
    assert 0.6 < single < 1.4
    assert 0.5 < double < 1.6


def test_layouts_come_as_layouts_and_the_seed_decides():
    frame = Frame.parse("# 1 # #", mines=1)
    drawn = sample(frame, 5, seed=3, layouts=True)
    assert [type(layout) for layout in drawn] == [Layout] * 5
    np.testing.assert_array_equal(sample(frame, 5, seed=3), [lay.mines for lay in drawn])
    assert (sample(frame, 50, seed=3) != sample(frame, 50, seed=4)).any()
    assert sample(frame, 0).shape == (0, 4)


def test_what_cannot_be_drawn_is_refused_in_one_line():
    with pytest.raises(RulesError, match="expected at least 0 placements, got -1"):
        sample(Frame.parse("# 1 #", mines=1), -1)
    with pytest.raises(RulesError, match="expected a mine count to draw the interior by"):
        sample(Frame.parse("# 1 # #"), 1)
    with pytest.raises(Contradiction):
        sample(Frame.parse("# 3 #", mines=3), 1)
    with pytest.raises(OutOfBudget, match="at most 1 GB, got 1,000,000,000 placements of 3 cells"):
        sample(Frame.parse("# 1 #"), 10**9, budget=Budget(memory=10**9))
    assert sample(Frame.parse("# 1 #"), 3).sum() == 3
