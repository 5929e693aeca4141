"""Requests and responses: JSON bodies as typed values, one-line errors, downloads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from sapper.board.random_stream import parse_seed, random_seed
from sapper.board.rules import Rules, parse_size
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import FieldError, NotationError, RulesError
from sapper.games.setup import GameSetup
from sapper.web.server import limits

T = TypeVar("T")

MEDIA_TYPES = ("application/json", "application/x-ndjson")


class EmptyBody(msgspec.Struct):
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

    def setup(self) -> GameSetup:
        """Build the setup; reject rules that allow no first click."""
        rules = self._rules()
        try:
            seed = seed_or_random(self.seed)
        except NotationError:
            problem = f"{self.seed!r:.60} is not a seed, which is a whole number"
            raise FieldError("seed", problem) from None
        return GameSetup(rules, seed, self.generator or "plain")

    def _rules(self) -> Rules:
        try:
            width, height, mines = parse_size(self.size)
        except (NotationError, RulesError):
            problem = f"{self.size!r:.60} is not a size, such as 30x16/99: width, height, mines"
            raise FieldError("size", problem) from None
        size = f"{width} × {height}"
        if width * height > limits.MAX_CELLS:
            problem = f"{size} is too large: a board has at most {limits.MAX_CELLS:,} cells"
            raise FieldError("width", problem)
        min_side = TILINGS.find(self.tiling).min_size
        if min(width, height) < min_side:
            problem = f"{size} is too small: this board has at least {min_side} × {min_side} cells"
            raise FieldError("width" if width < min_side else "height", problem)
        if mines is None:
            raise FieldError("mines", f"the number of mines on {size} is missing")
        without_mines = Rules(tiling(self.tiling, width, height), 0, self.rule)
        # The first click is not known yet; at the cell with the fewest neighbours, most mines fit.
        first = int(without_mines.board.neighbour_counts.argmin())
        mine_free = without_mines.mine_free_cells(first)
        max_mines = width * height - max(1, len(mine_free))
        if mines > max_mines:
            reason = " if the first click opens an area" if len(mine_free) > 1 else ""
            count = "1 mine" if max_mines == 1 else f"{max_mines:,} mines"
            raise FieldError("mines", f"{size} has room for at most {count}{reason}")
        return replace(without_mines, mines=mines)


def seed_or_random(seed: int | str | None) -> int:
    """Parse a seed; choose a random one if it is missing or empty."""
    return random_seed() if seed is None or seed == "" else parse_seed(str(seed))


def owner_of(request: Request) -> str:
    """Return the owner of the games, results and documents that a request may use."""
    owner: str = request.state.owner
    return owner


async def read_body(request: Request, body_type: type[T], max_bytes: int = limits.SMALL_BODY) -> T:
    """Read the JSON body of a request as a value of type *body_type*."""
    return decode_json(await read_bytes(request, max_bytes), body_type)


async def read_bytes(
    request: Request, max_bytes: int, media_types: tuple[str, ...] = MEDIA_TYPES
) -> bytes:
    """Read the whole body of a request."""
    return b"".join([chunk async for chunk in body_chunks(request, max_bytes, media_types)])


def decode_json(text: bytes | bytearray | str, body_type: type[T]) -> T:
    """Decode and validate JSON; raise NotationError if it does not match *body_type*."""
    try:
        return msgspec.json.decode(text, type=body_type)
    except msgspec.ValidationError as error:
        raise NotationError(f"bad request: {error}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"cannot read the JSON: {error}") from None


async def body_chunks(
    request: Request, max_bytes: int, media_types: tuple[str, ...] = MEDIA_TYPES
) -> AsyncIterator[bytes]:
    """Yield the body in chunks; reject other media types, long bodies and slow senders."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in media_types:
        raise HTTPException(415, f"expected {media_types[0]}, got {media_type!r:.60}")
    too_long = HTTPException(413, f"the request is longer than {max_bytes:,} bytes")
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or len(declared) > 20 or int(declared) > max_bytes:
        raise too_long
    length = 0
    chunks = request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(chunks, None), limits.BODY_TIMEOUT)
        except TimeoutError:
            raise HTTPException(408, "the request did not arrive in time") from None
        if chunk is None:
            return
        length += len(chunk)
        if length > max_bytes:
            raise too_long
        yield chunk


class JsonResponse(Response):
    """Compact JSON that the browser does not cache."""

    media_type = "application/json"

    def __init__(self, content: object, status_code: int = 200):
        super().__init__(msgspec.json.encode(content), status_code, {"cache-control": "no-store"})


def error_response(message: str, status: int, field: str | None = None) -> JsonResponse:
    """Return a one-line error message, and the name of the form field with the bad value."""
    details = {} if field is None else {"field": field}
    return JsonResponse({"error": " ".join(message.split()), **details}, status)


def forbidden(body: str = "") -> Response:
    """Return a 403 without any information about the server, and close the connection."""
    return HTMLResponse(body, 403, {"cache-control": "no-store", "connection": "close"})


def download(
    name: str, text: AsyncIterator[str] | Iterable[str], media_type: str = "application/x-ndjson"
) -> Response:
    """Stream text, by default newline-delimited JSON, as a file that the browser saves."""
    return StreamingResponse(
        text,
        media_type=media_type,
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        },
    )
