"""Moves, and their notation: 'reveal r3c5', 'flag r1c2', 'continue'."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.board.board import Board
from sapper.errors import NotationError
from sapper.values import check_type

# What a move needs: a cell, or nothing.
ACTIONS: dict[str, bool] = {
    "reveal": True,
    "flag": True,
    "unflag": True,
    "chord": True,
    "continue": False,
}


@dataclass(frozen=True)
class Move:
    """One action on one cell; `continue` goes on after a loss and has none."""

    action: str
    cell: int | None = None

    @classmethod
    def parse(cls, text: str, board: Board) -> Move:
        """Read a move such as 'reveal r3c5'; `format` writes it."""
        check_type(text, str, "a move such as 'reveal r1c1'")
        check_type(board, Board, "a board")
        action, *rest = text.split() or [""]
        if action not in ACTIONS or len(rest) != ACTIONS[action]:
            raise NotationError(
                f"expected a move such as 'reveal {board.name(0)}' "
                f"({', '.join(ACTIONS)}), got {text!r:.60}"
            )
        return cls(action, board.cell(rest[0]) if rest else None)

    def format(self, board: Board) -> str:
        """The move as text, with the board's name for the cell."""
        return self.action if self.cell is None else f"{self.action} {board.name(self.cell)}"
