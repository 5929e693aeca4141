"""The score of `shrewd` against the definitions of its terms."""

import pytest
from training.weights import random_weights

from sapper import Budget
from sapper.kernels.codes import BEST_SCORE, SAFER_NOW, SCALARS
from sapper.kernels.players.learned import value_of
from sapper.players.learned import LearnedSettings, make_learned_state
from sapper.players.networks import patch_table
from sapper.players.player import run_guesser
from sapper.players.shrewd import ShrewdSettings, make_shrewd_state
from sapper.players.thoughtful import make_thoughtful_state
from tests.oracle.naive_learned import value
from tests.oracle.naive_thoughtful import NaiveThoughtful
from tests.random_positions import positions_without_safe_cells

FIRST = random_weights("square", 81, 6, 4, seed=1)
SECOND = random_weights("square", 81, 5, 3, seed=2, scalars=23)
NO_EXACT_VALUES = {"end_game": 0, "thin_end_game": 0.0, "apart": False, "coin_tosses": False}


def choose_cell(state, position):
    """Return the cell that a player chooses."""
    assert run_guesser(state, position.marks, position.mines, False, Budget().start()) == 0
    return int(state.chosen)


class NaiveShrewd:
    """The terms of the score of every kept cell; `thoughtful` has its own reference."""

    def __init__(self, position, settings, second):
        self.settings, self.second = settings, second
        self.naive = NaiveThoughtful(position, settings)
        self.thoughtful = make_thoughtful_state(position.board, settings)
        self.learned = make_learned_state(position.board, FIRST, LearnedSettings(end_game=0))
        choose_cell(self.thoughtful, position)
        choose_cell(self.learned, position)
        features = self.learned.values.features
        self.cells = [int(features.candidate[i]) for i in range(features.count)]
        self.values = {c: float(self.learned.values.value[i]) for i, c in enumerate(self.cells)}
        self.table = patch_table(position.board)

    @property
    def decides(self):
        """Whether the two-move search compared several cells."""
        return self.thoughtful.reason in (BEST_SCORE, SAFER_NOW)

    def kept(self):
        """Return the cells that the networks compare, the choice of `thoughtful` first."""
        t, s = self.thoughtful, self.settings
        candidates = [int(t.candidate[i]) for i in range(t.candidates)]
        scored = [c for c in candidates if t.score[c] >= 0 and c != t.chosen]
        ahead = sorted(scored, key=lambda c: -round(t.score[c] * 2**20))[: s.keep_ahead]
        best = sorted(self.cells, key=lambda c: -self.values[c])[: s.keep]
        return list(dict.fromkeys([int(t.chosen), *ahead, *best]))

    def score(self, cell):
        s, influence = self.settings, self.naive.influence(cell)
        expected_safety = expected_second = certain_next = 0.0
        for v in range(len(self.naive.near[cell]) + 1):
            chance, best, second, certain = self.naive.look_ahead(cell, v)
            expected_safety += chance * (s.blend * best + (1 - s.blend) * second)
            expected_second += chance * second
            certain_next += chance * certain
        first = s.first_weight + (0.0 if self.second else s.second_weight)
        total = first * value_of(self.learned.values, cell)
        total += s.ahead * expected_second + s.influence * influence
        if self.second:
            features = self.learned.values.features
            scalars = [
                int(features.scalar[features.max_candidates * SCALARS + k]) for k in range(20)
            ]
            scalars += [int(4096 * x + 0.5) for x in (influence, expected_safety, certain_next)]
            codes = [0 if c < 0 else features.cell_code[c] for c in self.table[cell]]
            total += s.second_weight * float(value(SECOND, codes, scalars))
        return total + (s.margin if cell == self.thoughtful.chosen else 0.0)


@pytest.mark.plain
@pytest.mark.parametrize("second", [False, True])
def test_scores_are_the_sums_of_their_terms(second):
    weights = {"ahead": 0.7, "influence": 0.4, "second_weight": 0.1, "first_weight": 0.1}
    settings = ShrewdSettings(
        **NO_EXACT_VALUES, **weights, keep=3, keep_ahead=1, images=1, margin=0.02
    )
    changed = decided = 0
    for position in positions_without_safe_cells("square", 10, "shrewd"):
        state = make_shrewd_state(position.board, settings, FIRST, SECOND if second else None)
        chosen, naive = choose_cell(state, position), NaiveShrewd(position, settings, second)
        if not naive.decides:
            assert chosen == naive.thoughtful.chosen
            continue
        kept = naive.kept()
        scores = {cell: naive.score(cell) for cell in kept}
        best = max(scores.values())
        assert scores[chosen] == pytest.approx(best, abs=1e-3)
        for cell in kept:
            # Scalars are rounded to 4096ths, and a sum may fall on either side.
            expected = max(0.0, 1.0 + scores[cell] - best)
            assert state.score[cell] == pytest.approx(expected, abs=2e-3), (position, cell)
        others = set(naive.cells) - set(kept)
        assert all(state.score[cell] == -1.0 for cell in others)
        assert [int(state.candidate[i]) for i in range(len(kept))] == kept
        assert state.candidates == len(kept) + len(others)
        decided += 1
        changed += chosen != naive.thoughtful.chosen
    assert decided > changed > 0
