"""Export a profile to a file, and import it.

A file is newline-delimited JSON: first `{"format": "sapper profile 2"}`, then one document, result
or game in each line, as `{"document": …}`, `{"result": …}` or `{"game": …}`. Files of version 1 are
one JSON object. A file is checked completely before anything is added, and nothing that is stored
already is replaced. The module is long because it reads both versions.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO, Annotated, Any

import msgspec
from anyio import to_thread
from msgspec.structs import astuple, replace

from sapper.board.move import ACTIONS
from sapper.errors import NotationError, SapperError
from sapper.games.session import CONTROL_EVENTS
from sapper.serialize.cells import Json
from sapper.serialize.games import PROFILE_FORMAT, load_session
from sapper.web.features import puzzle_ratings as ratings
from sapper.web.features import review
from sapper.web.learn import progress
from sapper.web.live_games import (
    QUESTION_MARKS_DOCUMENT,
    QuestionMarks,
    merge_question_marks,
    title_of,
)
from sapper.web.server import limits
from sapper.web.storage.schema import EVENTS, GAME_KEYS, HOME, RESULT_KEYS, rename_keys
from sapper.web.storage.store import (
    INSERT_GAME,
    MAX_DOCUMENT_BYTES,
    MAX_DOCUMENTS,
    MAX_GUEST_GAMES,
    Count,
    GameRow,
    Id,
    ResultRow,
    Store,
    Timestamp,
    delete_oldest_games,
    insert_result,
    local_id,
)

SETTINGS = "settings"
PROFILE = "profile"

RESULTS_FORMAT = "sapper statistics 2"
FORMATS = (PROFILE_FORMAT, RESULTS_FORMAT, "sapper profile 1", "sapper statistics 1")

KINDS = ("documents", "results", "games")

PAGE = 100
# Rows that are written in one transaction: few, so that other writes do not wait long.
BATCH_ROWS = 200
MAX_LINE_BYTES = 4_000_000
# A file of version 1 is read as a whole.
MAX_OLD_FILE_BYTES = 200_000_000
MAX_OLD_GUEST_FILE_BYTES = 20_000_000
# Limits of the number of items; on the user's own machine only documents are limited.
OWNER_LIMITS = {"documents": MAX_DOCUMENTS}
GUEST_LIMITS = {**OWNER_LIMITS, "games": MAX_GUEST_GAMES, "results": 100_000}


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


@dataclass(frozen=True)
class Insertion:
    """An item of a file that has been checked."""

    kind: str
    rows: int
    """About how many rows of the database it takes."""
    insert: Callable[[sqlite3.Connection, str], bool]
    """Add the item for an owner; return whether it was new."""


async def export_profile(store: Store, owner: str) -> AsyncIterator[str]:
    """Yield everything that is stored for an owner, as text of a file."""
    yield _format_line(Line(format=PROFILE_FORMAT))
    async for name in _keys(store, "kept", "name", owner):
        value = await to_thread.run_sync(store.document, owner, name)
        yield _format_line(Line(document=DocumentItem(name, value)))
    async for text in _export_results(store, owner):
        yield text
    async for game in _keys(store, "game", "id", owner):
        found = await to_thread.run_sync(store.game, game)
        if found is not None and found[1]:
            row, events = found
            values = {key: getattr(row, key) for key in GameItem.__struct_fields__[:-1]}
            items = [EventItem(event.milliseconds, event.text) for event in events]
            yield _format_line(Line(game=GameItem(**values, events=items)))


async def export_results(store: Store, owner: str) -> AsyncIterator[str]:
    """Yield the results of an owner, as text of a file."""
    yield _format_line(Line(format=RESULTS_FORMAT))
    async for text in _export_results(store, owner):
        yield text


async def _export_results(store: Store, owner: str) -> AsyncIterator[str]:
    after = ""
    while page := await to_thread.run_sync(store.results_page, owner, after, PAGE):
        for row in page:
            yield _format_line(Line(result=row))
        after = page[-1].id


async def _keys(store: Store, table: str, column: str, owner: str) -> AsyncIterator[str]:
    """Yield the keys of an owner's rows of a table, reading a page at a time."""
    query = (
        f"select {column} from {table} where owner = ? and {column} > ? "
        f"order by {column} limit {PAGE}"
    )
    after = ""
    while rows := await to_thread.run_sync(store.database.query, query, (owner, after)):
        for (after,) in rows:
            yield after


