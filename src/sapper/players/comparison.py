"""Candidates compared by roll-outs: rates of winning, their errors, and who is ahead of whom.

Every candidate meets the same samples in the same order, and some leave early. The probabilities of a
candidate are known exactly, so its rate is the chance that it is free times the mean value of
those samples in which it is: samples in which it is a mine add no noise of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
# Rates nearer than this are equal: they were summed in another order.
SAME = 1e-9
DIGITS = 9


@dataclass(frozen=True)
class RolloutResult:
    """What roll-outs say of a cell: how often it wins, by so many samples."""

    cell: int
    rate: float
    error: float
    """One standard error of the rate."""
    samples: int


class Comparison:
    """The values of candidates on samples, the first choice being the first of the cells."""

    def __init__(self, cells: list[int], probabilities: list[float]):
        self.cells = cells
        self.probabilities = probabilities
        self.left = list(range(len(cells)))
        """The candidates that are still compared, by their place in *cells*."""
        self._values = [np.empty(0) for _ in cells]
        self._hits = [np.empty(0, dtype=bool) for _ in cells]

    def add(self, values: Floats, hits: npt.NDArray[np.bool_]) -> None:
        """Note the values of those that are left, a column each, on more samples, a row each."""
        for column, i in enumerate(self.left):
            self._values[i] = np.append(self._values[i], values[:, column])
            self._hits[i] = np.append(self._hits[i], hits[:, column])

    @property
    def samples(self) -> int:
        """How many samples the first choice has met."""
        return len(self._values[0])

    def rolled(self, i: int) -> RolloutResult:
        """What is known of a candidate."""
        worth = self._worth(i, len(self._values[i]))
        return RolloutResult(self.cells[i], *_mean(worth), len(worth))

    def lead(self, i: int, j: int) -> tuple[float, float]:
        """By how much i is ahead of j on the samples that both have met, and the error of that."""
        both = min(len(self._values[i]), len(self._values[j]))
        return _mean(self._worth(i, both) - self._worth(j, both))

    def order(self) -> list[int]:
        """All candidates, the best first; those that left early come behind."""
        rates = [round(self.rolled(i).rate, DIGITS) for i in range(len(self.cells))]
        return sorted(range(len(self.cells)), key=lambda i: (i not in self.left, -rates[i], i))

    def narrow(self, most: int) -> None:
        """Keep the best *most* of those that are left, the first choice always among them."""
        others = [i for i in self.order() if i in self.left and i != 0]
        self.left = [0, *sorted(others[: most - 1])]

    def drop(self, errors: float) -> None:
        """Leave those behind that are so many errors behind the best, or equal to the first."""
        best = self.order()[0]
        self.left = [
            i
            for i in self.left
            if i == 0 or ((i == best or not self._clear(best, i, errors)) and not self._same(i, 0))
        ]

    def decided(self, errors: float) -> bool:
        """Whether nothing is left to compare: the first choice is alone, or the two are apart."""
        if len(self.left) == 1:
            return True
        if len(self.left) > 2:
            return False
        other = self.left[1]
        return self._clear(other, 0, errors) or self._clear(0, other, errors)

    def winner(self, gate: float) -> int:
        """The best cell if it is *gate* errors ahead of the first choice, else the first choice."""
        best = self.order()[0]
        return self.cells[best if self._clear(best, 0, gate) else 0]

    def _clear(self, i: int, j: int, errors: float) -> bool:
        """Whether i is so many errors ahead of j, and not by rounding alone."""
        ahead, error = self.lead(i, j)
        return ahead > max(errors * error, SAME)

    def _same(self, i: int, j: int) -> bool:
        """Whether the two were worth the same on every sample."""
        return max(map(abs, self.lead(i, j))) <= SAME

    def _worth(self, i: int, count: int) -> Floats:
        """The values of a candidate, corrected for how often it was a mine in the samples."""
        values, hits = self._values[i][:count], self._hits[i][:count]
        survived = values[~hits].mean() if not hits.all() else 0.0
        corrected: Floats = values + survived * (hits - self.probabilities[i])
        return corrected


def _mean(values: Floats) -> tuple[float, float]:
    """The mean and its standard error; without samples nothing is known."""
    if len(values) < 2:
        return (float(values.mean()) if len(values) else 0.0), 1.0
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))
