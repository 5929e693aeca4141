"""An SQLite file with one writer thread.

The writer commits all pending jobs in one transaction, and only then reports success. So a move is
on disk before the response is sent, and 200 users share one fsync.
"""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sapper.errors import Conflict, Unavailable
from sapper.web.storage.schema import prepare

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

CHANGED_ELSEWHERE = "the game was changed elsewhere"
# FULL syncs at every commit: a move survives a power failure, not only a crash.
SYNCHRONOUS = "full"
# How long a transaction waits for a file that another program has locked.
LOCK_TIMEOUT = 1.0


class Database:
    """One SQLite file. Await writes; run reads, which block, in a thread."""

    def __init__(self, path: Path):
        self.path = path
        self._pending: deque[tuple[Job, asyncio.Future[Any]]] = deque()
        self._reader_lock = threading.Lock()
        if path.parent.exists() and not path.parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "is not a folder", str(path.parent))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._writer = self._connect()
            prepare(self._writer, path)
            self._reader = self._connect()
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(path)) from None
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="database")

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self._executor.shutdown()
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
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending.append((job, future))
        if len(self._pending) == 1:  # further ones are in the same transaction
            self._executor.submit(self._write_pending)
        return await future

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=LOCK_TIMEOUT
        )
        connection.execute("pragma journal_mode = wal")
        connection.execute(f"pragma synchronous = {SYNCHRONOUS}")
        return connection

    def _write_pending(self) -> None:
        """Run all pending jobs, and set their results with one call into the event loop."""
        jobs, futures = [], []
        while self._pending:
            job, future = self._pending.popleft()
            jobs.append(job)
            futures.append(future)
        if jobs:
            results = self._commit(jobs)
            futures[0].get_loop().call_soon_threadsafe(_set_results, futures, results)

    def _commit(self, jobs: list[Job]) -> list[Any]:
        """Return the result of each job, or the exception that rolled back that job alone."""
        try:
            self._writer.execute("begin immediate")
            results = [self._attempt(job) for job in jobs]
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


def _set_results(futures: list[asyncio.Future[Any]], results: list[Any]) -> None:
    for future, result in zip(futures, results, strict=True):
        if future.cancelled():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)


def _is_locked(error: sqlite3.Error) -> bool:
    # The low byte is the primary result code.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )
