"""Loading games from text: saved games of any layout generator, replays, exported profiles."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from sapper.board.board import MAX_CELLS
from sapper.errors import NotationError, SapperError
from sapper.formats.binary import is_replay
from sapper.formats.json_format import is_json, read_json
from sapper.games.replays import read_replay
from sapper.games.session import Clock, Session
from sapper.games.setup import LayoutGenerators

PROFILE_FORMAT = "sapper profile 2"
"""The format of an exported profile."""
_PROFILE_HEADER = f'{{"format":"{PROFILE_FORMAT}"}}'.replace(" ", "")


def load_session(
    text: str,
    *,
    layout_generators: LayoutGenerators | None = None,
    max_cells: int = MAX_CELLS,
    max_events: int | None = None,
    clock: Clock = time.monotonic,
) -> Session:
    """Load a saved game, or a replay given by the hex digits of its file."""
    if is_replay(text):
        return read_replay(text, max_cells=max_cells)
    return Session.load(
        text,
        layout_generators=layout_generators,
        max_cells=max_cells,
        max_events=max_events,
        clock=clock,
    )


def load_sessions(text: str) -> Iterator[tuple[str, Session]]:
    """Load all games of a text, each with a name, which is empty for a single game.

    From an exported profile, load only the games that count in its statistics: finished games, and
    of several games on one layout the first.
    """
    if not is_json(text):
        yield "", load_session(text)
        return
    for number, game in enumerate(_exported_games(text), 1):
        if not isinstance(game, dict):
            raise NotationError(f"game {number}: expected an object, got {game!r:.60}")
        if game.get("finished") is True and game.get("repeated") is False:
            yield f"game {number}", _load_exported(number, game)


def _exported_games(text: str) -> list[Any]:
    """Return the games of an exported profile.

    The current format has one game in each line, version 1 has them all in one object.
    """
    if text.partition("\n")[0].replace(" ", "") == _PROFILE_HEADER:
        lines = [read_json(line) for line in text.splitlines() if line]
        return [line["game"] for line in lines if "game" in line]
    profile = read_json(text)
    games = profile.get("games")
    if profile.get("format") != "sapper profile 1" or not isinstance(games, list):
        kind = f"{profile['format']!r:.60}" if "format" in profile else "other JSON"
        raise NotationError(f"expected saved games or an exported profile, got {kind}")
    return [
        {**game, "finished": game.get("over"), "repeated": game.get("again")}
        if isinstance(game, dict)
        else game
        for game in games
    ]


def _load_exported(number: int, game: dict[str, Any]) -> Session:
    try:
        session = Session.load(game["start"])
        for milliseconds, text in game["events"]:
            session.replay(milliseconds, text)
    except SapperError as error:
        raise NotationError(f"game {number}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise NotationError(f"game {number}: expected the keys 'start' and 'events'") from None
    return session
