"""Moves and their text: 'reveal r3c5', 'flag r1c2', 'continue'."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.board.board import Board
from sapper.errors import NotationError

# The actions, and whether each needs a cell.
ACTIONS: dict[str, bool] = {
    "reveal": True,
    "flag": True,
    "unflag": True,
    "chord": True,
    "continue": False,
}


@dataclass(frozen=True)
class Move:
    """An action and its cell; `continue`, which resumes a lost game, has no cell."""

    action: str
    cell: int | None = None

    @classmethod
    def parse(cls, text: str, board: Board) -> Move:
        """Read a move such as 'reveal r3c5'; `format` writes it."""
        action, *rest = text.split() or [""]
        if action not in ACTIONS or len(rest) != ACTIONS[action]:
            raise NotationError(
                f"expected a move such as 'reveal {board.name(0)}' "
                f"({', '.join(ACTIONS)}), got {text!r:.60}"
            )
        return cls(action, board.cell(rest[0]) if rest else None)

    def format(self, board: Board) -> str:
        """Return the text of the move, with the name of its cell."""
        return self.action if self.cell is None else f"{self.action} {board.name(self.cell)}"
