"""Roll-outs against the exact value of their inner player, and samples against the placements."""

import numpy as np
import pytest

from sapper.kernels import view
from sapper.kernels.codes import OK
from sapper.kernels.play import rollouts as kernel
from sapper.model.frame import FLAG
from sapper.play.patient.memory import make_rollout
from sapper.play.patient.settings import PatientSettings
from tests.frames import KINDS
from tests.oracle.naive_endgame import placements
from tests.oracle.naive_rollouts import worth
from tests.oracle.test_thoughtful import stuck_frames


def with_known_mines(frame):
    """A player knows the certain mines when it guesses."""
    left = placements(frame)
    blanks = [c for c in frame.board.cells if frame.marks[c] < 0]
    return frame.with_marks({c: FLAG for c in blanks if all(c in mines for mines in left)})


def mean_over_all_placements(rollout, frame, cell):
    """The mean value of a cell when every placement is a sample once."""
    left = placements(frame.without_flags())
    total = 0.0
    for mines in left:
        row = np.zeros(len(frame.board), dtype=np.uint8)
        row[list(mines)] = 1
        assert kernel.run_placement(rollout, view(row), cell) == OK
        assert bool(rollout.hit) == (cell in mines)
        total += rollout.value
    return total / len(left)


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("few", "luck"), [(0, 0.0), (0, 0.7), (3, 0.7), (2048, 0.4)])
def test_over_all_placements_roll_outs_have_the_exact_value_of_the_inner_player(kind, few, luck):
    compared = 0
    for frame in stuck_frames(kind, 4, f"rollouts {kind}"):
        frame = with_known_mines(frame)
        rollout = make_rollout(
            frame.board, PatientSettings(inner="careful", inner_end_game=few, worth=luck)
        )
        assert kernel.run_begin(rollout, view(frame.marks), frame.mines, 1) == OK
        for cell in frame.blanks.tolist():
            expected = worth(frame.without_flags(), cell, few)
            found = mean_over_all_placements(rollout, frame, cell)
            assert found == pytest.approx(float(expected), abs=1e-9), (frame, cell)
            compared += 1
    assert compared > 4


@pytest.mark.parametrize("kind", KINDS)
def test_a_roll_out_that_remembers_is_worth_the_same(kind):
    for frame in stuck_frames(kind, 3, f"memo {kind}"):
        frame = with_known_mines(frame)
        found = []
        for room in (1 << 18, 1):
            rollout = make_rollout(frame.board, PatientSettings(inner="careful", inner_end_game=2))
            rollout.memo_room = room
            assert kernel.run_begin(rollout, view(frame.marks), frame.mines, 1) == OK
            cells = frame.blanks.tolist()
            found.append([mean_over_all_placements(rollout, frame, cell) for cell in cells])
        assert found[0] == pytest.approx(found[1], abs=1e-12)
