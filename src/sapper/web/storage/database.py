"""The file: one thread writes, readers read beside it.

The thread takes all that is waiting, commits it as one transaction, and only then answers, so that
a move is on disk before its player hears of it and 200 players share one fsync.
"""

from __future__ import annotations

import asyncio
import errno
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sapper.errors import Conflict, Unavailable
from sapper.web.storage.schema import prepare

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

CHANGED_ELSEWHERE = "the game has gone on elsewhere"
MAX_BATCH = 512
# Who waits so long for a file that another program holds is told so.
LOCK_TIMEOUT = 1.0
# One try to get the file, after which those that have waited too long are told.
BUSY_TIMEOUT = 0.1


@dataclass(frozen=True)
class PendingWrite:
    """A job that is to be written, and who waits for it."""

    job: Job
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    since: float


class Database:
    """One SQLite file. Writing is awaited; reading blocks and belongs in a thread."""

    def __init__(self, path: Path):
        self.path = path
        self._jobs: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()
        self._reader_lock = threading.Lock()
        if path.parent.exists() and not path.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "is no folder", str(path.parent))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._writer = self._connect(LOCK_TIMEOUT)
            prepare(self._writer, path)
            self._writer.execute(f"pragma busy_timeout = {1000 * BUSY_TIMEOUT:.0f}")
            self._reader = self._connect(LOCK_TIMEOUT)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(path)) from None
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self._writer.close()
        self._reader.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection for reading, one thread at a time."""
        with self._reader_lock:
            try:
                yield self._reader
            except sqlite3.Error as error:
                raise self._problem("read", error) from None

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in a transaction; its answer comes when it is on disk."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(PendingWrite(job, loop, future, time.monotonic()))
        return await future

    def _connect(self, seconds: float) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=seconds
        )
        connection.execute("pragma journal_mode = wal")
        # FULL syncs at every commit: a move outlives a loss of power, not only of the process.
        connection.execute("pragma synchronous = full")
        return connection

    def _write_all(self) -> None:
        batch: list[PendingWrite] = []
        last = False
        while batch or not last:
            if not batch and (first := self._jobs.get()) is not None:
                batch = [first]
            elif not batch:
                return
            last = self._gather(batch) or last
            if self._begin(batch):
                _tell(batch, self._commit([waiting.job for waiting in batch]))
                batch = []

    def _gather(self, batch: list[PendingWrite]) -> bool:
        """Take what else is waiting; answers whether that was the last."""
        while len(batch) < MAX_BATCH and not self._jobs.empty():
            job = self._jobs.get()
            if job is None:
                return True
            batch.append(job)
        return False

    def _begin(self, batch: list[PendingWrite]) -> bool:
        """Begin a transaction, or tell those that have waited too long and let them go."""
        try:
            self._writer.execute("begin immediate")
        except sqlite3.Error as error:
            past = time.monotonic() - (LOCK_TIMEOUT if _is_locked(error) else 0)
            late = [waiting for waiting in batch if waiting.since <= past]
            batch[:] = [waiting for waiting in batch if waiting.since > past]
            _tell(late, [self._problem("write", error)] * len(late))
            return False
        return True

    def _commit(self, jobs: list[Job]) -> list[Any]:
        """The answer of each job, or the exception that undid it alone; the rest is on disk."""
        answers: list[Any] = []
        try:
            for job in jobs:
                answers.append(self._attempt(job))
            self._writer.execute("commit")
        except sqlite3.Error as error:
            self._roll_back()
            return [self._problem("write", error)] * len(jobs)
        return answers

    def _problem(self, what: str, error: sqlite3.Error) -> Unavailable:
        if _is_locked(error):
            return Unavailable(f"cannot {what} {self.path}: another program holds it; try again")
        return Unavailable(f"cannot {what} {self.path}: {error}")

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
            answer = Conflict(CHANGED_ELSEWHERE)
        except sqlite3.Error:
            raise
        except Exception as error:  # a bug in one job must not end the thread that writes
            self._writer.execute("rollback to job")
            answer = error
        self._writer.execute("release job")
        return answer


def _is_locked(error: sqlite3.Error) -> bool:
    # The low byte is the kind; extended codes tell more of the same.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )


def _tell(batch: list[PendingWrite], answers: list[Any]) -> None:
    """Hand the answers back, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Any, Any]]] = {}
    for waiting, answer in zip(batch, answers, strict=True):
        by_loop.setdefault(waiting.loop, []).append((waiting.future, answer))
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
