"""What `thoughtful` weighs, against its definition over lists of placements."""

import random

import numpy as np
import pytest

from sapper.infer.budget import Budget
from sapper.kernels.play.guessing import REASONS
from sapper.play.thoughtful.memory import make_thought, think
from sapper.play.thoughtful.settings import ThoughtfulSettings
from tests.frames import KINDS, random_frame
from tests.oracle.naive_endgame import placements
from tests.oracle.naive_thoughtful import NaiveThought

# No end game, no coin tosses, every candidate: what is compared is the weighing.
OPEN = ThoughtfulSettings(
    end_game=0, thin_end_game=0.0, apart=False, coin_tosses=False, small_region=0
)


def stuck_frames(kind, count, seed):
    """Frames in which nothing is certain to be free."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        frame = random_frame(kind, rng, 10)
        if frame.mines is None or (frame.marks < 0).sum() > 13:
            continue
        frame = frame.without_flags()
        left = placements(frame)
        blanks = [c for c in frame.board.cells if frame.marks[c] < 0]
        if len(left) > 1 and all(any(c in mines for mines in left) for c in blanks):
            found.append(frame)
    return found


def compare(frame):
    thought = make_thought(frame.board, OPEN)
    assert think(thought, frame.marks, frame.mines, False, Budget().start()) == 0
    naive = NaiveThought(frame, OPEN)
    influence = np.asarray(thought.influence)
    for cell in naive.unsure:
        assert influence[cell] == pytest.approx(naive.influence(cell), abs=1e-9), frame
    best = 0.0
    for i in range(thought.candidates):
        cell = int(thought.candidate[i])
        score = naive.score(cell)
        best = max(best, score)
        if thought.score[cell] >= 0:
            assert thought.score[cell] == pytest.approx(score, abs=1e-9), (frame, cell)
    if REASONS[thought.reason] == "two moves ahead":
        assert naive.score(int(thought.chosen)) == pytest.approx(best, abs=1e-9), frame
    return thought.candidates


@pytest.mark.parametrize("kind", KINDS)
def test_influences_and_scores_are_those_of_the_definition(kind):
    assert sum(compare(frame) for frame in stuck_frames(kind, 25, f"thoughtful {kind}")) > 10


@pytest.mark.plain
def test_a_few_frames_as_plain_python():
    assert sum(compare(frame) for frame in stuck_frames("square", 3, "plain thoughtful")) > 0
