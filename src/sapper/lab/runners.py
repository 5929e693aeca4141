"""Runners: execute tasks on threads or processes of this machine, or on a Dask cluster.

A runner opens a worker pool, which accepts functions with plain arguments and returns futures.
Results do not depend on the worker, so the task of a lost worker is run again.
To add a runner, add an entry to RUNNERS.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import sapper
from sapper.errors import NotationError, Unavailable
from sapper.kernels import running_source_hash
from sapper.registry import Registry

MAX_JOBS = max(64, 4 * (os.cpu_count() or 1))
"""The most workers of this machine: a process takes 40 MB, and 0.2 s of CPU time to start."""
CONNECT_SECONDS = 10.0
"""The time that a scheduler may take to answer."""
RECOVERY_SECONDS = 60.0
"""The time that a run waits for a scheduler or for workers that have disappeared."""
COUNT_SECONDS = 2.0
"""The time between two counts of a cluster's workers, which may change."""


@lru_cache(maxsize=1)
def build_id() -> str:
    """Return the version of Sapper with a digest of the kernels' sources."""
    return f"{sapper.__version__}+{running_source_hash()[:8]}"


class WorkerPool(Protocol):
    """Workers that execute submitted tasks."""

    lost_errors: tuple[type[BaseException], ...]
    """The exceptions of a future whose worker was lost, as opposed to errors of the task."""

    @property
    def workers(self) -> int:
        """The number of tasks that run at the same time."""

    @property
    def healthy(self) -> bool:
        """Whether the submitted tasks can still complete."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a task."""

    def recover(self) -> None:
        """Replace lost workers; raise Unavailable if that is not possible."""

    def close(self) -> None:
        """Cancel waiting tasks and stop the workers."""


@dataclass(frozen=True)
class PoolOptions:
    """The options of a worker pool."""

    jobs: int
    scheduler: str | None = None
    compiled: bool = True
    """Whether the tasks run mostly in kernels, which release the interpreter lock."""


@dataclass(frozen=True)
class Runner:
    """An entry of RUNNERS."""

    name: str
    about: str
    open_pool: Callable[[PoolOptions], WorkerPool]
    has_scheduler: bool = False
    """Whether it can use the scheduler of a cluster."""


class ExecutorPool:
    """Threads or processes of this machine."""

    lost_errors: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    healthy = True

    def __init__(
        self,
        make_executor: Callable[[int], Executor],
        jobs: int,
        submit_context: Callable[[], AbstractContextManager[None]] = nullcontext,
    ):
        self._make_executor = make_executor
        self._executor = make_executor(jobs)
        self._submit_context = submit_context
        self.workers = jobs

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a task; if the executor is broken, the future has a lost error."""
        try:
            with self._submit_context():
                return self._executor.submit(function, *arguments)
        except BrokenExecutor as error:
            return _failed_future(error)

    def recover(self) -> None:
        """Start another executor."""
        self.close()
        self._executor = self._make_executor(self.workers)

    def close(self) -> None:
        """Cancel waiting tasks and wait for the running ones."""
        self._executor.shutdown(cancel_futures=True)


def _failed_future(error: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def _process_executor(jobs: int) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, because a forked child copies locks that other threads hold at that moment.
    with _defer_interrupts():
        return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _initialise_worker)


def _initialise_worker() -> None:
    """Ignore Ctrl-C, which the parent handles, and exit when the parent does."""
    import multiprocessing
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def exit_with_parent() -> None:
        assert parent is not None
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()


class DaskPool:
    """A Dask cluster: an existing one, or a new one of processes of this machine."""

    def __init__(self, options: PoolOptions):
        with _defer_interrupts():
            distributed = _import_distributed()
        self.lost_errors: tuple[type[BaseException], ...] = (
            CancelledError,
            distributed.KilledWorker,
            distributed.comm.CommClosedError,
            distributed.client.FutureCancelledError,
        )
        self._address = options.scheduler
        self._cluster: Any = None
        self._client: Any = None
        self._counted = (0.0, 0)
        self._checked_workers: set[str] = set()
        try:
            if self._address is None:
                with _defer_interrupts():
                    self._cluster = distributed.LocalCluster(
                        n_workers=options.jobs,
                        threads_per_worker=1,
                        dashboard_address=":0",
                        silence_logs=logging.CRITICAL,
                    )
            self._connect(CONNECT_SECONDS)
            self._wait_for_workers()
        except BaseException:
            self.close()
            raise

    @property
    def workers(self) -> int:
        """The number of threads of all workers, at least 1; counted every COUNT_SECONDS."""
        when, count = self._counted
        if time.monotonic() - when > COUNT_SECONDS:
            with suppress(OSError, TimeoutError):
                threads = self._client.nthreads()
                self._check_versions(set(threads))
                self._same_scheduler = self._get_scheduler_id() == self._scheduler_id
                count = sum(threads.values())
            self._counted = (time.monotonic(), count)
        return max(count, 1)

    @property
    def healthy(self) -> bool:
        """Whether the client is connected to the scheduler that it started with.

        The client also reconnects to a restarted scheduler, which has lost the submitted tasks:
        they would never complete.
        """
        return self._same_scheduler and bool(self._client.status in ("running", "connecting"))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a task; if the client is closed, the future has a lost error."""
        try:
            future: Future[Any] = self._executor.submit(function, *arguments)
        except Exception:
            # A closed client raises various errors, so its state is checked instead.
            if self.healthy:
                raise
            return _failed_future(CancelledError())
        return future

    def recover(self) -> None:
        """Reconnect to the scheduler and wait for workers."""
        if self._address is not None:
            self._disconnect()
            self._connect(RECOVERY_SECONDS)
        self._wait_for_workers()

    def close(self) -> None:
        """Disconnect; a cluster of this machine is stopped."""
        self._disconnect()
        if self._cluster is not None:
            self._cluster.close()

    def _check_versions(self, addresses: set[str]) -> None:
        """Raise Unavailable for new workers with another version of Sapper, or without it."""
        new = addresses - self._checked_workers
        if not new:
            return
        # `eval` exists on every worker, whatever else is installed there.
        expression = f"__import__({__name__!r}, fromlist=['build_id']).build_id()"
        answers = self._client.run(eval, expression, workers=sorted(new), on_error="return")
        for address, answer in answers.items():
            if answer != build_id():
                is_error = isinstance(answer, Exception)
                got = f"{type(answer).__name__}: {answer}" if is_error else f"sapper {answer}"
                raise Unavailable(
                    f"the worker at {address} does not have sapper {build_id()} ({got})"
                )
        self._checked_workers |= new

    def _disconnect(self) -> None:
        if self._client is not None:
            with suppress(OSError, TimeoutError):
                self._client.close(timeout=2)

    def _connect(self, seconds: float) -> None:
        """Connect within a time limit; a restarting scheduler refuses connections at first."""
        client = _import_distributed().Client
        deadline = time.monotonic() + seconds
        while True:
            try:
                self._client = client(self._cluster or self._address, timeout=min(seconds, 10))
                self._scheduler_id, self._same_scheduler = self._get_scheduler_id(), True
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise Unavailable(f"no Dask scheduler answers at {self._address}") from None
                time.sleep(0.2)
            except (ValueError, TypeError):
                raise NotationError(
                    f"expected the address of a scheduler such as tcp://host:8786, "
                    f"got {self._address!r:.60}"
                ) from None
        self._executor = self._client.get_executor(pure=False)

    def _get_scheduler_id(self) -> str:
        return str(self._client.scheduler_info()["id"])

    def _wait_for_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=RECOVERY_SECONDS)
        except TimeoutError:
            raise Unavailable(
                f"the scheduler {self._address} has had no workers for {RECOVERY_SECONDS:.0f} s"
            ) from None
        self._check_versions(set(self._client.nthreads()))


