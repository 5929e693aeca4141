"""The numbers of a position as a system of linear equations over its unknown cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.position import FLAG, Position
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.kernels.proofs.repair import ProofSearch
from sapper.kernels.proofs.search import allocate_search, find_base

Knowledge = npt.NDArray[np.uint8]
"""UNKNOWN, SAFE or MINE for each cell."""

# The most steps to satisfy one number in the search for a solution. Expert positions take 5.
MAX_STEPS_PER_NUMBER = 200_000


def initial_knowledge(position: Position, trust_flags: bool = False) -> Knowledge:
    """Return UNKNOWN, SAFE or MINE for each cell before anything is deduced.

    Revealed cells are safe; flagged ones are mines if flags are trusted.
    """
    known = np.where(position.marks >= 0, SAFE, UNKNOWN).astype(np.uint8)
    if trust_flags:
        known[position.marks == FLAG] = MINE
    return known


@dataclass(frozen=True)
class Constraints:
    """The equations of the numbers.

    The number at cells[i] still needs missing[i] mines among
    unknown[number_covered[number_start[i]:number_start[i + 1]]].
    If the mine count is used, it is the last row and has all unknown cells; otherwise unknown cells
    that touch no number are left out.
    """

    position: Position
    use_mine_count: bool
    cells: Ints
    missing: Ints
    unknown: Ints
    number_start: Ints
    number_covered: Ints

    @classmethod
    def read(
        cls, position: Position, known: Knowledge, use_mine_count: bool = False
    ) -> Constraints:
        """Return the constraints of a position, given what is known about its cells."""
        board, n = position.board, len(position.board)
        # Each edge from a revealed cell to a neighbour, in the order of the revealed cells.
        shows_number = position.marks >= 0
        edge_from = np.repeat(np.arange(n, dtype=np.int32), board.neighbour_counts)
        from_number = shows_number[edge_from]
        edge_from, edge_to = edge_from[from_number], board.neighbours[from_number]
        mines = np.bincount(edge_from[known[edge_to] == MINE], minlength=n)
        to_unknown = known[edge_to] == UNKNOWN
        unknown_around = np.bincount(edge_from[to_unknown], minlength=n)
        missing = position.marks - mines
        # A number without unknown cells adds nothing, unless it is wrong.
        is_used = shows_number & ((unknown_around > 0) | (missing != 0))
        cells = np.flatnonzero(is_used)
        missing, unknown_counts = missing[is_used], unknown_around[is_used]
        covered_cells = edge_to[to_unknown]
        is_included = known == UNKNOWN
        if not use_mine_count:
            is_included = np.zeros(n, dtype=bool)
            is_included[covered_cells] = True
        unknown = np.flatnonzero(is_included)
        index_of = np.full(n, -1, dtype=np.int32)
        index_of[unknown] = np.arange(len(unknown))
        covered = index_of[covered_cells]
        if use_mine_count:
            assert position.mines is not None
            mines_left = position.mines - int((known == MINE).sum())
            missing = np.append(missing, mines_left)
            unknown_counts = np.append(unknown_counts, len(unknown))
            covered = np.append(covered, np.arange(len(unknown)))
        start = np.concatenate(([0], np.cumsum(unknown_counts)))
        arrays = map(_ints, (cells, missing, unknown, start, covered))
        return cls(position, use_mine_count, *arrays)

    @cached_property
    def index_of(self) -> dict[int, int]:
        """The index of each unknown cell in `unknown`."""
        return {int(cell): i for i, cell in enumerate(self.unknown)}

    def cells_of(self, rows: Ints, count: int) -> tuple[int, ...]:
        """Return the cells of the first *count* of these rows, ascending."""
        return tuple(sorted(int(self.cells[rows[i]]) for i in range(count)))

    def search(self, certain: Knowledge, limit: Limit) -> ProofSearch:
        """Return a search for proofs.

        *certain* has the cells that are safe or mines in every solution. The search starts from an
        assignment that agrees with it; the closer that is to a solution, the faster are the proofs.
        Once *limit* has expired, the search makes no more steps and is `stopped`.
        """
        covered_start, covered_number = self._rows_of_covered()
        box = _boxes(covered_start, covered_number)
        count_row = len(self.missing) - 1 if self.use_mine_count else -1
        rows = self.number_start, self.number_covered, self.missing
        search = ProofSearch(*rows, covered_start, covered_number, box, count_row)
        number_cells = np.append(self.cells, -1) if self.use_mine_count else self.cells
        search.deadline, search.cancel = limit.deadline, view(limit.cancel_flag)
        allocate_search(search, _ints(number_cells), len(self.position.board))
        states = certain[self.unknown]
        assignment = (states == MINE).astype(np.uint8)
        for index in np.flatnonzero(states != UNKNOWN).tolist():
            search.fixed[index] = 1
        find_base(search, view(assignment), MAX_STEPS_PER_NUMBER)
        return search

    def _rows_of_covered(self) -> tuple[Ints, Ints]:
        """Return the rows that contain each unknown cell: the transposed system."""
        row = np.repeat(np.arange(len(self.missing), dtype=np.int32), np.diff(self.number_start))
        order = np.argsort(self.number_covered, kind="stable")
        counts = np.bincount(self.number_covered, minlength=len(self.unknown))
        return _ints(np.concatenate(([0], np.cumsum(counts)))), _ints(row[order])


def _boxes(covered_start: Ints, covered_number: Ints) -> npt.NDArray[np.uint64]:
    """Return a box number for each unknown cell; cells with the same rows share it."""
    numbers: dict[bytes, int] = {}
    rows = (covered_number[a:b].tobytes() for a, b in pairwise(covered_start.tolist()))
    boxes = [numbers.setdefault(row, len(numbers)) for row in rows]
    return np.array(boxes, dtype=np.uint64)


def _ints(values: Any) -> Ints:
    return np.ascontiguousarray(values, dtype=np.int32)
