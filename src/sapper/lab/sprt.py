"""Testing until it is decided: Wald's sequential test on pairs of games.

Two tests run side by side on the same pairs: is the second player better by so much rather than
equal, and is the first one? Each compares the largest likelihoods of the pairs under its two
gains; the share of deals on which the players differ is not known and is fitted under both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from statistics import NormalDist

from sapper.errors import NotationError
from sapper.lab.statistics import PairedCounts, log_likelihood

B_BETTER = "b is better"
A_BETTER = "a is better"
NO_DIFFERENCE = "no difference"

LOOK = 64
"""Pairs between two looks. Fixed, in the order of the seeds: the decision does not depend on who
played which game when."""


@dataclass(frozen=True)
class Sprt:
    """A sequential test for a gain of so many points, in percent of all games, either way.

    Where there is no difference, or one of that size, it decides wrongly at most so often.
    """

    points: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.points < 100:
            raise NotationError(f"expected points above 0 and below 100, got {self.points:g}")

    def decide(self, pairs: PairedCounts) -> str | None:
        """What these pairs decide; None where they do not yet."""
        if not pairs.games:
            return None
        d = self.points / 100
        # The two tests share the error of finding a difference where there is none.
        proven, refuted = log((1 - self.error) / (self.error / 2)), log(self.error)
        equal = log_likelihood(pairs, 0.0)
        for_b = log_likelihood(pairs, d) - equal
        for_a = log_likelihood(pairs, -d) - equal
        if for_b >= proven:
            return B_BETTER
        if for_a >= proven:
            return A_BETTER
        if for_a <= refuted and for_b <= refuted:
            return NO_DIFFERENCE
        return None

    def fixed_size(self, pairs: PairedCounts) -> int:
        """How many pairs a test of fixed size needs for the same errors."""
        differ = max(pairs.only_a + pairs.only_b, 1) / max(pairs.games, 1)
        z = NormalDist().inv_cdf(1 - self.error / 2) + NormalDist().inv_cdf(1 - self.error)
        return ceil(differ * (z / (self.points / 100)) ** 2)
