"""Candidates compared by roll-outs, in rounds of fewer and fewer candidates until time is up.

Every candidate is tried on the same samples in the same order. Its probability is known exactly, so
its win rate is the probability that it is safe times the mean value of the samples in which it is:
the other samples add no noise.

The samples follow from the position, so the same position with the same number of samples gives the
same answer everywhere; with a limit in seconds the answer depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from time import monotonic

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.engine import workspace
from sapper.engine.budget import Cancel, Limit
from sapper.kernels import view
from sapper.kernels.codes import GROW
from sapper.kernels.games import rollouts as kernel
from sapper.kernels.games.rollouts import RolloutState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.kernels.ties import quantise

Floats = npt.NDArray[np.float64]

SEED = 0x70617469656E74
"""The seed of all samples, so that a position has one answer in every game."""
ROUNDS = ((1.0, 1), (0.5, 1), (0.0, 2))
"""For each round the share of the candidates that are compared, and the multiple of the samples."""
BATCH = 10
"""Samples between two looks at the clock, fewer if time would run out before."""
# Candidates may drop out after this number of samples, or this part of them.
CHECK_EVERY = 50
CHECK_PART = 10
SIGNIFICANT_ERRORS = 4.0
"""Standard errors beyond which a comparison is decided."""
SPARE_TIME = 0.02
"""The share of the seconds that is left for the work after the roll-outs."""


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
        self._hits = [np.empty(0, dtype=bool) for _ in cells]

    def add(self, values: Floats, hits: npt.NDArray[np.bool_]) -> None:
        """Add samples (rows) with the values of the candidates that are left (columns)."""
        for column, i in enumerate(self.left):
            self._values[i] = np.append(self._values[i], values[:, column])
            self._hits[i] = np.append(self._hits[i], hits[:, column])

    @property
    def samples(self) -> int:
        """The number of samples of the first choice."""
        return len(self._values[0])

    def result(self, i: int) -> RolloutResult:
        """Return the win rate of a candidate."""
        values = self._corrected(i, len(self._values[i]))
        rate, error = _mean(values)
        return RolloutResult(self.cells[i], rate, error, len(values))

    def lead(self, i: int, j: int) -> tuple[float, float]:
        """Return how far i is ahead of j on their common samples, and the error of that."""
        both = min(len(self._values[i]), len(self._values[j]))
        return _mean(self._corrected(i, both) - self._corrected(j, both))

    def order(self) -> list[int]:
        """Return all candidates, the best first; those that dropped out are last."""
        rates = [quantise(self.result(i).rate) for i in range(len(self.cells))]
        return sorted(range(len(self.cells)), key=lambda i: (i not in self.left, -rates[i], i))

    def narrow(self, count: int) -> None:
        """Keep the best *count* of those that are left, always with the first choice."""
        others = [i for i in self.order() if i in self.left and i != 0]
        self.left = [0, *sorted(others[: count - 1])]

    def drop(self, errors: float) -> None:
        """Drop candidates that are *errors* errors behind the best, or equal to the first."""
        best = self.order()[0]
        self.left = [i for i in self.left if i == 0 or not self._is_beaten(i, best, errors)]

    def decided(self, errors: float) -> bool:
        """Return whether the first choice is alone, or the last two are clearly apart."""
        if len(self.left) != 2:
            return len(self.left) == 1
        other = self.left[1]
        return self._is_ahead(other, 0, errors) or self._is_ahead(0, other, errors)

    def winner(self, gate: float) -> int:
        """Return the best cell if it is *gate* errors ahead of the first choice, else that."""
        best = self.order()[0]
        return self.cells[best if self._is_ahead(best, 0, gate) else 0]

    def _is_beaten(self, i: int, best: int, errors: float) -> bool:
        """Return whether i is clearly behind the best candidate, or equal to the first choice."""
        return (i != best and self._is_ahead(best, i, errors)) or self._is_equal(i, 0)

    def _is_ahead(self, i: int, j: int, errors: float) -> bool:
        """Return whether i is that many errors ahead of j, and not by rounding alone."""
        ahead, error = self.lead(i, j)
        return quantise(ahead - errors * error) > 0

    def _is_equal(self, i: int, j: int) -> bool:
        """Return whether two candidates have the same value on every sample."""
        return not any(map(quantise, self.lead(i, j)))

    def _corrected(self, i: int, count: int) -> Floats:
        """Return the values of a candidate, corrected for how often it was a mine."""
        values, hits = self._values[i][:count], self._hits[i][:count]
        survived = values[~hits].mean() if not hits.all() else 0.0
        corrected: Floats = values + survived * (hits - self.probabilities[i])
        return corrected


def _mean(values: Floats) -> tuple[float, float]:
    """Return the mean and its standard error, which is 1 for fewer than two values."""
    if len(values) < 2:
        return (float(values.mean()) if len(values) else 0.0), 1.0
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))


@dataclass(frozen=True)
class Round:
    """A round ends after a number of samples, or a share of the seconds."""

    candidates: int
    samples: int
    share: float


def rounds(samples: int, candidates: int) -> list[Round]:
    """Return the rounds for a number of candidates.

    >>> [(entry.candidates, entry.samples) for entry in rounds(100, 6)]
    [(6, 100), (3, 200), (2, 400)]
    """
    counts = [max(2, round(share * candidates)) for share, _ in ROUNDS]
    work = [count * times for count, (_, times) in zip(counts, ROUNDS, strict=True)]
    done = np.cumsum([times for _, times in ROUNDS]) * samples
    shares = np.cumsum(work) / sum(work)
    return [Round(counts[i], int(done[i]), float(shares[i])) for i in range(len(ROUNDS))]


def best_candidates(guesser: ThoughtfulState, count: int) -> list[int]:
    """Return the chosen cell and the best of the others: by score, then by bound."""
    score, bound = np.asarray(guesser.score).tolist(), np.asarray(guesser.bound).tolist()
    chosen = int(guesser.chosen)
    cells = [int(guesser.candidate[i]) for i in range(guesser.candidates)]
    others = sorted(
        (cell for cell in cells if cell != chosen),
        key=lambda cell: (score[cell] < 0, -quantise(score[cell]), -quantise(bound[cell]), cell),
    )
    return [chosen, *others[: count - 1]]


def compare_by_rollouts(
    state: RolloutState,
    guesser: ThoughtfulState,
    marks: Ints,
    limit: Limit,
    *,
    samples: int,
    seconds: float,
    candidates: int,
    on_progress: Callable[[Comparison], None] | None = None,
    stop: Cancel | None = None,
) -> Comparison | None:
    """Compare the candidates of a guesser; return None if the engine has no answer.

    The roll-outs take *seconds* seconds if that is not 0, else a number of samples. *on_progress*
    is called from time to time, and *stop* ends the comparison early, as an earlier limit does.
    Raises OutOfBudget if the limit is cancelled.
    """
    comparison = comparison_of(guesser, best_candidates(guesser, candidates))
    if begin(state, marks, int(guesser.mines), SEED, limit):
        return None
    clock, check = _Clock(seconds, limit), CHECK_EVERY
    for current in rounds(samples, len(comparison.cells)):
        comparison.narrow(current.candidates)
        while not clock.is_over(current, comparison.samples):
            if stop is not None and stop.is_set:
                return comparison
            if not add_samples(state, comparison, clock.batch(current, comparison.samples), limit):
                return None
            if comparison.samples >= check:
                check = comparison.samples + max(CHECK_EVERY, comparison.samples // CHECK_PART)
                comparison.drop(SIGNIFICANT_ERRORS)
                if on_progress is not None:
                    on_progress(comparison)
                if comparison.decided(SIGNIFICANT_ERRORS):
                    return comparison
    return comparison


def comparison_of(guesser: ThoughtfulState, cells: list[int]) -> Comparison:
    """Return a comparison of these cells without samples."""
    probability = np.asarray(guesser.p.probabilities)
    return Comparison(cells, [float(probability[cell]) for cell in cells])


class _Clock:
    """Ends rounds by samples, or by their share of the seconds."""

    def __init__(self, seconds: float, limit: Limit):
        self._start = self._last = monotonic()
        self._by_time = seconds > 0
        available = (1.0 - SPARE_TIME) * limit.seconds_left
        self._seconds = min(seconds, available) if self._by_time else available
        self._batch = 0
        self._pace = 0.0
        """Seconds for a sample in the last batch."""

    def batch(self, current: Round, samples: int) -> int:
        """Return the number of samples before the next look at the clock."""
        if not self._by_time:
            return min(BATCH, current.samples - samples)
        left = current.share * self._seconds - (self._last - self._start)
        fit = int(left / self._pace) if self._pace > 0 else 1
        self._batch = max(1, min(BATCH, fit))
        return self._batch

    def is_over(self, current: Round, samples: int) -> bool:
        """Return whether a round is over after a number of samples."""
        before, self._last = self._last, monotonic()
        passed = self._last - self._start
        if not self._by_time:
            return samples >= current.samples or passed >= self._seconds
        if self._batch:
            self._pace, self._batch = (self._last - before) / self._batch, 0
        # The last sample may end as much after the time as before it.
        return passed + self._pace / 2 >= current.share * self._seconds


def begin(state: RolloutState, marks: Ints, mines: int, seed: int, limit: Limit) -> int:
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
    return _uncancelled(status, limit)


def add_samples(state: RolloutState, comparison: Comparison, count: int, limit: Limit) -> bool:
    """Add *count* samples of the candidates that are left; False if the engine has no answer."""
    cells = np.array([comparison.cells[i] for i in comparison.left], dtype=np.int32)
    values = np.zeros(count * len(cells))
    hits = np.zeros(len(values), dtype=np.uint8)
    done = 0
    while done < len(values):
        status, done = kernel.run_samples(state, view(cells), done, view(values), view(hits))
        if status >= GROW:
            general = state.guesser.p.general if state.in_guesser else state.general
            workspace.enlarge(general, status, limit)
        elif _uncancelled(status, limit):
            return False
    shape = count, len(cells)
    comparison.add(values.reshape(shape), hits.reshape(shape).astype(bool))
    return True


def _uncancelled(status: int, limit: Limit) -> int:
    """Return the status; raise OutOfBudget if the limit is cancelled."""
    if limit.cancelled:
        raise limit.error("unfinished roll-outs")
    return status
