"""The store: every game, every result and every kept document, each with its owner.

An owner is a person: on one's own machine there is one, `HOME`; on a server that lets others in,
each has a name of their own (`server/visitors.py`), and sees nothing of the others.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

from sapper.errors import GameNotFound, RulesError
from sapper.games.session import SessionEvent
from sapper.web.storage.database import Database
from sapper.web.storage.schema import HOME

FILE_NAME = "games.sqlite"
# A kept document is read and written whole; so it is small, and one owner has not too many.
MAX_DOCUMENT_BYTES = 262_144
MAX_DOCUMENTS = 1_000
# A visitor has so many games; those touched longest ago make room, and their results stay.
MAX_GUEST_GAMES = 5_000


@dataclass(frozen=True)
class GameRow:
    """A stored game without its events."""

    id: str
    created: float
    touched: float
    start: str
    """The header of a saved game."""
    title: str
    again: bool
    """Whether this deal had been played here before."""
    over: bool
    owner: str


@dataclass(frozen=True)
class ResultRow:
    """How one game first ended: one line of the score book."""

    id: str
    finished: float
    tiling: str
    size: str
    rule: str
    deal: str
    seed: str
    """The seed as decimal text: SQLite's integers are signed. Empty where there was none."""
    outcome: str
    milliseconds: int
    clicks: int
    three_bv: int
    helped: bool
    again: bool


