"""What `shrewd` makes of its voices, against the definitions of each of them."""

import numpy as np
import pytest

from sapper.infer.budget import Budget
from sapper.kernels.codes import SCALARS
from sapper.kernels.play.guessing import REASONS
from sapper.kernels.play.learned import value_of
from sapper.play.learned.memory import choose, make_learner
from sapper.play.learned.patches import patch_table
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import random_weights
from sapper.play.shrewd.memory import judge, make_shrewd
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.play.thoughtful.memory import make_thought, think
from tests.oracle.naive_learned import value
from tests.oracle.naive_thoughtful import NaiveThought
from tests.oracle.test_thoughtful import stuck_frames

FIRST = random_weights("square", 81, 6, 4, seed=1)
SECOND = random_weights("square", 81, 5, 3, seed=2, scalars=23)
NOTHING_EXACT = {"end_game": 0, "thin_end_game": 0.0, "apart": False, "coin_tosses": False}


class NaiveShrewd:
    """The worth of every kept cell of a frame, voice by voice; `thoughtful` has twins elsewhere."""

    def __init__(self, frame, settings, second):
        self.settings, self.second = settings, second
        self.naive = NaiveThought(frame, settings)
        self.thought = make_thought(frame.board, settings)
        assert think(self.thought, frame.marks, frame.mines, False, Budget().start()) == 0
        self.learner = make_learner(frame.board, FIRST, LearnedSettings(end_game=0))
        assert choose(self.learner, frame.marks, frame.mines, False, Budget().start()) == 0
        looks = self.learner.looks
        self.cells = [int(looks.candidate[i]) for i in range(looks.count)]
        self.values = {c: float(self.learner.value[i]) for i, c in enumerate(self.cells)}
        self.table = patch_table(frame.board)

    @property
    def decides(self):
        """Whether two moves ahead had several cells to weigh."""
        return REASONS[self.thought.reason] in ("two moves ahead", "safer now")

    def kept(self):
        t, s = self.thought, self.settings
        weighed = [int(t.candidate[i]) for i in range(t.candidates)]
        weighed = [c for c in weighed if t.score[c] >= 0 and c != t.chosen]
        ahead = sorted(weighed, key=lambda c: -t.score[c])[: s.keep_ahead]
        best = sorted(self.cells, key=lambda c: -self.values[c])[: s.keep]
        return list(dict.fromkeys([int(t.chosen), *ahead, *best]))

    def worth(self, cell):
        s, influence = self.settings, self.naive.influence(cell)
        follow = following = sure = 0.0
        for v in range(len(self.naive.near[cell]) + 1):
            chance, best, second, certain = self.naive.look_ahead(cell, v)
            follow += chance * (s.blend * best + (1 - s.blend) * second)
            following += chance * second
            sure += chance * certain
        first = s.first_weight + (0.0 if self.second else s.second_weight)
        total = first * value_of(self.learner, cell)
        total += s.ahead * following + s.influence * influence
        if self.second:
            looks = self.learner.looks
            scalars = [int(looks.scalar[looks.most * SCALARS + k]) for k in range(20)]
            scalars += [int(4096 * x + 0.5) for x in (influence, follow, sure)]
            codes = [0 if c < 0 else looks.plane[c] for c in self.table[cell]]
            total += s.second_weight * float(value(SECOND, codes, scalars))
        return total + (s.margin if cell == self.thought.chosen else 0.0)


@pytest.mark.plain
@pytest.mark.parametrize("second", [False, True])
def test_cells_are_worth_what_their_voices_say(second):
    settings = ShrewdSettings(
        **NOTHING_EXACT,
        keep=3,
        keep_ahead=1,
        images=1,
        ahead=0.7,
        influence=0.4,
        second_weight=0.1,
        first_weight=0.1,
        margin=0.02,
    )
    changed = decided = 0
    for frame in stuck_frames("square", 10, "shrewd"):
        shrewd = make_shrewd(frame.board, settings, FIRST, SECOND if second else None)
        assert judge(shrewd, frame.marks, frame.mines, False, Budget().start()) == 0
        naive, t = NaiveShrewd(frame, settings, second), shrewd.t
        if not naive.decides:
            assert t.chosen == naive.thought.chosen
            continue
        kept = naive.kept()
        worth = {cell: naive.worth(cell) for cell in kept}
        best = max(worth.values())
        assert worth[int(t.chosen)] == pytest.approx(best, abs=1e-3)
        for cell in kept:
            # Scalars are rounded to 4096ths, and a sum may fall on either side.
            lost = max(0.0, 1.0 + worth[cell] - best)
            assert t.score[cell] == pytest.approx(lost, abs=2e-3), (frame, cell)
        others = set(naive.cells) - set(kept)
        assert all(t.score[cell] == -1.0 for cell in others)
        assert [int(t.candidate[i]) for i in range(len(kept))] == kept
        assert t.candidates == len(kept) + len(others)
        decided += 1
        changed += int(t.chosen) != naive.thought.chosen
    assert decided > changed > 0


def test_without_weights_of_its_own_it_is_the_first_network():
    settings = ShrewdSettings(**NOTHING_EXACT, ahead=0.0, influence=0.0, margin=0.0)
    same = 0
    for frame in stuck_frames("square", 8, "first"):
        shrewd = make_shrewd(frame.board, settings, FIRST)
        assert judge(shrewd, frame.marks, frame.mines, False, Budget().start()) == 0
        naive = NaiveShrewd(frame, settings, False)
        if naive.decides:
            kept = naive.kept()
            values = {cell: value_of(naive.learner, cell) for cell in kept}
            assert values[int(shrewd.t.chosen)] == max(values.values())
            same += shrewd.t.chosen == naive.learner.t.chosen
        assert not np.isnan(np.asarray(shrewd.t.score)[: len(frame.board)]).any()
    assert same > 0
