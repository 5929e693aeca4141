"""Paired comparison of two campaigns on the same layouts, also as a sequential test.

Both players play the same layouts, so a layout that both win or both lose carries no information.
(scipy would replace only `mcnemar`; Tango's interval and the sequential test are not in it.)

a, b     in the functions below: the layouts that only the first, only the second player won
n        the number of layouts
d        the gain: the win rate of the second player minus that of the first
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from math import ceil, exp, inf, lgamma, log, sqrt
from operator import add
from statistics import NormalDist

from sapper.errors import NotationError
from sapper.games.batch import Bools
from sapper.games.campaign import Campaign
from sapper.games.play_many import Z_95
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import WorkerPool
from sapper.lab.shards import common_ranges, won_games

BISECTIONS = 60
"""Enough to find a bound in an interval of length 2 to the last bit."""

B_BETTER = "b is better"
A_BETTER = "a is better"
NO_DIFFERENCE = "no difference"

PAIRS_PER_LOOK = 64
"""The pairs between two looks of a sequential test. They are taken in the order of their seeds, so
that the decision does not depend on the order in which the games were played."""
FIRST_ROUND = 16 * PAIRS_PER_LOOK
"""Pairs to play in the first round of a sequential test. Later rounds play a quarter of the pairs
so far, which limits the pairs that are played after the decision."""


@dataclass(frozen=True)
class CampaignResults:
    """A campaign with the file that contains its results."""

    results: ResultFile
    campaign: Campaign

    @classmethod
    def of(cls, results: ResultFile) -> CampaignResults:
        """Return the only campaign of a file."""
        return cls(results, results.only_campaign())

    @property
    def stored_seeds(self) -> list[range]:
        """The seeds whose games the file contains."""
        return self.results.stored_seeds(self.campaign)

    def won(self, seeds: range) -> Bools:
        """Return whether each game of these seeds was won; all of them must be stored."""
        return won_games(self.results.shards(self.campaign, seeds))


@dataclass(frozen=True)
class PairedCounts:
    """The number of layouts that both players, one of them or neither won."""

    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0

    def __add__(self, other: PairedCounts) -> PairedCounts:
        return PairedCounts(*map(add, astuple(self), astuple(other)))

    @property
    def games(self) -> int:
        """The number of layouts that both have played."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def gain(self) -> float:
        """The win rate of the second player minus that of the first; nan without games."""
        return (self.only_b - self.only_a) / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Tango's 95% interval of the gain."""
        return tango(self.only_a, self.only_b, self.games)

    @property
    def p_value(self) -> float:
        """The two-sided p-value of the exact McNemar test that the players are equal."""
        return mcnemar(self.only_a, self.only_b)


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test for a gain of *points* percentage points, in either direction.

    Two tests run on the same pairs: whether the second player gains that much rather than
    nothing, and whether the first one does. Each compares the maximum likelihoods of its two
    hypotheses. Without a difference, or with one of that size, *error* bounds the error rate.
    """

    points: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.points < 100:
            raise NotationError(f"expected points above 0 and below 100, got {self.points:g}")

    def decide(self, pairs: PairedCounts) -> str | None:
        """Return the decision of these pairs; None if they do not suffice."""
        if not pairs.games:
            return None
        d = self.points / 100
        # The two tests share the error of finding a difference where there is none.
        accept, reject = log((1 - self.error) / (self.error / 2)), log(self.error)
        equal = log_likelihood(pairs, 0.0)
        for_b = log_likelihood(pairs, d) - equal
        for_a = log_likelihood(pairs, -d) - equal
        if for_b >= accept:
            return B_BETTER
        if for_a >= accept:
            return A_BETTER
        if for_a <= reject and for_b <= reject:
            return NO_DIFFERENCE
        return None

    def fixed_size(self, pairs: PairedCounts) -> int:
        """Return the number of pairs that a test of fixed size takes for the same error rates."""
        differ = max(pairs.only_a + pairs.only_b, 1) / max(pairs.games, 1)
        z = NormalDist().inv_cdf(1 - self.error / 2) + NormalDist().inv_cdf(1 - self.error)
        return ceil(differ * (z / (self.points / 100)) ** 2)


@dataclass(frozen=True)
class SprtResult:
    """The result of a sequential test; `decision` is None if it remained undecided."""

    pairs: PairedCounts
    decision: str | None
    fixed_size: int
    """The pairs that a test of fixed size needs for the same error rates."""
    played: int
    """The games in the two files: more than those of the pairs, because games are played in rounds
    and a file may have contained some before."""

    @property
    def saved(self) -> int:
        """The games saved against a test of fixed size, both players together; may be negative."""
        return 2 * self.fixed_size - self.played


def compare(a: CampaignResults, b: CampaignResults) -> PairedCounts:
    """Count the pairs of games on the layouts that both campaigns have played.

    A pair is one layout, played by each of the two players.
    """
    _check_layouts(a, b)
    pairs = PairedCounts()
    for seeds in common_ranges(a.stored_seeds, b.stored_seeds):
        pairs += _count_pairs(a.won(seeds), b.won(seeds))
    if not pairs.games:
        raise NotationError(f"{a.results.path} and {b.results.path} have no seeds in common")
    return pairs


def run_sprt(
    a: CampaignResults,
    b: CampaignResults,
    test: Sprt,
    pool: WorkerPool,
    max_pairs: int,
    report: Callable[[PairedCounts], None] = lambda pairs: None,
) -> SprtResult:
    """Play pairs in the order of their seeds until *test* decides, at most *max_pairs*.

    Starts at the first seed that both files contain, or else at the first seed of *a*. The games
    are added to the two files.
    """
    _check_layouts(a, b)
    start = (common_ranges(a.stored_seeds, b.stored_seeds) or a.stored_seeds)[0].start
    pairs = PairedCounts()
    decision = None
    while decision is None and pairs.games < max_pairs:
        quarter = pairs.games // 4 // PAIRS_PER_LOOK * PAIRS_PER_LOOK
        size = min(max(FIRST_ROUND, quarter), max_pairs - pairs.games)
        seeds = range(start + pairs.games, start + pairs.games + size)
        for side in (a, b):
            run_campaign(side.results, side.campaign.with_seeds(seeds), pool)
        won_a, won_b = a.won(seeds), b.won(seeds)
        for first in range(0, len(seeds), PAIRS_PER_LOOK):
            look = slice(first, first + PAIRS_PER_LOOK)
            pairs += _count_pairs(won_a[look], won_b[look])
            decision = test.decide(pairs)
            if decision is not None:
                break
        report(pairs)
    played = sum(len(seeds) for side in (a, b) for seeds in side.stored_seeds)
    return SprtResult(pairs, decision, test.fixed_size(pairs), played)


def _count_pairs(a: Bools, b: Bools) -> PairedCounts:
    return PairedCounts(*(int(pairs.sum()) for pairs in (a & b, a & ~b, ~a & b, ~(a | b))))


def _check_layouts(a: CampaignResults, b: CampaignResults) -> None:
    if (a.campaign.rules, a.campaign.first) != (b.campaign.rules, b.campaign.first):
        raise NotationError(f"the campaigns have different layouts: {a.campaign} and {b.campaign}")


def mcnemar(a: int, b: int) -> float:
    """Return the two-sided p-value of the exact McNemar test.

    >>> round(mcnemar(1, 5), 9), mcnemar(4, 4)
    (0.21875, 1.0)
    """
    n, k = a + b, min(a, b)
    # The lower tail of the binomial from k down; its terms shrink at least geometrically.
    term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))
    tail = 0.0
    while k >= 0 and term > tail * 1e-17:
        tail += term
        term *= k / (n - k + 1)
        k -= 1
    return min(1.0, 2 * tail)


def fitted_shares(a: int, b: int, n: int, d: float) -> tuple[float, float]:
    """Return the maximum-likelihood shares of a and b given the gain d.

    The larger root of a quadratic: Tango, Statistics in Medicine 17 (1998), section 2.
    """
    middle = (2 * n - b + a) * d - a - b
    root = sqrt(max(0.0, middle * middle + 8 * n * a * d * (1 - d)))
    # Clamped because of rounding.
    first = min(max((root - middle) / (4 * n), 0.0, -d), (1 - d) / 2)
    return first, first + d


def tango(a: int, b: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """Return Tango's score interval of the gain, also valid for few and for lopsided pairs.

    >>> [round(end, 3) for end in tango(2, 9, 44)]
    [0.013, 0.312]
    """
    if n == 0:
        return -1.0, 1.0

    def score(d: float) -> float:
        first, second = fitted_shares(a, b, n, d)
        variance = n * (first + second - d * d)
        excess = b - a - n * d
        if variance > 0:
            return excess / sqrt(variance)
        return inf if excess > 0 else -inf if excess < 0 else 0.0

    gain = (b - a) / n
    return _crossing(score, -1.0, gain, z), _crossing(score, gain, 1.0, -z)


def log_likelihood(pairs: PairedCounts, d: float) -> float:
    """Return the logarithm of the largest likelihood of the pairs given the gain d."""
    a, b, n = pairs.only_a, pairs.only_b, pairs.games
    first, second = fitted_shares(a, b, n, d)
    total = 0.0
    for count, share in ((a, first), (b, second), (n - a - b, 1 - first - second)):
        if count:
            total += count * log(share) if share > 0 else -inf
    return total


def _crossing(score: Callable[[float], float], low: float, high: float, z: float) -> float:
    """Return the argument at which a decreasing function crosses z."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if score(middle) > z:
            low = middle
        else:
            high = middle
    return (low + high) / 2
