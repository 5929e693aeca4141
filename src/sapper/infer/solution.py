"""What a solver answers: certain moves, each with the hints from which it follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.model.board import Ints
from sapper.model.frame import Frame
from sapper.values import frozen
from sapper.wording import counted, spelled_out


@dataclass(frozen=True)
class Deduction:
    """Certain moves that were found together, and what gave them.

    `by` names the step, such as 'strategy 4' or 'backtrack'; `hints` are the cells whose hints
    it read, and `placements` how many satisfactory placements it looked at, if it counts them.
    Cells and hints are ascending. A deduction without moves is false.
    """

    by: str
    flag: tuple[int, ...] = ()
    reveal: tuple[int, ...] = ()
    hints: tuple[int, ...] = ()
    placements: int | None = None

    def __bool__(self) -> bool:
        return bool(self.flag or self.reveal)

    def text(self, frame: Frame) -> str:
        """The deduction as a sentence in the words of the board.

        >>> Deduction("strategy 1", flag=(0,), hints=(1,)).text(Frame.parse("#1"))
        'strategy 1 on r1c2: flag r1c1'
        """
        moves = [
            f"{action} {', '.join(frame.names(cells))}"
            for action, cells in (("flag", self.flag), ("reveal", self.reveal))
            if cells
        ]
        return f"{self.reason(frame)}: {'; '.join(moves) or 'nothing'}"

    def reason(self, frame: Frame, most: int = 6) -> str:
        """What gave the moves: the step, its placements, and the first *most* of its hints."""
        count = "" if self.placements is None else f", {counted(self.placements, 'placement')}"
        names = list(frame.names(self.hints[:most]))
        if len(self.hints) > most:
            names.append(f"{len(self.hints) - most} more")
        on = f" on {spelled_out(names)}" if names else ""
        return f"{self.by}{count}{on}"


@dataclass(frozen=True)
class Solution:
    """The certain moves that a solver found on a frame, in the order in which it found them."""

    frame: Frame
    deductions: tuple[Deduction, ...]
    placements: int | None = None
    """How many satisfactory placements were looked at, where the solver counts them."""

    @cached_property
    def flag_cells(self) -> Ints:
        """The cells that are certain mines, ascending."""
        return _union(deduction.flag for deduction in self.deductions)

    @cached_property
    def reveal_cells(self) -> Ints:
        """The cells that are certainly free, ascending."""
        return _union(deduction.reveal for deduction in self.deductions)

    @property
    def flag(self) -> tuple[str, ...]:
        """The names of the certain mines, in cell order."""
        return self.frame.names(self.flag_cells)

    @property
    def reveal(self) -> tuple[str, ...]:
        """The names of the cells that are certainly free, in cell order."""
        return self.frame.names(self.reveal_cells)

    def __bool__(self) -> bool:
        return any(self.deductions)

    def __repr__(self) -> str:
        return f"<Solution flag {self.flag}, reveal {self.reveal}>"


def _union(sets: Iterable[tuple[int, ...]]) -> Ints:
    cells = sorted({cell for cells in sets for cell in cells})
    return frozen(np.array(cells, dtype=np.int32), np.int32)