def _format_line(line: Line) -> str:
    return msgspec.json.encode(line).decode() + "\n"


async def import_profile(
    store: Store, owner: str, chunks: AsyncIterator[bytes], kinds: Collection[str] = KINDS
) -> Json:
    """Add what a file has and the owner has not; *kinds* restricts what is added.

    Return for each kind how many items were new and how many were stored already, and the settings
    of the file, which do not replace those of the owner.
    """
    counts = {kind: {"added": 0, "known": 0} for kind in kinds}
    with tempfile.TemporaryFile() as copy:
        async for chunk in chunks:
            await to_thread.run_sync(copy.write, chunk)
        settings = await to_thread.run_sync(_check_file, copy, owner)
        items = (_check_line(*line) for line in _read_lines(copy, owner))
        wanted = (item for item in items if item.kind in kinds)
        while batch := await to_thread.run_sync(_next_batch, wanted):
            are_new = await store.database.write(partial(_insert_all, owner, batch))
            for item, is_new in zip(batch, are_new, strict=True):
                counts[item.kind]["added" if is_new else "known"] += 1
    return {**counts, "settings": settings}


def _check_file(copy: IO[bytes], owner: str) -> Any:
    """Read the file once, so that a mistake anywhere adds nothing; return its settings."""
    limits_by_kind = OWNER_LIMITS if owner == HOME else GUEST_LIMITS
    counts: Counter[str] = Counter()
    settings = None
    for where, line in _read_lines(copy, owner):
        kind = _check_line(where, line).kind
        counts[kind] += 1
        if counts[kind] > limits_by_kind.get(kind, counts[kind]):
            raise NotationError(f"the file has more than {limits_by_kind[kind]:,} {kind}")
        if line.document is not None and line.document.name == SETTINGS:
            settings = line.document.value
    return settings


def _next_batch(items: Iterator[Insertion]) -> list[Insertion]:
    """Return the next items, of about BATCH_ROWS rows; empty at the end."""
    batch: list[Insertion] = []
    rows = 0
    for item in items:
        batch.append(item)
        rows += item.rows
        if rows >= BATCH_ROWS:
            break
    return batch


def _insert_all(owner: str, batch: list[Insertion], connection: sqlite3.Connection) -> list[bool]:
    return [item.insert(connection, owner) for item in batch]


def _read_lines(copy: IO[bytes], owner: str) -> Iterator[tuple[str, Line]]:
    """Yield the lines of a file, each with its place for messages."""
    copy.seek(0)
    try:
        header = _LINE.decode(copy.readline(MAX_LINE_BYTES))
    except msgspec.DecodeError:
        yield from _read_old_lines(copy, owner)
        return
    _check_format(header.format)
    for number, text in enumerate(iter(partial(copy.readline, MAX_LINE_BYTES), b""), 2):
        try:
            yield f"line {number}", _LINE.decode(text)
        except msgspec.DecodeError as error:
            raise NotationError(f"line {number}: {error}") from None


