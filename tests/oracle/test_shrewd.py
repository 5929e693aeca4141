"""What `shrewd` makes of its voices, against the definitions of each of them."""

import numpy as np
import pytest

from sapper.infer.budget import Budget
from sapper.kernels.play.features import ROW
from sapper.play.learned.memory import choose, make_learner
from sapper.play.learned.patches import patch_table
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import random_weights
from sapper.play.shrewd.memory import judge, make_shrewd
from sapper.play.shrewd.settings import ShrewdSettings
from tests.oracle.naive_learned import value
from tests.oracle.naive_thoughtful import NaiveThought
from tests.oracle.test_thoughtful import stuck_frames

FIRST = random_weights("square", 81, 6, 4, seed=1)
SECOND = random_weights("square", 81, 5, 3, seed=2, scalars=23)
NOTHING_EXACT = {"end_game": 0, "thin_end_game": 0.0, "apart": False, "coin_tosses": False}


class NaiveShrewd:
    """The worth of every candidate of a frame, voice by voice."""

    def __init__(self, frame, settings, second):
        self.settings, self.second = settings, second
        self.thought = NaiveThought(frame, settings)
        self.learner = make_learner(frame.board, FIRST, LearnedSettings(end_game=0))
        assert choose(self.learner, frame.marks, frame.mines, False, Budget().start()) == 0
        looks = self.learner.looks
        self.cells = [int(looks.candidate[i]) for i in range(looks.count)]
        self.values = {c: float(self.learner.value[i]) for i, c in enumerate(self.cells)}
        self.table = patch_table(frame.board)

    def kept(self):
        return sorted(self.cells, key=lambda c: -self.values[c])[: self.settings.keep]

    def worth(self, cell):
        s, influence = self.settings, self.thought.influence(cell)
        ahead = sure = 0.0
        for v in range(len(self.thought.near[cell]) + 1):
            chance, best, second, certain = self.thought.look_ahead(cell, v)
            ahead += chance * (s.blend * best + (1 - s.blend) * second)
            sure += chance * certain
        first = s.first_weight + (0.0 if self.second else s.second_weight)
        total = first * self.values[cell] + s.ahead * ahead + s.influence * influence
        if self.second:
            looks, at = self.learner.looks, self.cells.index(cell) * ROW
            scalars = [int(looks.scalar[at + k]) for k in range(20)]
            scalars += [int(4096 * x + 0.5) for x in (influence, ahead, sure)]
            codes = [0 if c < 0 else looks.plane[c] for c in self.table[cell]]
            total += s.second_weight * float(value(SECOND, codes, scalars))
        return total


@pytest.mark.plain
@pytest.mark.parametrize("second", [False, True])
def test_candidates_are_worth_what_their_voices_say(second):
    settings = ShrewdSettings(
        **NOTHING_EXACT,
        keep=3,
        images=1,
        ahead=0.7,
        influence=0.4,
        second_weight=0.1,
        first_weight=0.1,
    )
    changed = 0
    for frame in stuck_frames("square", 8, "shrewd"):
        shrewd = make_shrewd(frame.board, settings, FIRST, SECOND if second else None)
        assert judge(shrewd, frame.marks, frame.mines, False, Budget().start()) == 0
        naive = NaiveShrewd(frame, settings, second)
        kept = naive.kept()
        worth = {cell: naive.worth(cell) for cell in kept}
        best = max(worth.values())
        t = shrewd.t
        assert worth[int(t.chosen)] == pytest.approx(best, abs=1e-3)
        for cell in kept:
            # Scalars are rounded to 4096ths, and a sum may fall on either side.
            lost = max(0.0, 1.0 + worth[cell] - best)
            assert t.score[cell] == pytest.approx(lost, abs=2e-3), (frame, cell)
        others = set(naive.cells) - set(kept)
        assert all(t.score[cell] == -1.0 for cell in others)
        assert [int(t.candidate[i]) for i in range(len(kept))] == kept
        changed += int(t.chosen) != kept[0]
    assert changed > 0


def test_without_weights_of_its_own_it_is_the_first_network():
    settings = ShrewdSettings(**NOTHING_EXACT, ahead=0.0, influence=0.0)
    for frame in stuck_frames("square", 8, "first"):
        shrewd = make_shrewd(frame.board, settings, FIRST)
        assert judge(shrewd, frame.marks, frame.mines, False, Budget().start()) == 0
        learner = make_learner(frame.board, FIRST, LearnedSettings(end_game=0))
        assert choose(learner, frame.marks, frame.mines, False, Budget().start()) == 0
        assert shrewd.t.chosen == learner.t.chosen
        assert not np.isnan(np.asarray(shrewd.t.score)[: len(frame.board)]).any()
