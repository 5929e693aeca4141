"""Roll-outs against the exact value of their inner player, and samples against the solutions."""

import numpy as np
import pytest

from sapper.board.position import FLAG
from sapper.kernels import view
from sapper.kernels.codes import OK
from sapper.kernels.games import rollouts as kernel
from sapper.players.patient import PatientSettings, make_rollout_state
from tests.oracle.naive_endgame import solutions
from tests.oracle.naive_rollouts import worth
from tests.oracle.test_thoughtful import stuck_positions
from tests.random_positions import KINDS


def with_known_mines(position):
    """Flag the certain mines, as a player does before it guesses."""
    left = solutions(position)
    covered = [c for c in position.board.cells if position.marks[c] < 0]
    return position.with_marks({c: FLAG for c in covered if all(c in mines for mines in left)})


def mean_over_all_solutions(rollout, position, cell):
    """The mean value of a cell when every solution is a sample once."""
    left = solutions(position.without_flags())
    total = 0.0
    for mines in left:
        row = np.zeros(len(position.board), dtype=np.uint8)
        row[list(mines)] = 1
        assert kernel.run_solution(rollout, view(row), cell) == OK
        assert bool(rollout.hit) == (cell in mines)
        total += rollout.value
    return total / len(left)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("few", "luck"), [(0, 0.0), (0, 0.7), (3, 0.7), (2048, 0.4)])
def test_over_all_solutions_roll_outs_have_the_exact_value_of_the_inner_player(kind, few, luck):
    compared = 0
    for position in stuck_positions(kind, 4, f"rollouts {kind}"):
        position = with_known_mines(position)
        rollout = make_rollout_state(
            position.board, PatientSettings(inner="careful", inner_end_game=few, worth=luck)
        )
        assert kernel.run_begin(rollout, view(position.marks), position.mines, 1) == OK
        for cell in position.covered.tolist():
            expected = worth(position.without_flags(), cell, few)
            found = mean_over_all_solutions(rollout, position, cell)
            assert found == pytest.approx(float(expected), abs=1e-9), (position, cell)
            compared += 1
    assert compared > 4


@pytest.mark.parametrize("kind", KINDS)
def test_the_memo_does_not_change_the_value_of_a_roll_out(kind):
    for position in stuck_positions(kind, 3, f"memo {kind}"):
        position = with_known_mines(position)
        found = []
        for capacity in (1 << 18, 1):
            rollout = make_rollout_state(
                position.board, PatientSettings(inner="careful", inner_end_game=2)
            )
            rollout.memo_capacity = capacity
            assert kernel.run_begin(rollout, view(position.marks), position.mines, 1) == OK
            cells = position.covered.tolist()
            found.append([mean_over_all_solutions(rollout, position, cell) for cell in cells])
        assert found[0] == pytest.approx(found[1], abs=1e-12)
