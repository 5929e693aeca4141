"""The influences and scores of `thoughtful` against their definitions over all solutions."""

import numpy as np
import pytest

from sapper import Budget
from sapper.kernels.codes import BEST_SCORE
from sapper.players.player import run_guesser
from sapper.players.thoughtful import ThoughtfulSettings, explain_choice, make_thoughtful_state
from tests.oracle.naive_thoughtful import NaiveThoughtful
from tests.random_positions import KINDS, positions_without_safe_cells
from tests.sampling import cases

# No end game, no forced guesses, every candidate: only the scores are compared.
SCORES_ONLY = ThoughtfulSettings(
    end_game=0, thin_end_game=0.0, apart=False, coin_tosses=False, small_region=0
)


def compare(position):
    """Compare a choice with the reference; return the number of candidates."""
    state, limit = make_thoughtful_state(position.board, SCORES_ONLY), Budget().start()
    assert run_guesser(state, position.marks, position.mines, False, limit) == 0
    naive = NaiveThoughtful(position, SCORES_ONLY)
    influence = np.asarray(state.influence)
    for cell in naive.uncertain:
        assert influence[cell] == pytest.approx(naive.influence(cell), abs=1e-9), position
    best = 0.0
    for i in range(state.candidates):
        cell = int(state.candidate[i])
        score = naive.score(cell)
        best = max(best, score)
        if state.score[cell] >= 0:
            assert state.score[cell] == pytest.approx(score, abs=1e-9), (position, cell)
    if state.reason == BEST_SCORE:
        assert naive.score(int(state.chosen)) == pytest.approx(best, abs=1e-9), position
    for candidate in explain_choice(position, state, limit).candidates:
        assert candidate.influence == influence[candidate.cell], position
        assert candidate.score in (None, state.score[candidate.cell]), position
    return state.candidates


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_influences_and_scores_are_those_of_the_definition(kind):
    count = cases(25, plain=5)
    positions = positions_without_safe_cells(kind, count, f"thoughtful {kind}")
    assert sum(map(compare, positions)) > 0.2 * count
