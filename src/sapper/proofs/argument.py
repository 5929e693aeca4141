"""What the words of a proof are about, and how its cells are named and pointed at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sapper.board.position import Position
from sapper.kernels.codes import MINE, UNKNOWN
from sapper.proofs.constraints import Knowledge
from sapper.sentences import CellRef, Piece
from sapper.wording import listed

# So many numbers are named one by one.
MAX_NUMBERS = 12


@dataclass(frozen=True)
class Argument:
    """What a text is about: numbers, perhaps with the mine count, and the cell that they decide."""

    position: Position
    known: Knowledge
    numbers: tuple[int, ...]
    uses_mine_count: bool
    cell: int
    is_mine: bool

    def name(self, cell: int) -> str:
        """The name of a cell."""
        return self.position.board.name(cell)

    def covered(self, number: int) -> list[int]:
        """The unknown cells around a number."""
        return [int(d) for d in self.position.board.around(number) if self.known[d] == UNKNOWN]

    def mines(self, number: int) -> list[int]:
        """The known mines around a number."""
        return [int(d) for d in self.position.board.around(number) if self.known[d] == MINE]

    def missing(self, number: int) -> int:
        """The mines that a number still lacks."""
        return int(self.position.marks[number]) - len(self.mines(number))

    @property
    def mines_left(self) -> int:
        """The mines of the board that are not known."""
        assert self.position.mines is not None
        return self.position.mines - int((self.known == MINE).sum())

    @property
    def unknown_count(self) -> int:
        """The unknown cells of the board."""
        return int((self.known == UNKNOWN).sum())

    @property
    def conclusion(self) -> list[Piece]:
        """What follows."""
        return [self.point_at_cell(), f" is {'a mine' if self.is_mine else 'safe'}"]

    def names(self, cells: Iterable[int], most: int = 8) -> str:
        """The names of cells as a list in a sentence; a long list shows the cell in question."""
        shown = list(cells)
        if len(shown) > most and self.cell in shown[most - 1 :]:
            shown.remove(self.cell)
            shown.insert(0, self.cell)
        return listed([self.name(cell) for cell in shown], most)

    # Where cells can be seen, these say what to look for.

    def point_at_cell(self) -> CellRef:
        """The cell in question."""
        return CellRef((self.cell,), self.name(self.cell), "the marked cell")

    def point_at(self, number: int) -> CellRef:
        """A number: by its number, and by a letter where the same number is outlined twice."""
        return CellRef((number,), self.name(number), outlined(self.position, self.numbers, number))

    def some(self, words: str, cells: Sequence[int], close: str = "") -> CellRef:
        """Cells with words for them, as in 'its other covered cells, r1c1 and r1c2'."""
        return CellRef(tuple(cells), f"{words}, {self.names(cells)}{close}", words)

    def these(self, cells: Sequence[int], words: str | None = None) -> CellRef:
        """Cells without words of their own in a text."""
        shown = words or ("this cell" if len(cells) == 1 else f"these {len(cells)} cells")
        return CellRef(tuple(cells), self.names(cells), shown)


def outlined(position: Position, numbers: Sequence[int], number: int) -> str:
    """What to call one of the numbers that are outlined together.

    >>> position = Position.parse("12##2")
    >>> outlined(position, (0, 1), 1), outlined(position, (1, 4), 4)
    ('the outlined 2', 'the 2 marked B')
    """
    number = int(position.marks[number])
    letter = letters(position, numbers).get(number)
    return f"the outlined {number}" if letter is None else f"the {number} marked {letter}"


def letters(position: Position, numbers: Sequence[int]) -> dict[int, str]:
    """A letter for each number, where numbers alone do not tell them apart; else nothing."""
    numbers = [int(position.marks[number]) for number in numbers]
    if len(set(numbers)) == len(numbers):
        return {}
    return {number: _letter(k) for k, number in enumerate(numbers)}


def _letter(k: int) -> str:
    """A to Z, then A2, B2, ...; a proof of that many numbers is rare, but there are some."""
    return chr(ord("A") + k % 26) + (str(k // 26 + 1) if k >= 26 else "")
