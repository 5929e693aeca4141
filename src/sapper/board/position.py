"""The position: what the player sees at one moment, and all that inference may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from sapper.board.board import MAX_NOTEBOOK_CELLS, Board, Ints
from sapper.errors import NotationError
from sapper.values import Frozen, check_int, check_type, frozen

COVERED = -1
FLAG = -2

# The text notation writes numbers as one character each, up to 'c' for 12.
MAX_TEXT_NUMBER = 12


class Position(Frozen):
    """A number, COVERED or FLAG for each cell, and the mine count where it is known.

    Immutable: `marks` is read-only. `mines` is the total number of mines of the board.
    """

    def __init__(self, board: Board, marks: Iterable[int] | Ints, mines: int | None = None):
        check_type(board, Board, "a board")
        check_type(marks, Iterable, "marks")
        array = np.asarray(marks if isinstance(marks, np.ndarray) else list(marks))
        if array.shape != (len(board),):
            raise NotationError(f"expected {len(board)} marks for {board}, got {array.size}")
        most = max(MAX_TEXT_NUMBER, int(board.neighbour_counts.max()))
        if array.dtype.kind not in "iu":
            bad = next((x for x in array.tolist() if not isinstance(x, int)), array.tolist()[0])
            raise NotationError(f"expected numbers from 0 to {most}, got {bad!r:.60}")
        if not (array.min() >= FLAG and array.max() <= most):
            bad = array[(array < FLAG) | (array > most)][0]
            raise NotationError(f"expected numbers from 0 to {most}, got {bad}")
        mines = None if mines is None else check_int(mines, "a mine count")
        if mines is not None and mines < 0:
            raise NotationError(f"expected a mine count of at least 0, got {mines}")
        self._set(board=board, marks=frozen(array, np.int32), mines=mines)

    board: Board
    marks: Ints
    mines: int | None

    @classmethod
    def parse(cls, text: str, mines: int | None = None) -> Position:
        """Read a position in any notation; *mines* overrides the count that stands in the text.

        >>> print(Position.parse("1 ? F", mines=1))
        mines: 1
        1#F
        """
        from sapper.formats.registry import parse_position

        position = parse_position(text)
        return position if mines is None else cls(position.board, position.marks, mines)

    @classmethod
    def initial(cls, board: Board, mines: int | None = None) -> Position:
        """The position before the first click."""
        return cls(board, np.full(len(board), COVERED, dtype=np.int32), mines)

    @classmethod
    def of(
        cls,
        board: Board,
        numbers: Mapping[str, int],
        flags: Iterable[str] = (),
        mines: int | None = None,
    ) -> Position:
        """A position from named numbers and flags; all other cells are covered cell."""
        check_type(board, Board, "a board")
        check_type(numbers, Mapping, "numbers by name")
        check_type(flags, Iterable, "flags by name")
        marks = np.full(len(board), COVERED, dtype=np.int32)
        for name, number in numbers.items():
            number = check_int(number, "a number")
            if not 0 <= number < 2**31:
                raise NotationError(
                    f"expected a number of at least 0 at {name!r:.60}, got {number}"
                )
            marks[board.cell(name)] = number
        for name in flags:
            cell = board.cell(name)
            if marks[cell] != COVERED:
                raise NotationError(
                    f"expected a flag on a cell without a number, got one on {name!r}"
                )
            marks[cell] = FLAG
        return cls(board, marks, mines)

    @cached_property
    def revealed(self) -> Ints:
        """The cells that show a number, ascending."""
        return _cells(self.marks >= 0)

    @cached_property
    def covered(self) -> Ints:
        """The cells that are neither revealed nor flagged, ascending."""
        return _cells(self.marks == COVERED)

    @cached_property
    def flags(self) -> Ints:
        """The flagged cells, ascending."""
        return _cells(self.marks == FLAG)

    @cached_property
    def frontier_numbers(self) -> Ints:
        """The revealed cells with a covered cell neighbour, ascending."""
        return _cells((self.marks >= 0) & self._has_neighbour(self.marks == COVERED))

    @cached_property
    def frontier(self) -> Ints:
        """The covered cells in play: those next to a revealed cell, ascending."""
        return _cells((self.marks == COVERED) & self._has_neighbour(self.marks >= 0))

    @cached_property
    def interior(self) -> Ints:
        """The covered cells off the frontier, ascending."""
        return _cells((self.marks == COVERED) & ~self._has_neighbour(self.marks >= 0))

    def covered_around(self, cell: int) -> tuple[int, ...]:
        """The covered cell neighbours of a cell, ascending."""
        return tuple(int(d) for d in self.board.around(cell) if self.marks[d] == COVERED)

    def remaining_mines(self, cell: int) -> int:
        """The mines that the number of a revealed cell still lacks after its flags."""
        return int(self.marks[cell]) - sum(
            1 for d in self.board.around(cell) if self.marks[d] == FLAG
        )

    def without_flags(self) -> Position:
        """The same position with every flag taken off."""
        if not len(self.flags):
            return self
        return Position(self.board, np.where(self.marks == FLAG, COVERED, self.marks), self.mines)

    def with_marks(self, changes: Mapping[int, int]) -> Position:
        """The same position with some cells marked anew."""
        check_type(changes, Mapping, "marks by cell")
        marks = self.marks.copy()
        cells = [self.board.cell(cell) for cell in changes]
        marks[cells] = [check_int(mark, "a mark") for mark in changes.values()]
        return Position(self.board, marks, self.mines)

    def names(self, cells: Iterable[int]) -> tuple[str, ...]:
        """The names of cells."""
        return tuple(self.board.names[int(cell)] for cell in cells)

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
        from sapper.formats.registry import format_position

        return format_position(self).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the marks of a copy are read-only too.
        return Position, (self.board, self.marks, self.mines)

    def __repr__(self) -> str:
        count = "unknown" if self.mines is None else self.mines
        return f"<Position {self.board}, mines {count}, {len(self.revealed)} revealed>"

    def _repr_svg_(self) -> str | None:
        # The one import upwards: a notebook asks the position for its picture.
        from sapper.render.svg import position_svg

        return position_svg(self) if len(self.board) <= MAX_NOTEBOOK_CELLS else None

    def _has_neighbour(self, member: Any) -> Any:
        """Which cells have a neighbour that is a member."""
        board = self.board
        found = np.zeros(len(board), dtype=bool)
        if len(board.neighbours):
            hits = np.concatenate(([0], np.cumsum(member[board.neighbours])))
            found = hits[board.offsets[1:]] > hits[board.offsets[:-1]]
        return found


def _cells(mask: Any) -> Ints:
    return frozen(np.flatnonzero(mask), np.int32)
