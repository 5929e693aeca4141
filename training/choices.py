"""Recorded guesses: the terms of the score of `shrewd`, and the win rate of each cell.

At a guess, the best cells by each player are evaluated by roll-outs on common exact samples, with
`learned` as the player. That costs as much as dozens of playouts on the true layout and is as
precise as a hundred of them. A worker writes shards until its time is up; the content of a shard
depends on its seeds alone.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from sapper.board.board import Board
from sapper.board.rules import Rules
from sapper.engine.budget import MAX_SECONDS, Budget, Cancel, Limit
from sapper.games.batch import make_runner
from sapper.kernels import view
from sapper.kernels.codes import SCALARS, UNKNOWN
from sapper.kernels.players import guessing, learned, thoughtful
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.players.learned import LearnedSettings, make_learned_state
from sapper.players.networks import weights_for
from sapper.players.patient import PatientSettings, make_rollout_state
from sapper.players.registry import PLAYERS
from sapper.players.rollouts import Comparison, add_samples, begin_samples, comparison_of
from sapper.players.thoughtful import ThoughtfulSettings, make_thoughtful_state

# Distinct from the seeds of training and of published results.
FIRST_SEED = 6 * 10**9
SEEDS_PER_WORKER = 10**7
# Size, rule and first click.
LINES = (
    ("30x16/99", "zero", "r4c4"),
    ("30x16/99", "safe", "r1c1"),
    ("16x16/40", "zero", "r3c3"),
    ("16x16/40", "safe", "r1c1"),
)
# The line that each of ten consecutive shards plays.
LINE_ORDER = (0, 1, 0, 1, 2, 0, 1, 0, 1, 3)
GAMES_PER_SHARD = 500
CELLS_PER_PLAYER = {"shrewd": 4, "thoughtful": 3, "learned": 4}
"""How many of the best cells by each player are evaluated."""
OPENING = 0.73
"""Interiors above this share of the board are the opening, of which few are recorded: roll-outs
from there are long."""


@dataclass(frozen=True)
class Task:
    """The work of one worker."""

    folder: str
    worker: int
    seconds: float
    samples: int
    opening: float
    """The share of guesses in the opening that are recorded."""


class Recorder:
    """Records guesses in place of roll-outs; half of the games go on as `thoughtful` would."""

    def __init__(self, board: Board, settings: PatientSettings, task: Task, line: int, seed: int):
        self._line, self._task = line, task
        weights = weights_for(board)
        assert weights is not None
        self._rollouts = make_rollout_state(board, settings)
        self._learned = make_learned_state(board, weights, LearnedSettings(end_game=0))
        self._thoughtful = make_thoughtful_state(board, ThoughtfulSettings())
        self._safest = make_thoughtful_state(board, ThoughtfulSettings(blend=1.0))
        self._random = np.random.default_rng(seed)
        self.seed = 0
        self.rows: list[dict[str, Any]] = []

    def choose(self, guesser: ThoughtfulState, marks: Any, budget: Budget, cancel: Cancel) -> int:
        """Record a guess and return its cell."""
        limit = Budget(seconds=MAX_SECONDS).start(cancel)
        marks, mines = marks.copy(), int(guesser.mines)
        if guessing.run(self._thoughtful, view(marks), mines, True):
            return int(guesser.chosen)
        thoughtful_cell = int(self._thoughtful.chosen)
        unknown = np.asarray(guesser.p.known)[: len(marks)] == UNKNOWN
        interior = int((unknown & (np.asarray(guesser.near_number) == 0)).sum())
        if interior <= OPENING * len(marks) or self._random.random() < self._task.opening:
            self._record(guesser, marks, interior, thoughtful_cell, limit)
        return thoughtful_cell if self._random.random() < 0.5 else int(guesser.chosen)

    def _record(
        self,
        guesser: ThoughtfulState,
        marks: Any,
        interior: int,
        thoughtful_cell: int,
        limit: Limit,
    ) -> None:
        state, first, mines = self._thoughtful, self._learned, int(guesser.mines)
        if guessing.run(first, view(marks), mines, True):
            return
        cells = self._cells(guesser, thoughtful_cell)
        cells_view = view(np.array(cells, np.int32))
        living, region = np.asarray(state.living).copy(), np.asarray(state.region).copy()
        reason, score = int(state.reason), np.asarray(state.score).copy()
        if thoughtful.score_cells(state, view(marks), mines, cells_view, len(cells)):
            return
        if thoughtful.score_cells(self._safest, view(marks), mines, cells_view, len(cells)):
            return
        samples = self._task.samples
        rates = _compare_cells(self._rollouts, guesser, marks, cells, samples, self.seed, limit)
        if rates is None:
            return
        results = [rates.result(i) for i in range(len(cells))]
        features = first.values.features
        cell_codes = np.asarray(features.cell_code)
        table = np.asarray(features.table).reshape(-1, features.slots)
        row = slice(features.max_candidates * SCALARS, features.max_candidates * SCALARS + SCALARS)
        patches, scalars, values = [], [], []
        for cell in cells:
            values.append(learned.value_of(first.values, cell))
            scalars.append(np.asarray(features.scalar)[row].copy())
            patches.append(np.where(table[cell] >= 0, cell_codes[table[cell]], 0))
        cell_array = np.array(cells)
        unknown = int((np.asarray(guesser.p.known)[: len(marks)] == UNKNOWN).sum())
        self.rows.append(
            {
                "patch": np.array(patches, np.uint8),
                "scalar": np.array(scalars, np.int16),
                "cell": cell_array,
                "probabilities": np.asarray(rates.probabilities),
                "influence": np.asarray(state.influence)[cell_array],
                "follow": np.asarray(state.expected_safety)[cell_array],
                "safest": np.asarray(self._safest.expected_safety)[cell_array],
                "sure": np.asarray(state.certain_next)[cell_array],
                "living": living[cell_array],
                "region": region[cell_array],
                "near": np.asarray(guesser.near_number)[cell_array],
                "shrewd": np.asarray(guesser.score)[cell_array],
                "thoughtful": score[cell_array],
                "first": np.array(values),
                "rate": np.array([result.rate for result in results]),
                "error": np.array([result.error for result in results]),
                "chosen": (cell_array == thoughtful_cell) + 2 * (cell_array == int(guesser.chosen)),
                "position": np.array(
                    [self._line, interior, unknown, mines, reason, samples, self.seed]
                ),
                "ln": np.array([float(guesser.ln_solutions)]),
            }
        )

    def _cells(self, guesser: ThoughtfulState, thoughtful_cell: int) -> list[int]:
        """Return the best cells by each player, and the safest."""
        first = self._learned.values
        count = first.features.count
        by_value = [(float(first.value[i]), int(first.features.candidate[i])) for i in range(count)]
        lists = {
            "shrewd": _best(guesser),
            "thoughtful": [thoughtful_cell, *_best(self._thoughtful)],
            "learned": [cell for _, cell in sorted(by_value, reverse=True)],
        }
        cells = [int(guesser.chosen)]
        for name, order in lists.items():
            cells += order[: CELLS_PER_PLAYER[name]]
        return list(dict.fromkeys([*cells, int(first.features.candidate[0])]))


def _best(guesser: Any) -> list[int]:
    score = guesser.score
    cells = [int(guesser.candidate[i]) for i in range(guesser.candidates)]
    return sorted((cell for cell in cells if score[cell] >= 0), key=lambda cell: -score[cell])


def _record_games(
    rules: Rules, first: str, seeds: range, task: Task, line: int
) -> list[dict[str, Any]]:
    """Play games by `patient` and return the records of their guesses."""
    player = PLAYERS["patient"].with_settings({"interior": len(rules.board)})
    recorder = Recorder(rules.board, player.settings, task, line, seeds.start)
    assert player.compiled is not None
    compiled = replace(player.compiled, make_rollouts=lambda board, settings: recorder)
    player = replace(player, compiled=compiled)
    runner = make_runner(rules, rules.first_cell(first), player)
    for seed in seeds:
        recorder.seed = seed
        runner.play(range(seed, seed + 1), Cancel())
    return recorder.rows


def work(task: Task) -> int:
    """Write at least one shard after those that exist already; return the number of positions."""
    folder, started, positions = Path(task.folder), time.monotonic(), 0
    number = len(list(folder.glob(f"choices-{task.worker:02d}-*.npz")))
    while not positions or time.monotonic() - started < task.seconds:
        line = LINE_ORDER[number % len(LINE_ORDER)]
        start = FIRST_SEED + SEEDS_PER_WORKER * task.worker + number * GAMES_PER_SHARD
        size, rule, first = LINES[line]
        rules = Rules.of(size, None, rule)
        rows = _record_games(rules, first, range(start, start + GAMES_PER_SHARD), task, line)
        _write(folder / f"choices-{task.worker:02d}-{number:04d}.npz", rows)
        positions += len(rows)
        number += 1
    return positions


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    arrays = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    arrays["position"] = np.array([row["position"] for row in rows])
    arrays["start"] = np.cumsum([0, *(len(row["cell"]) for row in rows)])
    with path.with_suffix(".part").open("wb") as file:
        np.savez(file, **arrays)
    path.with_suffix(".part").replace(path)


def record_choices(folder: Path, seconds: float, workers: int, samples: int, opening: float) -> int:
    """Let all workers write shards; return the number of new positions."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [Task(str(folder), i, seconds, samples, opening) for i in range(workers)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return sum(pool.map(work, tasks))


def _compare_cells(
    state: Any,
    guesser: ThoughtfulState,
    marks: Any,
    cells: list[int],
    samples: int,
    seed: int,
    limit: Limit,
) -> Comparison | None:
    """Compare these cells on samples of another seed, independent of those behind the choice.

    No cell drops out. Return None if the engine has no answer.
    """
    comparison = comparison_of(guesser, cells)
    if begin_samples(state, marks, int(guesser.mines), seed, limit):
        return None
    return comparison if add_samples(state, comparison, samples, limit) else None
