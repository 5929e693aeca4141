"""All that is kept of an owner as one file, out and in again.

A file is checked as a whole before anything of it is added, from a copy on disk: neither takes
memory, whatever its length. What is here already stays as it is.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import partial
from typing import IO, Any

from anyio import to_thread

from sapper.board.move import ACTIONS
from sapper.errors import NotationError, SapperError
from sapper.games.session import CONTROL_EVENTS, SessionEvent
from sapper.serialize.saved_games import PROFILE, load_session
from sapper.web.play.live_games import title_of
from sapper.web.profile.documents import SETTINGS, document_type
from sapper.web.profile.json_stream import Piece, Reader, written
from sapper.web.server import limits
from sapper.web.statistics.summaries import FORMAT as BOOK
from sapper.web.statistics.summaries import check_result
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
    local_id,
)

PAGE = 100
# So many bytes are read, and so many rows written, before others have their turn.
CHUNK = 65_536
ROWS = 200
# What a file may hold; one's own machine is as large as it is.
OWNER_LIMITS = {"documents": MAX_DOCUMENTS}
GUEST_LIMITS = {**OWNER_LIMITS, "games": MAX_GUEST_GAMES, "results": 100_000}


@dataclass(frozen=True)
class Document:
    """A kept document."""

    name: str
    text: str


@dataclass(frozen=True)
class ExportedGame:
    """A game with its events, or some of them."""

    row: GameRow
    events: tuple[SessionEvent, ...]
    first: int = 0
    """The number of the first of them."""

    @property
    def weight(self) -> int:
        """How many rows it takes."""
        return 1 + len(self.events)


async def export_profile(store: Store, owner: str) -> AsyncIterator[str]:
    """All that is kept of an owner, as the text of a file; `import_profile` reads it."""
    lists = {
        "documents": _documents(store, owner),
        "results": _results(store, owner),
        "games": _games(store, owner),
    }
    async for text in written({"format": PROFILE}, lists):
        yield text


async def export_results(store: Store, owner: str) -> AsyncIterator[str]:
    """An owner's results alone, as the text of a file; `import_profile` reads it too."""
    async for text in written({"format": BOOK}, {"results": _results(store, owner)}):
        yield text


async def import_profile(
    store: Store, owner: str, chunks: AsyncIterator[bytes], only: Collection[str] | None = None
) -> ImportResult:
    """Add what a file has and the owner has not; answers how much of each kind that was.

    *only* are the kinds that are wanted, all of KINDS unless given.
    """
    added = {kind: ImportCount() for kind in KINDS if only is None or kind in only}
    taken = ImportResult(added)
    with tempfile.TemporaryFile() as copy:
        seen = ImportCheck(OWNER_LIMITS if owner == HOME else GUEST_LIMITS)
        reader = Reader()
        async for chunk in chunks:
            await to_thread.run_sync(copy.write, chunk)
            await to_thread.run_sync(seen.check, partial(reader.feed, chunk))
        await to_thread.run_sync(seen.check, partial(reader.feed, b"", True))
        seen.check_format()
        await to_thread.run_sync(copy.seek, 0)
        async for kind, rows in _batches(copy):
            if kind not in added:
                continue
            new = await KINDS[kind].add(store, owner, rows)
            added[kind].added += new
            added[kind].known += len(rows) - new
            if kind == "documents":
                taken.note(rows)
    return taken


@dataclass
class ImportCount:
    """How much of a kind was new, and how much was there already."""

    added: int = 0
    known: int = 0


@dataclass
class ImportResult:
    """What was taken in of a file, and the settings in it, which replace none by themselves."""

    counts: dict[str, ImportCount]
    settings: Any = None

    def note(self, documents: Sequence[Document]) -> None:
        """Keep the settings, if they are among these documents."""
        for document in documents:
            if document.name == SETTINGS:
                self.settings = json.loads(document.text)


