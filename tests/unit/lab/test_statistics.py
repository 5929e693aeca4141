"""Statistics of paired games against slow reference implementations."""

from fractions import Fraction
from math import comb, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import NotationError
from sapper.lab.compare import (
    A_BETTER,
    B_BETTER,
    NO_DIFFERENCE,
    PAIRS_PER_LOOK,
    PairedCounts,
    Sprt,
    fitted_shares,
    log_likelihood,
    mcnemar,
    tango,
)

GRID_STEPS = 4000


def exact_mcnemar(a, b):
    n = a + b
    tail = Fraction(sum(comb(n, k) for k in range(min(a, b) + 1)), 2**n)
    return min(Fraction(1), 2 * tail)


def log_likelihood_of_shares(a, b, n, first, d):
    counts, shares = (a, b, n - a - b), (first, first + d, 1 - 2 * first - d)
    if any(count and share <= 0 for count, share in zip(counts, shares, strict=True)):
        return -inf
    return sum(c * log(s) for c, s in zip(counts, shares, strict=True) if c)


def largest_on_a_grid(a, b, n, d):
    """Return the largest log-likelihood over a grid of the shares that have a gain of d."""
    low, high = max(0.0, -d), (1 - d) / 2
    return max(
        log_likelihood_of_shares(a, b, n, low + (high - low) * i / GRID_STEPS, d)
        for i in range(GRID_STEPS + 1)
    )


@given(st.integers(0, 80), st.integers(0, 80))
def test_mcnemar_agrees_with_exact_fractions(a, b):
    assert mcnemar(a, b) == pytest.approx(float(exact_mcnemar(a, b)), rel=1e-9)
    assert mcnemar(a, b) == mcnemar(b, a)


def test_mcnemar_is_accurate_for_a_million_pairs():
    assert mcnemar(500_000, 500_000) == 1.0
    # With such large counts the normal approximation holds: 2 standard errors.
    assert mcnemar(499_000, 501_000) == pytest.approx(0.0455, abs=0.0003)
    assert mcnemar(0, 1_000_000) == 0.0


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 30), st.floats(-0.95, 0.95))
def test_fitted_shares_maximise_the_likelihood(a, b, same, d):
    n = a + b + same
    first, second = fitted_shares(a, b, n, d)
    assert second - first == pytest.approx(d)
    assert first >= 0 and second >= -1e-12 and first + second <= 1 + 1e-12
    found = log_likelihood(PairedCounts(same, a, b, 0), d)
    assert found >= largest_on_a_grid(a, b, n, d) - 1e-6


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 60))
def test_interval_contains_the_gain_and_is_symmetric(a, b, same):
    pairs, mirror = PairedCounts(same, a, b, 0), PairedCounts(0, b, a, same)
    if not pairs.games:
        assert pairs.interval == (-1.0, 1.0)
        return
    low, high = pairs.interval
    assert -1 <= low <= pairs.gain <= high <= 1
    assert mirror.interval == pytest.approx((-high, -low))


def test_score_at_the_ends_of_the_interval_is_the_normal_quantile():
    a, b, n = 7, 19, 120
    low, high = tango(a, b, n)
    for end, z in ((low, 1.959964), (high, -1.959964)):
        shares = np.linspace(max(0.0, -end), (1 - end) / 2, 200_001)
        first = max(shares, key=lambda share: log_likelihood_of_shares(a, b, n, share, end))
        score = (b - a - n * end) / sqrt(n * (2 * first + end - end * end))
        assert score == pytest.approx(z, abs=1e-3)


@pytest.mark.parametrize(("only_a", "only_b"), [(0.05, 0.05), (0.02, 0.06), (0.3, 0.2), (0.0, 0.1)])
def test_interval_has_95_percent_coverage(only_a, only_b):
    rng = np.random.default_rng(7)
    trials, games = 2000, 300
    draws = rng.multinomial(games, [only_a, only_b, 1 - only_a - only_b], size=trials)
    intervals = [tango(int(a), int(b), games) for a, b, _ in draws]
    contained = sum(low <= only_b - only_a <= high for low, high in intervals)
    assert 0.93 <= contained / trials <= 0.98


def test_paired_counts_are_added():
    total = PairedCounts(1, 2, 3, 4) + PairedCounts(10, 20, 30, 40)
    assert total == PairedCounts(11, 22, 33, 44)
    assert total.games == 110 and total.gain == 11 / 110


# The sequential test.


def simulate(test, gain, discordant, rng):
    """Simulate two players with a known gain until the test decides; return decision and pairs.

    *discordant* is the share of the layouts that only one of them wins.
    """
    same = (1 - discordant) / 2
    shares = [same, (discordant - gain) / 2, (discordant + gain) / 2, same]
    pairs = PairedCounts()
    while (decision := test.decide(pairs)) is None:
        pairs += PairedCounts(*map(int, rng.multinomial(PAIRS_PER_LOOK, shares)))
    return decision, pairs


@pytest.mark.parametrize(("points", "discordant"), [(1.0, 0.1), (2.0, 0.3), (5.0, 0.08)])
def test_sprt_keeps_its_error_rate_and_saves_games(points, discordant):
    rng = np.random.default_rng(2026)
    test = Sprt(points)
    truths = [(0.0, NO_DIFFERENCE), (points / 100, B_BETTER), (-points / 100, A_BETTER)]
    correct, played, fixed = 0, 0, 0
    for i in range(200):
        gain, truth = truths[i % 3]
        decision, pairs = simulate(test, gain, discordant, rng)
        correct += decision == truth
        played += pairs.games
        fixed += test.fixed_size(pairs)
    assert correct >= 182, f"{correct} of 200 decisions are correct"
    assert played < 0.95 * fixed


def test_sprt_splits_the_error_rate_between_its_two_tests():
    decisions = set()
    for won in range(20, 80):
        pairs = PairedCounts(both=500, only_a=20, only_b=won, neither=400)
        log_ratio = log_likelihood(pairs, 0.02) - log_likelihood(pairs, 0.0)
        better = Sprt(2.0).decide(pairs) == B_BETTER
        assert better == (log_ratio >= log(0.95 / 0.025))
        decisions.add(better)
    assert decisions == {True, False}


def test_sprt_decides_no_difference_for_players_that_always_agree():
    assert Sprt(1.0).decide(PairedCounts(both=1000, neither=1000)) == NO_DIFFERENCE
    assert Sprt(1.0).decide(PairedCounts(both=10, neither=10)) is None


@pytest.mark.parametrize("points", [0, -1, 100, float("nan")])
def test_sprt_refuses_points_out_of_range(points):
    with pytest.raises(NotationError, match="expected points above 0"):
        Sprt(points)
