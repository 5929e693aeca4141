"""Loading games from text: saved games of any layout generator, replays, exported profiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sapper.board.board import MAX_CELLS
from sapper.errors import NotationError, SapperError
from sapper.formats.binary import is_replay
from sapper.formats.json_format import is_json, read_json
from sapper.games.replays import read_replay
from sapper.games.session import Session
from sapper.games.setup import LayoutGenerators
from sapper.generators.layout_sources import LAYOUT_GENERATORS

PROFILE = "sapper profile 1"
"""The format of an exported profile."""


def load_session(
    text: str,
    *,
    layout_generators: LayoutGenerators = LAYOUT_GENERATORS,
    max_cells: int = MAX_CELLS,
    max_events: int | None = None,
) -> Session:
    """Load a saved game, or a replay given by the hex digits of its file."""
    if is_replay(text):
        return read_replay(text, max_cells=max_cells)
    return Session.load(
        text, layout_generators=layout_generators, max_cells=max_cells, max_events=max_events
    )


def load_sessions(text: str) -> Iterator[tuple[str, Session]]:
    """Load all games of a text, each with a name, which is empty for a single game.

    Of an exported profile these are the games that count in its statistics: those that are
    finished, and only the first game on each layout.
    """
    if not is_json(text):
        yield "", load_session(text)
        return
    profile = read_json(text)
    if profile.get("format") != PROFILE or not isinstance(profile.get("games"), list):
        got = profile.get("format", "other JSON")
        raise NotationError(f"expected saved games or an exported profile, got {got!r:.60}")
    for number, game in enumerate(profile["games"], 1):
        if not isinstance(game, dict):
            raise NotationError(f"game {number}: expected an object, got {game!r:.60}")
        if game.get("over") is True and game.get("again") is False:
            yield f"game {number}", _load_exported(number, game)


def _load_exported(number: int, game: dict[str, Any]) -> Session:
    try:
        session = Session.load(game["start"], layout_generators=LAYOUT_GENERATORS)
        for at, what in game["events"]:
            session.replay(at, what)
    except SapperError as error:
        raise NotationError(f"game {number}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise NotationError(f"game {number}: expected the keys 'start' and 'events'") from None
    return session
