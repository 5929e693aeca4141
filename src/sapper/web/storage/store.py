"""The store: games, results and documents, each with an owner.

An owner is a user. On the user's own machine there is one, `LOCAL_OWNER`; on a shared server every
guest is an owner, who sees nothing of the others.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import astuple, replace

from sapper.errors import NotFound, RulesError
from sapper.games.session import SessionEvent
from sapper.web.storage.database import Database
from sapper.web.storage.schema import LOCAL_OWNER

FILE_NAME = "games.sqlite"
# A document is read and written as a whole, so it must be small.
MAX_DOCUMENT_BYTES = 262_144
MAX_DOCUMENTS = 1_000
# Beyond this number the oldest games of a guest are deleted; their results stay.
MAX_GUEST_GAMES = 5_000


# Types that validate imported values.
ShortText = Annotated[str, msgspec.Meta(max_length=64)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Number = (
    Annotated[int, msgspec.Meta(gt=-(10**12), lt=10**12)]
    | Annotated[float, msgspec.Meta(gt=-1e12, lt=1e12)]
)
Timestamp = Annotated[float, msgspec.Meta(ge=0, lt=1e12)]


class GameRow(msgspec.Struct, frozen=True):
    """A stored game without its events."""

    id: Id
    created: Timestamp
    updated: Timestamp
    setup: str
    """The header of a saved game."""
    title: str
    repeated: bool
    """Whether the owner had played this layout before."""
    finished: bool
    owner: str


class ResultRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game first ended."""

    id: Id
    finished: Timestamp
    tiling: ShortText
    size: ShortText
    rule: ShortText
    generator: ShortText
    seed: ShortText
    """The seed as decimal text, because SQLite's integers are signed; empty for none."""
    outcome: Annotated[str, msgspec.Meta(pattern="^(won|lost)$")]
    milliseconds: Count
    clicks: Count
    three_bv: Count
    helped: bool
    repeated: bool


