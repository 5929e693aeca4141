"""The hints of a frame as rows over its unknown cells: what proofs and rungs are made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.infer.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.kernels.proofs.repair import Search
from sapper.kernels.proofs.search import equip, settle
from sapper.model.board import Ints
from sapper.model.frame import FLAG, Frame

Known = npt.NDArray[np.uint8]
"""UNKNOWN, FREE or MINE for each cell."""

# Steps of the search for one satisfactory placement, for each hint. Expert frames take 5.
PLACEMENT_STEPS = 200_000


def known_cells(frame: Frame, trust_flags: bool = False) -> Known:
    """UNKNOWN, FREE or MINE for each cell, before anything is deduced.

    Revealed cells are free; flagged ones are mines if flags are trusted.
    """
    known = np.where(frame.marks >= 0, FREE, UNKNOWN).astype(np.uint8)
    if trust_flags:
        known[frame.marks == FLAG] = MINE
    return known


@dataclass(frozen=True)
class Evidence:
    """What the hints say about the unknown cells.

    Hint i stands on cells[i] and still needs need[i] mines among
    unknown[hint_blank[hint_start[i]:hint_start[i + 1]]].
    Where the mine count is used, it is the last row, and all unknown cells are around it;
    otherwise unknown cells that no hint sees are left out.
    """

    frame: Frame
    with_count: bool
    cells: Ints
    need: Ints
    unknown: Ints
    hint_start: Ints
    hint_blank: Ints

    @classmethod
    def read(cls, frame: Frame, known: Known, with_count: bool = False) -> Evidence:
        """The evidence of a frame, given what is known of its cells."""
        board, n = frame.board, len(frame.board)
        from_cell = np.repeat(np.arange(n, dtype=np.int32), board.neighbour_counts)
        to = board.neighbours
        shown = frame.marks >= 0
        sees = shown[from_cell]
        mines = np.bincount(from_cell[sees & (known[to] == MINE)], minlength=n)
        open_edge = sees & (known[to] == UNKNOWN)
        width = np.bincount(from_cell[open_edge], minlength=n)
        need = frame.marks - mines
        # A hint without unknown cells says nothing, unless it is wrong.
        live = shown & ((width > 0) | (need != 0))
        in_play = np.zeros(n, dtype=bool)
        in_play[to[open_edge]] = True
        if with_count:
            in_play = known == UNKNOWN
        unknown = np.flatnonzero(in_play)
        place = np.full(n, -1, dtype=np.int32)
        place[unknown] = np.arange(len(unknown))
        cells, needs, widths = np.flatnonzero(live), need[live], width[live]
        blanks = place[to[open_edge]]
        if with_count:
            assert frame.mines is not None
            left = frame.mines - int((known == MINE).sum())
            needs, widths = np.append(needs, left), np.append(widths, len(unknown))
            blanks = np.append(blanks, np.arange(len(unknown)))
        start = np.concatenate(([0], np.cumsum(widths)))
        columns = map(_ints, (cells, needs, unknown, start, blanks))
        return cls(frame, with_count, *columns)

    @cached_property
    def place(self) -> dict[int, int]:
        """Where each unknown cell stands among them."""
        return {int(cell): i for i, cell in enumerate(self.unknown)}

    def cells_of(self, rows: Ints, count: int) -> tuple[int, ...]:
        """The cells of the first *count* of some hints, ascending."""
        return tuple(sorted(int(self.cells[rows[i]]) for i in range(count)))

    def search(self, certain: Known, limit: Limit) -> Search:
        """A search that starts from a placement, satisfactory if that was found.

        *certain* gives cells that are known to be free or mines in every satisfactory placement.
        Any placement that agrees with it will do to start from; the nearer to a satisfactory one,
        the quicker are the proofs. Once *limit* is over, it does no more steps and is `stopped`.
        """
        blank_start, blank_hint = self._rows_of_blanks()
        box = _boxes(blank_start, blank_hint)
        count_row = len(self.need) - 1 if self.with_count else -1
        rows = self.hint_start, self.hint_blank, self.need
        search = Search(*rows, blank_start, blank_hint, box, count_row)
        hint_cells = np.append(self.cells, -1) if self.with_count else self.cells
        search.until, search.cancel = limit.until, view(limit.flag)
        equip(search, _ints(hint_cells), len(self.frame.board))
        values = certain[self.unknown]
        guess = (values == MINE).astype(np.uint8)
        for blank in np.flatnonzero(values != UNKNOWN):
            search.fixed[int(blank)] = 1
        settle(search, view(guess), PLACEMENT_STEPS)
        return search

    def _rows_of_blanks(self) -> tuple[Ints, Ints]:
        """For each unknown cell, the hints that see it: the rows, turned."""
        row = np.repeat(np.arange(len(self.need), dtype=np.int32), np.diff(self.hint_start))
        order = np.argsort(self.hint_blank, kind="stable")
        counts = np.bincount(self.hint_blank, minlength=len(self.unknown))
        return _ints(np.concatenate(([0], np.cumsum(counts)))), _ints(row[order])


def _boxes(blank_start: Ints, blank_hint: Ints) -> npt.NDArray[np.uint64]:
    """A number for each unknown cell; the same for cells with the same hints."""
    numbers: dict[bytes, int] = {}
    starts = blank_start.tolist()
    rows = (blank_hint[a:b].tobytes() for a, b in pairwise(starts))
    found = [numbers.setdefault(row, len(numbers)) for row in rows]
    return np.array(found, dtype=np.uint64)


def _ints(values: Any) -> Ints:
    return np.ascontiguousarray(values, dtype=np.int32)