def _read_old_lines(copy: IO[bytes], owner: str) -> Iterator[tuple[str, Line]]:
    """Yield the items of a file of version 1, as lines of the present version."""
    max_bytes = MAX_OLD_FILE_BYTES if owner == HOME else MAX_OLD_GUEST_FILE_BYTES
    copy.seek(0)
    content = copy.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise NotationError(f"a file of an older version has at most {max_bytes:,} bytes")
    try:
        file = _OLD_FILE.decode(content)
    except msgspec.ValidationError as error:
        raise NotationError(f"not a file that Sapper exported: {error}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise NotationError("not a file that Sapper exported, or one that is cut off") from None
    _check_format(file.format)
    kinds: tuple[tuple[str, list[dict[str, Any]], dict[str, str]], ...] = (
        ("document", file.documents, {}),
        ("result", file.results, RESULT_KEYS),
        ("game", file.games, GAME_KEYS),
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


_LINE = msgspec.json.Decoder(Line)
_OLD_FILE = msgspec.json.Decoder(OldFile)


def _check_line(where: str, line: Line) -> Insertion:
    """Check the item of a line."""
    try:
        if line.document is not None:
            return Insertion("documents", 1, _check_document(line.document))
        if line.game is not None:
            return Insertion("games", 1 + len(line.game.events), _check_game(line.game))
        if line.result is not None:
            return Insertion("results", 1, partial(insert_result, line.result))
        raise NotationError("expected a document, a result or a game")
    except SapperError as error:
        raise NotationError(f"{where}: {error}") from None


def _check_document(item: DocumentItem) -> Callable[[sqlite3.Connection, str], bool]:
    document_type(item.name).check(item.name, item.value)
    text = json.dumps(item.value, separators=(",", ":"))
    if len(text) > MAX_DOCUMENT_BYTES:
        raise NotationError(f"{len(text):,} bytes are more than {MAX_DOCUMENT_BYTES:,}")

    def insert(connection: sqlite3.Connection, owner: str) -> bool:
        """Add the document, or merge it with the stored one; return whether anything changed."""
        found = connection.execute(
            "select value from kept where owner = ? and name = ?", (owner, item.name)
        ).fetchone()
        added = text
        if found is not None:
            stored = json.loads(found[0])
            merged = document_type(item.name).merged(stored, item.value)
            added = json.dumps(merged, separators=(",", ":"))
            if merged == stored or len(added) > MAX_DOCUMENT_BYTES:
                return False
        row = (owner, item.name, added)
        connection.execute("insert or replace into kept values (?, ?, ?)", row)
        return True

    return insert


def _check_game(item: GameItem) -> Callable[[sqlite3.Connection, str], bool]:
    # Moves are checked when the game is opened; the header must be valid now.
    setup = load_session(item.start, max_cells=limits.MAX_CELLS, max_events=0).setup
    for event in item.events:
        if event.text.partition(" ")[0] not in _EVENTS:
            raise NotationError(f"expected a move, got {event.text!r:.60}")

    row = GameRow(
        id=item.id,
        created=item.created,
        updated=item.updated,
        start=setup.format(),
        title=title_of(setup),
        repeated=item.repeated,
        finished=item.finished,
        owner="",  # set when it is added
    )

    def insert(connection: sqlite3.Connection, owner: str) -> bool:
        """Add the game unless it is stored; return whether it was new."""
        game = local_id(connection, owner, item.id)
        if connection.execute("select 1 from game where id = ?", (game,)).fetchone():
            return False
        # An older version may have left some of them when it was interrupted.
        connection.executemany(
            "insert or replace into event values (?, ?, ?, ?)",
            [
                (game, number, event.milliseconds, EVENTS.get(event.text, event.text))
                for number, event in enumerate(item.events)
            ],
        )
        connection.execute(INSERT_GAME, astuple(replace(row, id=game, owner=owner)))
        delete_oldest_games(connection, owner)
        return True

    return insert


_EVENTS = frozenset((*ACTIONS, *CONTROL_EVENTS, *EVENTS))


def _keep_stored(stored: Any, imported: Any) -> Any:
    return stored


@dataclass(frozen=True)
class DocumentType:
    """The shape of a document, and a function that merges a stored and an imported one."""

    shape: Any = Any
    merge: Callable[[Any, Any], Any] = _keep_stored

    def check(self, name: str, value: Any) -> None:
        """Reject a value of another shape."""
        try:
            msgspec.convert(value, self.shape)
        except msgspec.ValidationError as error:
            raise NotationError(f"{name}: {error}") from None

    def merged(self, stored: Any, imported: Any) -> Any:
        """Merge two documents; merging the same one twice changes nothing."""
        both = (msgspec.convert(value, self.shape) for value in (stored, imported))
        return msgspec.to_builtins(self.merge(*both))


# By name, or by the folder of the name.
DOCUMENT_TYPES = {
    PROFILE: DocumentType(dict[str, Any]),
    SETTINGS: DocumentType(dict[str, Any]),
    QUESTION_MARKS_DOCUMENT: DocumentType(QuestionMarks, merge_question_marks),
    progress.DOCUMENT: DocumentType(progress.Document, progress.merge),
    review.FIGURES_PREFIX: DocumentType(review.FiguresDocument, review.merge_figures),
    ratings.RATING_DOCUMENT: DocumentType(ratings.UserRating, ratings.merge_ratings),
    ratings.WAITING_DOCUMENT: DocumentType(ratings.WaitingPuzzles, ratings.merge_waiting),
    ratings.ATTEMPTS_PREFIX: DocumentType(list[ratings.Attempt], ratings.merge_attempts),
}


def document_type(name: str) -> DocumentType:
    """Return the type of a document."""
    folder, slash, _ = name.partition("/")
    return DOCUMENT_TYPES.get(folder + slash, DocumentType())
