"""The influences and scores of `thoughtful` against their definitions over all solutions."""

import random

import numpy as np
import pytest

from sapper.engine.budget import Budget
from sapper.kernels.codes import SCORE
from sapper.players.guessers import choose
from sapper.players.thoughtful import ThoughtfulSettings, make_thoughtful_state
from tests.oracle.naive_endgame import solutions
from tests.oracle.naive_thoughtful import NaiveThought
from tests.random_positions import KINDS, random_position

# No end game, no forced guesses, every candidate: only the scores are compared.
OPEN = ThoughtfulSettings(
    end_game=0, thin_end_game=0.0, apart=False, coin_tosses=False, small_region=0
)


def stuck_positions(kind, count, seed):
    """Return positions in which no cell is certainly safe."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = random_position(kind, rng, 10)
        if position.mines is None or (position.marks < 0).sum() > 13:
            continue
        position = position.without_flags()
        left = solutions(position)
        covered = [c for c in position.board.cells if position.marks[c] < 0]
        if len(left) > 1 and all(any(c in mines for mines in left) for c in covered):
            found.append(position)
    return found


def compare(position):
    state = make_thoughtful_state(position.board, OPEN)
    assert choose(state, position.marks, position.mines, False, Budget().start()) == 0
    naive = NaiveThought(position, OPEN)
    influence = np.asarray(state.influence)
    for cell in naive.unsure:
        assert influence[cell] == pytest.approx(naive.influence(cell), abs=1e-9), position
    best = 0.0
    for i in range(state.candidates):
        cell = int(state.candidate[i])
        score = naive.score(cell)
        best = max(best, score)
        if state.score[cell] >= 0:
            assert state.score[cell] == pytest.approx(score, abs=1e-9), (position, cell)
    if state.reason == SCORE:
        assert naive.score(int(state.chosen)) == pytest.approx(best, abs=1e-9), position
    return state.candidates


@pytest.mark.parametrize("kind", KINDS)
def test_influences_and_scores_are_those_of_the_definition(kind):
    assert (
        sum(compare(position) for position in stuck_positions(kind, 25, f"thoughtful {kind}")) > 10
    )


@pytest.mark.plain
def test_a_few_positions_as_plain_python():
    assert (
        sum(compare(position) for position in stuck_positions("square", 3, "plain thoughtful")) > 0
    )
