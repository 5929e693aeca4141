from itertools import combinations

import numpy as np
import pytest
from tests.oracle import naive

from sapper import Rules, RulesError, deal
from sapper.board.rules import RULES, format_size, parse_size
from sapper.board.tilings import TILINGS
from sapper.kernels import view
from sapper.kernels.board.layout import next_random, random_below, seed_state

pytestmark = pytest.mark.plain

# The published first outputs of SplitMix64 from seed 1234567 (Rosetta Code's test case).
SPLITMIX = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)


def test_the_state_is_seeded_by_splitmix64():
    state = np.empty(4, dtype=np.uint64)
    seed_state(1234567, view(state))
    assert tuple(map(int, state)) == SPLITMIX


def test_the_generator_is_xoshiro256_starstar():
    # The reference implementation's first outputs from the state 1, 2, 3, 4.
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    words = [int(next_random(view(state))) for _ in range(5)]
    assert words == [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 480, 2**31 + 1, 2**32 - 1])
def test_numbers_below_a_bound_equal_the_plain_twin(bound):
    state = np.empty(4, dtype=np.uint64)
    seed_state(bound, view(state))
    words = naive.random_words(bound)
    for _ in range(200):
        assert int(random_below(view(state), bound)) == naive.below(words, bound) < bound


@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", [0, 1, 99, 2**64 - 1])
def test_deals_equal_the_plain_twin(tiling, rule, seed):
    rules = Rules.parse("6x5/9", tiling, rule)
    for first in (0, rules.board.middle, 29):
        made = deal(rules, seed, first).layout
        expected = naive.deal(30, set(rules.mine_free_cells(first)), 9, seed)
        assert set(np.flatnonzero(made.mines).tolist()) == expected


def test_the_promise_is_kept_and_the_count_is_right():
    for rule in RULES:
        rules = Rules.parse("beginner", rule=rule)
        for seed in range(50):
            one = deal(rules, seed, "r1c1")
            assert one.layout.mine_count == 10
            assert not any(one.layout.mine_mask[c] for c in rules.mine_free_cells(0))
            assert (one.layout.click is None) == bool(one.layout.mine_mask[0])


def test_any_sometimes_hits_the_first_click():
    rules = Rules.parse("3x3/4", rule="any")
    hits = sum(int(deal(rules, seed, 0).layout.mine_mask[0]) for seed in range(900))
    assert 320 < hits < 480


@pytest.mark.parametrize("rule", RULES)
def test_deals_are_uniform_over_the_layouts_that_the_promise_allows(rule):
    rules = Rules.parse("4x2/2", rule=rule)
    first = 0
    free = set(rules.mine_free_cells(first))
    cells = [c for c in range(8) if c not in free]
    counts = dict.fromkeys(map(frozenset, combinations(cells, 2)), 0)
    games = 200 * len(counts)
    for seed in range(games):
        mines = np.flatnonzero(deal(rules, seed, first).layout.mine_mask)
        counts[frozenset(mines.tolist())] += 1
    expected = games / len(counts)
    chi_square = sum((n - expected) ** 2 / expected for n in counts.values())
    # Mean k and deviation sqrt(2k) for k degrees of freedom: six deviations never happen by chance.
    degrees = len(counts) - 1
    assert chi_square < degrees + 6 * (2 * degrees) ** 0.5


@pytest.mark.parametrize(
    ("size", "rule", "first", "message"),
    [
        ("5x5/25", "any", 0, "from 0 to 24 mines"),
        ("5x5/22", "zero", 0, "expected at most 21 mines .* 'zero', got 22"),
        ("5x5/17", "zero", None, "expected at most 16 mines"),
    ],
)
def test_more_mines_than_the_promise_allows_are_refused(size, rule, first, message):
    with pytest.raises(RulesError, match=message):
        deal(Rules.parse(size, rule=rule), 1, first)


def test_the_fullest_deals_work():
    assert deal(Rules.parse("5x5/24", rule="safe"), 1).layout.mine_count == 24
    assert deal(Rules.parse("5x5/16"), 1).layout.mine_count == 16
    assert deal(Rules.parse("1x1/0"), 1).layout.click == 0


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_are_unsigned_64_bit(seed):
    with pytest.raises(RulesError, match="expected a seed"):
        deal(Rules.parse("5x5/3"), seed)


def test_golden_deals_never_change(golden):
    texts = [
        f"{size} {tiling} {rule} seed {seed}\n{deal(Rules.parse(size, tiling, rule), seed).layout}"
        for size in ("9x9/10", "30x16/99", "7x6/11")
        for tiling in TILINGS
        for rule in RULES
        for seed in (0, 1, 2**64 - 1)
    ]
    golden("deals.txt", "\n\n".join(texts) + "\n")


@pytest.mark.parametrize(
    ("text", "size"),
    [("expert", (30, 16, 99)), ("8x8/10", (8, 8, 10)), ("3x4", (3, 4, None))],
)
def test_sizes_are_width_height_mines(text, size):
    assert parse_size(text) == size


def test_sizes_are_written_as_they_are_read():
    assert format_size(Rules.parse("expert")) == "30x16/99"
