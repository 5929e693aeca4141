"""Roll-outs against the exact value of their inner player."""

import numpy as np
import pytest

from sapper import FLAG
from sapper.kernels import view
from sapper.kernels.codes import OK
from sapper.kernels.games import rollouts as kernel
from sapper.players.patient import PatientSettings, make_rollout_state
from tests.oracle.naive import counted_solutions, probabilities
from tests.oracle.naive_endgame import rollout_value
from tests.random_positions import KINDS, positions_without_safe_cells


def flagged_positions(kind, count, seed):
    """Yield positions with their certain mines flagged, as a player does before it guesses."""
    for position in positions_without_safe_cells(kind, count, seed):
        risk = probabilities(position, counted_solutions(position))
        yield position.with_marks({cell: FLAG for cell, p in risk.items() if p == 1})


def start_rollouts(position, memo_capacity=None, **settings):
    state = make_rollout_state(position.board, PatientSettings(**{"inner": "careful", **settings}))
    if memo_capacity is not None:
        state.memo_capacity = memo_capacity
    assert kernel.run_begin(state, view(position.marks), position.mines, 1) == OK
    return state


def means_over_all_solutions(rollouts, position, cell):
    """Return the mean value and bad luck of a cell when every solution is a sample once."""
    results = []
    for mines in counted_solutions(position):
        row = np.zeros(len(position.board), dtype=np.uint8)
        row[list(mines)] = 1
        assert kernel.run_solution(rollouts, view(row), cell) == OK
        assert bool(rollouts.hit) == (cell in mines)
        results.append((rollouts.value, rollouts.bad_luck))
    return np.mean(results, axis=0)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end_game", [0, 3, 2048])
def test_over_all_solutions_rollouts_have_the_exact_value_of_the_inner_player(kind, end_game):
    compared = 0
    for position in flagged_positions(kind, 4, f"rollouts {kind}"):
        rollouts = start_rollouts(position, inner_end_game=end_game)
        for cell in position.covered.tolist():
            expected = float(rollout_value(position.without_flags(), cell, end_game))
            value, bad_luck = means_over_all_solutions(rollouts, position, cell)
            assert value == pytest.approx(expected, abs=1e-9), (position, cell)
            assert bad_luck == pytest.approx(0, abs=1e-9), (position, cell)
            compared += 1
    assert compared > 4


def sample_rollouts(position, cells, capacity, count=60):
    """Return values, bad luck and hits of the first samples, with a memo of this capacity."""
    state = start_rollouts(position, capacity, inner_end_game=2)
    values, bad_luck = np.zeros(count * len(cells)), np.zeros(count * len(cells))
    hits = np.zeros(len(values), dtype=np.uint8)
    array = view(np.array(cells, dtype=np.int32))
    arrays = view(values), view(bad_luck), view(hits)
    assert kernel.run_samples(state, array, 0, *arrays) == (OK, len(values))
    return values, bad_luck, hits


@pytest.mark.parametrize("kind", KINDS)
def test_candidates_that_share_the_rest_of_a_rollout_have_their_own_luck(kind):
    unlucky = 0
    for position in flagged_positions(kind, 6, f"shared {kind}"):
        cells = position.covered.tolist()[:6]
        with_memo, without = (sample_rollouts(position, cells, size) for size in (1 << 18, 1))
        for found, expected in zip(with_memo, without, strict=True):
            assert found == pytest.approx(expected, abs=1e-9)
        unlucky += np.count_nonzero(without[1])
    assert unlucky


@pytest.mark.parametrize("inner", ["thoughtful", "shrewd"])
def test_guesses_of_the_memo_are_those_of_the_inner_player(inner):
    for position in flagged_positions("square", 3, f"guesses {inner}"):
        settings = {"inner": inner, "inner_end_game": 0, "end_game": 0, "thin_end_game": 0.0}
        large, tiny = (start_rollouts(position, size, **settings) for size in (1 << 18, 1))
        for cell in position.covered.tolist():
            expected = means_over_all_solutions(tiny, position, cell)
            assert means_over_all_solutions(large, position, cell) == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_memo_does_not_change_the_value_of_a_rollout(kind):
    for position in flagged_positions(kind, 3, f"memo {kind}"):
        large, tiny = (start_rollouts(position, size, inner_end_game=2) for size in (1 << 18, 1))
        for cell in position.covered.tolist():
            expected = means_over_all_solutions(large, position, cell)
            assert means_over_all_solutions(tiny, position, cell) == pytest.approx(expected)
