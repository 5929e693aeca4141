"""Export a profile to a file, and import it.

A file is newline-delimited JSON: first `{"format": "sapper profile 2"}`, then one document, result
or game in each line, as `{"document": …}`, `{"result": …}` or `{"game": …}`. Files of version 1 are
one JSON object. A file is checked completely before anything is added, and nothing that is stored
already is replaced. The module is long because it reads and checks both versions.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from typing import IO, Annotated, Any, TypeVar

import msgspec
from anyio import to_thread

from sapper.board.move import ACTIONS
from sapper.errors import NotationError, SapperError
from sapper.games.session import CONTROL_EVENTS, SessionEvent
from sapper.serialize.saved_games import PROFILE_FORMAT, load_session
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
from sapper.web.storage.old_names import EVENTS, GAME_KEYS, RESULT_KEYS, rename_keys
from sapper.web.storage.schema import HOME
from sapper.web.storage.store import (
    INSERT_GAME,
    MAX_DOCUMENT_BYTES,
    MAX_DOCUMENTS,
    MAX_GUEST_GAMES,
    GameRow,
    ResultRow,
    Store,
    delete_oldest_games,
    insert_result,
    local_id,
)

T = TypeVar("T")

SETTINGS = "settings"
PROFILE = "profile"

RESULTS_FORMAT = "sapper statistics 2"
FORMATS = (PROFILE_FORMAT, RESULTS_FORMAT, "sapper profile 1", "sapper statistics 1")

KINDS = ("documents", "results", "games")

PAGE = 100
# Rows that are written in one transaction, so that others have their turn.
BATCH_ROWS = 200
MAX_LINE_BYTES = 4_000_000
# A file of version 1 is read as a whole.
MAX_OLD_FILE_BYTES = 200_000_000
MAX_OLD_GUEST_FILE_BYTES = 20_000_000
# Limits of the number of items; on the user's own machine only documents are limited.
OWNER_LIMITS = {"documents": MAX_DOCUMENTS}
GUEST_LIMITS = {**OWNER_LIMITS, "games": MAX_GUEST_GAMES, "results": 100_000}

ShortText = Annotated[str, msgspec.Meta(max_length=64)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Timestamp = Annotated[float, msgspec.Meta(ge=0, lt=1e12)]


class DocumentItem(msgspec.Struct, forbid_unknown_fields=True):
    """A document of a file."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    value: Any


class ResultItem(msgspec.Struct, forbid_unknown_fields=True):
    """A result of a file."""

    id: Id
    finished: Timestamp
    tiling: ShortText
    size: ShortText
    rule: ShortText
    generator: ShortText
    seed: ShortText
    outcome: str
    milliseconds: Count
    clicks: Count
    three_bv: Count
    helped: bool
    repeated: bool


