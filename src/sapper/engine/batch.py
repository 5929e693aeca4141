"""Analysis of many positions at once, on several threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.engine import pipeline as kernel
from sapper.kernels.tracked import queries
from sapper.values import check_int, check_type


def analyse_many(
    positions: Sequence[Position],
    *,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> list[Analysis]:
    """Analyse many positions on several threads; return their analyses in order.

    *budget* applies to each position. Fastest where many positions have the same board.
    If `analyse` fails for some positions, raises the error of the first one.
    """
    check_type(positions, Iterable, "positions")
    positions = list(positions)
    if set(map(type, positions)) - {Position}:
        for position in positions:
            check_type(position, Position, "a position")
    check_type(budget, Budget, "a budget")
    threads = check_int(threads, "a number of threads")
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    by_board: dict[int, list[int]] = {}
    for i, position in enumerate(positions):
        by_board.setdefault(id(position.board), []).append(i)
    analyses: list[Any] = [None] * len(positions)
    for indices in by_board.values():
        batch = _Batch([positions[i] for i in indices], trust_flags, budget, cancel)
        for i, analysis in zip(indices, batch.analyses(threads), strict=True):
            analyses[i] = analysis
    return analyses


class _Batch:
    """Positions of one board, analysed in shared arrays."""

    def __init__(
        self, positions: list[Position], trust_flags: bool, budget: Budget, cancel: Cancel | None
    ):
        self.positions, self.board = positions, positions[0].board
        self.trust_flags, self.budget, self.cancel = trust_flags, budget, cancel
        cells = len(self.board)
        self.marks = np.empty(cells * len(positions), dtype=np.int32)
        self.mines = np.empty(len(positions), dtype=np.int32)
        queries.copy_positions(positions, cells, view(self.marks), view(self.mines))
        self.probabilities = np.empty(cells * len(positions))
        self.known = np.empty(cells * len(positions), dtype=np.uint8)
        self.ln_solutions = np.empty(len(positions))
        self.statuses = np.empty(len(positions), dtype=np.int32)

    def analyses(self, threads: int) -> Iterator[Analysis]:
        """Run the kernel on all positions, then yield the analyses in order.

        A position that the kernel cannot analyse is passed to `analyse`, which may raise an error.
        """
        count = len(self.positions)
        chunk_size = max(1, min(1024, -(-count // (4 * threads))))
        chunks = [(i, min(i + chunk_size, count)) for i in range(0, count, chunk_size)]
        if threads == 1 or len(chunks) == 1:
            self._run(0, count)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda chunk: self._run(*chunk), chunks))
        self.probabilities.setflags(write=False)
        trust_flags, budget = self.trust_flags, self.budget.unstarted()
        # Iterating over the rows of a matrix is faster than slicing an array.
        for position, probabilities, known, ln_solutions, status in zip(
            self.positions,
            self.probabilities.reshape(count, -1),
            self.known.reshape(count, -1),
            self.ln_solutions.tolist(),
            self.statuses.tolist(),
            strict=True,
        ):
            if status == workspace.OK:
                yield Analysis(position, probabilities, known, ln_solutions, trust_flags, budget)
            else:
                yield analyse(
                    position, trust_flags=self.trust_flags, budget=self.budget, cancel=self.cancel
                )

    def _run(self, first: int, stop: int) -> None:
        if len(self.board) > workspace.MAX_TRACKED_CELLS:
            self._run_large(first, stop)
            return
        limit = self.budget.start(self.cancel)
        marks, mines, results = self._arrays()
        with workspace.BorrowedTracked(self.board, limit) as tracked:
            while (
                first := queries.answer_batch(
                    tracked, marks, mines, self.trust_flags, first, stop, *results
                )
            ) < stop:
                workspace.enlarge(tracked.general, int(self.statuses[first]), limit)

    def _run_large(self, first: int, stop: int) -> None:
        limit = self.budget.start(self.cancel)
        marks, mines, results = self._arrays()
        with workspace.borrow_workspace(limit, self.trust_flags) as ws:
            ws.fit(len(self.board), len(self.board.neighbours))
            graph = view(self.board.offsets), view(self.board.neighbours)
            while (
                first := kernel.run_batch(ws, *graph, marks, mines, first, stop, *results)
            ) < stop:
                workspace.enlarge(ws, int(self.statuses[first]), limit)

    def _arrays(self) -> tuple[Any, Any, tuple[Any, ...]]:
        """Return views of marks and mines, and of the arrays for the results."""
        results = self.probabilities, self.known, self.ln_solutions, self.statuses
        return view(self.marks), view(self.mines), tuple(map(view, results))