class ImportCheck:
    """What of a file has been checked."""

    def __init__(self, most: Mapping[str, int]) -> None:
        self.most = most
        self.format: Any = None
        self.numbers: Counter[str] = Counter()

    def check(self, read: Callable[[], list[Piece]]) -> None:
        """Check the next pieces."""
        for key, item in read():
            if key == "format":
                self.format = item
                self.check_format()
            elif key in KINDS:
                self.numbers[key] += 1
                if self.numbers[key] > self.most.get(key, self.numbers[key]):
                    raise NotationError(f"expected at most {self.most[key]:,} {key}, got more")
                KINDS[key].check(f"{key[:-1]} {self.numbers[key]}", item)

    def check_format(self) -> None:
        """Refuse a file of another kind."""
        if self.format not in (PROFILE, BOOK):
            got = "none" if self.format is None else f"{self.format!r:.60}"
            raise NotationError(
                f"expected a file with the format {PROFILE!r} or {BOOK!r}, got {got}"
            )


async def _batches(copy: IO[bytes]) -> AsyncIterator[tuple[str, list[Any]]]:
    """The rows of a file that was checked, some of a kind at a time."""
    reader = Reader()
    last = False
    kind, weight = "", 0
    rows: list[Any] = []
    while not last:
        chunk = await to_thread.run_sync(copy.read, CHUNK)
        last = not chunk
        for key, row in await to_thread.run_sync(_rows, reader, chunk):
            if rows and (key != kind or weight >= ROWS):
                yield kind, rows
                rows, weight = [], 0
            kind = key
            rows.append(row)
            weight += row.weight if isinstance(row, ExportedGame) else 1
    if rows:
        yield kind, rows


def _rows(reader: Reader, chunk: bytes) -> list[tuple[str, Any]]:
    pieces = reader.feed(chunk, last=not chunk)
    return [(key, KINDS[key].check(key, item)) for key, item in pieces if key in KINDS]


def _check_document(what: str, data: Any) -> Document:
    name = data.get("name") if isinstance(data, dict) else None
    if not limits.is_text(name) or not 1 <= len(name) <= 100 or "value" not in data:
        raise NotationError(f"{what}: expected a name and a value, got {data!r:.60}")
    if not document_type(name).fits(data["value"]):
        raise NotationError(f"{what}: expected {name} as it is kept here, got another value")
    text = json.dumps(data["value"], separators=(",", ":"))
    if len(text) > MAX_DOCUMENT_BYTES:
        raise NotationError(
            f"{what}: expected at most {MAX_DOCUMENT_BYTES:,} bytes, got {len(text):,}"
        )
    return Document(name, text)


_GAME_KEYS = {"id", "created", "touched", "start", "again", "over", "events"}


def _check_game(what: str, data: Any) -> ExportedGame:
    if not isinstance(data, dict) or data.keys() != _GAME_KEYS:
        raise NotationError(f"{what}: expected the keys {', '.join(sorted(_GAME_KEYS))}")
    times = data["created"], data["touched"]
    if (
        not limits.is_text(data["id"])
        or not 1 <= len(data["id"]) <= 64
        or not limits.is_text(data["start"])
        or not all(type(time) in (int, float) and 0 <= time < 1e12 for time in times)
        or not isinstance(data["again"], bool)
        or not isinstance(data["over"], bool)
        or not isinstance(data["events"], list)
        or len(data["events"]) > limits.MAX_EVENTS
    ):
        raise NotationError(f"{what}: expected a game that was exported here, got another")
    # What happened in it is read when it is opened; a game that cannot be dealt is none at all.
    try:
        start = load_session(data["start"], max_cells=limits.MAX_CELLS, max_events=0).setup
    except SapperError as error:
        raise NotationError(f"{what}: {error}") from None
    row = GameRow(
        id=data["id"],
        created=float(data["created"]),
        touched=float(data["touched"]),
        start=start.format(),
        title=title_of(start),
        again=data["again"],
        over=data["over"],
        owner="",  # whose it will be is settled when it is added
    )
    return ExportedGame(row, tuple(_check_event(what, event) for event in data["events"]))


def _check_event(what: str, data: Any) -> SessionEvent:
    if (
        not isinstance(data, list)
        or len(data) != 2
        or type(data[0]) is not int
        or not 0 <= data[0] < 2**53
        or not limits.is_text(data[1])
        or len(data[1]) > 100
        or data[1].partition(" ")[0] not in (*ACTIONS, *CONTROL_EVENTS)
    ):
        raise NotationError(f"{what}: expected a time and a move, got {data!r:.60}")
    return SessionEvent(*data)


async def _add_documents(store: Store, owner: str, documents: Sequence[Document]) -> int:
    return await store.disk.write(
        lambda connection: sum(_put_document(connection, owner, one) for one in documents)
    )


