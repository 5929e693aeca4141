"""The gain of roll-outs over the first choices, measured at the guesses of games by `patient`.

`patient` plays. Its first choice is that of `shrewd` with the same settings. Where the roll-outs
change it, both cells are evaluated on fresh samples, and `shrewd` with these settings finishes the
games. The mean sum of these differences per game is what the roll-outs gain (the performance
difference lemma: it holds exactly because the positions are those of the games of `patient`, and
the player that finishes the games makes the first choices). It has a hundredth of the variance of
counting wins, so it is a tool to tune settings; only played games show how strong a player is
(`check`).
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

import numpy as np

from sapper.board.board import Board
from sapper.board.rules import Rules
from sapper.engine.budget import MAX_SECONDS, Budget, Cancel
from sapper.games.batch import make_runner
from sapper.kernels.codes import UNKNOWN
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.players.patient import PatientRollouts, PatientSettings, make_rollout_state
from sapper.players.rollouts import add_samples, begin_samples, comparison_of
from training.check import Line, PlayerSpec, make_player

# Distinct from the seeds of training, of checks and of published results.
FIRST_SEED = 8 * 10**15
SEEDS_PER_WORKER = 10**9
# Limits of the interior for the rows of the report.
INTERIORS = (15, 40, 100, 200, 350, 10**9)


@dataclass(frozen=True)
class Task:
    """The games of one worker."""

    line: Line
    player: str
    seed: int
    seconds: float
    """CPU time."""
    samples: int
    """Fresh samples for each cell of a changed guess."""
    max_games: int = 10**6


class GainRecorder:
    """Roll-outs that record what they gain over the first choice."""

    def __init__(self, board: Board, settings: PatientSettings, samples: int):
        self._rollouts = PatientRollouts(board, settings)
        self._fresh = make_rollout_state(board, replace(settings, inner="shrewd"))
        self._samples = samples
        self.rows: list[tuple[int, float, float]] = []
        """For each guess the interior, the seconds of the roll-outs, and the gain of a change."""

    def choose(
        self, guesser: ThoughtfulState, marks: Any, budget: Budget, cancel: Cancel | None
    ) -> int:
        """Record a guess, and return the choice after the roll-outs."""
        first, started = int(guesser.chosen), time.process_time()
        cell = self._rollouts.choose(guesser, marks, budget, cancel)
        spent, gain = time.process_time() - started, 0.0
        if cell != first:
            comparison = comparison_of(guesser, [first, cell])
            limit = Budget(seconds=MAX_SECONDS).start(cancel)
            # Samples of another seed, independent of those behind the choice.
            seed = FIRST_SEED + len(self.rows)
            status = begin_samples(self._fresh, marks, int(guesser.mines), seed, limit)
            if status == 0 and add_samples(self._fresh, comparison, self._samples, limit):
                gain, _ = comparison.lead(1, 0)
        unknown = np.asarray(guesser.p.known)[: len(marks)] == UNKNOWN
        interior = int((unknown & (np.asarray(guesser.near_number) == 0)).sum())
        self.rows.append((interior, spent, gain))
        return cell


def work(task: Task) -> tuple[int, Any]:
    """Play games until the time is up; return their number, and the rows of all guesses."""
    size, rule, first = task.line
    player = make_player(PlayerSpec(task.player))
    rules = Rules.of(size, None, rule)
    recorder = GainRecorder(rules.board, player.settings, task.samples)  # type: ignore[arg-type]
    assert player.compiled is not None
    compiled = replace(player.compiled, make_rollouts=lambda board, settings: recorder)
    runner = make_runner(rules, rules.first_cell(first), replace(player, compiled=compiled))
    games, started = 0, time.process_time()
    while games < task.max_games and (not games or time.process_time() - started < task.seconds):
        runner.play(range(task.seed + games, task.seed + games + 1), Cancel())
        games += 1
    return games, np.array(recorder.rows).reshape(-1, 3)


def measure(
    line: Line, player: str, seconds: float, workers: int, samples: int, seed: int = FIRST_SEED
) -> list[dict[str, Any]]:
    """Return the gain per game and its cost: one row for all guesses, and one for each interior."""
    tasks = [
        Task(line, player, seed + i * SEEDS_PER_WORKER, seconds, samples) for i in range(workers)
    ]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(work, tasks))
    games = sum(count for count, _ in results)
    rows = np.concatenate([guesses for _, guesses in results])
    bins = [(0, INTERIORS[-1]), *zip((0, *INTERIORS), INTERIORS, strict=False)]
    return [
        {"line": " ".join(line), "player": player, "games": games, **_summary(rows, games, *limits)}
        for limits in bins
    ]


def _summary(rows: Any, games: int, low: int, high: int) -> dict[str, Any]:
    """Sum up the guesses with an interior from *low* to below *high*."""
    _, seconds, gain = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)].T
    return {
        "interior": f"{low} to {high - 1}" if high < INTERIORS[-1] else f"{low} and more",
        "guesses": len(gain),
        "changed": int((gain != 0).sum()),
        "gain": round(100 * float(gain.sum()) / games, 4),
        "gain error": round(100 * float((gain**2).sum()) ** 0.5 / games, 4),
        "seconds a game": round(float(seconds.sum()) / games, 5),
    }
