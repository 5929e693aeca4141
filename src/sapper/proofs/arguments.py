"""What a proof in words refers to: its numbers, the cell that it decides, and groups of cells.

The references have letters and labels for a view of the board, and names in plain text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sapper.board.position import Position
from sapper.kernels.codes import MINE, UNKNOWN
from sapper.proofs.constraints import Knowledge, initial_knowledge
from sapper.sentences import CellRef, Piece, name_list

# From this many on, numbers are referred to by their letters alone.
MIN_LETTERED = 3
# The letters of groups of cells, in the order in which a sentence mentions them.
GROUP_LETTERS = "XYZWVUTS"


@dataclass(frozen=True)
class Argument:
    """The numbers of a proof, whether it uses the mine count, and the cell that they decide."""

    position: Position
    numbers: tuple[int, ...]
    uses_mine_count: bool
    cell: int
    is_mine: bool
    trust_flags: bool = False
    is_premise: bool = False
    cell_label: str = "the marked cell"

    @cached_property
    def known(self) -> Knowledge:
        """What is known before the proof: revealed cells, and trusted flags."""
        return initial_knowledge(self.position, self.trust_flags)

    def covered(self, number: int) -> list[int]:
        """Return the unknown cells around a number."""
        return self._around(number, UNKNOWN)

    def mines(self, number: int) -> list[int]:
        """Return the known mines around a number."""
        return self._around(number, MINE)

    def _around(self, number: int, state: int) -> list[int]:
        around = self.position.board.around(number)
        cells: list[int] = around[self.known[around] == state].tolist()
        return cells

    def missing(self, number: int) -> int:
        """Return how many mines a number still needs."""
        return int(self.position.marks[number]) - len(self.mines(number))

    @cached_property
    def mines_left(self) -> int:
        """The mines of the board that are not known."""
        assert self.position.mines is not None
        return self.position.mines - int((self.known == MINE).sum())

    @cached_property
    def unknown_count(self) -> int:
        """The number of unknown cells of the board."""
        return int((self.known == UNKNOWN).sum())

    @cached_property
    def _groups(self) -> dict[tuple[int, ...], str]:
        """The letters of the groups of cells that the sentence has mentioned."""
        return {}

    @property
    def conclusion(self) -> list[Piece]:
        """What follows, as pieces of a sentence."""
        return [self.ref_cell(), f" is {'a mine' if self.is_mine else 'safe'}"]

    def ref_cell(self) -> CellRef:
        """Return a reference to the cell that the proof decides."""
        return CellRef((self.cell,), "it" if self.is_premise else self.cell_label)

    def ref_number(self, number: int) -> CellRef:
        """Return a reference to one of the numbers."""
        return CellRef((number,), self._number_label(number))

    def ref_numbers(self) -> CellRef:
        """Return a reference to all numbers together."""
        return CellRef(self.numbers, self.numbers_label, self._name_list(self.numbers))

    def ref_described(self, words: str, cells: Sequence[int], end: str = "") -> CellRef:
        """Return a reference to cells with a description: 'its mines, r1c1 and r1c2'."""
        return CellRef(tuple(cells), words, (f"{words}, ", *self._name_list(cells), end))

    def ref_group(self, cells: Sequence[int]) -> CellRef:
        """Return a reference to a group of cells, which carry the same letter.

        A sentence may mention a group again, but no two groups share a cell.
        """
        group = tuple(cells)
        label = "this cell" if len(cells) == 1 else f"these {len(cells)} cells"
        used = len(self._groups)
        if group not in self._groups and not self.is_premise and used < len(GROUP_LETTERS):
            self._groups[group] = GROUP_LETTERS[used]
        letter = self._groups.get(group, "")
        return CellRef(group, letter or label, self._name_list(cells), letter)

    def clear_groups(self) -> None:
        """Discard the groups, so that another sentence starts with the first letter."""
        self._groups.clear()

    @property
    def numbers_label(self) -> str:
        """The label of all numbers together."""
        if len(self.numbers) == 1:
            return self._number_label(self.numbers[0])
        state = "highlighted" if self.is_premise else "outlined"
        return f"the {len(self.numbers)} {state} numbers"

    def _number_label(self, number: int) -> str:
        if self.is_premise:
            return f"the highlighted {self.position.marks[number]}"
        return number_label(self.position, self.numbers, number)

    def _name_list(self, cells: Sequence[int]) -> tuple[str | int, ...]:
        """Return cells as a list in plain text; a shortened one shows the cell of the proof."""
        names = name_list(cells)
        if self.cell in cells and self.cell not in names:
            names = name_list([self.cell, *(cell for cell in cells if cell != self.cell)])
        return names


def number_label(position: Position, numbers: Sequence[int], number: int) -> str:
    """Return the label of one of the numbers that are outlined together.

    Three and more carry letters, and two if they show the same number.

    >>> position = Position.parse("12##2")
    >>> groups = (0,), (0, 1), (1, 4), (0, 1, 4)
    >>> [number_label(position, numbers, numbers[-1]) for numbers in groups]
    ['this 1', 'the outlined 2', 'the 2 marked B', 'C']
    """
    values = [int(position.marks[cell]) for cell in numbers]
    if len(numbers) == 1:
        return f"this {values[0]}"
    value = int(position.marks[number])
    if len(numbers) >= MIN_LETTERED:
        return _letter(numbers.index(number))
    if len(set(values)) == len(values):
        return f"the outlined {value}"
    return f"the {value} marked {_letter(numbers.index(number))}"


def _letter(index: int) -> str:
    """Return A to Z, then A2, B2, ...; the page uses the same letters."""
    return chr(ord("A") + index % 26) + (str(index // 26 + 1) if index >= 26 else "")
