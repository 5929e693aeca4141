"""The memory of games side by side: the kernel's batch, and numpy's view of the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.env.task import Task
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.play import envs as kernel
from sapper.model.layout import Layout

# Fewer rows are not worth a thread: handing them over takes as long as their moves.
LEAST_FOR_A_THREAD = 64


class Games:
    """A row for each game; `step` moves in all of them."""

    def __init__(self, task: Task, rows: int, most_steps: int, renews: bool, threads: int):
        self._settings = task, rows, most_steps, renews, threads
        self.rows, self.task = rows, task
        self.marks = np.zeros((rows, task.cells), dtype=np.int8)
        self.masks = np.zeros((rows, task.actions), dtype=np.int8)
        self.rewards = np.zeros(rows)
        self.seeds = np.zeros(rows, dtype=np.uint64)
        self.hit = np.full(rows, -1, dtype=np.int32)
        self.won, self.ended, self.cut = (np.zeros(rows, dtype=np.uint8) for _ in range(3))
        self._dealt = np.zeros(rows, dtype=np.uint8)
        self._mines = np.zeros((rows, task.cells), dtype=np.uint8)
        self._cuts = _cuts(rows, threads)
        self._pool = ThreadPoolExecutor(threads) if len(self._cuts) > 2 else None
        self._arrays = self._reserve(len(self._cuts) - 1)
        self._batch = batch = kernel.Batch()
        batch.cells, batch.actions, batch.mine_count = task.cells, task.actions, task.rules.mines
        batch.keeps = kernel.KEEPS[task.rules.rule]
        batch.narrow = int(not task.opens.all())
        batch.most_steps, batch.renews = most_steps, int(renews)
        board = task.board
        fixed: dict[str, npt.NDArray[Any]] = {
            "offsets": board.offsets,
            "neighbours": board.neighbours,
            "opens": task.opens,
            "weights": np.array(task.weights),
        }
        for name, array in {**fixed, **self._arrays}.items():
            setattr(batch, name, view(array.reshape(-1)))

    def _reserve(self, lanes: int) -> dict[str, npt.NDArray[Any]]:
        """All that the kernel writes."""
        rows, cells = self.rows, self.task.cells
        return {
            "marks": self.marks,
            "masks": self.masks,
            "mines": self._mines,
            "rewards": self.rewards,
            "seeds": self.seeds,
            "streams": np.zeros(4 * rows, dtype=np.uint64),
            "left": np.zeros(rows, dtype=np.int32),
            "steps": np.zeros(rows, dtype=np.int32),
            "over": np.zeros(rows, dtype=np.uint8),
            "hit": self.hit,
            "won": self.won,
            "ended": self.ended,
            "cut": self.cut,
            "dealt": self._dealt,
            "allowed": np.zeros(lanes * cells, dtype=np.int32),
            "flood": np.zeros(lanes * cells, dtype=np.int32),
            "state": np.zeros(4 * lanes, dtype=np.uint64),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew and filled: the kernel's batch and the threads are of this process.
        return _refilled, (self._settings, self._arrays)

    @property
    def done(self) -> Any:
        """Which rows ended their episode in the last step, as a mask."""
        return (self.ended | self.cut).view(bool)

    def begin(self, row: int, seed: int) -> None:
        """Start a row with the game of a seed."""
        kernel.begin(self._batch, row, seed)
        self.ended[row] = self.cut[row] = 0

    def renew(self, rows: Any) -> None:
        """Start the next game of these rows; what their last step earned stays to be read."""
        kernel.renew_rows(self._batch, view(np.ascontiguousarray(rows, dtype=np.int64)))

    def step(self, actions: Any) -> None:
        """One move in every row; *actions* are numbers of actions, int64, checked."""
        if self.task.deal != "plain":
            self._deal_ahead(actions)
        moves = view(actions)
        if self._pool is None:
            kernel.step(self._batch, moves, 0, 0, self.rows)
            return
        parts = [
            self._pool.submit(kernel.step, self._batch, moves, lane, start, past)
            for lane, (start, past) in enumerate(pairwise(self._cuts))
        ]
        for part in parts:
            part.result()

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()

    def _deal_ahead(self, actions: Any) -> None:
        """Deal where a first cell is revealed: only plain deals are the kernel's.

        All layouts are made before any is laid out, so that one that cannot be had changes nothing.
        """
        legal = self.masks[np.arange(self.rows), actions] > 0
        waiting = (self._dealt == 0) & legal & (actions < self.task.cells)
        layouts: dict[int, Layout] = {
            int(row): self.task.dealer(int(self.seeds[row]))(int(actions[row]))
            for row in np.flatnonzero(waiting)
        }
        for row, layout in layouts.items():
            self._mines[row] = layout.mine_mask
            self._dealt[row] = 1


def _refilled(settings: Any, arrays: dict[str, npt.NDArray[Any]]) -> Games:
    games = Games(*settings)
    for name, array in arrays.items():
        games._arrays[name][...] = array
    return games


def _cuts(rows: int, threads: int) -> Sequence[int]:
    """Where the rows are cut into parts, one for each thread."""
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    parts = max(1, min(threads, rows // LEAST_FOR_A_THREAD))
    return [rows * k // parts for k in range(parts + 1)]
