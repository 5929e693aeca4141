"""Ratings of puzzles, which follow from their proofs, and of users, by Glicko-2.

Glicko-2 is after Mark Glickman, "Example of the Glicko-2 system" (2013); its worked example is a
test. A rating period is one puzzle, so that ratings change at once.

mu, phi      rating and deviation on the scale of Glicko-2
sigma        volatility: how much the rating is expected to change by itself
g            weight of an opponent, less if the opponent's rating is uncertain (`_weight`)
v, delta     estimated variance and improvement from the results of a period
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from sapper.errors import RulesError
from sapper.generators.puzzle_search import total_distance
from sapper.proofs.prover import Proof

INITIAL_RATING = 1500.0
POINTS_PER_UNIT = 173.7178
"""Rating points for each unit of the scale of Glicko-2."""
# Limits the change of the volatility; the paper suggests 0.3 to 1.2.
TAU = 0.5
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its deviation and volatility; the defaults are those of a new user."""

    rating: float = INITIAL_RATING
    deviation: float = 350.0
    volatility: float = 0.06

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise RulesError(f"expected a finite rating, got {self.rating}")
        for name in ("deviation", "volatility"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise RulesError(f"expected a {name} above 0, got {value}")


def update_rating(rating: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return the rating after a period with these opponents and scores (1 won, 0 lost).

    >>> won = update_rating(Rating(), [(Rating(1500, 50), 1)])
    >>> round(won.rating), round(won.deviation)
    (1675, 248)
    """
    for _, score in results:
        if not 0 <= score <= 1:
            raise RulesError(f"expected a score from 0 to 1, got {score}")
    mu, phi = _to_glicko(rating)
    if not results:
        return _from_glicko(mu, math.hypot(phi, rating.volatility), rating.volatility)
    precision = improvement = 0.0
    for opponent, score in results:
        mu_j, phi_j = _to_glicko(opponent)
        weight, expected = _weight(phi_j), _expected(mu, mu_j, phi_j)
        precision += weight**2 * expected * (1 - expected)
        improvement += weight * (score - expected)
    v = 1 / precision
    sigma = _volatility(rating.volatility, phi, v, v * improvement)
    before = math.hypot(phi, sigma)
    after = 1 / math.sqrt(1 / before**2 + 1 / v)
    return _from_glicko(mu + after**2 * improvement, after, sigma)


def _to_glicko(rating: Rating) -> tuple[float, float]:
    return (rating.rating - INITIAL_RATING) / POINTS_PER_UNIT, rating.deviation / POINTS_PER_UNIT


def _from_glicko(mu: float, phi: float, sigma: float) -> Rating:
    return Rating(INITIAL_RATING + POINTS_PER_UNIT * mu, POINTS_PER_UNIT * phi, sigma)


def _weight(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _expected(mu: float, mu_j: float, phi_j: float) -> float:
    return 1 / (1 + math.exp(-_weight(phi_j) * (mu - mu_j)))


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Return the root of the paper's function f, by the Illinois method (step 5)."""
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
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


MIN_RATING, MAX_RATING = 400, 3000
# A proof predicts the difficulty for people only roughly.
DEVIATION = 120.0

# The median rating of each difficulty, over all tilings.
TYPICAL_RATINGS = {"one": 750, "two": 1200, "three": 1500, "four": 1700, "count": 1450}


def typical_rating(difficulty: str) -> int:
    """Return the typical rating of a difficulty; a difficulty added by a user counts as `four`."""
    return TYPICAL_RATINGS.get(difficulty, TYPICAL_RATINGS["four"])


def puzzle_rating(proof: Proof, moves: int) -> Rating:
    """Return the rating of a puzzle by its easiest proof and its number of moves."""
    position, numbers = proof.position, proof.number_cells
    covered = {cell for number in numbers for cell in position.covered_around(number)}
    extra_distance = total_distance(proof) / len(numbers) - 1 if numbers else 0.0
    # The weights are guesses on the scale of chess ratings. A beginner who looks at one number at a
    # time is near 900, a user who combines two numbers near 1,250.
    points = (
        900  # a single number next to its cells, with one such move on the board
        + 350 * log2(max(1, len(numbers)))  # for each doubling of the numbers to combine
        + 250 * proof.uses_mine_count
        + 60 * log2(max(4, len(covered)) / 4)  # for each doubling of the cells around them
        + 80 * extra_distance  # for each step between the cell and the numbers, on average
        + 40 * log2(max(16, len(position.frontier_numbers)) / 16)  # of the numbers to search
        - 60 * log2(moves)  # of the moves that are answers
    )
    return Rating(float(round(min(MAX_RATING, max(MIN_RATING, points)))), DEVIATION)
