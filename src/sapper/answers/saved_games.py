"""Saved games, however they were dealt: what every command and view reads them with."""

from __future__ import annotations

from sapper.generate.dealers import DEALERS
from sapper.model.board import MAX_CELLS
from sapper.play.session import Session


def load_session(
    text: str, *, most_cells: int = MAX_CELLS, most_events: int | None = None
) -> Session:
    """The session of a saved game; its layout is found again by the way to deal that it names."""
    return Session.load(text, dealers=DEALERS, most_cells=most_cells, most_events=most_events)
