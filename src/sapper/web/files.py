"""Files that are dropped onto the page: whatever they hold is opened where it belongs."""

from __future__ import annotations

import re

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.errors import NotationError
from sapper.formats.binary import decode_file, is_replay
from sapper.formats.registry import PositionOrLayout, is_game, parse_any
from sapper.games.setup import GameSetup
from sapper.serialize.cells import Json
from sapper.web.analyse import as_text
from sapper.web.server import limits
from sapper.web.server.requests import games_of, owner_of, read_body, text_of
from sapper.web.server.security import JsonResponse

# What the page itself exports belongs elsewhere.
_EXPORTED = re.compile(r'"format"\s*:\s*"sapper (profile|statistics)')


async def take(request: Request) -> Response:
    """Open a file: a replay in Review, a saved game there or in Play, a position in Analyse."""
    data = await read_body(request, limits.TEXT_BODY)
    text = await to_thread.run_sync(_text, text_of(data, "hex"))
    return JsonResponse(await _opened(request, text), 201)


ROUTES = [Route("/api/files", take, methods=["POST"])]


def _text(digits: str) -> str:
    try:
        return decode_file(bytes.fromhex(digits))
    except ValueError as error:
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"expected a file as hex digits, got {digits!r:.60}") from None


async def _opened(request: Request, text: str) -> Json:
    """Where the page goes with it; a position that is too long for an address also as text."""
    games, owner = games_of(request), owner_of(request)
    if is_game(text):
        live = await games.read(owner, text)
        view = "review" if is_replay(text) or live.session.game.over else "play"
        return {"go": f"#/{view}/{live.row.id}", "text": None}
    position = await to_thread.run_sync(_position, text)
    if isinstance(position, Position):
        told = await to_thread.run_sync(as_text, position)
        return {"go": told["link"] or "#/analyse", "text": told["text"]}
    live = await games.new(owner, GameSetup.from_layout(position))
    return {"go": f"#/play/{live.row.id}", "text": None}


def _position(text: str) -> PositionOrLayout:
    if found := _EXPORTED.search(text[:100]):
        raise NotationError(
            f"expected a game or a position, got {found[1]}: import it under {found[1].title()}"
        )
    limits.check_text(text)
    position = parse_any(text)
    limits.check_board(position.board)
    return position
