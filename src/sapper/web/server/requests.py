"""Reading what a request asks for: its game, its JSON body, its rules."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from sapper.board.random_stream import parse_seed, random_seed
from sapper.board.rules import Rules, parse_size
from sapper.errors import NotationError
from sapper.games.setup import GameSetup
from sapper.web.play.live_games import Games, LiveGame
from sapper.web.server import limits


def games_of(request: Request) -> Games:
    """All games of the server."""
    games: Games = request.app.state.games
    return games


def owner_of(request: Request) -> str:
    """Whose games, results and documents a request is about."""
    owner: str = request.state.owner
    return owner


async def live_game(request: Request) -> LiveGame:
    """The game that the path of a request names."""
    return await games_of(request).get(owner_of(request), request.path_params["game"])


def start_of(data: dict[str, Any]) -> GameSetup:
    """The start that a request describes: size, tiling, rule, seed, deal."""
    size = text_of(data, "size", "expert")
    width, height, _ = parse_size(size)
    limits.check_cells(width, height)
    rules = Rules.parse(size, text_of(data, "tiling", "square"), text_of(data, "rule", "zero"))
    # Where the first click will be is not known yet; refuse what no cell at all could begin.
    rules.check_first(int(rules.board.neighbour_counts.argmin()))
    return GameSetup(
        rules, seed_of(data), text_of(data, "generator", text_of(data, "deal", "plain"))
    )


def seed_of(data: dict[str, Any]) -> int:
    """The seed, fresh unless given; as digits, since a JavaScript number would lose the last."""
    seed = data.get("seed")
    if seed is None or seed == "":
        return random_seed()
    if type(seed) is not int and not isinstance(seed, str):
        raise NotationError(f"expected a seed as digits, got {seed!r:.60}")
    return parse_seed(str(seed))


def text_of(data: dict[str, Any], key: str, default: str | None = None) -> str:
    """A text of a request's body."""
    value = data.get(key, default)
    if not limits.is_text(value):
        raise NotationError(f"expected {key} as text, got {value!r:.60}")
    return value


async def read_body(request: Request, most: int) -> dict[str, Any]:
    """The JSON object of a request, of at most so many bytes."""
    body = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_TIMEOUT):
            async for chunk in body_chunks(request, most):
                body += chunk
    except TimeoutError:
        raise _too_slow() from None
    return (
        await to_thread.run_sync(_read_json, bytes(body)) if len(body) > 65536 else _read_json(body)
    )


async def body_chunks(request: Request, most: int) -> AsyncIterator[bytes]:
    """The JSON of a request as it comes, of at most so many bytes; each piece must come soon."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, f"expected application/json, got {kind!r:.60}")
    too_long = HTTPException(413, f"expected at most {most:,} bytes, got more")
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or len(announced) > 20 or int(announced) > most:
        raise too_long
    length = 0
    chunks = request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(chunks, None), limits.BODY_TIMEOUT)
        except TimeoutError:
            raise _too_slow() from None
        if chunk is None:
            return
        length += len(chunk)
        if length > most:
            raise too_long
        yield chunk


def file_response(name: str, text: AsyncIterator[str]) -> Response:
    """A JSON file that the browser keeps, written while it is sent."""
    return StreamingResponse(
        text,
        media_type="application/json",
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        },
    )


def _too_slow() -> HTTPException:
    return HTTPException(408, "expected the whole request sooner, got only a part")


def _read_json(body: bytes | bytearray) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise NotationError(f"expected JSON, got {bytes(body[:40])!r}") from None
    if not isinstance(data, dict):
        raise NotationError(f"expected a JSON object, got {type(data).__name__}")
    return data


def whole_of(data: dict[str, Any], key: str) -> int:
    """A whole number of a request's body."""
    value = data.get(key)
    if type(value) is not int:
        raise NotationError(f"expected {key} as a whole number, got {value!r:.60}")
    return value
