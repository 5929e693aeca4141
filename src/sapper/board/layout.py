"""The layout: where the mines are, with its numbers, openings and 3BV."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.presentation import notebook_svg, parse_text, to_text
from sapper.errors import IllegalMove, NotationError, RulesError, WrongType
from sapper.kernels import view
from sapper.kernels.board import count_numbers, label_regions
from sapper.values import Frozen, frozen

Mask = npt.NDArray[np.uint8]


class Layout(Frozen):
    """The mines of a board, and the first click if there is one; immutable.

    `mine_mask` is a read-only array, 1 for a mine.
    """

    def __init__(self, board: Board, mines: Any, click: int | str | None = None):
        array = np.asarray(mines)
        if array.shape != (len(board),):
            raise NotationError(f"expected {len(board)} cells for {board}, got shape {array.shape}")
        if array.dtype.kind not in "biu":
            raise WrongType(f"expected True or False for each cell, got {array[0]!r:.60}")
        mask = array.astype(bool).astype(np.uint8)
        click = None if click is None else board.cell(click)
        if click is not None and mask[click]:
            raise RulesError(f"the first click {board.name(click)} is a mine")
        self._set(board=board, mine_mask=frozen(mask, np.uint8), click=click)

    board: Board
    mine_mask: Mask
    click: int | None

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Read a layout in any format; `str` writes it."""
        return parse_text(cls, text)

    @cached_property
    def mine_cells(self) -> Ints:
        """The cells with a mine, ascending."""
        return frozen(np.flatnonzero(self.mine_mask), np.int32)

    @property
    def mine_count(self) -> int:
        """The number of mines."""
        return int(self.mine_mask.sum())

    @cached_property
    def numbers(self) -> Ints:
        """The number of mines around each cell, including cells that are mines themselves."""
        numbers = np.zeros(len(self.board), dtype=np.int32)
        board = self.board
        count_numbers(
            view(board.offsets), view(board.neighbours), view(self.mine_mask), view(numbers)
        )
        return frozen(numbers, np.int32)

    @cached_property
    def zeros(self) -> Mask:
        """A mask of the zeros: cells that are not mines and have no mines around them."""
        return frozen((self.numbers == 0) & (self.mine_mask == 0), np.uint8)

    @cached_property
    def openings(self) -> int:
        """The number of openings: connected regions of zeros."""
        return self._count_regions(self.zeros)

    @cached_property
    def three_bv(self) -> int:
        """3BV: the fewest clicks that win without flags.

        One click for each opening, and one for each safe cell that no opening reveals.
        """
        return self.openings + int(self._outside_openings.sum())

    @cached_property
    def islands(self) -> int:
        """The number of islands: connected regions of safe cells that no opening reveals."""
        return self._count_regions(self._outside_openings)

    @cached_property
    def _outside_openings(self) -> Mask:
        """A mask of the safe cells that are neither zero nor next to a zero."""
        zeros_around = self.board.count_around(self.zeros > 0)
        return frozen((self.mine_mask == 0) & (self.zeros == 0) & (zeros_around == 0), np.uint8)

    def _count_regions(self, mask: Mask) -> int:
        board = self.board
        labels = np.zeros(len(board), dtype=np.int32)
        queue = np.empty(len(board), dtype=np.int32)
        return int(
            label_regions(
                view(board.offsets), view(board.neighbours), view(mask), view(labels), view(queue)
            )
        )

    def position(self, revealed: Any, flags: Any = (), mines: int | None = None) -> Position:
        """Return the position in which these cells are revealed and flagged.

        Cells are given by name, by index or as a boolean array over the board.
        Raises IllegalMove if a revealed cell is a mine or flagged.
        """
        marks = np.full(len(self.board), COVERED, dtype=np.int32)
        marks[_cell_indices(self.board, flags)] = FLAG
        cells = _cell_indices(self.board, revealed)
        if (marks[cells] == FLAG).any():
            flagged = int(cells[marks[cells] == FLAG][0])
            raise IllegalMove(f"cannot reveal {self.board.name(flagged)}: it is flagged")
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
        return to_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # The constructor makes the mask of a copy read-only too.
        return Layout, (self.board, self.mine_mask, self.click)

    def __repr__(self) -> str:
        return f"<Layout {self.board}, {self.mine_count} mines>"

    def _repr_svg_(self) -> str | None:
        return notebook_svg(self)


def _cell_indices(board: Board, cells: Any) -> Ints:
    """Return the indices of cells given by name, by index or as a boolean array."""
    if isinstance(cells, np.ndarray):
        if cells.dtype == bool and cells.shape == (len(board),):
            return np.flatnonzero(cells).astype(np.int32)
        is_list_of_cells = cells.dtype.kind == "i" and cells.ndim == 1
        if is_list_of_cells and ((cells >= 0) & (cells < len(board))).all():
            return cells.astype(np.int32)
        cells = cells.tolist()
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise WrongType(f"expected cells of {board}, got {cells!r:.60}")
    return np.array([board.cell(cell) for cell in cells], dtype=np.int32)
