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

    def __init__(self, task: Task, rows: int, *, most_steps: int, renews: bool, threads: int):
        cells, actions = task.cells, task.actions
        self.rows, self.task = rows, task
        self.marks = np.zeros((rows, cells), dtype=np.int8)
        self.masks = np.zeros((rows, actions), dtype=np.int8)
        self.rewards = np.zeros(rows)
        self.seeds = np.zeros(rows, dtype=np.uint64)
        self.hit = np.full(rows, -1, dtype=np.int32)
        self.won, self.ended, self.cut = (np.zeros(rows, dtype=np.uint8) for _ in range(3))
        self._dealt = np.zeros(rows, dtype=np.uint8)
        self._mines = np.zeros((rows, cells), dtype=np.uint8)
        self._cuts = _cuts(rows, threads)
        self._pool = ThreadPoolExecutor(threads) if len(self._cuts) > 2 else None
        self._batch = self._reserve(len(self._cuts) - 1, most_steps, renews)

    def _reserve(self, lanes: int, most_steps: int, renews: bool) -> Any:
        batch: Any = kernel.Batch()
        task, board = self.task, self.task.board
        batch.cells, batch.actions, batch.mine_count = task.cells, task.actions, task.rules.mines
        batch.keeps = kernel.KEEPS[task.rules.rule]
        batch.narrow = not task.opens.all()
        batch.most_steps, batch.renews = most_steps, renews
        ints = np.int32
        arrays: dict[str, npt.NDArray[Any]] = {
            "offsets": board.offsets,
            "neighbours": board.neighbours,
            "opens": task.opens,
            "weights": np.array(task.weights),
            "marks": self.marks,
            "mines": self._mines,
            "masks": self.masks,
            "rewards": self.rewards,
            "seeds": self.seeds,
            "streams": np.zeros(4 * self.rows, dtype=np.uint64),
            "left": np.zeros(self.rows, dtype=ints),
            "steps": np.zeros(self.rows, dtype=ints),
            "over": np.zeros(self.rows, dtype=np.uint8),
            "hit": self.hit,
            "won": self.won,
            "ended": self.ended,
            "cut": self.cut,
            "dealt": self._dealt,
            "allowed": np.zeros(lanes * task.cells, dtype=ints),
            "flood": np.zeros(lanes * task.cells, dtype=ints),
            "state": np.zeros(4 * lanes, dtype=np.uint64),
        }
        for name, array in arrays.items():
            setattr(batch, name, view(array.reshape(-1)))
        return batch

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


def _cuts(rows: int, threads: int) -> Sequence[int]:
    """Where the rows are cut into parts, one for each thread."""
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    parts = max(1, min(threads, rows // LEAST_FOR_A_THREAD))
    return [rows * k // parts for k in range(parts + 1)]