class Store:
    """Games, results and documents on disk. Writing is awaited; reading belongs in a thread."""

    def __init__(self, folder: Path):
        self.disk = Database(folder / FILE_NAME)

    def close(self) -> None:
        """Write what is waiting, and close the file."""
        self.disk.close()

    async def add_game(self, game: GameRow, events: Iterable[SessionEvent] = ()) -> list[str]:
        """Store a new game; answers with the games of its owner that made room for it."""
        rows = [(game.id, number, e.at, e.what) for number, e in enumerate(events)]

        def job(connection: sqlite3.Connection) -> list[str]:
            connection.execute(INSERT_GAME, astuple(game))
            connection.executemany("insert into event values (?, ?, ?, ?)", rows)
            return delete_oldest_games(connection, game.owner)

        return await self.disk.write(job)

    async def add_event(
        self,
        game: str,
        number: int,
        event: SessionEvent,
        *,
        touched: float,
        over: bool,
        again: bool,
        owner: str,
        result: ResultRow | None = None,
    ) -> bool:
        """Store event *number* of a game, counted from 0; Conflict where it is there already.

        Answers whether the owner had played the deal in another game. The first event settles it:
        of two games of one deal, the one that was begun first counts.
        """

        def job(connection: sqlite3.Connection) -> bool:
            connection.execute(
                "insert into event values (?, ?, ?, ?)", (game, number, event.at, event.what)
            )
            there = connection.execute(
                "update game set touched = ?, over = ? where id = ?", (touched, over, game)
            )
            if not there.rowcount:  # it has made room for others of its owner
                raise GameNotFound(f"expected a game of yours, got {game!r:.60}")
            settled = again
            if number == 0 and not again:
                settled = connection.execute(_SETTLE_AGAIN, (game,)).rowcount > 0
            if result is not None:
                row = astuple(replace(result, again=settled))
                connection.execute(INSERT_RESULT, (owner, *row))
            return settled

        return await self.disk.write(job)

    async def add_results(self, owner: str, results: Iterable[ResultRow]) -> int:
        """Store results that are not there yet; answers how many were new."""
        rows = tuple(results)

        def job(connection: sqlite3.Connection) -> int:
            before = connection.total_changes
            for row in rows:
                here = replace(row, id=local_id(connection, owner, row.id))
                connection.execute(INSERT_RESULT, (owner, *astuple(here)))
            return connection.total_changes - before

        return await self.disk.write(job)

    async def delete_results(self, owner: str) -> int:
        """Empty an owner's score book; the games stay."""
        return await self.disk.write(
            lambda connection: (
                connection.execute("delete from result where owner = ?", (owner,)).rowcount
            )
        )

    def game(self, game: str) -> tuple[GameRow, list[SessionEvent]] | None:
        """A game with its events, or None."""
        with self.disk.reading() as connection:
            row = connection.execute("select * from game where id = ?", (game,)).fetchone()
            if row is None:
                return None
            events = connection.execute(
                "select at, what from event where game = ? order by number", (game,)
            ).fetchall()
        return _game_row(row), [SessionEvent(at, what) for at, what in events]

    def recent(self, owner: str, most: int) -> list[GameRow]:
        """The games in progress, then the finished ones, each touched last first.

        A game without a move is no game yet.
        """
        with self.disk.reading() as connection:
            # One after the other, since the index gives each of them in order.
            rows = [
                row
                for over in (False, True)
                for row in connection.execute(
                    "select * from game where owner = ? and over = ? and exists "
                    "(select 1 from event where game = id and number = 0) "
                    "order by touched desc limit ?",
                    (owner, over, most),
                )
            ][:most]
        return [_game_row(row) for row in rows]

    def ended(self, owner: str, most: int = -1) -> list[GameRow]:
        """The games that are over, touched last first; all of them unless so many are enough."""
        with self.disk.reading() as connection:
            rows = connection.execute(
                "select * from game where owner = ? and over order by touched desc limit ?",
                (owner, most),
            ).fetchall()
        return [_game_row(row) for row in rows]

    def same(self, owner: str, start: str, events: Sequence[SessionEvent]) -> str | None:
        """The owner's game of this start in which just this happened, if there is one."""
        with self.disk.reading() as connection:
            rows = connection.execute(
                "select id from game where start = ? and owner = ? and over "
                "and (select count(*) from event where game = id) = ?",
                (start, owner, len(events)),
            ).fetchall()
            for (game,) in rows:
                there = connection.execute(
                    "select at, what from event where game = ? order by number", (game,)
                ).fetchall()
                if there == [(event.at, event.what) for event in events]:
                    return str(game)
        return None

    def has_been_played(self, owner: str, start: str) -> bool:
        """Whether a game of this start has had a move by this owner."""
        with self.disk.reading() as connection:
            return (
                connection.execute(
                    "select 1 from game join event on event.game = game.id "
                    "where start = ? and owner = ? and number = 0 limit 1",
                    (start, owner),
                ).fetchone()
                is not None
            )

    def results(self, owner: str) -> list[ResultRow]:
        """An owner's whole score book, in the order in which the games ended."""
        with self.disk.reading() as connection:
            rows = connection.execute(
                "select * from result where owner = ? order by finished, id", (owner,)
            ).fetchall()
        return [_result_row(row) for row in rows]

    def results_page(self, owner: str, after: str, most: int) -> list[ResultRow]:
        """Some of an owner's results by id, from the one after *after* on."""
        with self.disk.reading() as connection:
            rows = connection.execute(
                "select * from result where owner = ? and id > ? order by id limit ?",
                (owner, after, most),
            ).fetchall()
        return [_result_row(row) for row in rows]

    def known(self, owner: str, games: Collection[str]) -> set[str]:
        """Those of these games that are stored; a book that was imported has others, too."""
        with self.disk.reading() as connection:
            rows = connection.execute(
                "select id from game where owner = ? and id in (select value from json_each(?))",
                (owner, json.dumps(sorted(games))),
            ).fetchall()
        return {game for (game,) in rows}

    def counts(self, owner: str) -> dict[str, int]:
        """How many games with a move and how many results an owner has."""
        with self.disk.reading() as connection:
            (games,) = connection.execute(
                "select count(*) from game join event on event.game = game.id "
                "where owner = ? and number = 0",
                (owner,),
            ).fetchone()
            (results,) = connection.execute(
                "select count(*) from result where owner = ?", (owner,)
            ).fetchone()
        return {"games": games, "results": results}

    def kept(self, owner: str, name: str) -> Any:
        """The document of that name, as JSON has it; None where there is none."""
        with self.disk.reading() as connection:
            return _document(connection, owner, name)

    def documents(self, owner: str, prefix: str = "") -> dict[str, Any]:
        """All documents whose name begins like that, by name."""
        with self.disk.reading() as connection:
            rows = connection.execute(
                "select name, value from kept where owner = ? and substr(name, 1, ?) = ?",
                (owner, len(prefix), prefix),
            ).fetchall()
        return {name: json.loads(value) for name, value in rows}

    async def keep(self, owner: str, name: str, value: Any) -> None:
        """Keep a document: anything that JSON has. It goes with export and import by itself."""
        await self.change(owner, name, lambda _: value)

    async def change(self, owner: str, name: str, change: Callable[[Any], Any]) -> Any:
        """Replace a document by what *change* makes of it, with nobody in between.

        *change* runs in the thread that writes, so it is quick; it is given None where there is
        no document yet. Answers with the new one.
        """

        def job(connection: sqlite3.Connection) -> Any:
            value = change(_document(connection, owner, name))
            text = json.dumps(value, separators=(",", ":"), allow_nan=False)
            (others,) = connection.execute(
                "select count(*) from kept where owner = ? and name != ?", (owner, name)
            ).fetchone()
            if len(text) > MAX_DOCUMENT_BYTES or others >= MAX_DOCUMENTS:
                raise RulesError(
                    f"expected at most {MAX_DOCUMENTS:,} documents of {MAX_DOCUMENT_BYTES:,} bytes, "
                    f"got {others + 1:,}, the last of {len(text):,}"
                )
            connection.execute("insert or replace into kept values (?, ?, ?)", (owner, name, text))
            return value

        return await self.disk.write(job)


