"""Thinking a guess over: roll-outs in rounds of fewer and fewer candidates, until time is up.

The samples follow from the position, so the same position with the same number of samples gives the
same answer everywhere; by seconds, the answer depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import numpy as np

from sapper.board.board import Ints
from sapper.engine import workspace
from sapper.engine.budget import Cancel, Limit
from sapper.kernels import view
from sapper.kernels.codes import GROW
from sapper.kernels.games import rollouts as kernel
from sapper.kernels.games.rollouts import RolloutState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.players.comparison import Comparison
from sapper.players.patient_settings import PatientSettings

# Samples are drawn from here on, whatever the game: so that a position has one answer.
SEED = 0x70617469656E74
# Rounds: how many of the candidates are compared, and by how many times the samples.
FEWER = ((1.0, 1), (0.5, 1), (0.0, 2))
# So many samples are played between two looks at the clock, fewer where it would ring before.
AT_ONCE = 10
# Candidates may leave, and everything may end, after so many samples, or this part of them.
LOOK = 50
LOOKS = 10
CLEARLY = 4.0
"""Standard errors beyond which a comparison is over."""
# Seconds are kept with this share to spare, for what is still to be done afterwards.
SPARE = 0.02

Told = Callable[[Comparison], None]


@dataclass(frozen=True)
class Round:
    """So many candidates are compared until so many samples, or such a share of the seconds."""

    candidates: int
    samples: int
    share: float


def rounds(settings: PatientSettings, candidates: int) -> list[Round]:
    """The rounds for so many candidates.

    >>> [(one.candidates, one.samples) for one in rounds(PatientSettings(samples=100), 6)]
    [(6, 100), (3, 200), (2, 400)]
    """
    found: list[tuple[int, int]] = []
    for share, times in FEWER:
        left = max(2, round(share * candidates))
        found.append((left, times))
    work = [left * times for left, times in found]
    done = np.cumsum([times for _, times in found]) * settings.samples
    shares = np.cumsum(work) / sum(work)
    return [Round(found[i][0], int(done[i]), float(shares[i])) for i in range(len(found))]


def candidates(thoughtful_state: ThoughtfulState, most: int) -> list[int]:
    """The chosen cell and the best of the others: by score, then by what they may come to."""
    score, bound = thoughtful_state.score, thoughtful_state.bound
    chosen = int(thoughtful_state.chosen)
    cells = [int(thoughtful_state.candidate[i]) for i in range(thoughtful_state.candidates)]
    others = sorted(
        (cell for cell in cells if cell != chosen),
        key=lambda cell: (score[cell] < 0, -score[cell], -bound[cell], cell),
    )
    return [chosen, *others[: most - 1]]


def compare_by_rollouts(
    rollout: RolloutState,
    thoughtful_state: ThoughtfulState,
    marks: Ints,
    settings: PatientSettings,
    limit: Limit,
    tell: Told | None = None,
    enough: Cancel | None = None,
) -> Comparison | None:
    """Compare the candidates of a thought; None where the engine has no answer.

    *tell* is called now and then with what is known so far, and *enough* ends it before its time.
    A limit that is nearer than the seconds asked for ends it too; cancelled, it raises.
    """
    comparison = _comparison(thoughtful_state, candidates(thoughtful_state, settings.candidates))
    if _begin(rollout, marks, int(thoughtful_state.mines), SEED, limit):
        return None
    clock, look = _Clock(settings, limit), LOOK
    for one in rounds(settings, len(comparison.cells)):
        comparison.narrow(one.candidates)
        while not clock.rings(one, comparison.samples):
            if enough is not None and enough.is_set:
                return comparison
            if not _sample(rollout, comparison, clock.at_once(one, comparison.samples), limit):
                return None
            if comparison.samples >= look:
                look = comparison.samples + max(LOOK, comparison.samples // LOOKS)
                comparison.drop(CLEARLY)
                if tell is not None:
                    tell(comparison)
                if comparison.decided(CLEARLY):
                    return comparison
    return comparison


def value(
    rollout: RolloutState,
    thoughtful_state: ThoughtfulState,
    marks: Ints,
    cells: list[int],
    samples: int,
    seed: int,
    limit: Limit,
) -> Comparison | None:
    """Compare these cells on so many samples of another seed, none leaving early.

    For judging a choice by samples that had no part in it; None where the engine has no answer.
    """
    comparison = _comparison(thoughtful_state, cells)
    if _begin(rollout, marks, int(thoughtful_state.mines), seed, limit):
        return None
    return comparison if _sample(rollout, comparison, samples, limit) else None


def _comparison(thoughtful_state: ThoughtfulState, cells: list[int]) -> Comparison:
    probabilities = np.asarray(thoughtful_state.p.probabilities)
    return Comparison(cells, [float(probabilities[cell]) for cell in cells])


class _Clock:
    """When a round is over: by samples, or by its share of the seconds."""

    def __init__(self, settings: PatientSettings, limit: Limit):
        self._start = self._looked = monotonic()
        self._by_time = settings.seconds > 0
        most = (1.0 - SPARE) * limit.seconds_left
        self._seconds = min(settings.seconds, most) if self._by_time else most
        self._played = 0
        self._pace = 0.0
        """Seconds that a sample took, last time."""

    def at_once(self, one: Round, samples: int) -> int:
        """How many samples to play before the next look: as many as there is time for."""
        if not self._by_time:
            return min(AT_ONCE, one.samples - samples)
        left = one.share * self._seconds - (self._looked - self._start)
        fit = int(left / self._pace) if self._pace > 0 else 1
        self._played = max(1, min(AT_ONCE, fit))
        return self._played

    def rings(self, one: Round, samples: int) -> bool:
        """Whether that round is over after so many samples."""
        before, self._looked = self._looked, monotonic()
        passed = self._looked - self._start
        if not self._by_time:
            return samples >= one.samples or passed >= self._seconds
        if self._played:
            self._pace, self._played = (self._looked - before) / self._played, 0
        # The last sample may end as much after the time as before it.
        return passed + self._pace / 2 >= one.share * self._seconds


def _begin(rollout: RolloutState, marks: Ints, mines: int, seed: int, limit: Limit) -> int:
    """Let the kernel take over the position; OK, or a status that says why it has no samples."""
    inner = [rollout.general]
    if rollout.thoughtful_state is not None:
        inner.append(rollout.thoughtful_state.p.general)
    for one in inner:
        one.cancel, one.seconds = view(limit.flag), limit.seconds_left
    position = view(marks), mines, seed
    status = workspace.run_within(
        limit, rollout.p.general, lambda: kernel.run_begin(rollout, *position)
    )
    return _uncancelled(status, limit)


def _sample(rollout: RolloutState, comparison: Comparison, count: int, limit: Limit) -> bool:
    """Play all that are left on *count* more samples; False where the engine has no answer."""
    cells = np.array([comparison.cells[i] for i in comparison.left], dtype=np.int32)
    values = np.zeros(count * len(cells))
    hits = np.zeros(len(values), dtype=np.uint8)
    done = 0
    while done < len(values):
        status, done = kernel.run_samples(rollout, view(cells), done, view(values), view(hits))
        if status >= GROW:
            inner = rollout.thoughtful_state.p.general if rollout.thinking else rollout.general
            workspace.enlarge(inner, status, limit)
        elif _uncancelled(status, limit):
            return False
    shape = count, len(cells)
    comparison.add(values.reshape(shape), hits.reshape(shape).astype(bool))
    return True


def _uncancelled(status: int, limit: Limit) -> int:
    """The status, unless somebody cancelled the whole."""
    if limit.cancelled:
        raise limit.error("a guess that was still thought over")
    return status
