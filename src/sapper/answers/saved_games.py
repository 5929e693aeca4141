"""Saved games, however they were dealt, and replays: what every command reads them with."""

from __future__ import annotations

from sapper.answers.replays import read_replay
from sapper.generate.dealers import DEALERS
from sapper.model.board import MAX_CELLS
from sapper.model.formats.binary import is_replay
from sapper.play.session import Session


def load_session(
    text: str, *, most_cells: int = MAX_CELLS, most_events: int | None = None
) -> Session:
    """The session of a saved game, or of a replay by the hex digits of its file.

    The layout of a saved game is found again by the way to deal that it names.
    """
    if is_replay(text):
        return read_replay(text, most_cells=most_cells)
    return Session.load(text, dealers=DEALERS, most_cells=most_cells, most_events=most_events)
