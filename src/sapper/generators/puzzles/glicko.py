"""Ratings by Glicko-2: how strong a solver is, how hard a puzzle is, and how sure one can be.

After Mark Glickman, "Example of the Glicko-2 system" (2013); its worked example is a test.
Everybody's period is one puzzle: a rating moves at once.

mu, phi      rating and deviation on the system's own scale
sigma        the volatility: how much the rating is expected to change by itself
g            how much an opponent counts whose own rating is unsure
v, delta     what the results of a period tell: their variance, and the improvement they show
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sapper.values import check_type

MIDDLE = 1500.0
SCALE = 173.7178
# How much volatility may change; the paper advises 0.3 to 1.2, less where results surprise seldom.
TAU = 0.5
CONVERGED = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating, its deviation and its volatility; a newcomer's unless given."""

    rating: float = MIDDLE
    deviation: float = 350.0
    volatility: float = 0.06

    def expected(self, other: Rating) -> float:
        """The share of points that this one can expect against another."""
        mu, _ = _own(self)
        return _expected(mu, *_own(other))


def update_rating(one: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """The rating after a period with these opponents and scores (1 won, 0 lost).

    >>> won = update_rating(Rating(), [(Rating(1500, 50), 1)])
    >>> round(won.rating), round(won.deviation)
    (1675, 248)
    """
    check_type(one, Rating, "a rating")
    check_type(results, Sequence, "a list of ratings with scores")
    for result in results:
        check_type(result, tuple, "a rating with a score")
        check_type(result[0], Rating, "a rating with a score")
        check_type(result[1], (int, float), "a score")
    mu, phi = _own(one)
    if not results:
        return _plain(mu, math.hypot(phi, one.volatility), one.volatility)
    others = [(*_own(other), score) for other, score in results]
    precision = sum(
        _weight(phi_j) ** 2 * (e := _expected(mu, mu_j, phi_j)) * (1 - e)
        for mu_j, phi_j, _ in others
    )
    shown = sum(
        _weight(phi_j) * (score - _expected(mu, mu_j, phi_j)) for mu_j, phi_j, score in others
    )
    v = 1 / precision
    sigma = _volatility(one.volatility, phi, v, v * shown)
    before = math.hypot(phi, sigma)
    after = 1 / math.sqrt(1 / before**2 + 1 / v)
    return _plain(mu + after**2 * shown, after, sigma)


def _own(one: Rating) -> tuple[float, float]:
    return (one.rating - MIDDLE) / SCALE, one.deviation / SCALE


def _plain(mu: float, phi: float, sigma: float) -> Rating:
    return Rating(MIDDLE + SCALE * mu, SCALE * phi, sigma)


def _weight(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _expected(mu: float, mu_j: float, phi_j: float) -> float:
    return 1 / (1 + math.exp(-_weight(phi_j) * (mu - mu_j)))


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """The new volatility: where the paper's function f is zero, by the Illinois method (step 5)."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        spread = phi**2 + v + e
        return e * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CONVERGED:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
