"""The file of an exported profile: newline-delimited JSON.

The first line is `{"format": "sapper profile 2"}`. Every other line has one
document, result or game: `{"document": …}`, `{"result": …}` or `{"game": …}`. A file of version 1
is one JSON object; it is read as lines of version 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import IO, Annotated, Any

import msgspec

from sapper.errors import NotationError
from sapper.serialize.games import PROFILE_FORMAT
from sapper.web.server import limits
from sapper.web.storage.schema import GAME_KEYS, LOCAL_OWNER, RESULT_KEYS, rename_keys
from sapper.web.storage.store import Count, Id, ResultRow, Timestamp

RESULTS_FORMAT = "sapper statistics 2"
FORMATS = (PROFILE_FORMAT, RESULTS_FORMAT, "sapper profile 1", "sapper statistics 1")

MAX_LINE_BYTES = 4_000_000
# A file of version 1 is read as a whole.
MAX_OLD_FILE_BYTES = 200_000_000
MAX_OLD_GUEST_FILE_BYTES = 20_000_000


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
    start: str
    repeated: bool
    finished: bool
    events: Annotated[list[EventItem], msgspec.Meta(max_length=limits.MAX_EVENTS)]


class Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a file: the format, or one item."""

    format: str | None = None
    document: DocumentItem | None = None
    result: ResultRow | None = None
    game: GameItem | None = None


class OldFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of version 1."""

    format: str | None = None
    documents: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    games: list[dict[str, Any]] = []


_LINE = msgspec.json.Decoder(Line)
_OLD_FILE = msgspec.json.Decoder(OldFile)


def format_line(line: Line) -> str:
    """Return a line as JSON text that ends with a newline."""
    return msgspec.json.encode(line).decode() + "\n"


def read_lines(file: IO[bytes], owner: str) -> Iterator[tuple[str, Line]]:
    """Yield each line after the first, with a description of its place for error messages."""
    file.seek(0)
    try:
        header = _LINE.decode(file.readline(MAX_LINE_BYTES))
    except msgspec.DecodeError:
        yield from _read_old_lines(file, owner)
        return
    _check_format(header.format)
    for line_number, text in enumerate(iter(partial(file.readline, MAX_LINE_BYTES), b""), 2):
        try:
            yield f"line {line_number}", _LINE.decode(text)
        except msgspec.DecodeError as error:
            raise NotationError(f"line {line_number}: {error}") from None


def _read_old_lines(file: IO[bytes], owner: str) -> Iterator[tuple[str, Line]]:
    """Yield the items of a file of version 1 as lines of version 2."""
    max_bytes = MAX_OLD_FILE_BYTES if owner == LOCAL_OWNER else MAX_OLD_GUEST_FILE_BYTES
    file.seek(0)
    content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise NotationError(f"a file of an older version has at most {max_bytes:,} bytes")
    try:
        old = _OLD_FILE.decode(content)
    except msgspec.ValidationError as error:
        raise NotationError(f"not a file that Sapper exported: {error}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise NotationError("not a file that Sapper exported, or one that is cut off") from None
    _check_format(old.format)
    kinds: tuple[tuple[str, list[dict[str, Any]], dict[str, str]], ...] = (
        ("document", old.documents, {}),
        ("result", old.results, RESULT_KEYS),
        ("game", old.games, GAME_KEYS),
    )
    for kind, items, keys in kinds:
        for number, item in enumerate(items, 1):
            try:
                line = msgspec.convert({kind: rename_keys(item, keys)}, Line)
            except msgspec.ValidationError as error:
                raise NotationError(f"{kind} {number}: {error}") from None
            yield f"{kind} {number}", line


def _check_format(name: str | None) -> None:
    if name not in FORMATS:
        raise NotationError(f"expected an exported profile or statistics, got {name!r:.60}")