def _put_document(connection: sqlite3.Connection, owner: str, document: Document) -> bool:
    """Add a document to what is here; answers whether that changed anything."""
    row = connection.execute(
        "select value from kept where owner = ? and name = ?", (owner, document.name)
    ).fetchone()
    text = document.text
    if row is not None:
        here = json.loads(row[0])
        both = document_type(document.name).merged(here, json.loads(text))
        text = json.dumps(both, separators=(",", ":"))
        if both == here or len(text) > MAX_DOCUMENT_BYTES:
            return False
    connection.execute("insert or replace into kept values (?, ?, ?)", (owner, document.name, text))
    return True


async def _add_games(store: Store, owner: str, games: Sequence[ExportedGame]) -> int:
    return sum([await _add_game(store, owner, game) for game in games if game.weight > ROWS]) + (
        await store.disk.write(
            lambda connection: sum(
                _insert_game(connection, owner, game) for game in games if game.weight <= ROWS
            )
        )
    )


async def _add_game(store: Store, owner: str, game: ExportedGame) -> bool:
    """A long game: its events a part at a time, and the game itself with the last of them."""
    head, last = game.events[:-ROWS], game.events[-ROWS:]
    for first in range(0, len(head), ROWS):
        part = replace(game, events=head[first : first + ROWS], first=first)
        await store.disk.write(
            partial(_insert_events, owner=owner, game=part),
        )
    rest = replace(game, events=last, first=len(head))
    return await store.disk.write(partial(_insert_game, owner=owner, game=rest))


def _insert_game(connection: sqlite3.Connection, owner: str, game: ExportedGame) -> bool:
    """Add a game that is not there yet, after its events."""
    here = _insert_events(connection, owner, game)
    if here is None:
        return False
    connection.execute(INSERT_GAME, astuple(replace(game.row, id=here, owner=owner)))
    delete_oldest_games(connection, owner)
    return True


def _insert_events(connection: sqlite3.Connection, owner: str, game: ExportedGame) -> str | None:
    """Add the events of a game; answers with its id here, or None where it is there already."""
    here = local_id(connection, owner, game.row.id)
    if connection.execute("select 1 from game where id = ?", (here,)).fetchone():
        return None
    # An import that was broken off may have left some of them.
    connection.executemany(
        "insert or replace into event values (?, ?, ?, ?)",
        [(here, k, event.at, event.what) for k, event in enumerate(game.events, game.first)],
    )
    return here


async def _add_results(store: Store, owner: str, rows: Sequence[ResultRow]) -> int:
    return await store.add_results(owner, rows)


@dataclass(frozen=True)
class ItemType:
    """A list of the file: how an item is checked, and how it is added."""

    check: Callable[[str, Any], Any]
    add: Callable[[Store, str, list[Any]], Awaitable[int]]


KINDS = {
    "documents": ItemType(_check_document, _add_documents),
    "results": ItemType(check_result, _add_results),
    "games": ItemType(_check_game, _add_games),
}


async def _documents(store: Store, owner: str) -> AsyncIterator[list[Any]]:
    async for name in _names(store, "kept", "name", owner):
        value = await to_thread.run_sync(store.kept, owner, name)
        yield [{"name": name, "value": value}]


async def _games(store: Store, owner: str) -> AsyncIterator[list[Any]]:
    async for game in _names(store, "game", "id", owner):
        found = await to_thread.run_sync(store.game, game)
        if found is not None and found[1]:
            row = {key: value for key, value in asdict(found[0]).items() if key in _GAME_KEYS}
            yield [{**row, "events": [[event.at, event.what] for event in found[1]]}]


async def _results(store: Store, owner: str) -> AsyncIterator[list[Any]]:
    after = ""
    while page := await to_thread.run_sync(store.results_page, owner, after, PAGE):
        yield [asdict(row) for row in page]
        after = page[-1].id


async def _names(store: Store, table: str, column: str, owner: str) -> AsyncIterator[str]:
    """The names of an owner's rows of a table, a page at a time."""

    def page(after: str) -> list[tuple[str]]:
        with store.disk.reading() as connection:
            return connection.execute(
                f"select {column} from {table} where owner = ? and {column} > ? "
                f"order by {column} limit {PAGE}",
                (owner, after),
            ).fetchall()

    after = ""
    while names := await to_thread.run_sync(page, after):
        for (after,) in names:
            yield after
