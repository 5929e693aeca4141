"""What the words of a proof are about, and how its cells are named and pointed at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sapper.infer.proofs.evidence import Known
from sapper.infer.proofs.sentences import Piece, Point
from sapper.kernels.codes import MINE, UNKNOWN
from sapper.model.frame import Frame
from sapper.wording import listed

# So many hints are named one by one.
MOST_HINTS = 12


@dataclass(frozen=True)
class Argument:
    """What a text is about: hints, perhaps with the mine count, and the cell that they decide."""

    frame: Frame
    known: Known
    hints: tuple[int, ...]
    mine_count: bool
    cell: int
    is_mine: bool

    def name(self, cell: int) -> str:
        """The name of a cell."""
        return self.frame.board.name(cell)

    def blanks(self, hint: int) -> list[int]:
        """The unknown cells around a hint."""
        return [int(d) for d in self.frame.board.around(hint) if self.known[d] == UNKNOWN]

    def mines(self, hint: int) -> list[int]:
        """The known mines around a hint."""
        return [int(d) for d in self.frame.board.around(hint) if self.known[d] == MINE]

    def need(self, hint: int) -> int:
        """The mines that a hint still lacks."""
        return int(self.frame.marks[hint]) - len(self.mines(hint))

    @property
    def mines_left(self) -> int:
        """The mines of the board that are not known."""
        assert self.frame.mines is not None
        return self.frame.mines - int((self.known == MINE).sum())

    @property
    def unknown_count(self) -> int:
        """The unknown cells of the board."""
        return int((self.known == UNKNOWN).sum())

    @property
    def conclusion(self) -> list[Piece]:
        """What follows."""
        return [self.point_at_cell(), f" is {'a mine' if self.is_mine else 'free'}"]

    def names(self, cells: Iterable[int], most: int = 8) -> str:
        """The names of cells as a list in a sentence; a long list shows the cell in question."""
        shown = list(cells)
        if len(shown) > most and self.cell in shown[most - 1 :]:
            shown.remove(self.cell)
            shown.insert(0, self.cell)
        return listed([self.name(cell) for cell in shown], most)

    # Where cells can be seen, these say what to look for.

    def point_at_cell(self) -> Point:
        """The cell in question."""
        return Point((self.cell,), self.name(self.cell), "the marked cell")

    def point_at(self, hint: int) -> Point:
        """A hint: by its number, and by a letter where the same number is outlined twice."""
        return Point((hint,), self.name(hint), outlined(self.frame, self.hints, hint))

    def some(self, words: str, cells: Sequence[int], close: str = "") -> Point:
        """Cells with words for them, as in 'its other blanks, r1c1 and r1c2'."""
        return Point(tuple(cells), f"{words}, {self.names(cells)}{close}", words)

    def these(self, cells: Sequence[int], words: str | None = None) -> Point:
        """Cells without words of their own in a text."""
        shown = words or ("this cell" if len(cells) == 1 else f"these {len(cells)} cells")
        return Point(tuple(cells), self.names(cells), shown)


def outlined(frame: Frame, hints: Sequence[int], hint: int) -> str:
    """What to call one of the hints that are outlined together.

    >>> frame = Frame.parse("12##2")
    >>> outlined(frame, (0, 1), 1), outlined(frame, (1, 4), 4)
    ('the outlined 2', 'the 2 marked B')
    """
    number = int(frame.marks[hint])
    letter = letters(frame, hints).get(hint)
    return f"the outlined {number}" if letter is None else f"the {number} marked {letter}"


def letters(frame: Frame, hints: Sequence[int]) -> dict[int, str]:
    """A letter for each hint, where numbers alone do not tell them apart; else nothing."""
    numbers = [int(frame.marks[hint]) for hint in hints]
    if len(set(numbers)) == len(numbers):
        return {}
    return {hint: _letter(k) for k, hint in enumerate(hints)}


def _letter(k: int) -> str:
    """A to Z, then A2, B2, ...; a proof of that many hints is rare, but there are some."""
    return chr(ord("A") + k % 26) + (str(k // 26 + 1) if k >= 26 else "")
