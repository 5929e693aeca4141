"""Drawn solutions: satisfactory, and as frequent as the exact probabilities say."""

import itertools
import random

import numpy as np
import pytest

from sapper import (
    Budget,
    Contradiction,
    Layout,
    OutOfBudget,
    Position,
    RulesError,
    analyse,
    sample,
)
from sapper.engine import workspace
from sapper.kernels.tracked import state
from tests.oracle import naive
from tests.random_positions import KINDS, random_position
from tests.stuck_positions import patterned_position, stuck_positions


def check_rows(position: Position, rows: np.ndarray) -> None:
    """Every row meets every number and the mine count."""
    board = position.board
    shown = np.flatnonzero(position.marks >= 0)
    assert not rows[:, shown].any()
    if position.mines is not None:
        assert (rows.sum(axis=1) == position.mines).all()
    for cell in shown.tolist():
        assert (rows[:, board.around(cell)].sum(axis=1) == position.marks[cell]).all()


def squared_z(position: Position, rows: np.ndarray, pairs: bool = False) -> np.ndarray:
    """(seen - expected) ** 2 / variance for every cell where ten of each are expected."""
    probabilities, count = analyse(position).probability_array, len(rows)
    cells = np.flatnonzero((probabilities * count >= 10) & ((1 - probabilities) * count >= 10))
    if not pairs:
        seen, p = rows[:, cells].sum(axis=0), probabilities[cells]
        return (seen - count * p) ** 2 / (count * p * (1 - p))
    found = []
    for a, b in itertools.pairwise(cells.tolist()[:12]):
        marks = np.array(position.marks)
        marks[a] = -2
        # Both are mines as often as a is one and then b is.
        p = (
            probabilities[a]
            * analyse(
                Position(position.board, marks, position.mines), trust_flags=True
            ).probability_array[b]
        )
        if p * count >= 10 and (1 - p) * count >= 10:
            seen = (rows[:, a] & rows[:, b]).sum()
            found.append((seen - count * p) ** 2 / (count * p * (1 - p)))
    return np.array(found)


def check_frequencies(positions, count):
    single, double = [], []
    for number, position in enumerate(positions):
        rows = sample(position, count, seed=number)
        check_rows(position, rows)
        single.append(squared_z(position, rows))
        double.append(squared_z(position, rows, pairs=True))
    for found in (np.concatenate(single), np.concatenate(double)):
        assert found.max() < 5.5**2
        yield float(found.mean())


def test_expert_samples_are_as_frequent_as_the_probabilities():
    positions = list(stuck_positions("expert", range(4)))[::6]
    single, double = check_frequencies(positions, 400)
    assert 0.7 < single < 1.3
    assert 0.6 < double < 1.4


def test_samples_are_solutions_when_a_workspace_is_reused():
    for position in stuck_positions("16x16/40", range(25)):
        check_rows(position, sample(position, 12))


@pytest.mark.slow
def test_samples_of_two_hundred_expert_positions_are_as_frequent_as_the_probabilities():
    positions = list(stuck_positions("expert", range(40)))[::3][:200]
    single, double = check_frequencies(positions, 1000)
    assert 0.9 < single < 1.1
    assert 0.9 < double < 1.1


@pytest.mark.slow
def test_a_million_samples_are_all_satisfactory():
    for number, position in enumerate(list(stuck_positions("expert", range(10)))[::4][:40]):
        check_rows(position, sample(position, 25_000, seed=number))


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_samples_of_small_positions_are_uniform_over_their_solutions(kind):
    rng = random.Random(f"samples {kind}")
    for number in range(4):
        position = random_position(kind, rng, 7)
        expected = naive.exact_probabilities(position)
        if expected is None:
            with pytest.raises(Contradiction):
                sample(position, 1)
        elif position.mines is not None:
            rows = sample(position, 60 * min(expected[0], 8), seed=number)
            check_rows(position, rows)
            seen = {row.tobytes() for row in rows}
            assert len(seen) <= expected[0]
            if expected[0] <= 8:
                assert len(seen) == expected[0]


@pytest.mark.parametrize("pattern", ["random", "checkerboard"])
def test_positions_of_the_general_engine_are_sampled_along_its_joins(pattern, monkeypatch):
    monkeypatch.setattr(workspace, "_idle_tracked", workspace.OrderedDict())
    monkeypatch.setattr(state, "MAX_LAYER", 2)
    positions = [patterned_position(pattern, 9, 0.3, seed) for seed in range(6)]
    single, double = check_frequencies(positions, 400)
    assert 0.6 < single < 1.4
    assert 0.5 < double < 1.6


def test_layouts_come_as_layouts_and_the_seed_decides():
    position = Position.parse("# 1 # #", mines=1)
    drawn = sample(position, 5, seed=3, layouts=True)
    assert [type(layout) for layout in drawn] == [Layout] * 5
    np.testing.assert_array_equal(sample(position, 5, seed=3), [lay.mine_mask for lay in drawn])
    assert (sample(position, 50, seed=3) != sample(position, 50, seed=4)).any()
    assert sample(position, 0).shape == (0, 4)


def test_impossible_sample_is_refused_in_one_line():
    with pytest.raises(RulesError, match="expected at least 0 solutions, got -1"):
        sample(Position.parse("# 1 #", mines=1), -1)
    with pytest.raises(RulesError, match="cannot sample the interior without a mine count"):
        sample(Position.parse("# 1 # #"), 1)
    with pytest.raises(Contradiction):
        sample(Position.parse("# 3 #", mines=3), 1)
    with pytest.raises(
        OutOfBudget, match="needs more than 1 GB: 1,000,000,000 solutions of 3 cells"
    ):
        sample(Position.parse("# 1 #"), 10**9, budget=Budget(memory=10**9))
    assert sample(Position.parse("# 1 #"), 3).sum() == 3
