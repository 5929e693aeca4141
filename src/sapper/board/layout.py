"""The layout: where the mines are, and what can be measured of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import MAX_NOTEBOOK_CELLS, Board, Ints
from sapper.board.position import COVERED, FLAG, Position
from sapper.errors import IllegalMove, NotationError, RulesError, WrongType
from sapper.kernels import view
from sapper.kernels.board.layout import count_numbers, label_regions
from sapper.values import Frozen, check_type, frozen

Mask = npt.NDArray[np.uint8]


class Layout(Frozen):
    """The mines of a board, and the click that it was made for where there is one.

    Immutable: `mine_mask` is a read-only array, 1 where a mine lies.
    """

    def __init__(self, board: Board, mines: Any, click: int | str | None = None):
        check_type(board, Board, "a board")
        mask = np.array(mines, dtype=bool).astype(np.uint8)
        if mask.shape != (len(board),):
            raise NotationError(f"expected {len(board)} cells for {board}, got {mask.size}")
        click = None if click is None else board.cell(click)
        if click is not None and mask[click]:
            raise RulesError(f"expected a click on a free cell, got a mine at {board.name(click)}")
        self._set(board=board, mine_mask=frozen(mask, np.uint8), click=click)

    board: Board
    mine_mask: Mask
    click: int | None

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Read a layout; `str` writes it."""
        from sapper.formats.registry import parse_layout

        return parse_layout(text)

    @property
    def mines(self) -> Mask:
        """An older name of `mine_mask`."""
        return self.mine_mask

    @cached_property
    def mine_cells(self) -> Ints:
        """The cells of the mines, ascending."""
        return frozen(np.flatnonzero(self.mine_mask), np.int32)

    @property
    def mine_count(self) -> int:
        """How many mines there are."""
        return int(self.mine_mask.sum())

    @cached_property
    def numbers(self) -> Ints:
        """The number of mines around each cell, mines themselves included."""
        numbers = np.zeros(len(self.board), dtype=np.int32)
        board = self.board
        count_numbers(
            view(board.offsets), view(board.neighbours), view(self.mine_mask), view(numbers)
        )
        return frozen(numbers, np.int32)

    @cached_property
    def zeros(self) -> Mask:
        """The free cells with no mine around them, as a mask."""
        return _mask((self.numbers == 0) & (self.mine_mask == 0))

    @cached_property
    def openings(self) -> int:
        """How many openings there are: regions of zeros, each revealed by one click."""
        return self._regions(self.zeros)

    @cached_property
    def three_bv(self) -> int:
        """3BV: the fewest clicks that win without flags.

        One for each opening, one for each free cell that no opening reveals.
        """
        return self.openings + int(self._lone.sum())

    @cached_property
    def islands(self) -> int:
        """How many islands there are: regions of free cells that no opening reveals."""
        return self._regions(self._lone)

    @cached_property
    def _lone(self) -> Mask:
        """The free cells that are neither zero nor next to a zero, as a mask."""
        near = np.zeros(len(self.board), dtype=np.int32)
        board = self.board
        count_numbers(view(board.offsets), view(board.neighbours), view(self.zeros), view(near))
        return _mask((self.mine_mask == 0) & (self.zeros == 0) & (near == 0))

    def _regions(self, member: Mask) -> int:
        board = self.board
        labels = np.zeros(len(board), dtype=np.int32)
        queue = np.empty(len(board), dtype=np.int32)
        return int(
            label_regions(
                view(board.offsets), view(board.neighbours), view(member), view(labels), view(queue)
            )
        )

    def position(self, revealed: Any, flags: Any = (), mines: int | None = None) -> Position:
        """What a player sees who has revealed and flagged these cells; none may hide a mine.

        Cells come by name or index, or as a boolean array of them all.
        """
        marks = np.full(len(self.board), COVERED, dtype=np.int32)
        marks[_cells(self.board, flags)] = FLAG
        cells = _cells(self.board, revealed)
        if self.mine_mask[cells].any():
            mine = int(cells[self.mine_mask[cells] > 0][0])
            raise IllegalMove(f"cannot reveal {self.board.name(mine)}: it is a mine")
        marks[cells] = self.numbers[cells]
        return Position(self.board, marks, mines)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Layout)
            and self.click == other.click
            and self.board == other.board
            and np.array_equal(self.mine_mask, other.mine_mask)
        )

    def __hash__(self) -> int:
        return hash((self.board, self.mine_mask.tobytes(), self.click))

    def __str__(self) -> str:
        from sapper.formats.registry import format_layout

        return format_layout(self).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the mines of a copy are read-only too.
        return Layout, (self.board, self.mine_mask, self.click)

    def __repr__(self) -> str:
        return f"<Layout {self.board}, {self.mine_count} mines>"

    def _repr_svg_(self) -> str | None:
        # An import upwards, as in Position: a notebook asks the layout for its picture.
        from sapper.render.svg import layout_svg

        return layout_svg(self) if len(self.board) <= MAX_NOTEBOOK_CELLS else None


def _cells(board: Board, given: Any) -> Ints:
    """The indices of cells, from names or indices or from a boolean array of the whole board."""
    if isinstance(given, np.ndarray):
        if given.dtype == bool and given.shape == (len(board),):
            return np.flatnonzero(given).astype(np.int32)
        if given.dtype.kind == "i" and given.ndim == 1 and _within(given, len(board)):
            return given.astype(np.int32)
        given = given.tolist()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise WrongType(f"expected cells of {board}, got {given!r:.60}")
    return np.array([board.cell(cell) for cell in given], dtype=np.int32)


def _within(cells: Ints, size: int) -> bool:
    return not len(cells) or bool(cells.min() >= 0 and cells.max() < size)


def _mask(member: Any) -> Mask:
    return frozen(member, np.uint8)
