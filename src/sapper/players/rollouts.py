"""Candidates compared by roll-outs, fewer and fewer until one is left or time is up.

Every candidate is tried on the same samples in the same order. Its probability is known exactly, so
its win rate is the probability that it is safe times the mean value of the samples in which it is:
the other samples add no noise. The guesses of a roll-out may be lucky or not; their luck has the
mean 0, so its effect on the value is estimated by a regression and subtracted (a control variate).

The error of the samples is often as large as the differences between good candidates, so the
highest of several rates is often the luckiest. The guesser that made the first choice has an
estimate of these differences too. Both are combined as independent estimates, weighted by the
inverse of their variances (Bayes' rule for normal distributions).

The samples follow from the position, so the same position with the same number of samples gives the
same answer everywhere; with a limit in seconds the answer depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import erfc, exp, inf, pi, sqrt
from sys import float_info
from time import monotonic

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.engine import workspace
from sapper.engine.budget import Cancel, Limit
from sapper.kernels import view
from sapper.kernels.codes import BY_NETWORK, GROW
from sapper.kernels.games import rollouts as kernel
from sapper.kernels.games.rollouts import RolloutState
from sapper.kernels.players.shrewd import ShrewdState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.kernels.ties import quantise

Floats = npt.NDArray[np.float64]

SEED = 0x70617469656E74
"""The seed of all samples, so that a position has one answer in every game."""
BATCH = 10
"""Samples between two checks of the clock, fewer if time would run out before."""
CHECK_EVERY = 40
"""Samples between two checks which candidates can be dropped."""
SPARE_TIME = 0.02
"""The share of the seconds that is left for the work after the roll-outs."""
POINT = 0.01
"""A point: the unit of differences between win chances."""
SMALL_DIFFERENCE = 0.0002
"""Smaller differences are as inaccurate as this one."""
USUAL_LUCK_EFFECT = 0.6
"""The mean effect of luck in many positions: how much hitting a mine lowers the win chance."""
USUAL_LUCK_WEIGHT = 5.0
"""The weight of the usual effect in the regression, as a sum of squares of luck."""


@dataclass(frozen=True)
class RolloutResult:
    """The win rate of a cell by roll-outs."""

    cell: int
    rate: float
    error: float
    """The standard error of the rate."""
    samples: int


class Comparison:
    """The values of candidates on samples; the first cell is the first choice."""

    def __init__(self, cells: list[int], probabilities: list[float]):
        self.cells = cells
        self.probabilities = probabilities
        self.left = list(range(len(cells)))
        """Indices in *cells* of the candidates that are still compared."""
        self._values = [np.empty(0) for _ in cells]
        self._bad_luck = [np.empty(0) for _ in cells]
        self._luck_effect: float | None = None
        self._hits = [np.empty(0, dtype=bool) for _ in cells]
        self.expect([0.0] * len(cells), inf)

    def expect(self, expected: list[float], error: float, least_lead: float = 0.0) -> None:
        """Set the win chances that the guesser expects, less that of the first choice.

        *error* is the standard deviation of the error of a difference of one point; if it is
        infinite, the samples alone count. The first choice is the best unless another is ahead by
        *least_lead*.
        """
        self._expected, self._error, self._least_lead = expected, error, least_lead

    def add(
        self, values: Floats, hits: npt.NDArray[np.bool_], bad_luck: Floats | None = None
    ) -> None:
        """Add samples (rows) with the values of the candidates that are left (columns).

        *bad_luck* is the luck of later guesses, as in the kernel `rollouts`; None if unknown.
        """
        for column, i in enumerate(self.left):
            self._values[i] = np.append(self._values[i], values[:, column])
            self._hits[i] = np.append(self._hits[i], hits[:, column])
            luck = np.zeros(len(values)) if bad_luck is None else bad_luck[:, column]
            self._bad_luck[i] = np.append(self._bad_luck[i], luck)
        self._luck_effect = None

    @property
    def samples(self) -> int:
        """The number of samples of the first choice."""
        return len(self._values[0])

    def result(self, i: int) -> RolloutResult:
        """Return the win rate of a candidate: that of the first choice, and the lead over it."""
        first, _ = _mean(self._corrected(0, self.samples))
        _, error = _mean(self._corrected(i, len(self._values[i])))
        rate = min(1.0, max(0.0, first + self.lead(i, 0)[0]))
        return RolloutResult(self.cells[i], rate, error, len(self._values[i]))

    def lead(self, i: int, j: int) -> tuple[float, float]:
        """Return how far i is ahead of j by the common samples and by what was expected.

        The second value is the standard error of the first.
        """
        both = min(len(self._values[i]), len(self._values[j]))
        ahead, error = _mean(self._corrected(i, both) - self._corrected(j, both))
        if self._error == inf:
            return ahead, error
        expected = self._expected[i] - self._expected[j]
        expected_error = self._expected_error(expected)
        if not both or i == j:
            return expected, expected_error if i != j else 0.0
        ratio = error / expected_error
        # Not ratio**2, which would overflow for the smallest settings; a product becomes infinite.
        weight = 1.0 / (1.0 + ratio * ratio)
        return expected + weight * (ahead - expected), sqrt(weight) * error

    def _expected_error(self, difference: float) -> float:
        """Return the standard deviation of the error of an expected difference.

        It grows with the fourth root of the difference: cells that the guesser expects to be
        equally good are often alike, and then the expectation is right.
        """
        error = self._error * sqrt(sqrt(max(abs(difference), SMALL_DIFFERENCE) / POINT))
        return max(error, float_info.min)

    def order(self) -> list[int]:
        """Return all candidates, the choice first, then the best; dropped ones are last."""
        leads = [quantise(self._lead_over_first(i)) for i in range(len(self.cells))]
        return sorted(range(len(self.cells)), key=lambda i: (i not in self.left, -leads[i], i))

    def drop(self, least_gain: float) -> None:
        """Drop candidates from which more samples would gain less than *least_gain*.

        While several are left, the first choice is among them.
        """
        best = self.order()[0]
        left = [i for i in self.left if i == best or self._gain_over(i, best) >= least_gain]
        self.left = left if len(left) == 1 or 0 in left else [0, *left]

    @property
    def decided(self) -> bool:
        """Whether a single candidate is left."""
        return len(self.left) == 1

    def winner(self) -> int:
        """Return the best cell."""
        return self.cells[self.order()[0]]

    def _lead_over_first(self, i: int) -> float:
        """Return how far i is ahead of the first choice, less the least lead."""
        return self.lead(i, 0)[0] - self._least_lead if i else 0.0

    def _gain_over(self, i: int, best: int) -> float:
        """Return how much would be gained on average by knowing whether i is better than best."""
        ahead, error = self.lead(i, best)
        ahead += self._least_lead * ((i == 0) - (best == 0))
        if error == 0.0:
            return max(ahead, 0.0)
        z = ahead / error
        return error * (exp(-z * z / 2) / sqrt(2 * pi) + z * erfc(-z / sqrt(2)) / 2)

    def _corrected(self, i: int, count: int) -> Floats:
        """Return the values of a candidate, corrected for luck and how often it was a mine."""
        if self._luck_effect is None:
            self._luck_effect = self._estimate_luck_effect()
        values, hits = self._values[i][:count], self._hits[i][:count]
        values = values + self._luck_effect * self._bad_luck[i][:count]
        survived = values[~hits].mean() if not hits.all() else 0.0
        corrected: Floats = values + survived * (hits - self.probabilities[i])
        return corrected

    def _estimate_luck_effect(self) -> float:
        """Return how much bad luck lowers the values, as the regression of all candidates shows."""
        squares, products = USUAL_LUCK_WEIGHT, USUAL_LUCK_WEIGHT * USUAL_LUCK_EFFECT
        for values, hits, bad_luck in zip(self._values, self._hits, self._bad_luck, strict=True):
            if not hits.all():
                luck = bad_luck[~hits] - bad_luck[~hits].mean()
                # Not the operator @: its last bits depend on the machine.
                squares += float((luck * luck).sum())
                products -= float((luck * values[~hits]).sum())
        return products / squares


def _mean(values: Floats) -> tuple[float, float]:
    """Return the mean and its standard error, which is 1 for fewer than two values."""
    if len(values) < 2:
        return (float(values.mean()) if len(values) else 0.0), 1.0
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))


def compare_best(
    guesser: ThoughtfulState, count: int, error: float, least_lead: float
) -> Comparison:
    """Return a comparison, without samples, of the chosen cell and the best other candidates.

    *error* is the standard deviation of the error of the guesser where it expects a difference of
    one point, *least_lead* the lead that another cell needs. Cells that a network has seen but that
    were not compared any further are left out.
    """
    score, bound = np.asarray(guesser.score).tolist(), np.asarray(guesser.bound).tolist()
    chosen, by_network = int(guesser.chosen), guesser.reason == BY_NETWORK
    cells = [int(guesser.candidate[i]) for i in range(guesser.candidates)]
    others = sorted(
        (cell for cell in cells if cell != chosen and not (by_network and score[cell] < 0)),
        key=lambda cell: (score[cell] < 0, -quantise(score[cell]), -quantise(bound[cell]), cell),
    )
    compared = [chosen, *others[: count - 1]]
    expected = {cell: score[cell] if score[cell] >= 0 else bound[cell] for cell in compared}
    if by_network and isinstance(guesser, ShrewdState) and guesser.kept[0] in expected:
        # The margin decides in favour of a cell, but does not make it win more often.
        expected[int(guesser.kept[0])] -= guesser.margin
    comparison = comparison_of(guesser, compared)
    differences = [min(0.0, expected[cell] - expected[chosen]) for cell in compared]
    comparison.expect(differences, error, least_lead)
    return comparison


def comparison_of(guesser: ThoughtfulState, cells: list[int]) -> Comparison:
    """Return a comparison of these cells without samples, in which the samples alone count."""
    probability = np.asarray(guesser.p.probabilities)
    return Comparison(cells, [float(probability[cell]) for cell in cells])


def compare_by_rollouts(
    state: RolloutState,
    comparison: Comparison,
    marks: Ints,
    mines: int,
    limit: Limit,
    *,
    samples: int,
    seconds: float,
    least_gain: float,
    on_progress: Callable[[Comparison], None] | None = None,
    stop: Cancel | None = None,
) -> bool:
    """Compare candidates in a position; return False if the engine has no answer.

    The roll-outs take up to *seconds* seconds if that is not 0, else up to a number of samples, and
    end when more samples would gain less than *least_gain*. *on_progress* is called from time to
    time, and *stop* ends the comparison early, as an earlier limit does. Raises OutOfBudget if the
    limit is cancelled.
    """
    comparison.drop(least_gain)
    if comparison.decided:
        return True
    if begin_samples(state, marks, mines, SEED, limit):
        return False
    clock, next_check = _Clock(samples, seconds, limit), CHECK_EVERY
    while not (comparison.decided or clock.is_over(comparison.samples)):
        if stop is not None and stop.is_set:
            return True
        if not add_samples(state, comparison, clock.batch_size(comparison.samples), limit):
            return False
        if comparison.samples >= next_check:
            next_check += CHECK_EVERY
            comparison.drop(least_gain)
            if on_progress is not None:
                on_progress(comparison)
    return True


class _Clock:
    """Ends a comparison after a number of samples, or of seconds if that is not 0."""

    def __init__(self, samples: int, seconds: float, limit: Limit):
        self._start = self._last = monotonic()
        self._samples = samples
        self._by_time = seconds > 0
        available = (1.0 - SPARE_TIME) * limit.seconds_left
        self._seconds = min(seconds, available) if self._by_time else available
        self._batch = 0
        self._seconds_per_sample = 0.0
        """Seconds for a sample in the last batch."""

    def batch_size(self, samples: int) -> int:
        """Return the number of samples before the next check of the clock."""
        if not self._by_time:
            return min(BATCH, self._samples - samples)
        left = self._seconds - (self._last - self._start)
        fit = int(left / self._seconds_per_sample) if self._seconds_per_sample > 0 else 1
        self._batch = max(1, min(BATCH, fit))
        return self._batch

    def is_over(self, samples: int) -> bool:
        """Return whether the samples or the time are used up."""
        before, self._last = self._last, monotonic()
        passed = self._last - self._start
        if not self._by_time:
            return samples >= self._samples or passed >= self._seconds
        if self._batch:
            self._seconds_per_sample, self._batch = (self._last - before) / self._batch, 0
        # The last sample may end as much after the time as before it.
        return passed + self._seconds_per_sample / 2 >= self._seconds


def begin_samples(state: RolloutState, marks: Ints, mines: int, seed: int, limit: Limit) -> int:
    """Start with a position; return OK, or the status of an engine that has no answer."""
    workspaces = [state.general]
    if state.guesser is not None:
        workspaces.append(state.guesser.p.general)
    for ws in workspaces:
        ws.cancel, ws.seconds = view(limit.cancel_flag), limit.seconds_left
    array = view(marks)
    status = workspace.run_within(
        limit, state.p.general, lambda: kernel.run_begin(state, array, mines, seed)
    )
    return _raise_if_cancelled(status, limit)


def add_samples(state: RolloutState, comparison: Comparison, count: int, limit: Limit) -> bool:
    """Add *count* samples of the candidates that are left; False if the engine has no answer."""
    cells = np.array([comparison.cells[i] for i in comparison.left], dtype=np.int32)
    values = np.zeros(count * len(cells))
    bad_luck, hits = np.zeros(len(values)), np.zeros(len(values), dtype=np.uint8)
    done = 0
    while done < len(values):
        status, done = kernel.run_samples(
            state, view(cells), done, view(values), view(bad_luck), view(hits)
        )
        if status >= GROW:
            general = state.guesser.p.general if state.in_guesser else state.general
            workspace.enlarge(general, status, limit)
        elif _raise_if_cancelled(status, limit):
            return False
    shape = count, len(cells)
    comparison.add(values.reshape(shape), hits.reshape(shape).astype(bool), bad_luck.reshape(shape))
    return True


def _raise_if_cancelled(status: int, limit: Limit) -> int:
    """Return the status; raise OutOfBudget if the limit is cancelled."""
    if limit.cancelled:
        raise limit.error("unfinished roll-outs")
    return status
