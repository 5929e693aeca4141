"""Names that the web application still imports; they go with its next change."""

from __future__ import annotations

from sapper.errors import WatchedGameNotFound
from sapper.proofs.difficulty import DIFFICULTIES

DIFFICULTY: dict[str, str] = {name: row.text for name, row in DIFFICULTIES.items()}
FIRST_CLICK: dict[str, str] = {
    "zero": "first click opens an area",
    "safe": "first click is not a mine",
    "any": "first click may be a mine",
}


def on_page(text: str) -> str:
    """Return the text."""
    return text


def difficulty_text(difficulty: str) -> str:
    """Return what a step of this difficulty needs."""
    return DIFFICULTIES[difficulty].text


def error_on_page(error: Exception) -> str:
    """Return the line for an error."""
    if isinstance(error, WatchedGameNotFound):
        return "this game is not watched any more: press Watch to start it again"
    return str(error)
