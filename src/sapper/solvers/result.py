"""What a solver answers: certain moves, each with the numbers from which it follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.values import frozen
from sapper.wording import counted, spelled_out


@dataclass(frozen=True)
class Deduction:
    """Certain moves that were found together, and what gave them.

    `by` names the step, such as 'strategy 4' or 'backtrack'; `numbers` are the cells whose numbers
    it read, and `solutions` how many solutions it looked at, if it counts them.
    Cells and numbers are ascending. A deduction without moves is false.
    """

    by: str
    flag: tuple[int, ...] = ()
    reveal: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    solutions: int | None = None

    def __bool__(self) -> bool:
        return bool(self.flag or self.reveal)

    def text(self, position: Position) -> str:
        """The deduction as a sentence in the words of the board.

        >>> Deduction("strategy 1", flag=(0,), numbers=(1,)).text(Position.parse("#1"))
        'strategy 1 on r1c2: flag r1c1'
        """
        moves = [
            f"{action} {', '.join(position.names(cells))}"
            for action, cells in (("flag", self.flag), ("reveal", self.reveal))
            if cells
        ]
        return f"{self.reason(position)}: {'; '.join(moves) or 'nothing'}"

    def reason(self, position: Position, most: int = 6) -> str:
        """What gave the moves: the step, its solutions, and the first *most* of its numbers."""
        count = "" if self.solutions is None else f", {counted(self.solutions, 'solution')}"
        names = list(position.names(self.numbers[:most]))
        if len(self.numbers) > most:
            names.append(f"{len(self.numbers) - most} more")
        on = f" on {spelled_out(names)}" if names else ""
        return f"{self.by}{count}{on}"


@dataclass(frozen=True)
class SolverResult:
    """The certain moves that a solver found on a position, in the order in which it found them."""

    position: Position
    deductions: tuple[Deduction, ...]
    solutions: int | None = None
    """How many solutions were looked at, where the solver counts them."""

    @cached_property
    def certain_mine_cells(self) -> Ints:
        """The cells that are certain mines, ascending."""
        return _union(deduction.flag for deduction in self.deductions)

    @cached_property
    def safe_cells(self) -> Ints:
        """The cells that are certainly free, ascending."""
        return _union(deduction.reveal for deduction in self.deductions)

    @property
    def flag(self) -> tuple[str, ...]:
        """The names of the certain mines, in cell order."""
        return self.position.names(self.certain_mine_cells)

    @property
    def reveal(self) -> tuple[str, ...]:
        """The names of the cells that are certainly free, in cell order."""
        return self.position.names(self.safe_cells)

    def __bool__(self) -> bool:
        return any(self.deductions)

    def __repr__(self) -> str:
        return f"<Solution flag {self.flag}, reveal {self.reveal}>"


def _union(sets: Iterable[tuple[int, ...]]) -> Ints:
    cells = sorted({cell for cells in sets for cell in cells})
    return frozen(np.array(cells, dtype=np.int32), np.int32)
