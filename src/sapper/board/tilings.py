"""The five tilings: their neighbours and the outlines of their cells.

row, column   from 0 (names count from 1)
step          (rows down, columns right) from a cell to a neighbour
parity        (row + column) % 2 on triangles, row % 2 on hexagons, always 0 on squares
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar, overload

import numpy as np

from sapper.board.board import MAX_CELLS, Board, Outline
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.board import connect_cells
from sapper.registry import Registry
from sapper.values import Frozen, check_int

Step = tuple[int, int]
T = TypeVar("T")
Parity = Literal["none", "row", "row + column"]

# The height of a regular triangle of side 1, and the side of a regular hexagon that is 1 wide.
TRIANGLE_HEIGHT = math.sqrt(3) / 2
HEXAGON_SIDE = 1 / math.sqrt(3)


@dataclass(frozen=True)
class Tiling:
    """An entry of TILINGS: a named way to make a board."""

    name: str
    about: str
    parity: Parity
    steps: tuple[tuple[Step, ...], ...]
    """The steps to all neighbours, for parity 0 and, where it matters, parity 1."""
    outline: Callable[[int, int], Outline]
    neighbours_text: str
    """A sentence for worksheets: which cells are neighbours."""
    example: tuple[int, int, str]
    """Width, height and cell of a small board that shows the cell with all its neighbours."""
    wraps: bool = False
    """Whether opposite edges are neighbours."""
    min_size: int = 1
    """The smallest width and height."""

    @property
    def max_neighbours(self) -> int:
        """The largest number of neighbours of a cell."""
        return max(map(len, self.steps))


def _square(row: int, column: int) -> Outline:
    return (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)


def _hexagon(row: int, column: int) -> Outline:
    left = column + 0.5 * (row % 2)
    top = row * 1.5 * HEXAGON_SIDE
    side = HEXAGON_SIDE
    return (
        (left + 0.5, top),
        (left + 1, top + side / 2),
        (left + 1, top + 1.5 * side),
        (left + 0.5, top + 2 * side),
        (left, top + 1.5 * side),
        (left, top + side / 2),
    )


def _triangle(row: int, column: int) -> Outline:
    left, top, bottom = column / 2, row * TRIANGLE_HEIGHT, (row + 1) * TRIANGLE_HEIGHT
    if (row + column) % 2 == 0:
        return (left + 0.5, top), (left + 1, bottom), (left, bottom)
    return (left, top), (left + 1, top), (left + 0.5, bottom)


_SQUARE_STEPS = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
_HEXAGON_STEPS_EVEN_ROW = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_HEXAGON_STEPS_ODD_ROW = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))
# Triangles that point up or down: all neighbours that share a corner, or only those that share an
# edge. A triangle that points up touches three others with its tip and five with its base.
_CORNER_STEPS_UP = (
    *((-1, c) for c in (-1, 0, 1)),
    *((0, c) for c in (-2, -1, 1, 2)),
    *((1, c) for c in (-2, -1, 0, 1, 2)),
)
_CORNER_STEPS_DOWN = tuple(sorted((-r, c) for r, c in _CORNER_STEPS_UP))
_EDGE_STEPS_UP = ((0, -1), (0, 1), (1, 0))
_EDGE_STEPS_DOWN = ((-1, 0), (0, -1), (0, 1))

TILINGS = Registry(
    "tiling",
    (
        Tiling(
            "square",
            "squares, 8 neighbours",
            "none",
            (_SQUARE_STEPS,),
            _square,
            "The 8 cells around a cell are next to it, including those at its corners.",
            (5, 5, "r3c3"),
        ),
        Tiling(
            "torus",
            "squares wrapped at the edges, 8 neighbours everywhere",
            "none",
            (_SQUARE_STEPS,),
            _square,
            "Each cell has 8 cells next to it. The board wraps around: the left edge is next to "
            "the right edge, and the top edge is next to the bottom edge.",
            (5, 5, "r1c5"),
            wraps=True,
            min_size=3,
        ),
        Tiling(
            "hexagonal",
            "hexagons, 6 neighbours; rows 2, 4, ... are shifted right by half a cell",
            "row",
            (_HEXAGON_STEPS_EVEN_ROW, _HEXAGON_STEPS_ODD_ROW),
            _hexagon,
            "The 6 cells that share a side with a cell are next to it.",
            (5, 5, "r3c3"),
        ),
        Tiling(
            "triangular",
            "triangles, 12 neighbours: all that touch",
            "row + column",
            (_CORNER_STEPS_UP, _CORNER_STEPS_DOWN),
            _triangle,
            "The 12 cells that touch a cell are next to it, even those that only share a corner.",
            (9, 5, "r3c5"),
        ),
        Tiling(
            "triangular-edge",
            "triangles, 3 neighbours: those that share an edge",
            "row + column",
            (_EDGE_STEPS_UP, _EDGE_STEPS_DOWN),
            _triangle,
            "The 3 cells that share a side with a cell are next to it.",
            (7, 3, "r2c4"),
        ),
    ),
)


def tiling(name: str, width: int, height: int) -> Board:
    """Return the board of a tiling with *width* columns and *height* rows.

    >>> tiling("hexagonal", 9, 9).neighbour_names("r2c1")
    ('r1c1', 'r1c2', 'r2c2', 'r3c1', 'r3c2')
    """
    width, height = check_int(width, "a width"), check_int(height, "a height")
    entry = check_size(name, width, height)
    build = _build_cached if width * height <= 10_000 else _build
    return build(entry, width, height)


def check_size(name: str, width: int, height: int) -> Tiling:
    """Return the tiling of that name; raise RulesError if it has no board of that size."""
    entry = TILINGS.find(name)
    side = entry.min_size
    if min(width, height) < side:
        raise RulesError(f"expected a {name} board of at least {side}x{side}, got {width}x{height}")
    if width * height > MAX_CELLS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {width}x{height}")
    return entry


def _build(entry: Tiling, width: int, height: int) -> Board:
    steps = np.array([sorted(group) for group in entry.steps], dtype=np.int32)
    offsets = np.zeros(width * height + 1, dtype=np.int32)
    neighbours = np.empty(width * height * entry.max_neighbours, dtype=np.int32)
    count = connect_cells(
        width,
        height,
        entry.wraps,
        "row" in entry.parity,
        "column" in entry.parity,
        view(steps),
        view(offsets),
        view(neighbours),
    )
    return Board(
        offsets,
        neighbours[:count],
        names=GridNames(width, height),
        tiling=entry.name,
        size=(width, height),
        outlines=_GridItems(width, height, entry.outline),
        rebuild=tiling,
    )


_build_cached = lru_cache(maxsize=64)(_build)


class _GridItems(Frozen, Sequence[T]):
    """One item for each cell of a grid, computed on access, so that large boards take no memory."""

    def __init__(self, width: int, height: int, item: Callable[[int, int], T]):
        self._set(width=width, height=height, _item=item)

    width: int
    height: int
    _item: Callable[[int, int], T]

    def __len__(self) -> int:
        return self.width * self.height

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return self._item(*divmod(range(len(self))[index], self.width))


class GridNames(_GridItems[str]):
    """The names r1c1, r1c2, ..."""

    _PATTERN = re.compile(r"[rR]([1-9][0-9]{0,8})[cC]([1-9][0-9]{0,8})", re.ASCII)

    def __init__(self, width: int, height: int):
        super().__init__(width, height, lambda row, column: f"r{row + 1}c{column + 1}")

    def find(self, name: str) -> int | None:
        """Return the cell of that name, or None."""
        match = self._PATTERN.fullmatch(name)
        if match is None:
            return None
        row, column = int(match[1]), int(match[2])
        if row > self.height or column > self.width:
            return None
        return (row - 1) * self.width + column - 1
