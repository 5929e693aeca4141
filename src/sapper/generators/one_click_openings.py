"""Openings of any board: all of them, if there are few, or random ones of a given size.

The cells that a click on a zero reveals are a connected set of zeros with all its neighbours.
Conversely, take any connected set of cells and put mines everywhere except on these cells and their
neighbours: then a click on one of them wins. So the one-click layouts with two or more empty cells
are exactly the openings, and every larger opening grows from a smaller one by making another of its
cells a zero.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.layout import Layout
from sapper.board.random_stream import RandomStream
from sapper.board.tilings import TILINGS
from sapper.errors import OutOfBudget
from sapper.kernels import view
from sapper.kernels.board import label_regions
from sapper.kernels.generators.one_click import grow_opening

Opening = frozenset[int]

# The sizes of all openings stored by an enumeration, added up: about two seconds, at most 0.4 GB.
MAX_CELLS_WRITTEN = 8_000_000

# Limits of random growth, in tries and in cells. On all tilings with sides up to 12 every possible
# size was found within 93 tries, 1.1 on average.
MAX_TRIES = 400
MAX_GROWN_CELLS = 20_000_000


def openings(board: Board, max_size: int, up_to_symmetry: bool = False) -> Iterator[Opening]:
    """Yield every opening of at most *max_size* cells once, smaller ones first.

    With *up_to_symmetry*, only one of the openings that are translations of each other on a torus.
    Raises OutOfBudget if there are too many.
    """
    starts = _starts(board, max_size)
    if up_to_symmetry and _is_vertex_transitive(board):
        starts = starts[:1]
    cells_written = int(board.neighbour_counts[starts].sum()) + len(starts)
    by_size: defaultdict[int, set[Opening]] = defaultdict(set)
    neighbourhoods: dict[int, Opening] = {}
    if cells_written <= MAX_CELLS_WRITTEN:
        for start in map(int, starts):
            by_size[board.neighbour_count(start) + 1].add(
                _with_neighbours(board, start, neighbourhoods)
            )
    for size in range(1, max_size + 1):
        for opening in by_size.pop(size, ()):
            yield opening
            for cell in opening:
                gain = len(_with_neighbours(board, cell, neighbourhoods) - opening)
                if gain and size + gain <= max_size:
                    by_size[size + gain].add(opening | neighbourhoods[cell])
                    cells_written += size + gain
            if cells_written > MAX_CELLS_WRITTEN:
                break
        if cells_written > MAX_CELLS_WRITTEN:
            problem = f"too many openings of up to {max_size} cells on {board} to enumerate"
            raise OutOfBudget(problem, remedy="try more mines")


def _starts(board: Board, max_size: int) -> Ints:
    """Return the cells that open at most *max_size* cells if they are the only zero."""
    return np.flatnonzero(board.neighbour_counts < max_size).astype(np.int32)


def _is_vertex_transitive(board: Board) -> bool:
    """Return whether symmetries of the board map every cell to every other."""
    tiling = TILINGS.get(board.tiling or "")
    return tiling is not None and tiling.wraps and tiling.parity == "none"


def _with_neighbours(board: Board, cell: int, cache: dict[int, Opening]) -> Opening:
    """Return a cell with its neighbours."""
    if cell not in cache:
        cache[cell] = frozenset((cell, *map(int, board.around(cell))))
    return cache[cell]


class OpeningGrower:
    """Grows random openings of one board from a seed."""

    def __init__(self, board: Board, seed: int):
        self.board = board
        self.stream = RandomStream(seed)

    def grow(self, size: int) -> Layout | None:
        """Return a layout with a random opening of *size* cells (at least 2), clicked on a zero.

        Returns None after too many tries, which does not prove that there is none.
        """
        board = self.board
        starts = self._possible_starts(size)
        if not len(starts):
            return None
        queue = np.empty(len(board), dtype=np.int32)
        safe = np.empty(len(board), dtype=np.uint8)
        grown_cells = 0
        for _ in range(MAX_TRIES):
            start = int(starts[self.stream.below(len(starts))])
            # In this many of 256 steps, one of the newest cells becomes a zero.
            newest_share = self.stream.below(257)
            safe[:] = 0
            reached_size = grow_opening(
                view(board.offsets),
                view(board.neighbours),
                self.stream.state,
                start,
                size,
                newest_share,
                view(queue),
                view(safe),
            )
            if reached_size == size:
                return self.with_click(safe == 0)
            grown_cells += reached_size
            if grown_cells > MAX_GROWN_CELLS:
                return None
        return None

    def with_click(self, mines: np.typing.NDArray[np.bool_]) -> Layout:
        """Return a layout with a click on a random zero, or on its only safe cell."""
        layout = Layout(self.board, mines)
        clicks = np.flatnonzero(layout.zeros)
        if not len(clicks):
            clicks = np.flatnonzero(layout.mine_mask == 0)
        return Layout(self.board, mines, int(clicks[self.stream.below(len(clicks))]))

    def _possible_starts(self, size: int) -> Ints:
        """Return the cells that open at most *size* cells in a connected part that large."""
        starts = _starts(self.board, size)
        if self.board.tiling == "square":
            return starts
        part_of_cell, part_sizes = connected_parts(self.board)
        return starts[part_sizes[part_of_cell[starts]] >= size]


def connected_parts(board: Board) -> tuple[Ints, Ints]:
    """Return the connected part of each cell, numbered from 1, and the size of each part."""
    labels = np.zeros(len(board), dtype=np.int32)
    label_regions(
        view(board.offsets),
        view(board.neighbours),
        view(np.ones(len(board), dtype=np.uint8)),
        view(labels),
        view(np.empty(len(board), dtype=np.int32)),
    )
    return labels, np.bincount(labels).astype(np.int32)
