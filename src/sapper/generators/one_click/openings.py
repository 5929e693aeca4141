"""Openings of any board: all of them while they are few, or random ones of a wanted size.

The cells that one click on a zero reveals are a connected set of zeros with all its neighbours.
Turned round: take any connected set of cells, mine all but these and their neighbours,
and a click on one of them wins. So one-click layouts with two or more empty cells
are exactly the openings, and from an opening every larger one grows by making
another of its cells a zero.
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
from sapper.kernels.board.layout import label_regions
from sapper.kernels.generators.one_click import grow_opening

Opening = frozenset[int]

# Cells written while openings are enumerated: about two seconds, at most 0.4 GB.
EFFORT = 8_000_000

# Random growth gives up after so many tries or so many cells opened. On all tilings with sides up
# to 12 every possible size came within 93 tries, 1.1 in the mean; the rest is margin.
TRIES = 400
GROWN_CELLS = 20_000_000


def openings(board: Board, most: int, up_to_symmetry: bool = False) -> Iterator[Opening]:
    """Every opening of at most *most* cells, once each, smaller ones first.

    *up_to_symmetry* leaves out openings that are others moved across a torus.
    Raises OutOfBudget when there are too many.
    """
    starts = _starts(board, most)
    if up_to_symmetry and _is_vertex_transitive(board):
        starts = starts[:1]
    effort = int(board.neighbour_counts[starts].sum()) + len(starts)
    by_size: defaultdict[int, set[Opening]] = defaultdict(set)
    closed: dict[int, Opening] = {}
    if effort <= EFFORT:
        for start in map(int, starts):
            by_size[board.neighbour_count(start) + 1].add(_closed(board, start, closed))
    for size in range(1, most + 1):
        for opening in by_size.pop(size, ()):
            yield opening
            for cell in opening:
                gain = len(_closed(board, cell, closed) - opening)
                if gain and size + gain <= most:
                    by_size[size + gain].add(opening | closed[cell])
                    effort += size + gain
            if effort > EFFORT:
                break
        if effort > EFFORT:
            raise OutOfBudget(f"expected few openings of up to {most} cells on {board}, got more")


def _starts(board: Board, most: int) -> Ints:
    """The zeros that open at most *most* cells by themselves."""
    return np.flatnonzero(board.neighbour_counts < most).astype(np.int32)


def _is_vertex_transitive(board: Board) -> bool:
    """Whether every cell can be moved onto every other by a symmetry of the board."""
    tiling = TILINGS.get(board.tiling or "")
    return tiling is not None and tiling.wraps and tiling.parity == "none"


def _closed(board: Board, cell: int, known: dict[int, Opening]) -> Opening:
    """The cell and its neighbours."""
    found = known.get(cell)
    if found is None:
        found = known[cell] = frozenset((cell, *map(int, board.around(cell))))
    return found


class Grower:
    """Grows random openings of one board; the seed fixes all of them."""

    def __init__(self, board: Board, seed: int):
        self.board = board
        self.stream = RandomStream(seed)

    def opening(self, size: int) -> Layout | None:
        """A layout with a random opening of that many cells, two or more, and a click on a zero.

        None after many tries in vain, which proves nothing.
        """
        board = self.board
        starts = self._roomy_starts(size)
        if not len(starts):
            return None
        queue = np.empty(len(board), dtype=np.int32)
        free = np.empty(len(board), dtype=np.uint8)
        grown = 0
        for _ in range(TRIES):
            start = int(starts[self.stream.below(len(starts))])
            # From blobs to snakes: each try has its own habit, so that boards differ in kind.
            newest = self.stream.below(257)
            free[:] = 0
            reached = grow_opening(
                view(board.offsets),
                view(board.neighbours),
                self.stream.state,
                start,
                size,
                newest,
                view(queue),
                view(free),
            )
            if reached == size:
                return self.clicked(free == 0)
            grown += reached
            if grown > GROWN_CELLS:
                return None
        return None

    def clicked(self, mines: np.typing.NDArray[np.bool_]) -> Layout:
        """A layout with a click on a random zero; on its only free cell if it has but one."""
        layout = Layout(self.board, mines)
        clicks = np.flatnonzero(layout.zeros)
        if not len(clicks):
            clicks = np.flatnonzero(layout.mine_mask == 0)
        return Layout(self.board, mines, int(clicks[self.stream.below(len(clicks))]))

    def _roomy_starts(self, size: int) -> Ints:
        """The zeros that open no more than *size* cells and lie in a part that has as many."""
        starts = _starts(self.board, size)
        if self.board.tiling == "square":
            return starts
        part, sizes = parts(self.board)
        return starts[sizes[part[starts]] >= size]


def parts(board: Board) -> tuple[Ints, Ints]:
    """The connected part of each cell, numbered from 1, and the size of each part."""
    labels = np.zeros(len(board), dtype=np.int32)
    label_regions(
        view(board.offsets),
        view(board.neighbours),
        view(np.ones(len(board), dtype=np.uint8)),
        view(labels),
        view(np.empty(len(board), dtype=np.int32)),
    )
    return labels, np.bincount(labels).astype(np.int32)
