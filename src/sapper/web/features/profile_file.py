"""The file of an exported profile: newline-delimited JSON.

The first line is `{"format": "sapper profile 1"}`. Every other line has one
document, result or game: `{"document": …}`, `{"result": …}` or `{"game": …}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import IO, Annotated, Any

import msgspec

from sapper.errors import NotationError
from sapper.serialize.games import PROFILE_FORMAT
from sapper.web.server import limits
from sapper.web.storage.store import Count, Id, ResultRow, Timestamp

MAX_LINE_BYTES = 4_000_000


class DocumentItem(msgspec.Struct, forbid_unknown_fields=True):
    """A document of a file."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    value: Any


class EventItem(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """An event of a game, as an array."""

    milliseconds: Count
    text: Annotated[str, msgspec.Meta(max_length=100)]


class GameItem(msgspec.Struct, forbid_unknown_fields=True):
    """A game of a file."""

    id: Id
    created: Timestamp
    updated: Timestamp
    setup: str
    repeated: bool
    finished: bool
    events: Annotated[list[EventItem], msgspec.Meta(max_length=limits.MAX_EVENTS)]


class Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a file: the format, or one item."""

    format: str | None = None
    document: DocumentItem | None = None
    result: ResultRow | None = None
    game: GameItem | None = None


_LINE = msgspec.json.Decoder(Line)


def format_line(line: Line) -> str:
    """Return a line as JSON text that ends with a newline."""
    return msgspec.json.encode(line).decode() + "\n"


def read_lines(file: IO[bytes]) -> Iterator[tuple[str, Line]]:
    """Yield each line after the first, with a description of its place for error messages."""
    file.seek(0)
    try:
        header = _LINE.decode(file.readline(MAX_LINE_BYTES))
    except msgspec.DecodeError:
        raise NotationError("not a file that Sapper exported") from None
    if header.format != PROFILE_FORMAT:
        raise NotationError(f"expected an exported profile, got {header.format!r:.60}")
    for line_number, text in enumerate(iter(partial(file.readline, MAX_LINE_BYTES), b""), 2):
        try:
            yield f"line {line_number}", _LINE.decode(text)
        except msgspec.DecodeError as error:
            raise NotationError(f"line {line_number}: {error}") from None