class Store:
    """Games, results and documents on disk. Await writes; run reads, which block, in a thread."""

    def __init__(self, folder: Path):
        self.database = Database(folder / FILE_NAME)

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self.database.close()

    async def add_game(self, game: GameRow, events: Iterable[SessionEvent] = ()) -> list[str]:
        """Store a new game; return the ids of the guest's oldest games, which it replaced."""
        rows = [
            (game.id, number, event.milliseconds, event.text) for number, event in enumerate(events)
        ]

        def job(connection: sqlite3.Connection) -> list[str]:
            connection.execute(INSERT_GAME, astuple(game))
            connection.executemany("insert into event values (?, ?, ?, ?)", rows)
            return delete_oldest_games(connection, game.owner)

        return await self.database.write(job)

    async def add_event(
        self,
        game: str,
        number: int,
        event: SessionEvent,
        *,
        updated: float,
        finished: bool,
        repeated: bool,
        owner: str,
        result: ResultRow | None = None,
    ) -> bool:
        """Store event *number* of a game, counted from 0; raise Conflict if it already exists.

        Return whether the owner had played the layout in another game. The first event decides it:
        of two games of one layout, the one with the earlier first event counts.
        """

        def job(connection: sqlite3.Connection) -> bool:
            connection.execute(
                "insert into event values (?, ?, ?, ?)",
                (game, number, event.milliseconds, event.text),
            )
            changed = connection.execute(
                "update game set updated = ?, finished = ? where id = ?", (updated, finished, game)
            )
            if not changed.rowcount:  # deleted, because its owner has too many games
                raise NotFound(f"you have no game {game!r:.60}")
            was_played = repeated
            if number == 0 and not repeated:
                was_played = connection.execute(_MARK_REPEATED, (game,)).rowcount > 0
            if result is not None:
                row = astuple(replace(result, repeated=was_played))
                connection.execute(INSERT_RESULT, (owner, *row))
            return was_played

        return await self.database.write(job)

    async def delete_results(self, owner: str) -> int:
        """Delete all results of an owner; the games stay."""
        return await self.database.write(
            lambda connection: (
                connection.execute("delete from result where owner = ?", (owner,)).rowcount
            )
        )

    def game(self, game: str) -> tuple[GameRow, list[SessionEvent]] | None:
        """Return a game with its events, or None."""
        rows = self.database.query("select * from game where id = ?", (game,))
        return (_game_row(rows[0]), self._events(game)) if rows else None

    def _events(self, game: str) -> list[SessionEvent]:
        rows = self.database.query(
            "select milliseconds, text from event where game = ? order by number", (game,)
        )
        return [SessionEvent(milliseconds, text) for milliseconds, text in rows]

    def recent_games(self, owner: str, limit: int) -> list[GameRow]:
        """Return the games in progress, then the finished ones, most recently updated first.

        Games without a move are left out.
        """
        # Two queries, because the index gives each of them in order.
        unfinished, finished = (
            self.database.query(
                "select * from game where owner = ? and finished = ? and exists "
                "(select 1 from event where game = id and number = 0) "
                "order by updated desc limit ?",
                (owner, is_finished, limit),
            )
            for is_finished in (False, True)
        )
        return [_game_row(row) for row in (*unfinished, *finished)[:limit]]

    def finished_games(self, owner: str, limit: int = -1) -> list[GameRow]:
        """Return the finished games, most recently updated first; -1 means no limit."""
        rows = self.database.query(
            "select * from game where owner = ? and finished order by updated desc limit ?",
            (owner, limit),
        )
        return [_game_row(row) for row in rows]

    def find_identical(self, owner: str, setup: str, events: Sequence[SessionEvent]) -> str | None:
        """Return the owner's game with this setup and these events, or None."""
        rows = self.database.query(
            "select id from game where setup = ? and owner = ? "
            "and (select count(*) from event where game = id) = ?",
            (setup, owner, len(events)),
        )
        return next((game for (game,) in rows if self._events(game) == list(events)), None)

    def has_been_played(self, owner: str, setup: str) -> bool:
        """Return whether the owner has made a move in a game with this setup."""
        rows = self.database.query(
            "select 1 from game join event on event.game = game.id "
            "where setup = ? and owner = ? and number = 0 limit 1",
            (setup, owner),
        )
        return bool(rows)

    def results(self, owner: str) -> list[ResultRow]:
        """Return all results of an owner, in the order in which the games ended."""
        query = "select * from result where owner = ? order by finished, id"
        return [_result_row(row) for row in self.database.query(query, (owner,))]

    def game_ids(self, owner: str) -> list[str]:
        """Return the ids of all games of an owner."""
        rows = self.database.query("select id from game where owner = ? order by id", (owner,))
        return [game for (game,) in rows]

    def existing_games(self, owner: str, games: Collection[str]) -> set[str]:
        """Return which of these games are stored; imported results may have no game."""
        rows = self.database.query(
            "select id from game where owner = ? and id in (select value from json_each(?))",
            (owner, json.dumps(sorted(games))),
        )
        return {game for (game,) in rows}

    def counts(self, owner: str) -> dict[str, int]:
        """Return the number of games with a move, and of results."""
        ((games, results),) = self.database.query(
            "select (select count(*) from game join event on event.game = game.id "
            "where owner = ?1 and number = 0), (select count(*) from result where owner = ?1)",
            (owner,),
        )
        return {"games": games, "results": results}

    def document(self, owner: str, name: str) -> Any:
        """Return a document, decoded from JSON, or None if it does not exist."""
        return _decode(self.database.query(_SELECT_DOCUMENT, (owner, name)))

    def documents(self, owner: str, prefix: str = "") -> dict[str, Any]:
        """Return the documents whose names start with *prefix*, by name."""
        rows = self.database.query(
            "select name, value from document where owner = ? and substr(name, 1, ?) = ?",
            (owner, len(prefix), prefix),
        )
        return {name: json.loads(value) for name, value in rows}

    async def save_document(self, owner: str, name: str, value: Any) -> None:
        """Store a document, which may be any JSON value; exports contain it."""
        await self.update_document(owner, name, lambda _: value)

    async def update_document(self, owner: str, name: str, change: Callable[[Any], Any]) -> Any:
        """Replace a document by `change(document)`, atomically; return the new one.

        *change* runs in the writer thread, so it must be quick; it is called with None if there is
        no document yet.
        """

        def job(connection: sqlite3.Connection) -> Any:
            value = change(_decode(connection.execute(_SELECT_DOCUMENT, (owner, name)).fetchall()))
            text = json.dumps(value, separators=(",", ":"), allow_nan=False)
            (others,) = connection.execute(
                "select count(*) from document where owner = ? and name != ?", (owner, name)
            ).fetchone()
            if len(text) > MAX_DOCUMENT_BYTES or others >= MAX_DOCUMENTS:
                raise RulesError(
                    f"too much to store: {others + 1:,} documents (at most {MAX_DOCUMENTS:,}), "
                    f"the last of {len(text):,} bytes (at most {MAX_DOCUMENT_BYTES:,})"
                )
            connection.execute(
                "insert or replace into document values (?, ?, ?)", (owner, name, text)
            )
            return value

        return await self.database.write(job)


