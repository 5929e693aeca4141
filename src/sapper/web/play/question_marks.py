"""Question marks: the covered cells of a game that its player doubts.

They are notes of the player and no part of the game: no rule knows them, undo leaves them alone. So
they are kept beside the games, in one document, for the games that had them last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sapper.board.board import Board
from sapper.errors import NotationError

DOCUMENT = "doubts"  # the stored name
MAX_GAMES = 100
MAX_CELLS = 500


def question_marks_of(document: Any, game: str, board: Board) -> tuple[int, ...]:
    """The doubted cells of a game, as far as its board has them."""
    cells = document.get(game, ()) if isinstance(document, dict) else ()
    return tuple(cell for cell in cells if 0 <= cell < len(board))


def with_question_marks(document: Any, game: str, cells: Sequence[int]) -> dict[str, list[int]]:
    """The document with the doubts of a game; the games that had some longest ago make room."""
    others = document if isinstance(document, dict) else {}
    known = {name: there for name, there in others.items() if name != game}
    if cells:
        known[game] = list(cells)
    return dict(list(known.items())[-MAX_GAMES:])


def check_question_marks(cells: Any, board: Board) -> tuple[int, ...]:
    """The cells that a page doubts; NotationError where they are none of the board."""
    if not _is_cells(cells):
        raise NotationError(f"expected at most {MAX_CELLS} numbers of cells, got {cells!r:.60}")
    return tuple(board.cell(cell) for cell in dict.fromkeys(cells))


def is_document(value: Any) -> bool:
    """Whether a document that comes in as a file has doubts by game."""
    return isinstance(value, dict) and all(map(_is_cells, value.values()))


def merged(here: Any, there: Any) -> dict[str, list[int]]:
    """The doubts of both; of a game that both have, those that are here."""
    return dict([*{**there, **here}.items()][-MAX_GAMES:])


def _is_cells(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MAX_CELLS
        and all(type(cell) is int and cell >= 0 for cell in value)
    )
