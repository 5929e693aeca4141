"""An SQLite file with one writer thread.

The writer commits all pending jobs in one transaction, and only then reports success. So a move is
on disk before the response is sent, and 200 users share one fsync.
"""

from __future__ import annotations

import asyncio
import errno
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sapper.errors import Conflict, Unavailable
from sapper.web.storage.schema import prepare

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

CHANGED_ELSEWHERE = "the game was changed elsewhere"
MAX_BATCH = 512
# FULL syncs at every commit: a move survives a power failure, not only a crash.
SYNCHRONOUS = "full"
# How long a job waits for a file that another program has locked.
LOCK_TIMEOUT = 1.0
# How long one attempt to lock the file takes; after it, the jobs that have waited too long fail.
BUSY_TIMEOUT = 0.1


@dataclass(frozen=True)
class PendingWrite:
    """A job for the writer, and the future that receives its result."""

    job: Job
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    queued_at: float


class Database:
    """One SQLite file. Await writes; run reads, which block, in a thread."""

    def __init__(self, path: Path):
        self.path = path
        self._pending: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()
        self._reader_lock = threading.Lock()
        if path.parent.exists() and not path.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "is not a folder", str(path.parent))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._writer = self._connect(LOCK_TIMEOUT)
            prepare(self._writer, path)
            self._writer.execute(f"pragma busy_timeout = {1000 * BUSY_TIMEOUT:.0f}")
            self._reader = self._connect(LOCK_TIMEOUT)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(path)) from None
        self._thread = threading.Thread(target=self._run_writer, name="database", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self._pending.put(None)
        self._thread.join()
        self._writer.close()
        self._reader.close()

    def query(self, sql: str, parameters: tuple[str | int, ...] = ()) -> list[Any]:
        """Return all rows of a query; one thread reads at a time."""
        with self._reader_lock:
            try:
                return self._reader.execute(sql, parameters).fetchall()
            except sqlite3.Error as error:
                raise self._error("read", error) from None

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in a transaction; return its result when it is on disk."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._pending.put(PendingWrite(job, loop, future, time.monotonic()))
        return await future

    def _connect(self, timeout: float) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=timeout
        )
        connection.execute("pragma journal_mode = wal")
        connection.execute(f"pragma synchronous = {SYNCHRONOUS}")
        return connection

    def _run_writer(self) -> None:
        batch: list[PendingWrite] = []
        closing = False
        while batch or not closing:
            if not batch and (first := self._pending.get()) is not None:
                batch = [first]
            elif not batch:
                return
            closing = self._fill(batch) or closing
            if self._begin(batch):
                _resolve(batch, self._commit([write.job for write in batch]))
                batch = []

    def _fill(self, batch: list[PendingWrite]) -> bool:
        """Add the pending jobs to a batch; return whether the database is closing."""
        while len(batch) < MAX_BATCH and not self._pending.empty():
            write = self._pending.get()
            if write is None:
                return True
            batch.append(write)
        return False

    def _begin(self, batch: list[PendingWrite]) -> bool:
        """Begin a transaction; on failure, fail the jobs that have waited too long."""
        try:
            self._writer.execute("begin immediate")
        except sqlite3.Error as error:
            deadline = time.monotonic() - (LOCK_TIMEOUT if _is_locked(error) else 0)
            late = [write for write in batch if write.queued_at <= deadline]
            batch[:] = [write for write in batch if write.queued_at > deadline]
            _resolve(late, [self._error("write", error)] * len(late))
            return False
        return True

    def _commit(self, jobs: list[Job]) -> list[Any]:
        """Return the result of each job, or the exception that rolled back that job alone."""
        results: list[Any] = []
        try:
            for job in jobs:
                results.append(self._attempt(job))
            self._writer.execute("commit")
        except sqlite3.Error as error:
            self._roll_back()
            return [self._error("write", error)] * len(jobs)
        return results

    def _error(self, operation: str, error: sqlite3.Error) -> Unavailable:
        reason = "another program uses it; try again" if _is_locked(error) else str(error)
        return Unavailable(f"cannot {operation} {self.path}: {reason}")

    def _roll_back(self) -> None:
        # A failing disk may fail here too; the next transaction then reports it.
        with suppress(sqlite3.Error):
            if self._writer.in_transaction:
                self._writer.execute("rollback")

    def _attempt(self, job: Job) -> Any:
        self._writer.execute("savepoint job")
        try:
            result = job(self._writer)
        except sqlite3.IntegrityError:
            self._writer.execute("rollback to job")
            result = Conflict(CHANGED_ELSEWHERE)
        except sqlite3.Error:
            raise
        except Exception as error:  # a bug in one job must not end the writer thread
            self._writer.execute("rollback to job")
            result = error
        self._writer.execute("release job")
        return result


def _is_locked(error: sqlite3.Error) -> bool:
    # The low byte is the primary result code.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )


def _resolve(batch: list[PendingWrite], results: list[Any]) -> None:
    """Set the results of the futures, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Any, Any]]] = {}
    for write, result in zip(batch, results, strict=True):
        by_loop.setdefault(write.loop, []).append((write.future, result))
    for loop, pairs in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_set_futures, pairs)


def _set_futures(pairs: list[tuple[Any, Any]]) -> None:
    for future, result in pairs:
        if future.cancelled():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)
