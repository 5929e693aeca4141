"""Requests and responses: JSON bodies as typed values, one-line errors, downloads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from sapper.board.random_stream import parse_seed, random_seed
from sapper.board.rules import Rules, parse_size
from sapper.errors import NotationError
from sapper.games.setup import GameSetup
from sapper.web.server import limits

T = TypeVar("T")

MEDIA_TYPES = ("application/json", "application/x-ndjson")
# A larger body is decoded in a thread.
QUICK_BODY = 65_536


class Empty(msgspec.Struct):
    """A body without fields."""


class CellBody(msgspec.Struct):
    """A body that names one cell."""

    cell: int


class SetupBody(msgspec.Struct):
    """The rules, the seed and the generator of a new game."""

    size: str = "expert"
    tiling: str = "square"
    rule: str = "zero"
    # Text, because a JavaScript number would lose the last digits.
    seed: int | str | None = None
    generator: str | None = None
    deal: str | None = None
    """The generator in links of Sapper 0.2, which gives the layout that it gave then."""

    def setup(self) -> GameSetup:
        """Build the setup; reject rules that allow no first click."""
        width, height, _ = parse_size(self.size)
        limits.check_cells(width, height)
        rules = Rules.parse(self.size, self.tiling, self.rule)
        # The first click is not known yet: try the cell with the fewest neighbours.
        rules.check_first(int(rules.board.neighbour_counts.argmin()))
        generator = self.deal or self.generator or "plain"
        version_1 = bool(self.deal) and generator != "plain"
        return GameSetup(rules, seed_or_random(self.seed), generator, version_1=version_1)


def seed_or_random(seed: int | str | None) -> int:
    """Parse a seed; choose a random one where it is missing or empty."""
    return random_seed() if seed is None or seed == "" else parse_seed(str(seed))


def owner_of(request: Request) -> str:
    """Return the owner of the games, results and documents that a request may use."""
    owner: str = request.state.owner
    return owner


async def read_body(request: Request, shape: type[T], max_bytes: int = limits.SMALL_BODY) -> T:
    """Read the JSON body of a request as a value of type *shape*."""
    body = await read_bytes(request, max_bytes)
    if len(body) > QUICK_BODY:
        return await to_thread.run_sync(decode_json, body, shape)
    return decode_json(body, shape)


async def read_bytes(
    request: Request, max_bytes: int, media_types: tuple[str, ...] = MEDIA_TYPES
) -> bytes:
    """Read the whole body of a request."""
    body = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_TIMEOUT):
            async for chunk in body_chunks(request, max_bytes, media_types):
                body += chunk
    except TimeoutError:
        raise _timeout() from None
    return bytes(body)


def decode_json(text: bytes | bytearray | str, shape: type[T]) -> T:
    """Decode JSON and validate it; NotationError where it does not fit *shape*."""
    try:
        value: T = _decoder(cast(Any, shape)).decode(text)
    except msgspec.ValidationError as error:
        raise NotationError(f"bad request: {error}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"cannot read the JSON: {error}") from None
    return value


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


async def body_chunks(
    request: Request, max_bytes: int, media_types: tuple[str, ...] = MEDIA_TYPES
) -> AsyncIterator[bytes]:
    """Yield the body in chunks; reject other media types, long bodies and slow senders."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in media_types:
        raise HTTPException(415, f"expected {media_types[0]}, got {media_type!r:.60}")
    too_long = HTTPException(413, f"the request is longer than {max_bytes:,} bytes")
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or len(announced) > 20 or int(announced) > max_bytes:
        raise too_long
    length = 0
    chunks = request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(chunks, None), limits.BODY_TIMEOUT)
        except TimeoutError:
            raise _timeout() from None
        if chunk is None:
            return
        length += len(chunk)
        if length > max_bytes:
            raise too_long
        yield chunk


def _timeout() -> HTTPException:
    return HTTPException(408, "the request did not arrive in time")


class JsonResponse(Response):
    """Compact JSON that the browser does not cache."""

    media_type = "application/json"

    def __init__(self, content: object, status_code: int = 200):
        super().__init__(msgspec.json.encode(content), status_code, {"cache-control": "no-store"})


def error_response(message: str, status: int) -> JsonResponse:
    """Return a 4xx or 5xx with a one-line message."""
    return JsonResponse({"error": " ".join(message.split())}, status)


def forbidden(body: str = "") -> Response:
    """Return a 403 that says nothing about the server and closes the connection."""
    return HTMLResponse(body, 403, {"cache-control": "no-store", "connection": "close"})


def download(name: str, text: AsyncIterator[str]) -> Response:
    """Stream newline-delimited JSON as a file that the browser saves."""
    return StreamingResponse(
        text,
        media_type="application/x-ndjson",
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        },
    )