class EventItem(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Milliseconds, and what happened."""

    at: Count
    what: Annotated[str, msgspec.Meta(max_length=100)]


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
    """One line of a file."""

    format: str | None = None
    document: DocumentItem | None = None
    result: ResultItem | None = None
    game: GameItem | None = None


class OldFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of version 1."""

    format: str
    documents: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    games: list[dict[str, Any]] = []


@dataclass(frozen=True)
class Document:
    """A document to store."""

    name: str
    text: str


@dataclass(frozen=True)
class ImportedGame:
    """A game with some of its events."""

    row: GameRow
    events: tuple[SessionEvent, ...]
    first: int = 0
    """The number of the first of these events."""
    complete: bool = True
    """Whether these are the last events of the game."""


Row = Document | ResultRow | ImportedGame


@dataclass
class ImportCount:
    """How many items were new, and how many were stored already."""

    added: int = 0
    known: int = 0


@dataclass
class ImportResult:
    """What an import added; the settings of the file, which replace none by themselves."""

    counts: dict[str, ImportCount] = field(default_factory=dict)
    settings: Any = None


async def export_profile(store: Store, owner: str) -> AsyncIterator[str]:
    """Yield everything that is stored for an owner, as text of a file."""
    yield _line(Line(format=PROFILE_FORMAT))
    async for name in _keys(store, "kept", "name", owner):
        value = await to_thread.run_sync(store.document, owner, name)
        yield _line(Line(document=DocumentItem(name, value)))
    async for text in _export_results(store, owner):
        yield text
    async for game in _keys(store, "game", "id", owner):
        found = await to_thread.run_sync(store.game, game)
        if found is not None and found[1]:
            yield _line(Line(game=_game_item(*found)))


async def export_results(store: Store, owner: str) -> AsyncIterator[str]:
    """Yield the results of an owner, as text of a file."""
    yield _line(Line(format=RESULTS_FORMAT))
    async for text in _export_results(store, owner):
        yield text


async def import_profile(
    store: Store, owner: str, chunks: AsyncIterator[bytes], kinds: Collection[str] | None = None
) -> ImportResult:
    """Add what a file has and the owner has not; *kinds* restricts what is added."""
    result = ImportResult({kind: ImportCount() for kind in KINDS if kinds is None or kind in kinds})
    with tempfile.TemporaryFile() as copy:
        async for chunk in chunks:
            await to_thread.run_sync(copy.write, chunk)
        await to_thread.run_sync(_check_file, copy, owner)
        await to_thread.run_sync(copy.seek, 0)
        rows = _parts(_read_rows(copy, owner), result)
        while batch := await to_thread.run_sync(_next_batch, rows):
            added = await store.database.write(partial(_insert_all, owner=owner, batch=batch))
            for kind, is_new in added:
                result.counts[kind].added += is_new
                result.counts[kind].known += not is_new
    return result


def _parts(rows: Iterator[tuple[str, Row]], result: ImportResult) -> Iterator[tuple[str, Row]]:
    """Yield the rows of the wanted kinds, long games in parts; note the settings."""
    for kind, row in rows:
        if kind not in result.counts:
            continue
        if isinstance(row, Document) and row.name == SETTINGS:
            result.settings = json.loads(row.text)
        while isinstance(row, ImportedGame) and len(row.events) > BATCH_ROWS:
            yield kind, replace(row, events=row.events[:BATCH_ROWS], complete=False)
            row = replace(row, events=row.events[BATCH_ROWS:], first=row.first + BATCH_ROWS)
        yield kind, row


def _next_batch(rows: Iterator[tuple[str, Row]]) -> list[tuple[str, Row]]:
    """Return the next rows, about BATCH_ROWS with their events; empty at the end."""
    batch: list[tuple[str, Row]] = []
    weight = 0
    for kind, row in rows:
        batch.append((kind, row))
        weight += 1 + (len(row.events) if isinstance(row, ImportedGame) else 0)
        if weight >= BATCH_ROWS:
            break
    return batch


def _insert_all(
    connection: sqlite3.Connection, owner: str, batch: list[tuple[str, Row]]
) -> list[tuple[str, bool]]:
    """Add the rows of a batch; return the kind of each, and whether it was new."""
    added = []
    for kind, row in batch:
        if isinstance(row, ImportedGame):
            is_new = _insert_game(connection, owner, row)
        elif isinstance(row, ResultRow):
            is_new = insert_result(connection, owner, row)
        else:
            is_new = _insert_document(connection, owner, row)
        if is_new is not None:
            added.append((kind, is_new))
    return added


def _check_file(copy: IO[bytes], owner: str) -> None:
    """Read the file once, so that a mistake anywhere adds nothing."""
    copy.seek(0)
    most = OWNER_LIMITS if owner == HOME else GUEST_LIMITS
    counts: Counter[str] = Counter()
    for kind, _ in _read_rows(copy, owner):
        counts[kind] += 1
        if counts[kind] > most.get(kind, counts[kind]):
            raise NotationError(f"the file has more than {most[kind]:,} {kind}")


def _read_rows(copy: IO[bytes], owner: str) -> Iterator[tuple[str, Row]]:
    """Yield what a file has, checked, with its kind."""
    counts: Counter[str] = Counter()
    for kind, item in _read_items(copy, owner):
        counts[kind] += 1
        try:
            yield kind, _row(item)
        except SapperError as error:
            raise NotationError(f"{kind[:-1]} {counts[kind]}: {error}") from None


def _read_items(
    copy: IO[bytes], owner: str
) -> Iterator[tuple[str, DocumentItem | ResultItem | GameItem]]:
    head = copy.readline(MAX_LINE_BYTES)
    try:
        header = _LINE.decode(head)
    except msgspec.DecodeError:
        yield from _read_old_items(copy, owner)
        return
    _check_format(header.format)
    for number, text in enumerate(iter(partial(copy.readline, MAX_LINE_BYTES), b""), 2):
        try:
            line = _LINE.decode(text)
        except msgspec.DecodeError as error:
            raise NotationError(f"line {number}: {error}") from None
        if line.document is not None:
            yield "documents", line.document
        elif line.result is not None:
            yield "results", line.result
        elif line.game is not None:
            yield "games", line.game


def _read_old_items(
    copy: IO[bytes], owner: str
) -> Iterator[tuple[str, DocumentItem | ResultItem | GameItem]]:
    most = MAX_OLD_FILE_BYTES if owner == HOME else MAX_OLD_GUEST_FILE_BYTES
    copy.seek(0)
    content = copy.read(most + 1)
    if len(content) > most:
        raise NotationError(f"a file of an older version has at most {most:,} bytes")
    try:
        _check_format(_HEADER.decode(content).format)
        file = _OLD_FILE.decode(content)
    except msgspec.ValidationError as error:
        raise NotationError(f"not a file that Sapper exported: {error}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise NotationError("not a file that Sapper exported, or one that is cut off") from None
    for number, item in enumerate(file.documents, 1):
        yield "documents", _convert(item, DocumentItem, f"document {number}")
    for number, item in enumerate(file.results, 1):
        yield "results", _convert(rename_keys(item, RESULT_KEYS), ResultItem, f"result {number}")
    for number, item in enumerate(file.games, 1):
        yield "games", _convert(rename_keys(item, GAME_KEYS), GameItem, f"game {number}")


def _convert(item: dict[str, Any], shape: type[T], what: str) -> T:
    try:
        return msgspec.convert(item, shape)
    except msgspec.ValidationError as error:
        raise NotationError(f"{what}: {error}") from None


def _check_format(name: str | None) -> None:
    if name not in FORMATS:
        raise NotationError(f"expected an exported profile or statistics, got {name!r:.60}")


class _Header(msgspec.Struct):
    format: str | None = None


_HEADER = msgspec.json.Decoder(_Header)
_LINE = msgspec.json.Decoder(Line)
_OLD_FILE = msgspec.json.Decoder(OldFile)


def _row(item: DocumentItem | ResultItem | GameItem) -> Row:
    if isinstance(item, DocumentItem):
        return _document_row(item)
    return _result_row(item) if isinstance(item, ResultItem) else _game_row(item)


def _document_row(item: DocumentItem) -> Document:
    document_type(item.name).check(item.name, item.value)
    text = json.dumps(item.value, separators=(",", ":"))
    if len(text) > MAX_DOCUMENT_BYTES:
        raise NotationError(f"{len(text):,} bytes are more than {MAX_DOCUMENT_BYTES:,}")
    return Document(item.name, text)


def _result_row(item: ResultItem) -> ResultRow:
    if item.outcome not in ("won", "lost"):
        raise NotationError(f"expected won or lost, got {item.outcome!r:.60}")
    return ResultRow(*msgspec.structs.astuple(item))


def _game_row(item: GameItem) -> ImportedGame:
    # Moves are checked when the game is opened; the header must be valid now.
    setup = load_session(item.start, max_cells=limits.MAX_CELLS, max_events=0).setup
    for event in item.events:
        if event.what.partition(" ")[0] not in _EVENTS:
            raise NotationError(f"expected a move, got {event.what!r:.60}")
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
    return ImportedGame(row, tuple(_event(event) for event in item.events))


_EVENTS = frozenset((*ACTIONS, *CONTROL_EVENTS, *EVENTS))


def _event(item: EventItem) -> SessionEvent:
    return SessionEvent(item.at, EVENTS.get(item.what, item.what))


def _game_item(row: GameRow, events: Iterable[SessionEvent]) -> GameItem:
    return GameItem(
        row.id,
        row.created,
        row.updated,
        row.start,
        row.repeated,
        row.finished,
        [EventItem(event.at, event.what) for event in events],
    )


def _insert_document(connection: sqlite3.Connection, owner: str, row: Document) -> bool:
    """Add a document, or merge it with the stored one; return whether anything changed."""
    found = connection.execute(
        "select value from kept where owner = ? and name = ?", (owner, row.name)
    ).fetchone()
    text = row.text
    if found is not None:
        stored = json.loads(found[0])
        merged = document_type(row.name).merged(stored, json.loads(text))
        text = json.dumps(merged, separators=(",", ":"))
        if merged == stored or len(text) > MAX_DOCUMENT_BYTES:
            return False
    connection.execute("insert or replace into kept values (?, ?, ?)", (owner, row.name, text))
    return True


def _insert_game(connection: sqlite3.Connection, owner: str, game: ImportedGame) -> bool | None:
    """Add events of a game that is not stored yet, and the game itself after the last of them.

    Return whether the game was new, or None before its last events.
    """
    game_id = local_id(connection, owner, game.row.id)
    if connection.execute("select 1 from game where id = ?", (game_id,)).fetchone():
        return False if game.complete else None
    # An import that was interrupted may have left some of them.
    connection.executemany(
        "insert or replace into event values (?, ?, ?, ?)",
        [(game_id, k, event.at, event.what) for k, event in enumerate(game.events, game.first)],
    )
    if not game.complete:
        return None
    connection.execute(INSERT_GAME, astuple(replace(game.row, id=game_id, owner=owner)))
    delete_oldest_games(connection, owner)
    return True


async def _export_results(store: Store, owner: str) -> AsyncIterator[str]:
    after = ""
    while page := await to_thread.run_sync(store.results_page, owner, after, PAGE):
        for row in page:
            yield _line(Line(result=ResultItem(*astuple(row))))
        after = page[-1].id


async def _keys(store: Store, table: str, column: str, owner: str) -> AsyncIterator[str]:
    """Yield the keys of an owner's rows of a table, reading a page at a time."""

    def page(after: str) -> list[tuple[str]]:
        with store.database.reading() as connection:
            return connection.execute(
                f"select {column} from {table} where owner = ? and {column} > ? "
                f"order by {column} limit {PAGE}",
                (owner, after),
            ).fetchall()

    after = ""
    while keys := await to_thread.run_sync(page, after):
        for (after,) in keys:
            yield after


def _line(line: Line) -> str:
    return msgspec.json.encode(line).decode() + "\n"


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
    ratings.ATTEMPTS_PREFIX: DocumentType(list[ratings.Attempt], ratings.merge_attempts),
}


def document_type(name: str) -> DocumentType:
    """Return the type of a document."""
    folder, slash, _ = name.partition("/")
    return DOCUMENT_TYPES.get(folder + slash, DocumentType())
