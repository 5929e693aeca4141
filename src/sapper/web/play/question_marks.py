"""Question marks on covered cells.

They are the user's notes and not part of the game: undo leaves them alone. They are stored in one
document, for the games that had some most recently.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from sapper.board.board import Board

DOCUMENT = "doubts"  # its stored name
MAX_GAMES = 100
MAX_CELLS = 500

CellList = Annotated[list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(max_length=MAX_CELLS)]
Document = dict[str, CellList]


def question_marks_of(document: Any, game: str, board: Board) -> tuple[int, ...]:
    """Return the marked cells of a game that are on its board."""
    cells = document.get(game, ()) if isinstance(document, dict) else ()
    return tuple(cell for cell in cells if 0 <= cell < len(board))


def with_question_marks(document: Any, game: str, cells: Sequence[int]) -> dict[str, list[int]]:
    """Return the document with the cells of a game, without the oldest of too many games."""
    others = document if isinstance(document, dict) else {}
    games = {name: marked for name, marked in others.items() if name != game}
    if cells:
        games[game] = list(cells)
    return dict(list(games.items())[-MAX_GAMES:])


def merge(stored: Document, imported: Document) -> dict[str, list[int]]:
    """Merge two documents; of a game in both, keep the stored cells."""
    return dict([*{**imported, **stored}.items()][-MAX_GAMES:])
