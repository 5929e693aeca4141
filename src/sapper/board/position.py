"""The position: what the player sees at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import MAX_CELLS, Board, Ints
from sapper.board.presentation import notebook_svg, parse_text, to_text
from sapper.errors import NotationError
from sapper.values import Frozen, check_int, frozen

COVERED = -1
FLAG = -2

# The text format writes a number as one character, up to 'c' for 12.
MAX_TEXT_NUMBER = 12


class Position(Frozen):
    """A number, COVERED or FLAG for each cell, and the mine count if it is known; immutable.

    `marks` is a read-only array, `mines` the total number of mines on the board, or None.
    """

    def __init__(self, board: Board, marks: Iterable[int] | Ints, mines: int | None = None):
        array = np.asarray(marks if isinstance(marks, np.ndarray) else list(marks))
        if array.shape != (len(board),):
            raise NotationError(f"expected {len(board)} marks for {board}, got {array.size}")
        max_number = max(MAX_TEXT_NUMBER, int(board.neighbour_counts.max()))
        if array.dtype.kind not in "iu":
            bad = next((x for x in array.tolist() if not isinstance(x, int)), array.tolist()[0])
            raise NotationError(f"expected numbers from 0 to {max_number}, got {bad!r:.60}")
        if not (array.min() >= FLAG and array.max() <= max_number):
            bad = array[(array < FLAG) | (array > max_number)][0]
            raise NotationError(f"expected numbers from 0 to {max_number}, got {bad}")
        mines = None if mines is None else check_int(mines, "a mine count")
        # More mines than cells are a contradiction, which the engine reports.
        if mines is not None and not 0 <= mines <= MAX_CELLS:
            raise NotationError(f"expected a mine count from 0 to {MAX_CELLS:,}, got {mines!s:.60}")
        self._set(board=board, marks=frozen(array, np.int32), mines=mines)

    board: Board
    marks: Ints
    mines: int | None

    @classmethod
    def parse(cls, text: str, mines: int | None = None) -> Position:
        """Read a position in any format; *mines* overrides the mine count in the text.

        >>> print(Position.parse("1 ? F", mines=1))
        mines: 1
        1#F
        """
        position = parse_text(cls, text)
        return position if mines is None else cls(position.board, position.marks, mines)

    @classmethod
    def initial(cls, board: Board, mines: int | None = None) -> Position:
        """Return the position before the first click."""
        return cls(board, np.full(len(board), COVERED, dtype=np.int32), mines)

    @classmethod
    def of(
        cls,
        board: Board,
        numbers: Mapping[str, int],
        flags: Iterable[str] = (),
        mines: int | None = None,
    ) -> Position:
        """Return a position with these numbers and flags, by cell name; other cells are covered."""
        marks = np.full(len(board), COVERED, dtype=np.int32)
        for name, value in numbers.items():
            number = check_int(value, "a number")
            if not 0 <= number < 2**31:
                raise NotationError(
                    f"expected a number of at least 0 at {name!r:.60}, got {number}"
                )
            marks[board.cell(name)] = number
        for name in flags:
            cell = board.cell(name)
            if marks[cell] >= 0:
                raise NotationError(f"{name!r} has both a number and a flag")
            marks[cell] = FLAG
        return cls(board, marks, mines)

    @cached_property
    def revealed(self) -> Ints:
        """The revealed cells, ascending."""
        return _cells_in(self.marks >= 0)

    @cached_property
    def covered(self) -> Ints:
        """The covered cells without a flag, ascending."""
        return _cells_in(self.marks == COVERED)

    @cached_property
    def flags(self) -> Ints:
        """The flagged cells, ascending."""
        return _cells_in(self.marks == FLAG)

    @cached_property
    def frontier_numbers(self) -> Ints:
        """The revealed cells next to a covered cell without a flag, ascending."""
        near_covered = self.board.count_around(self.marks == COVERED) > 0
        return _cells_in((self.marks >= 0) & near_covered)

    @cached_property
    def frontier(self) -> Ints:
        """The covered cells without a flag that are next to a number, ascending."""
        return _cells_in((self.marks == COVERED) & self._near_number)

    @cached_property
    def interior(self) -> Ints:
        """The covered cells without a flag that are next to no number, ascending."""
        return _cells_in((self.marks == COVERED) & ~self._near_number)

    def covered_around(self, cell: int) -> tuple[int, ...]:
        """Return the neighbours of a cell that are covered and have no flag, ascending."""
        return tuple(
            int(other) for other in self.board.around(cell) if self.marks[other] == COVERED
        )

    def remaining_mines(self, cell: int) -> int:
        """Return the number of a revealed cell minus the flags around it."""
        if self.marks[self.board.cell(cell)] < 0:
            raise NotationError(f"expected a revealed cell, got {self.board.name(cell)}")
        flags = sum(1 for other in self.board.around(cell) if self.marks[other] == FLAG)
        return int(self.marks[cell]) - flags

    def without_flags(self) -> Position:
        """Return this position with every flag removed."""
        if not len(self.flags):
            return self
        return Position(self.board, np.where(self.marks == FLAG, COVERED, self.marks), self.mines)

    def with_marks(self, changes: Mapping[int, int]) -> Position:
        """Return this position with the marks of some cells replaced."""
        marks = self.marks.copy()
        cells = [self.board.cell(cell) for cell in changes]
        marks[cells] = [check_int(mark, "a mark") for mark in changes.values()]
        return Position(self.board, marks, self.mines)

    def names(self, cells: Iterable[int]) -> tuple[str, ...]:
        """Return the names of cells."""
        return tuple(self.board.name(int(cell)) for cell in cells)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.mines == other.mines
            and self.board == other.board
            and np.array_equal(self.marks, other.marks)
        )

    def __hash__(self) -> int:
        return hash((self.board, self.marks.tobytes(), self.mines))

    def __str__(self) -> str:
        return to_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # The constructor makes the marks of a copy read-only too.
        return Position, (self.board, self.marks, self.mines)

    def __repr__(self) -> str:
        count = "unknown" if self.mines is None else self.mines
        return f"<Position {self.board}, mines {count}, {len(self.revealed)} revealed>"

    def _repr_svg_(self) -> str | None:
        return notebook_svg(self)

    @property
    def _near_number(self) -> npt.NDArray[np.bool_]:
        return self.board.count_around(self.marks >= 0) > 0


def _cells_in(mask: Any) -> Ints:
    return frozen(np.flatnonzero(mask), np.int32)