_SETTLE_AGAIN = """
update game set again = 1 where id = ? and exists (
    select 1 from game as other join event on event.game = other.id
    where other.start = game.start and other.owner = game.owner and other.id != game.id
    and event.number = 0)
"""
INSERT_GAME = f"insert into game values ({', '.join('?' * len(fields(GameRow)))})"
INSERT_RESULT = (
    f"insert or ignore into result values (?, {', '.join('?' * len(fields(ResultRow)))})"
)


def delete_oldest_games(connection: sqlite3.Connection, owner: str) -> list[str]:
    """Drop the games of a visitor who has too many, those touched longest ago; answers which."""
    if owner == HOME:
        return []
    (count,) = connection.execute("select count(*) from game where owner = ?", (owner,)).fetchone()
    if count <= MAX_GUEST_GAMES:
        return []
    oldest = connection.execute(
        "select id from game where owner = ? order by touched, id limit ?",
        (owner, count - MAX_GUEST_GAMES),
    ).fetchall()
    connection.executemany("delete from event where game = ?", oldest)
    connection.executemany("delete from game where id = ?", oldest)
    return [game for (game,) in oldest]


def local_id(connection: sqlite3.Connection, owner: str, game: str) -> str:
    """What the game of a file is called here: as there, but for one who has it from another owner.

    Then it is always the same other id, so that it is known when it comes again.
    """
    row = connection.execute("select owner from game where id = ?", (game,)).fetchone()
    if row is None or row[0] == owner:
        return game
    return hashlib.sha256(f"{owner} {game}".encode()).hexdigest()[:16]


def _game_row(row: tuple[Any, ...]) -> GameRow:
    game, created, touched, start, title, again, over, owner = row
    return GameRow(game, created, touched, start, title, bool(again), bool(over), owner)


def _result_row(row: tuple[Any, ...]) -> ResultRow:
    known = dict(zip((field.name for field in fields(ResultRow)), row[1:], strict=True))
    return ResultRow(**{**known, "helped": bool(known["helped"]), "again": bool(known["again"])})


def _document(connection: sqlite3.Connection, owner: str, name: str) -> Any:
    row = connection.execute(
        "select value from kept where owner = ? and name = ?", (owner, name)
    ).fetchone()
    return None if row is None else json.loads(row[0])
