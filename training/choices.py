"""Guesses of real games with all that the voices of `shrewd` say, and what each cell is worth.

At a guess the best cells by each player are valued by roll-outs from common exact samples, with
`learned` playing on. That costs as much as dozens of playouts on the true board, and says as much
as a hundred of them: enough to tell voices apart that mostly agree.
A worker writes shards until its time is up; what a shard holds depends on its seeds alone.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from sapper.engine.budget import MAX_SECONDS, Budget, Cancel, Limit
from sapper.games.batch import Arena
from sapper.games.campaign import Campaign
from sapper.kernels import view
from sapper.kernels.codes import ANSWERED, SCALARS, UNKNOWN
from sapper.kernels.players import learned, thoughtful
from sapper.players.learned_settings import LearnedSettings
from sapper.players.learned_state import make_learned_state
from sapper.players.networks import weights_for
from sapper.players.registry import PLAYERS
from sapper.players.rollouts import value
from sapper.players.thoughtful_settings import ThoughtfulSettings
from sapper.players.thoughtful_state import make_thoughtful_state

# Neither those of training nor those that results are published on.
FIRST_SEED = 6 * 10**9
SEEDS_A_WORKER = 10**7
LINES = (
    ("30x16/99", "zero", "r4c4"),
    ("30x16/99", "safe", "r1c1"),
    ("16x16/40", "zero", "r3c3"),
    ("16x16/40", "safe", "r1c1"),
)
# Of ten shards so many are of each line.
TURNS = (0, 1, 0, 1, 2, 0, 1, 0, 1, 3)
GAMES_A_SHARD = 500
OF_EACH = {"shrewd": 4, "thoughtful": 3, "learned": 4}
"""So many of the best cells by each player are valued."""
OPENING = 0.73
"""Interiors above this share of the board are the opening, of which few are recorded: roll-outs
from there are long."""


@dataclass(frozen=True)
class Task:
    """What a worker does."""

    folder: str
    worker: int
    seconds: float
    samples: int
    opening: float
    """The share of guesses in the opening that are recorded."""


class Recording(Arena):
    """Games whose guesses are written down: half of them go on as `thoughtful` would."""

    def __init__(self, campaign: Campaign, task: Task, line: int):
        super().__init__(campaign, PLAYERS.find("patient").twin or 0)
        self._line, self._task = line, task
        board = campaign.rules.board
        weights = weights_for(board)
        assert weights is not None
        self._first = make_learned_state(board, weights, LearnedSettings(end_game=0))
        self._plain = make_thoughtful_state(board, ThoughtfulSettings())
        self._safest = make_thoughtful_state(board, ThoughtfulSettings(blend=1.0))
        self._luck = np.random.default_rng(campaign.seeds.start)
        self.seed = 0
        self.rows: list[dict[str, Any]] = []

    def _run_rollouts(self, cancel: Cancel) -> None:
        memory = self._memory
        memory.phase |= ANSWERED
        limit = Budget(seconds=MAX_SECONDS).start(cancel)
        marks, mines = np.asarray(memory.marks).copy(), int(memory.mine_count)
        thoughtful_state, plain = memory.thoughtful_state, self._plain
        if thoughtful.run(plain, view(marks), mines, True):
            return
        theirs = int(plain.chosen)
        unknown = np.asarray(thoughtful_state.p.known)[: len(marks)] == UNKNOWN
        interior = int((unknown & (np.asarray(thoughtful_state.near_number) == 0)).sum())
        if interior <= OPENING * len(marks) or self._luck.random() < self._task.opening:
            self._record(marks, mines, interior, theirs, limit)
        if self._luck.random() < 0.5:
            thoughtful_state.chosen = theirs

    def _record(self, marks: Any, mines: int, interior: int, theirs: int, limit: Limit) -> None:
        thoughtful_state, plain, first = self._memory.thoughtful_state, self._plain, self._first
        if learned.run(first, view(marks), mines, True):
            return
        cells = self._cells(theirs)
        given = view(np.array(cells, np.int32))
        living, region = np.asarray(plain.living).copy(), np.asarray(plain.region).copy()
        reason, score = int(plain.reason), np.asarray(plain.score).copy()
        if thoughtful.score_cells(plain, view(marks), mines, given, len(cells)):
            return
        if thoughtful.score_cells(self._safest, view(marks), mines, given, len(cells)):
            return
        samples = self._task.samples
        found = value(self._rollout, thoughtful_state, marks, cells, samples, self.seed, limit)
        if found is None:
            return
        rolled = [found.rolled(i) for i in range(len(cells))]
        features = first.features
        plane, table = (
            np.asarray(features.plane),
            np.asarray(features.table).reshape(-1, features.slots),
        )
        row = slice(features.most * SCALARS, features.most * SCALARS + SCALARS)
        patches, scalars, values = [], [], []
        for cell in cells:
            values.append(learned.value_of(first, cell))
            scalars.append(np.asarray(features.scalar)[row].copy())
            patches.append(np.where(table[cell] >= 0, plane[table[cell]], 0))
        at = np.array(cells)
        self.rows.append(
            {
                "patch": np.array(patches, np.uint8),
                "scalar": np.array(scalars, np.int16),
                "cell": at,
                "probabilities": np.asarray(found.probabilities),
                "influence": np.asarray(plain.influence)[at],
                "follow": np.asarray(plain.follow)[at],
                "safest": np.asarray(self._safest.follow)[at],
                "sure": np.asarray(plain.sure)[at],
                "living": living[at],
                "region": region[at],
                "near": np.asarray(thoughtful_state.near_number)[at],
                "shrewd": np.asarray(thoughtful_state.score)[at],
                "thoughtful": score[at],
                "first": np.array(values),
                "rate": np.array([one.rate for one in rolled]),
                "error": np.array([one.error for one in rolled]),
                "chosen": (at == theirs) + 2 * (at == int(thoughtful_state.chosen)),
                "position": np.array(
                    [
                        *(self._line, interior, int(unknown_count(thoughtful_state, len(marks)))),
                        *(mines, reason, samples, self.seed),
                    ]
                ),
                "ln": np.array([float(thoughtful_state.ln_solutions)]),
            }
        )

    def _cells(self, theirs: int) -> list[int]:
        """Return the best cells by each player, and the safest."""
        thoughtful_state, plain, first = self._memory.thoughtful_state, self._plain, self._first
        count = first.features.count
        weighed = [(float(first.value[i]), int(first.features.candidate[i])) for i in range(count)]
        lists = {
            "shrewd": _best(thoughtful_state),
            "thoughtful": [theirs, *_best(plain)],
            "learned": [cell for _, cell in sorted(weighed, reverse=True)],
        }
        cells = [int(thoughtful_state.chosen)]
        for name, order in lists.items():
            cells += order[: OF_EACH[name]]
        return list(dict.fromkeys([*cells, int(first.features.candidate[0])]))


def unknown_count(thoughtful_state: Any, cells: int) -> int:
    """How many cells of a position may be mines or not."""
    return int((np.asarray(thoughtful_state.p.known)[:cells] == UNKNOWN).sum())


def _best(thoughtful_state: Any) -> list[int]:
    score = thoughtful_state.score
    cells = [int(thoughtful_state.candidate[i]) for i in range(thoughtful_state.candidates)]
    return sorted((cell for cell in cells if score[cell] >= 0), key=lambda cell: -score[cell])


def work(task: Task) -> int:
    """One worker: go on after the shards that it has written before; how many positions it made."""
    folder, started, positions = Path(task.folder), time.monotonic(), 0
    number = len(list(folder.glob(f"choices-{task.worker:02d}-*.npz")))
    while time.monotonic() - started < task.seconds:
        line = TURNS[number % len(TURNS)]
        start = FIRST_SEED + SEEDS_A_WORKER * task.worker + number * GAMES_A_SHARD
        size, rule, first = LINES[line]
        campaign = Campaign.of(
            *(size, "patient", GAMES_A_SHARD, start, rule, first),
            settings={"interior": len(Campaign.of(size, "careful", 1).rules.board)},
        )
        arena = Recording(campaign, task, line)
        for seed in campaign.seeds:
            arena.seed = seed
            arena.play(range(seed, seed + 1), Cancel())
        _write(folder / f"choices-{task.worker:02d}-{number:04d}.npz", arena.rows)
        positions += len(arena.rows)
        number += 1
    return positions


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    made = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
    made["position"] = np.array([row["position"] for row in rows])
    made["start"] = np.cumsum([0, *(len(row["cell"]) for row in rows)])
    with path.with_suffix(".part").open("wb") as file:
        np.savez(file, **made)
    path.with_suffix(".part").replace(path)


def gather(folder: Path, seconds: float, workers: int, samples: int, opening: float) -> int:
    """Let all workers write shards; how many positions there are more."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [Task(str(folder), i, seconds, samples, opening) for i in range(workers)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return sum(pool.map(work, tasks))
