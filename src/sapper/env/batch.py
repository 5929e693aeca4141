"""Many games side by side: the kernel's batch, and its memory as numpy arrays."""

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

# Fewer rows per thread take as long to submit as to play.
MIN_ROWS_PER_THREAD = 64


class GameBatch:
    """A batch of games, one per row; `step` makes a move in each."""

    def __init__(
        self, config: EnvConfig, rows: int, max_steps: int, auto_reset: bool, threads: int
    ):
        self._arguments = config, rows, max_steps, auto_reset, threads
        self.rows, self.config = rows, config
        self._bounds = _part_bounds(rows, threads)
        self._pool = ThreadPoolExecutor(threads) if len(self._bounds) > 2 else None
        self._batch = kernel.EnvironmentBatch(
            view(config.board.offsets),
            view(config.board.neighbours),
            view(config.first_cells),
            view(np.array(config.weights)),
            rows,
            len(self._bounds) - 1,
            flags=config.flags,
            mine_count=config.rules.mines,
            rule=kernel.RULES[config.rules.rule],
            max_steps=max_steps,
            auto_reset=auto_reset,
        )
        self._arrays: dict[str, npt.NDArray[Any]] = self._batch.arrays
        self.marks, self.masks = self._arrays["marks"], self._arrays["masks"]
        self.rewards, self.seeds = self._arrays["rewards"], self._arrays["seeds"]
        self.hit, self.won = self._arrays["hit"], self._arrays["won"]
        self.terminated, self.truncated = self._arrays["terminated"], self._arrays["truncated"]

    def __reduce__(self) -> tuple[Any, ...]:
        # Constructed again and filled: the kernel's batch and the threads cannot be pickled.
        return _restore, (self._arguments, self._arrays)

    @property
    def done(self) -> Any:
        """The mask of the rows whose episode ended in the last step."""
        return (self.terminated | self.truncated).view(bool)

    def start(self, row: int, seed: int) -> None:
        """Start the game of a seed in a row."""
        kernel.begin(self._batch, row, seed)
        self.terminated[row] = self.truncated[row] = 0

    def start_next(self, rows: Any) -> None:
        """Start the next game in these rows; the rewards of the last step remain."""
        kernel.start_next_rows(self._batch, view(np.ascontiguousarray(rows, dtype=np.int64)))

    def step(self, actions: Any) -> None:
        """Make a move in each row; *actions* is a validated int64 array."""
        if self.config.generator != "plain":
            self._generate_ahead(actions)
        moves = view(actions)
        if self._pool is None:
            kernel.step(self._batch, moves, 0, 0, self.rows)
            return
        parts = [
            self._pool.submit(kernel.step, self._batch, moves, worker, start, stop)
            for worker, (start, stop) in enumerate(pairwise(self._bounds))
        ]
        for part in parts:
            part.result()

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _generate_ahead(self, actions: Any) -> None:
        """Generate the layouts of first clicks; the kernel generates only plain ones.

        All layouts are generated before any is used, so that a failure changes nothing.
        """
        legal = self.masks[np.arange(self.rows), actions] > 0
        waiting = (self._arrays["generated"] == 0) & legal & (actions < self.config.cells)
        layouts: dict[int, Layout] = {
            int(row): self.config.setup(int(self.seeds[row])).layout_source()(int(actions[row]))
            for row in np.flatnonzero(waiting)
        }
        for row, layout in layouts.items():
            self._arrays["mines"][row] = layout.mine_mask
            self._arrays["generated"][row] = 1


def _restore(arguments: Any, arrays: dict[str, npt.NDArray[Any]]) -> GameBatch:
    batch = GameBatch(*arguments)
    for name, array in arrays.items():
        batch._arrays[name][...] = array
    return batch


def _part_bounds(rows: int, threads: int) -> Sequence[int]:
    """Return the bounds of the rows of each thread."""
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    parts = max(1, min(threads, rows // MIN_ROWS_PER_THREAD))
    return [rows * k // parts for k in range(parts + 1)]
