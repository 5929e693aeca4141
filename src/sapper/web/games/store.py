"""The store: every game and every result, in one SQLite file.

One thread writes. It takes all that is waiting, commits it as one transaction, and only then
answers, so that a move is on disk before its player hears of it and 200 players share one fsync.
"""

from __future__ import annotations

import asyncio
import errno
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from sapper.errors import Conflict, Unavailable
from sapper.play.session import Event

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

FILE_NAME = "games.sqlite"
VERSION = 1
MOST_AT_ONCE = 512

SCHEMA = """
create table if not exists game (
    id text primary key,
    created real not null,
    touched real not null,
    start text not null,
    title text not null,
    again integer not null,
    over integer not null default 0
) without rowid;
create index if not exists game_touched on game (touched);
create index if not exists game_start on game (start);
create table if not exists event (
    game text not null,
    number integer not null,
    at integer not null,
    what text not null,
    primary key (game, number)
) without rowid;
create table if not exists result (
    id text primary key,
    finished real not null,
    tiling text not null,
    size text not null,
    rule text not null,
    deal text not null,
    seed text not null,
    outcome text not null,
    milliseconds integer not null,
    clicks integer not null,
    bbbv integer not null,
    helped integer not null,
    again integer not null
) without rowid;
"""


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
    bbbv: int
    helped: bool
    again: bool