@contextmanager
def _defer_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, and hide it from processes started in it.

    A terminal sends SIGINT to all processes. New ones inherit the signal mask, so they never
    receive it, not even while they start up. The handler is needed too: a signal that this thread
    blocks may be delivered to another thread, and Python would still raise here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[Any] = []
    handler = signal.signal(signal.SIGINT, lambda *arguments: received.append(arguments))
    mask = _block_interrupts()
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if received and callable(handler):
            handler(*received[0])


def _block_interrupts() -> set[int] | None:
    """Block SIGINT and return the previous mask; None where signals cannot be blocked."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return None
    from multiprocessing import resource_tracker

    # Started first, because it unblocks SIGINT after its own start.
    resource_tracker.ensure_running()
    return signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise Unavailable("the runner dask needs an extra: pip install 'sapper[lab]'") from None
    # A lost cluster is reported by Sapper in one line.
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _open_threads(options: PoolOptions) -> WorkerPool:
    return ExecutorPool(ThreadPoolExecutor, options.jobs)


def _open_processes(options: PoolOptions) -> WorkerPool:
    # An executor starts its workers when tasks are submitted.
    return ExecutorPool(_process_executor, options.jobs, _defer_interrupts)


def _open_local(options: PoolOptions) -> WorkerPool:
    from sapper.kernels import STATUS

    use_threads = options.jobs == 1 or (options.compiled and STATUS == "compiled")
    return _open_threads(options) if use_threads else _open_processes(options)


RUNNERS = Registry(
    "runner",
    (
        Runner("local", "threads where the work is compiled, else processes", _open_local),
        Runner("threads", "threads of one process", _open_threads),
        Runner("processes", "processes of this machine", _open_processes),
        Runner("dask", "a Dask cluster; without --scheduler, one on this machine", DaskPool, True),
    ),
)


@contextmanager
def worker_pool(
    runner: str = "local",
    jobs: int | None = None,
    scheduler: str | None = None,
    *,
    compiled: bool = True,
) -> Iterator[WorkerPool]:
    """Open the worker pool of a runner, by default with a worker per core; close it at exit."""
    entry = RUNNERS.find(runner)
    if scheduler is not None and not entry.has_scheduler:
        raise NotationError(f"expected the runner dask with a scheduler, got {entry.name}")
    if jobs is not None and not 1 <= jobs <= MAX_JOBS:
        raise NotationError(f"expected 1 to {MAX_JOBS} jobs, got {jobs}")
    pool = entry.open_pool(PoolOptions(jobs or core_count(), scheduler, compiled))
    try:
        yield pool
    finally:
        pool.close()


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
