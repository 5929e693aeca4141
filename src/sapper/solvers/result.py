"""The result of a solver: certain moves, with the numbers from which they follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.values import frozen
from sapper.wording import count_text, listed


@dataclass(frozen=True)
class Deduction:
    """Certain moves that one step of a solver found.

    `by` names the step, such as 'strategy 4' or 'backtrack', `number_cells` are the cells whose
    numbers it used, and `solutions_checked` the number of solutions that it enumerated, if it did.
    All cells are ascending. A deduction without moves is false.
    """

    by: str
    flag: tuple[int, ...] = ()
    reveal: tuple[int, ...] = ()
    number_cells: tuple[int, ...] = ()
    solutions_checked: int | None = None

    def __bool__(self) -> bool:
        return bool(self.flag or self.reveal)

    def text(self, position: Position) -> str:
        """Return the deduction as one line.

        >>> Deduction("strategy 1", flag=(0,), number_cells=(1,)).text(Position.parse("#1"))
        'strategy 1 on r1c2: flag r1c1'
        """
        moves = [
            f"{action} {', '.join(position.names(cells))}"
            for action, cells in (("flag", self.flag), ("reveal", self.reveal))
            if cells
        ]
        return f"{self.describe(position)}: {'; '.join(moves) or 'nothing'}"

    def describe(self, position: Position) -> str:
        """Return the name of the step, its number of solutions, and its numbers."""
        checked = self.solutions_checked
        count = "" if checked is None else f", {count_text(checked, 'solution')}"
        names = position.names(self.number_cells)
        return f"{self.by}{count}{f' on {listed(names)}' if names else ''}"


@dataclass(frozen=True)
class SolverResult:
    """The certain moves that a solver found, in the order in which it found them."""

    position: Position
    deductions: tuple[Deduction, ...]
    solutions_checked: int | None = None
    """How many solutions were enumerated, if the solver does that."""

    @cached_property
    def certain_mine_cells(self) -> Ints:
        """The certain mines, ascending."""
        return _union(deduction.flag for deduction in self.deductions)

    @cached_property
    def safe_cells(self) -> Ints:
        """The safe cells, ascending."""
        return _union(deduction.reveal for deduction in self.deductions)

    @property
    def certain_mines(self) -> tuple[str, ...]:
        """The names of the certain mines, in cell order."""
        return self.position.names(self.certain_mine_cells)

    @property
    def safe(self) -> tuple[str, ...]:
        """The names of the safe cells, in cell order."""
        return self.position.names(self.safe_cells)

    def __bool__(self) -> bool:
        return any(self.deductions)

    def __repr__(self) -> str:
        return f"<SolverResult certain mines {self.certain_mines}, safe {self.safe}>"


def _union(sets: Iterable[tuple[int, ...]]) -> Ints:
    cells = sorted({cell for cells in sets for cell in cells})
    return frozen(np.array(cells, dtype=np.int32), np.int32)