_SELECT_DOCUMENT = "select value from document where owner = ? and name = ?"
_MARK_REPEATED = """
update game set repeated = 1 where id = ? and exists (
    select 1 from game as other join event on event.game = other.id
    where other.setup = game.setup and other.owner = game.owner and other.id != game.id
    and event.number = 0)
"""
INSERT_GAME = f"insert into game values ({', '.join('?' * len(GameRow.__struct_fields__))})"
INSERT_RESULT = (
    f"insert or ignore into result values (?, {', '.join('?' * len(ResultRow.__struct_fields__))})"
)


def insert_result(result: ResultRow, connection: sqlite3.Connection, owner: str) -> bool:
    """Add an imported result; return whether it was new."""
    row = replace(result, id=local_id(connection, owner, result.id))
    return connection.execute(INSERT_RESULT, (owner, *astuple(row))).rowcount > 0


def delete_oldest_games(connection: sqlite3.Connection, owner: str) -> list[str]:
    """Delete the oldest games of a guest who has too many; return their ids."""
    if owner == LOCAL_OWNER:
        return []
    (count,) = connection.execute("select count(*) from game where owner = ?", (owner,)).fetchone()
    if count <= MAX_GUEST_GAMES:
        return []
    oldest = connection.execute(
        "select id from game where owner = ? order by updated, id limit ?",
        (owner, count - MAX_GUEST_GAMES),
    ).fetchall()
    connection.executemany("delete from event where game = ?", oldest)
    connection.executemany("delete from game where id = ?", oldest)
    return [game for (game,) in oldest]


def local_id(connection: sqlite3.Connection, owner: str, game: str) -> str:
    """Return the id under which an imported game is stored.

    It is the id in the file, unless another owner has a game with that id. Then it is derived from
    owner and id, so that a second import of the same file gives the same id.
    """
    row = connection.execute("select owner from game where id = ?", (game,)).fetchone()
    if row is None or row[0] == owner:
        return game
    return hashlib.sha256(f"{owner} {game}".encode()).hexdigest()[:16]


def _game_row(row: tuple[Any, ...]) -> GameRow:
    game, created, updated, start, title, repeated, finished, owner = row
    return GameRow(game, created, updated, start, title, bool(repeated), bool(finished), owner)


def _result_row(row: tuple[Any, ...]) -> ResultRow:
    result = ResultRow(*row[1:])
    return replace(result, helped=bool(result.helped), repeated=bool(result.repeated))


def _decode(rows: list[tuple[str]]) -> Any:
    return json.loads(rows[0][0]) if rows else None