class Store:
    """Games and results on disk. Writing is awaited; reading blocks and belongs in a thread."""

    def __init__(self, folder: Path):
        self.path = folder / FILE_NAME
        self._jobs: queue.SimpleQueue[tuple[Job, asyncio.AbstractEventLoop, Any] | None]
        self._jobs = queue.SimpleQueue()
        self._reader_lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._writer = self._connect()
            self._prepare()
            self._reader = self._connect()
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(self.path)) from None
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self._writer.close()
        self._reader.close()

    async def add_game(self, game: GameRow, events: Iterable[Event] = ()) -> None:
        """Store a new game."""
        rows = [(game.id, number, e.at, e.what) for number, e in enumerate(events)]

        def job(connection: sqlite3.Connection) -> None:
            connection.execute("insert into game values (?, ?, ?, ?, ?, ?, ?)", astuple(game))
            connection.executemany("insert into event values (?, ?, ?, ?)", rows)

        await self._write(job)

    async def add_event(
        self,
        game: str,
        number: int,
        event: Event,
        *,
        touched: float,
        over: bool,
        again: bool,
        result: ResultRow | None = None,
    ) -> bool:
        """Store event *number* of a game, counted from 0; Conflict where it is there already.

        Answers whether the deal had been played in another game. The first event settles it:
        of two games of one deal, the one that was begun first counts.
        """

        def job(connection: sqlite3.Connection) -> bool:
            connection.execute(
                "insert into event values (?, ?, ?, ?)", (game, number, event.at, event.what)
            )
            connection.execute(
                "update game set touched = ?, over = ? where id = ?", (touched, over, game)
            )
            settled = again
            if number == 0 and not again:
                settled = connection.execute(_SETTLE_AGAIN, (game,)).rowcount > 0
            if result is not None:
                connection.execute(_INSERT_RESULT, astuple(replace(result, again=settled)))
            return settled

        return await self._write(job)

    async def add_results(self, results: Iterable[ResultRow]) -> int:
        """Store results that are not there yet; answers how many were new."""
        rows = [astuple(result) for result in results]

        def job(connection: sqlite3.Connection) -> int:
            before = connection.total_changes
            connection.executemany(_INSERT_RESULT, rows)
            return connection.total_changes - before

        return await self._write(job)

    async def forget_results(self) -> int:
        """Empty the score book; the games stay."""
        return await self._write(
            lambda connection: connection.execute("delete from result").rowcount
        )

    def game(self, game: str) -> tuple[GameRow, list[Event]] | None:
        """A game with its events, or None."""
        with self._reading() as connection:
            row = connection.execute("select * from game where id = ?", (game,)).fetchone()
            if row is None:
                return None
            events = connection.execute(
                "select at, what from event where game = ? order by number", (game,)
            ).fetchall()
        return _game_row(row), [Event(at, what) for at, what in events]

    def recent(self, most: int) -> list[GameRow]:
        """The games touched last, newest first."""
        with self._reading() as connection:
            rows = connection.execute(
                "select * from game order by touched desc limit ?", (most,)
            ).fetchall()
        return [_game_row(row) for row in rows]

    def was_played(self, start: str) -> bool:
        """Whether a game of this start has had a move."""
        with self._reading() as connection:
            return (
                connection.execute(
                    "select 1 from game join event on event.game = game.id "
                    "where start = ? and number = 0 limit 1",
                    (start,),
                ).fetchone()
                is not None
            )

    def results(self) -> list[ResultRow]:
        """The whole score book, in the order in which the games ended."""
        with self._reading() as connection:
            rows = connection.execute("select * from result order by finished, id").fetchall()
        return [_result_row(row) for row in rows]

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=10
        )
        connection.execute("pragma journal_mode = wal")
        # FULL syncs at every commit: a move outlives a loss of power, not only of the process.
        connection.execute("pragma synchronous = full")
        return connection

    def _prepare(self) -> None:
        version = self._writer.execute("pragma user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise Unavailable(
                f"expected games of version {VERSION} in {self.path}, got version {version}"
            )
        self._writer.executescript(SCHEMA)
        self._writer.execute(f"pragma user_version = {VERSION}")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._reader_lock:
            try:
                yield self._reader
            except sqlite3.Error as error:
                raise Unavailable(f"cannot read {self.path}: {error}") from None

    async def _write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((job, loop, future))
        return await future

    def _write_all(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch = [first]
            last = False
            while len(batch) < MOST_AT_ONCE and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    last = True
                    break
                batch.append(job)
            _tell(batch, self._commit([job for job, _, _ in batch]))
            if last:
                return

    def _commit(self, jobs: list[Job]) -> list[Any]:
        """The answer of each job, or the exception that undid it alone; the rest is on disk."""
        answers: list[Any] = []
        try:
            self._writer.execute("begin immediate")
            for job in jobs:
                answers.append(self._attempt(job))
            self._writer.execute("commit")
        except sqlite3.Error as error:
            self._roll_back()
            return [Unavailable(f"cannot write {self.path}: {error}")] * len(jobs)
        return answers

    def _roll_back(self) -> None:
        # A disk that failed may fail again here; the next transaction then says so.
        with suppress(sqlite3.Error):
            if self._writer.in_transaction:
                self._writer.execute("rollback")

    def _attempt(self, job: Job) -> Any:
        self._writer.execute("savepoint job")
        try:
            answer = job(self._writer)
        except sqlite3.IntegrityError:
            self._writer.execute("rollback to job")
            answer = Conflict("the game has gone on elsewhere")
        except sqlite3.Error:
            raise
        except Exception as error:  # a bug in one job must not end the thread that writes
            self._writer.execute("rollback to job")
            answer = error
        self._writer.execute("release job")
        return answer


_SETTLE_AGAIN = """
update game set again = 1 where id = ? and exists (
    select 1 from game as other join event on event.game = other.id
    where other.start = game.start and other.id != game.id and event.number = 0)
"""
_INSERT_RESULT = f"insert or ignore into result values ({', '.join('?' * len(fields(ResultRow)))})"


def _game_row(row: tuple[Any, ...]) -> GameRow:
    game, created, touched, start, title, again, over = row
    return GameRow(game, created, touched, start, title, bool(again), bool(over))


def _result_row(row: tuple[Any, ...]) -> ResultRow:
    known = dict(zip((field.name for field in fields(ResultRow)), row, strict=True))
    return ResultRow(**{**known, "helped": bool(known["helped"]), "again": bool(known["again"])})


def _tell(batch: list[tuple[Job, asyncio.AbstractEventLoop, Any]], answers: list[Any]) -> None:
    """Hand the answers back, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Any, Any]]] = {}
    for (_, loop, future), answer in zip(batch, answers, strict=True):
        by_loop.setdefault(loop, []).append((future, answer))
    for loop, pairs in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, pairs)


def _settle(pairs: list[tuple[Any, Any]]) -> None:
    for future, answer in pairs:
        if future.cancelled():
            continue
        if isinstance(answer, BaseException):
            future.set_exception(answer)
        else:
            future.set_result(answer)
