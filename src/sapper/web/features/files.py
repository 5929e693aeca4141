"""Files opened on the page: a game, a replay, a layout, a position, or a picture of one."""

from __future__ import annotations

import re

import msgspec
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.errors import NotationError, Unavailable
from sapper.formats.binary import decode_file, is_replay
from sapper.formats.registry import PositionOrLayout, is_game
from sapper.games.setup import GameSetup
from sapper.serialize.cells import Json
from sapper.web.features.analyse import editor_json, parse_text, text_json
from sapper.web.live_games import games_of
from sapper.web.server import limits
from sapper.web.server.http import JsonResponse, owner_of, read_body, read_bytes
from sapper.web.server.workers import work_limits

PICTURE_TYPE = "application/octet-stream"
# An exported profile, which is imported in its own view.
_EXPORTED_FORMAT = re.compile(r'"format"\s*:\s*"sapper profile')


class FileBody(msgspec.Struct):
    """The bytes of a file, as hexadecimal digits."""

    hex: str


async def open_file(request: Request) -> Response:
    """Open a replay in Review, a saved game there or in Play, a position in Analyse."""
    body = await read_body(request, FileBody, limits.TEXT_BODY)
    text = await to_thread.run_sync(_decode, body.hex)
    return JsonResponse(await _open(request, text), 201)


async def open_picture(request: Request) -> Response:
    """Return the position in a picture, with the cells whose reading is unsure."""
    data = await read_bytes(request, limits.PICTURE_BODY, (PICTURE_TYPE,))
    limiter = work_limits(request).pictures
    try:
        return JsonResponse(await to_thread.run_sync(_picture_json, data, limiter=limiter))
    except Unavailable as error:  # no board in the picture, or the extra is not installed
        raise HTTPException(422, str(error)) from None


ROUTES = [
    Route("/api/files", open_file, methods=["POST"]),
    Route("/api/picture", open_picture, methods=["POST"]),
]


def _decode(digits: str) -> str:
    try:
        content = bytes.fromhex(digits)
    except ValueError:
        raise NotationError(f"expected a file as hex digits, got {digits!r:.60}") from None
    return decode_file(content)


async def _open(request: Request, text: str) -> Json:
    """Return the URL fragment to go to, and the text of a position that may be too long for it."""
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
    if _EXPORTED_FORMAT.search(text[:100]):
        raise NotationError("expected a game or a position, got profile: import it under Profile")
    return parse_text(text)


def _picture_json(data: bytes) -> Json:
    from sapper.pictures.files import load_picture
    from sapper.pictures.reading import read

    picture = load_picture(data)
    reading = read(picture)
    lattice = reading.lattice
    limits.check_size(lattice.columns, lattice.rows)
    return {
        **editor_json(reading.position),
        "unsure": [
            {
                "cell": item.cell,
                "confidence": round(item.confidence, 4),
                "marks": [item.read, *item.alternatives],
            }
            for item in reading.unsure_cells
        ],
        "notes": list(reading.notes),
        # As fractions of the picture's size, because the browser may decode it at another size.
        "area": {
            "left": lattice.left / picture.width,
            "top": lattice.top / picture.height,
            "width": lattice.columns * lattice.width / picture.width,
            "height": lattice.rows * lattice.height / picture.height,
        },
    }
