"""Export a profile to a file, and import it.

`sapper.web.features.profile_file` defines the file. It is checked completely before anything is
added, and nothing that is already stored is replaced.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import IO, Any

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
from sapper.web.features.profile_file import (
    DocumentItem,
    EventItem,
    GameItem,
    Line,
    format_line,
    read_lines,
)
from sapper.web.learn import progress
from sapper.web.live_games import (
    QUESTION_MARKS_DOCUMENT,
    QuestionMarks,
    merge_question_marks,
    title_of,
)
from sapper.web.server import limits
from sapper.web.storage.schema import LOCAL_OWNER
from sapper.web.storage.store import (
    INSERT_GAME,
    MAX_DOCUMENT_BYTES,
    MAX_DOCUMENTS,
    MAX_GUEST_GAMES,
    GameRow,
    Store,
    delete_oldest_games,
    insert_result,
    local_id,
)

SETTINGS = "settings"
PROFILE = "profile"

KINDS = ("documents", "results", "games")

# Items written in one transaction: few, so that other writes do not wait long.
BATCH_ITEMS = 100
# The most items of each kind; on the user's own machine only documents are limited.
OWNER_LIMITS = {"documents": MAX_DOCUMENTS}
GUEST_LIMITS = {**OWNER_LIMITS, "games": MAX_GUEST_GAMES, "results": 100_000}


@dataclass(frozen=True)
class Insertion:
    """An item of a file that has been checked."""

    kind: str
    insert: Callable[[sqlite3.Connection, str], bool]
    """Add the item for an owner; return whether it was new."""


async def export_profile(store: Store, owner: str) -> AsyncIterator[str]:
    """Yield the text of a file with everything that is stored for an owner."""
    yield format_line(Line(format=PROFILE_FORMAT))
    for name, value in (await to_thread.run_sync(store.documents, owner)).items():
        yield format_line(Line(document=DocumentItem(name, value)))
    for result in await to_thread.run_sync(store.results, owner):
        yield format_line(Line(result=result))
    for game in await to_thread.run_sync(store.game_ids, owner):
        stored = await to_thread.run_sync(store.game, game)
        if stored is not None and stored[1]:
            row, events = stored
            values = {key: getattr(row, key) for key in GameItem.__struct_fields__[:-1]}
            items = [EventItem(event.milliseconds, event.text) for event in events]
            yield format_line(Line(game=GameItem(**values, events=items)))


async def import_profile(store: Store, owner: str, chunks: AsyncIterator[bytes]) -> Json:
    """Add the items of a file that the owner does not have.

    Return how many items of each kind were new and how many were already stored, and the settings
    in the file, which do not replace those of the owner.
    """
    counts = {kind: {"added": 0, "known": 0} for kind in KINDS}
    with tempfile.TemporaryFile() as file:
        async for chunk in chunks:
            await to_thread.run_sync(file.write, chunk)
        settings = await to_thread.run_sync(_check_file, file, owner)
        items = (_check_line(*line) for line in read_lines(file))
        while batch := await to_thread.run_sync(_next_batch, items):
            are_new = await store.database.write(partial(_insert_all, owner, batch))
            for item, is_new in zip(batch, are_new, strict=True):
                counts[item.kind]["added" if is_new else "known"] += 1
    return {**counts, "settings": settings}


def _check_file(file: IO[bytes], owner: str) -> Any:
    """Read the file once, so that nothing is added if it has an error; return its settings."""
    limits_by_kind = OWNER_LIMITS if owner == LOCAL_OWNER else GUEST_LIMITS
    counts: Counter[str] = Counter()
    settings = None
    for where, line in read_lines(file):
        kind = _check_line(where, line).kind
        counts[kind] += 1
        if counts[kind] > limits_by_kind.get(kind, counts[kind]):
            raise NotationError(f"the file has more than {limits_by_kind[kind]:,} {kind}")
        if line.document is not None and line.document.name == SETTINGS:
            settings = line.document.value
    return settings


def _next_batch(items: Iterator[Insertion]) -> list[Insertion]:
    """Return the next items; empty at the end."""
    return list(islice(items, BATCH_ITEMS))


def _insert_all(owner: str, batch: list[Insertion], connection: sqlite3.Connection) -> list[bool]:
    return [item.insert(connection, owner) for item in batch]


def _check_line(where: str, line: Line) -> Insertion:
    """Validate the item of a line, and return how to insert it."""
    try:
        if line.document is not None:
            return Insertion("documents", _check_document(line.document))
        if line.game is not None:
            return Insertion("games", _check_game(line.game))
        if line.result is not None:
            return Insertion("results", partial(insert_result, line.result))
        raise NotationError("expected a document, a result or a game")
    except SapperError as error:
        raise NotationError(f"{where}: {error}") from None


def _check_document(item: DocumentItem) -> Callable[[sqlite3.Connection, str], bool]:
    document_type(item.name).check(item.name, item.value)
    text = json.dumps(item.value, separators=(",", ":"))
    if len(text) > MAX_DOCUMENT_BYTES:
        raise NotationError(f"a document has at most {MAX_DOCUMENT_BYTES:,} bytes")

    def insert(connection: sqlite3.Connection, owner: str) -> bool:
        """Add the document, or merge it with the stored one; return whether anything changed."""
        stored_row = connection.execute(
            "select value from document where owner = ? and name = ?", (owner, item.name)
        ).fetchone()
        added = text
        if stored_row is not None:
            stored = json.loads(stored_row[0])
            merged = document_type(item.name).merged(stored, item.value)
            added = json.dumps(merged, separators=(",", ":"))
            if merged == stored or len(added) > MAX_DOCUMENT_BYTES:
                return False
        row = (owner, item.name, added)
        connection.execute("insert or replace into document values (?, ?, ?)", row)
        return True

    return insert


def _check_game(item: GameItem) -> Callable[[sqlite3.Connection, str], bool]:
    # Moves are checked when the game is opened; the header must be valid now.
    setup = load_session(item.setup, max_cells=limits.MAX_CELLS, max_events=0).setup
    for event in item.events:
        if event.text.partition(" ")[0] not in _EVENTS:
            raise NotationError(f"expected a move, got {event.text!r:.60}")

    row = GameRow(
        id=item.id,
        created=item.created,
        updated=item.updated,
        setup=setup.format(),
        title=title_of(setup),
        repeated=item.repeated,
        finished=item.finished,
        owner="",  # set by insert
    )

    def insert(connection: sqlite3.Connection, owner: str) -> bool:
        """Add the game unless it is stored; return whether it was new."""
        game = local_id(connection, owner, item.id)
        if connection.execute("select 1 from game where id = ?", (game,)).fetchone():
            return False
        connection.executemany(
            "insert into event values (?, ?, ?, ?)",
            [
                (game, number, event.milliseconds, event.text)
                for number, event in enumerate(item.events)
            ],
        )
        connection.execute(INSERT_GAME, astuple(replace(row, id=game, owner=owner)))
        delete_oldest_games(connection, owner)
        return True

    return insert


_EVENTS = frozenset((*ACTIONS, *CONTROL_EVENTS))


def _keep_stored(stored: Any, imported: Any) -> Any:
    return stored


@dataclass(frozen=True)
class DocumentType:
    """The type of a document's value, and a function that merges a stored and an imported one."""

    value_type: Any = Any
    merge: Callable[[Any, Any], Any] = _keep_stored

    def check(self, name: str, value: Any) -> None:
        """Reject a value of another type."""
        try:
            msgspec.convert(value, self.value_type)
        except msgspec.ValidationError as error:
            raise NotationError(f"{name}: {error}") from None

    def merged(self, stored: Any, imported: Any) -> Any:
        """Merge two documents; merging the same one twice changes nothing."""
        both = (msgspec.convert(value, self.value_type) for value in (stored, imported))
        return msgspec.to_builtins(self.merge(*both))


# By the name of a document, or by the part before the slash in it.
DOCUMENT_TYPES = {
    PROFILE: DocumentType(dict[str, Any]),
    SETTINGS: DocumentType(dict[str, Any]),
    QUESTION_MARKS_DOCUMENT: DocumentType(QuestionMarks, merge_question_marks),
    progress.DOCUMENT: DocumentType(progress.Document, progress.merge),
    review.FIGURES_PREFIX: DocumentType(review.FiguresDocument, review.merge_figures),
    ratings.RATING_DOCUMENT: DocumentType(ratings.UserRating, ratings.merge_ratings),
    ratings.ASSIGNED_DOCUMENT: DocumentType(ratings.AssignedPuzzles, ratings.merge_assigned),
    ratings.ATTEMPTS_PREFIX: DocumentType(list[ratings.Attempt], ratings.merge_attempts),
}


def document_type(name: str) -> DocumentType:
    """Return the type of a document."""
    prefix, slash, _ = name.partition("/")
    return DOCUMENT_TYPES.get(prefix + slash, DocumentType())
