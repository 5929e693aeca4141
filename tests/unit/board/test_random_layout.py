from itertools import product

import numpy as np
import pytest
from tests.error_messages import assert_refused
from tests.oracle import naive

from sapper import TILINGS, Game, Position, Rules, RulesError, advise, generate, sample
from sapper.board.random_layout import random_layout
from sapper.board.random_stream import RandomStream
from sapper.board.rules import RULES
from sapper.kernels import view
from sapper.kernels.board import next_random, random_below, seed_state

pytestmark = pytest.mark.plain

# The published first outputs of SplitMix64 from seed 1234567 (Rosetta Code's test case).
SPLITMIX = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)


def test_generator_is_xoshiro256_starstar_seeded_by_splitmix64():
    state = np.empty(4, dtype=np.uint64)
    seed_state(1234567, view(state))
    assert tuple(map(int, state)) == SPLITMIX
    # The reference implementation's first outputs from the state 1, 2, 3, 4.
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    words = [int(next_random(view(state))) for _ in range(5)]
    assert words == [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360]


def test_numbers_below_a_bound_equal_the_reference():
    for bound in (1, 2, 3, 7, 480, 2**31 + 1, 2**32 - 1):
        state = np.empty(4, dtype=np.uint64)
        seed_state(bound, view(state))
        words = naive.random_words(bound)
        for _ in range(200):
            assert int(random_below(view(state), bound)) == naive.below(words, bound) < bound


@pytest.mark.parametrize("tiling", TILINGS)
def test_layouts_equal_the_reference_and_keep_the_rule(tiling):
    for rule, seed, first in product(RULES, (0, 1, 99, 2**64 - 1), (0, 14, 29)):
        rules = Rules.parse("6x5/9", tiling, rule)
        layout = random_layout(rules, seed, first)
        expected = naive.random_mines(30, set(rules.mine_free_cells(first)), 9, seed)
        assert set(layout.mine_cells.tolist()) == expected, (rule, seed, first)
        assert layout.click == (None if first in expected else first)


def test_more_mines_than_the_rule_allows_are_refused():
    for size, rule, first, most in (
        ("5x5", "zero", 0, 21),
        ("5x5", "zero", 12, 16),
        ("5x5", "safe", 12, 24),
        ("1x1", "zero", 0, 0),
    ):
        full = Rules.parse(f"{size}/{most}", rule=rule)
        assert random_layout(full, 1, first).mine_count == most
        if most < len(full.board) - 1:
            message = f"at most {most} mines .* '{rule}', got {most + 1}"
            with pytest.raises(RulesError, match=message):
                random_layout(Rules.parse(f"{size}/{most + 1}", rule=rule), 1, first)


def test_seed_out_of_range_is_refused_at_once():
    position = Position.parse("#1#", mines=1)
    cases = [(seed, f"a seed from 0 to 18446744073709551615, got {seed}") for seed in (-1, 2**64)]
    for call in (
        RandomStream,
        lambda seed: Game.new("5x5/4", seed),
        lambda seed: generate("5x5/4", seed),
        lambda seed: sample(position, 1, seed=seed),
        lambda seed: advise(position, "random", seed=seed),
    ):
        assert_refused(call, cases, RulesError)


def test_golden_layouts_never_change(golden):
    texts = []
    for size, tiling, rule in product(("9x9/10", "30x16/99", "7x6/11"), TILINGS, RULES):
        rules = Rules.parse(size, tiling, rule)
        for seed in (0, 1, 2**64 - 1):
            layout = random_layout(rules, seed, rules.board.middle)
            texts.append(f"{size} {tiling} {rule} seed {seed}\n{layout}")
    golden("layouts.txt", "\n\n".join(texts) + "\n")
