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
    state = make_rollout_state(position.board, PatientSettings(inner="careful", **settings))
    if memo_capacity is not None:
        state.memo_capacity = memo_capacity
    assert kernel.run_begin(state, view(position.marks), position.mines, 1) == OK
    return state


def mean_over_all_solutions(rollouts, position, cell):
    """Return the mean value of a cell when every solution is a sample once."""
    values = []
    for mines in counted_solutions(position):
        row = np.zeros(len(position.board), dtype=np.uint8)
        row[list(mines)] = 1
        assert kernel.run_solution(rollouts, view(row), cell) == OK
        assert bool(rollouts.hit) == (cell in mines)
        values.append(rollouts.value)
    return np.mean(values)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("end_game", "worth"), [(0, 0.0), (0, 0.7), (3, 0.7), (2048, 0.4)])
def test_over_all_solutions_rollouts_have_the_exact_value_of_the_inner_player(
    kind, end_game, worth
):
    compared = 0
    for position in flagged_positions(kind, 4, f"rollouts {kind}"):
        rollouts = start_rollouts(position, inner_end_game=end_game, worth=worth)
        for cell in position.covered.tolist():
            expected = float(rollout_value(position.without_flags(), cell, end_game))
            found = mean_over_all_solutions(rollouts, position, cell)
            assert found == pytest.approx(expected, abs=1e-9), (position, cell)
            compared += 1
    assert compared > 4


@pytest.mark.parametrize("kind", KINDS)
def test_memo_does_not_change_the_value_of_a_rollout(kind):
    for position in flagged_positions(kind, 3, f"memo {kind}"):
        large, tiny = (start_rollouts(position, size, inner_end_game=2) for size in (1 << 18, 1))
        for cell in position.covered.tolist():
            expected = mean_over_all_solutions(large, position, cell)
            assert mean_over_all_solutions(tiny, position, cell) == pytest.approx(expected)
