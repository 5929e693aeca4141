"""The memory of games side by side: the kernel's batch, and numpy's view of the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.layout import Layout
from sapper.env.config import EnvConfig
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.games import environments as kernel

# Fewer rows are not worth a thread: handing them over takes as long as their moves.
LEAST_FOR_A_THREAD = 64


class GameBatch:
    """A row for each game; `step` moves in all of them."""

    def __init__(self, task: EnvConfig, rows: int, max_steps: int, renews: bool, threads: int):
        self._settings = task, rows, max_steps, renews, threads
        self.rows, self.task = rows, task
        self._cuts = _cuts(rows, threads)
        self._pool = ThreadPoolExecutor(threads) if len(self._cuts) > 2 else None
        self._batch = kernel.EnvironmentBatch(
            view(task.board.offsets),
            view(task.board.neighbours),
            view(task.opens),
            view(np.array(task.weights)),
            rows,
            len(self._cuts) - 1,
            flags=task.flags,
            mine_count=task.rules.mines,
            keeps=kernel.KEEPS[task.rules.rule],
            max_steps=max_steps,
            renews=renews,
        )
        self._arrays: dict[str, npt.NDArray[Any]] = self._batch.written
        self.marks, self.masks = self._arrays["marks"], self._arrays["masks"]
        self.rewards, self.seeds = self._arrays["rewards"], self._arrays["seeds"]
        self.hit, self.won = self._arrays["hit"], self._arrays["won"]
        self.ended, self.cut = self._arrays["ended"], self._arrays["cut"]

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
            self._generate_ahead(actions)
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

    def _generate_ahead(self, actions: Any) -> None:
        """Deal where a first cell is revealed: only plain deals are the kernel's.

        All layouts are made before any is laid out, so that one that cannot be had changes nothing.
        """
        legal = self.masks[np.arange(self.rows), actions] > 0
        waiting = (self._arrays["dealt"] == 0) & legal & (actions < self.task.cells)
        layouts: dict[int, Layout] = {
            int(row): self.task.layout_source(int(self.seeds[row]))(int(actions[row]))
            for row in np.flatnonzero(waiting)
        }
        for row, layout in layouts.items():
            self._arrays["mines"][row] = layout.mine_mask
            self._arrays["dealt"][row] = 1


def _refilled(settings: Any, arrays: dict[str, npt.NDArray[Any]]) -> GameBatch:
    games = GameBatch(*settings)
    for name, array in arrays.items():
        games._arrays[name][...] = array
    return games


def _cuts(rows: int, threads: int) -> Sequence[int]:
    """Where the rows are cut into parts, one for each thread."""
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    parts = max(1, min(threads, rows // LEAST_FOR_A_THREAD))
    return [rows * k // parts for k in range(parts + 1)]
