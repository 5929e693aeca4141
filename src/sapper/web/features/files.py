"""Files dropped onto the page: a game, a replay, a layout or a position."""

from __future__ import annotations

import re

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.errors import NotationError
from sapper.formats.binary import decode_file, is_replay
from sapper.formats.registry import PositionOrLayout, is_game
from sapper.games.setup import GameSetup
from sapper.serialize.cells import Json
from sapper.web.features.analyse import parse_text, text_json
from sapper.web.live_games import games_of
from sapper.web.server import limits
from sapper.web.server.http import JsonResponse, owner_of, read_body

# A file that the page exports is imported in another view.
_EXPORTED = re.compile(r'"format"\s*:\s*"sapper (profile|statistics)')


class FileBody(msgspec.Struct):
    """The bytes of a file, as hexadecimal digits."""

    hex: str


async def open_file(request: Request) -> Response:
    """Open a replay in Review, a saved game there or in Play, a position in Analyse."""
    body = await read_body(request, FileBody, limits.TEXT_BODY)
    text = await to_thread.run_sync(_decode, body.hex)
    return JsonResponse(await _open(request, text), 201)


ROUTES = [Route("/api/files", open_file, methods=["POST"])]


def _decode(digits: str) -> str:
    try:
        content = bytes.fromhex(digits)
    except ValueError:
        raise NotationError(f"expected a file as hex digits, got {digits!r:.60}") from None
    return decode_file(content)


async def _open(request: Request, text: str) -> Json:
    """Return the page's next address; also the text of a position, which may be too long for it."""
    games, owner = games_of(request), owner_of(request)
    if is_game(text):
        live = await games.open(owner, text)
        view = "review" if is_replay(text) or live.session.game.over else "play"
        return {"go": f"#/{view}/{live.row.id}", "text": None}
    parsed = await to_thread.run_sync(_parse, text)
    if isinstance(parsed, Position):
        shared = await to_thread.run_sync(text_json, parsed)
        return {"go": shared["link"] or "#/analyse", "text": shared["text"]}
    live = await games.new(owner, GameSetup.from_layout(parsed))
    return {"go": f"#/play/{live.row.id}", "text": None}


def _parse(text: str) -> PositionOrLayout:
    if match := _EXPORTED.search(text[:100]):
        raise NotationError(
            f"expected a game or a position, got {match[1]}: import it under {match[1].title()}"
        )
    return parse_text(text)
