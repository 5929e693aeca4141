"""The frame: what the player sees at one moment, and all that inference may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from sapper.errors import NotationError
from sapper.model.board import MOST_IN_NOTEBOOK, Board, Ints
from sapper.values import Frozen, frozen, need, whole

BLANK = -1
FLAG = -2

# The text notation writes hints as one character each, up to 'c' for 12.
MOST_WRITTEN = 12


class Frame(Frozen):
    """A hint, BLANK or FLAG for each cell, and the mine count where it is known.

    Immutable: `marks` is read-only. `mines` is the total number of mines of the board.
    """

    def __init__(self, board: Board, marks: Iterable[int] | Ints, mines: int | None = None):
        need(board, Board, "a board")
        need(marks, Iterable, "marks")
        array = np.asarray(marks if isinstance(marks, np.ndarray) else list(marks))
        if array.shape != (len(board),):
            raise NotationError(f"expected {len(board)} marks for {board}, got {array.size}")
        most = max(MOST_WRITTEN, int(board.neighbour_counts.max()))
        if array.dtype.kind not in "iu":
            bad = next((x for x in array.tolist() if not isinstance(x, int)), array.tolist()[0])
            raise NotationError(f"expected hints from 0 to {most}, got {bad!r:.60}")
        if not (array.min() >= FLAG and array.max() <= most):
            bad = array[(array < FLAG) | (array > most)][0]
            raise NotationError(f"expected hints from 0 to {most}, got {bad}")
        mines = None if mines is None else whole(mines, "a mine count")
        if mines is not None and mines < 0:
            raise NotationError(f"expected a mine count of at least 0, got {mines}")
        self._set(board=board, marks=frozen(array, np.int32), mines=mines)

    board: Board
    marks: Ints
    mines: int | None

    @classmethod
    def parse(cls, text: str, mines: int | None = None) -> Frame:
        """Read a frame in any notation; *mines* overrides the count that stands in the text.

        >>> print(Frame.parse("1 ? F", mines=1))
        mines: 1
        1#F
        """
        from sapper.model.formats import parse_frame

        frame = parse_frame(text)
        return frame if mines is None else cls(frame.board, frame.marks, mines)

    @classmethod
    def blank(cls, board: Board, mines: int | None = None) -> Frame:
        """The frame before the first click."""
        return cls(board, np.full(len(board), BLANK, dtype=np.int32), mines)

    @classmethod
    def of(
        cls,
        board: Board,
        hints: Mapping[str, int],
        flags: Iterable[str] = (),
        mines: int | None = None,
    ) -> Frame:
        """A frame from named hints and flags; all other cells are blank."""
        need(board, Board, "a board")
        need(hints, Mapping, "hints by name")
        need(flags, Iterable, "flags by name")
        marks = np.full(len(board), BLANK, dtype=np.int32)
        for name, hint in hints.items():
            number = whole(hint, "a hint")
            if not 0 <= number < 2**31:
                raise NotationError(f"expected a hint of at least 0 at {name!r:.60}, got {number}")
            marks[board.cell(name)] = number
        for name in flags:
            cell = board.cell(name)
            if marks[cell] != BLANK:
                raise NotationError(
                    f"expected a flag on a cell without a hint, got one on {name!r}"
                )
            marks[cell] = FLAG
        return cls(board, marks, mines)

    @cached_property
    def revealed(self) -> Ints:
        """The cells that show a hint, ascending."""
        return _cells(self.marks >= 0)

    @cached_property
    def blanks(self) -> Ints:
        """The cells that are neither revealed nor flagged, ascending."""
        return _cells(self.marks == BLANK)

    @cached_property
    def flags(self) -> Ints:
        """The flagged cells, ascending."""
        return _cells(self.marks == FLAG)

    @cached_property
    def fringe(self) -> Ints:
        """The revealed cells with a blank neighbour, ascending."""
        return _cells((self.marks >= 0) & self._has_neighbour(self.marks == BLANK))

    @cached_property
    def perimeter(self) -> Ints:
        """The blanks in play: those next to a revealed cell, ascending."""
        return _cells((self.marks == BLANK) & self._has_neighbour(self.marks >= 0))

    @cached_property
    def interior(self) -> Ints:
        """The blanks off the perimeter, ascending."""
        return _cells((self.marks == BLANK) & ~self._has_neighbour(self.marks >= 0))

    def blanks_around(self, cell: int) -> tuple[int, ...]:
        """The blank neighbours of a cell, ascending."""
        return tuple(int(d) for d in self.board.around(cell) if self.marks[d] == BLANK)

    def need(self, cell: int) -> int:
        """The mines that the hint of a revealed cell still lacks after its flags."""
        return int(self.marks[cell]) - sum(
            1 for d in self.board.around(cell) if self.marks[d] == FLAG
        )

    def without_flags(self) -> Frame:
        """The same frame with every flag taken off."""
        if not len(self.flags):
            return self
        return Frame(self.board, np.where(self.marks == FLAG, BLANK, self.marks), self.mines)

    def with_marks(self, changes: Mapping[int, int]) -> Frame:
        """The same frame with some cells marked anew."""
        need(changes, Mapping, "marks by cell")
        marks = self.marks.copy()
        cells = [self.board.cell(cell) for cell in changes]
        marks[cells] = [whole(mark, "a mark") for mark in changes.values()]
        return Frame(self.board, marks, self.mines)

    def names(self, cells: Iterable[int]) -> tuple[str, ...]:
        """The names of cells."""
        return tuple(self.board.names[int(cell)] for cell in cells)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Frame)
            and self.mines == other.mines
            and self.board == other.board
            and np.array_equal(self.marks, other.marks)
        )

    def __hash__(self) -> int:
        return hash((self.board, self.marks.tobytes(), self.mines))

    def __str__(self) -> str:
        from sapper.model.formats import format_frame

        return format_frame(self).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the marks of a copy are read-only too.
        return Frame, (self.board, self.marks, self.mines)

    def __repr__(self) -> str:
        count = "unknown" if self.mines is None else self.mines
        return f"<Frame {self.board}, mines {count}, {len(self.revealed)} revealed>"

    def _repr_svg_(self) -> str | None:
        # The one import upwards: a notebook asks the frame for its picture.
        from sapper.render.svg import frame_svg

        return frame_svg(self) if len(self.board) <= MOST_IN_NOTEBOOK else None

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
