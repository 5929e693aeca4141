"""Samples satisfy all numbers, and their mines are as frequent as the exact probabilities."""

import itertools
import random

import numpy as np
import pytest

from sapper import FLAG, Budget, Contradiction, Layout, Position, RulesError, analyse, sample
from sapper.engine import workspace
from sapper.errors import OutOfBudget
from sapper.kernels.tracked import state
from tests.oracle import naive
from tests.random_positions import KINDS, random_position
from tests.sampling import cases
from tests.stuck_positions import patterned_position, stuck_positions


def check_rows(position: Position, rows: np.ndarray) -> None:
    """Check that every row satisfies every number and the mine count."""
    assert not rows[:, position.revealed].any()
    if position.mines is not None:
        assert (rows.sum(axis=1) == position.mines).all()
    for cell in position.revealed.tolist():
        mines = rows[:, position.board.around(cell)].sum(axis=1)
        assert (mines == position.marks[cell]).all()


def squared_z(count, seen, p):
    """Return (seen - expected) ** 2 / variance, or None where fewer than ten are expected."""
    expected, variance = count * p, count * p * (1 - p)
    return (seen - expected) ** 2 / variance if 10 <= expected <= count - 10 else None


def check_frequencies(positions, count):
    """Compare samples with the probabilities; return the mean squared z of cells and of pairs."""
    single, double = [], []
    for number, position in enumerate(positions):
        rows = sample(position, count, seed=number)
        check_rows(position, rows)
        risk = analyse(position).probability_array
        cells = [c for c in position.covered.tolist() if squared_z(count, 0, risk[c]) is not None]
        single += [squared_z(count, rows[:, c].sum(), risk[c]) for c in cells]
        for a, b in itertools.pairwise(cells[:12]):
            # Both are mines as often as a is one and then b is.
            given = analyse(position.with_marks({a: FLAG}), trust_flags=True)
            both = (rows[:, a] & rows[:, b]).sum()
            double.append(squared_z(count, both, risk[a] * given.probability_array[b]))
    double = [z for z in double if z is not None]
    assert max(single + double) < 5.5**2
    return np.mean(single), np.mean(double)


def test_expert_samples_are_as_frequent_as_the_probabilities():
    single, double = check_frequencies(list(stuck_positions("expert", range(cases(4))))[::6], 400)
    assert 0.7 < single < 1.3
    assert 0.6 < double < 1.4


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
            assert len(seen) == expected[0] if expected[0] <= 8 else len(seen) <= expected[0]


@pytest.mark.parametrize("pattern", ["random", "checkerboard"])
def test_positions_of_the_general_engine_are_sampled_along_its_joins(pattern, monkeypatch):
    monkeypatch.setattr(workspace, "_idle_tracked", workspace.OrderedDict())
    monkeypatch.setattr(state, "MAX_LAYER", 2)
    positions = [patterned_position(pattern, 9, 0.3, seed) for seed in range(6)]
    single, double = check_frequencies(positions, 400)
    assert 0.6 < single < 1.4
    assert 0.5 < double < 1.6


def test_samples_are_arrays_or_layouts_and_depend_on_the_seed():
    position = Position.parse("# 1 # #", mines=1)
    drawn = sample(position, 5, seed=3, layouts=True)
    assert [type(layout) for layout in drawn] == [Layout] * 5
    np.testing.assert_array_equal(
        sample(position, 5, seed=3), [layout.mine_mask for layout in drawn]
    )
    assert (sample(position, 50, seed=3) != sample(position, 50, seed=4)).any()
    assert sample(position, 0).shape == (0, 4)
    assert sample(Position.parse("# 1 #"), 3).sum() == 3


def test_impossible_sample_is_refused():
    for text, mines, count, error, message in [
        ("# 1 #", 1, -1, RulesError, "expected at least 0 solutions, got -1"),
        ("# 1 # #", None, 1, RulesError, "cannot sample the interior without a mine count"),
        ("# 3 #", 3, 1, Contradiction, "impossible position"),
        ("# 1 #", None, 10**9, OutOfBudget, "more than 1 GB: 1,000,000,000 solutions of 3 cells"),
    ]:
        with pytest.raises(error, match=message):
            sample(Position.parse(text, mines=mines), count, budget=Budget(memory=10**9))
