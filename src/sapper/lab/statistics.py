"""What pairs of games say: how much one player gains on another, and how sure that is.

Both players meet the same deals, so a deal that both win or both lose says nothing.

a, b     how many deals only the first, only the second player won
n        all deals
d        the gain: the share of deals won by the second player minus that of the first
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, lgamma, log, sqrt

from sapper.games.tally import Z_95

STEPS = 60
"""Halvings of the interval of length 2 in which a bound is sought: beyond the last bit."""


@dataclass(frozen=True)
class PairedCounts:
    """How often both players, one of them or neither won the same deal."""

    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0

    def __add__(self, other: PairedCounts) -> PairedCounts:
        return PairedCounts(
            self.both + other.both,
            self.only_a + other.only_a,
            self.only_b + other.only_b,
            self.neither + other.neither,
        )

    @property
    def games(self) -> int:
        """How many deals both have played."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def gain(self) -> float:
        """The rate of the second player minus that of the first; nan of no games."""
        return (self.only_b - self.only_a) / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Tango's 95 % interval of the gain."""
        return tango(self.only_a, self.only_b, self.games)

    @property
    def p_value(self) -> float:
        """The exact McNemar test that the two are equally good, two-sided."""
        return mcnemar(self.only_a, self.only_b)


def mcnemar(a: int, b: int) -> float:
    """How likely so uneven a split of a + b deals is where each player is as likely to win one.

    >>> round(mcnemar(1, 5), 9), mcnemar(4, 4)
    (0.21875, 1.0)
    """
    n, k = a + b, min(a, b)
    # The tail of the binomial from k down; terms shrink at least geometrically off the middle.
    term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))
    tail = 0.0
    while k >= 0 and term > tail * 1e-17:
        tail += term
        term *= k / (n - k + 1)
        k -= 1
    return min(1.0, 2 * tail)


def shares_given(a: int, b: int, n: int, d: float) -> tuple[float, float]:
    """The likeliest shares of deals that only the first, only the second wins, where the gain is d.

    The larger root of a quadratic: Tango, Statistics in Medicine 17 (1998), section 2.
    """
    middle = (2 * n - b + a) * d - a - b
    root = sqrt(max(0.0, middle * middle + 8 * n * a * d * (1 - d)))
    # Rounding may push a share below what the gain leaves for it.
    first = min(max((root - middle) / (4 * n), 0.0, -d), (1 - d) / 2)
    return first, first + d


def tango(a: int, b: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """Tango's score interval of the gain: holds its level for few and for lopsided pairs too.

    >>> [round(end, 3) for end in tango(2, 9, 44)]
    [0.013, 0.312]
    """
    if n == 0:
        return -1.0, 1.0

    def score(d: float) -> float:
        first, second = shares_given(a, b, n, d)
        spread = n * (first + second - d * d)
        off = b - a - n * d
        return off / sqrt(spread) if spread > 0 else (inf if off > 0 else -inf if off < 0 else 0.0)

    gain = (b - a) / n
    return _crossing(score, -1.0, gain, z), _crossing(score, gain, 1.0, -z)


def log_likelihood(pairs: PairedCounts, d: float) -> float:
    """The logarithm of the largest likelihood of these pairs where the gain is d."""
    a, b, n = pairs.only_a, pairs.only_b, pairs.games
    first, second = shares_given(a, b, n, d)
    found = 0.0
    for count, share in ((a, first), (b, second), (n - a - b, 1 - first - second)):
        if count:
            found += count * log(share) if share > 0 else -inf
    return found


def _crossing(score: Callable[[float], float], low: float, high: float, z: float) -> float:
    """Where a falling function crosses z."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        if score(middle) > z:
            low = middle
        else:
            high = middle
    return (low + high) / 2
