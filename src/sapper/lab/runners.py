"""Runners: who does the work. Threads or processes of this machine, or a Dask cluster.

A runner opens a crew; a crew takes functions with plain arguments and answers with futures.
What is done does not depend on who does it, so a task that a lost worker took with it is given
out again. To add a runner, add a row to RUNNERS.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import sapper
from sapper.errors import NotationError, Unavailable
from sapper.kernels.fingerprint import source_hash
from sapper.registry import Registry

CONNECT_SECONDS = 10.0
"""How long a scheduler may take to answer."""
PATIENCE_SECONDS = 60.0
"""How long a run waits for a scheduler or for workers that went away."""


@lru_cache(maxsize=1)
def build() -> str:
    """Which Sapper works: its version, and a digest of the kernels that it was made from."""
    return f"{sapper.__version__}+{source_hash()[:8]}"


class WorkerPool(Protocol):
    """Workers that were asked for: a context from which work is given out."""

    lost: tuple[type[BaseException], ...]
    """What a future raises when its worker is gone, not its work wrong."""

    @property
    def workers(self) -> int:
        """How many tasks can be worked on at the same time."""

    @property
    def well(self) -> bool:
        """Whether futures that are waited for can still come true."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Give out a task."""

    def mend(self) -> None:
        """Get new workers for those that are lost; raises Unavailable where there are none."""

    def close(self) -> None:
        """Give out nothing more, and send the workers home."""


@dataclass(frozen=True)
class PoolOptions:
    """What is asked of a runner."""

    jobs: int
    scheduler: str | None = None
    compiled: bool = True
    """Whether nearly all of the work is done in kernels, which run side by side in threads."""


@dataclass(frozen=True)
class Runner:
    """A row of RUNNERS: `gather(options)` gets a crew together."""

    name: str
    about: str
    gather: Callable[[PoolOptions], WorkerPool]
    clustered: bool = False
    """Whether it can work for a scheduler."""


class ExecutorPool:
    """Threads or processes of this machine."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    well = True

    def __init__(self, make: Callable[[int], Executor], jobs: int):
        self._make = make
        self._pool = make(jobs)
        self.workers = jobs

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Give out a task; a pool that broke meanwhile answers with a future that is lost."""
        try:
            # A pool starts its workers when there is work for them.
            with _defer_ctrl_c():
                return self._pool.submit(function, *arguments)
        except BrokenExecutor as error:
            return _lost(error)

    def mend(self) -> None:
        """A new pool."""
        self.close()
        self._pool = self._make(self.workers)

    def close(self) -> None:
        """Wait for what is being worked on; the rest is dropped."""
        self._pool.shutdown(cancel_futures=True)


def _lost(error: BaseException) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def _processes(jobs: int) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, because a fork copies locks that other threads hold at that moment.
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _initialise_worker)


def _initialise_worker() -> None:
    """What a worker process does first: end with its parent, and leave Ctrl-C to it for good."""
    import multiprocessing
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        assert parent is not None
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


class DaskPool:
    """A Dask cluster: the one at an address, or one of this machine's processes."""

    def __init__(self, options: PoolOptions):
        distributed = _distributed()
        self.lost: tuple[type[BaseException], ...] = (
            CancelledError,
            distributed.KilledWorker,
            distributed.comm.CommClosedError,
            distributed.client.FutureCancelledError,
        )
        self._address = options.scheduler
        self._cluster: Any = None
        self._client: Any = None
        self._counted = (0.0, 0)
        self._known: set[str] = set()
        try:
            if self._address is None:
                with _ignore_ctrl_c():
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
        """The threads of all workers, counted anew every other second: they come and go."""
        when, count = self._counted
        if time.monotonic() - when > 2:
            with suppress(OSError, TimeoutError):
                threads = self._client.nthreads()
                self._check(set(threads))
                self._same = self._scheduler_id() == self._scheduler
                count = sum(threads.values())
            self._counted = (time.monotonic(), count)
        return max(count, 1)

    def _check(self, addresses: set[str]) -> None:
        """Refuse new workers with another Sapper or none: Dask would wait for them for ever."""
        new = addresses - self._known
        if not new:
            return
        # `eval` is known to every worker, whatever else it has.
        ask = f"__import__({__name__!r}, fromlist=['build']).build()"
        answers = self._client.run(eval, ask, workers=sorted(new), on_error="return")
        for address, answer in answers.items():
            if answer != build():
                has = (
                    f"{type(answer).__name__}: {answer}"
                    if isinstance(answer, Exception)
                    else answer
                )
                raise Unavailable(
                    f"expected sapper {build()} on every worker, got {has} at {address}"
                )
        self._known |= new

    @property
    def well(self) -> bool:
        """Whether the client has not given its scheduler up, and that is the one it began with.

        One that was started again knows nothing of tasks that were on their way meanwhile, and
        the client finds it by itself: nobody would ever hear of them.
        """
        return self._same and bool(self._client.status in ("running", "connecting"))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Give out a task; a client that closed meanwhile answers with a future that is lost."""
        try:
            found: Future[Any] = self._executor.submit(function, *arguments)
        except Exception:
            # A client that closed raises whatever broke first, so its state is asked instead.
            if self.well:
                raise
            return _lost(CancelledError())
        return found

    def mend(self) -> None:
        """Find the scheduler again, and workers."""
        if self._address is not None:
            self._part()
            self._connect(PATIENCE_SECONDS)
        self._wait_for_workers()

    def close(self) -> None:
        """Leave the cluster; one of our own is taken down."""
        self._part()
        if self._cluster is not None:
            self._cluster.close()

    def _part(self) -> None:
        if self._client is not None:
            with suppress(OSError, TimeoutError):
                self._client.close(timeout=2)

    def _connect(self, seconds: float) -> None:
        """Try until the time is over: a scheduler that is being restarted refuses at first."""
        client = _distributed().Client
        until = time.monotonic() + seconds
        while True:
            try:
                self._client = client(self._cluster or self._address, timeout=min(seconds, 10))
                self._scheduler, self._same = self._scheduler_id(), True
                break
            except OSError:
                if time.monotonic() > until:
                    raise Unavailable(
                        f"expected a Dask scheduler at {self._address}, got no answer"
                    ) from None
                time.sleep(0.2)
            except (ValueError, TypeError):
                raise NotationError(
                    f"expected the address of a scheduler such as tcp://host:8786, "
                    f"got {self._address!r:.60}"
                ) from None
        self._executor = self._client.get_executor(pure=False)

    def _scheduler_id(self) -> str:
        return str(self._client.scheduler_info()["id"])

    def _wait_for_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
        except TimeoutError:
            raise Unavailable(
                f"expected workers at the scheduler {self._address}, got none within "
                f"{PATIENCE_SECONDS:.0f} s"
            ) from None
        self._check(set(self._client.nthreads()))


@contextmanager
def _defer_ctrl_c() -> Iterator[None]:
    """Ctrl-C is heard afterwards, and never by processes started here: they begin with this mask.

    One that is still importing would print where it was before it could say that it does not care.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ignore_ctrl_c() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C, which would make each of them print where it was.

    A terminal sends it to all of them; the run stops them by itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise Unavailable(
            "expected Dask for this runner, got none: pip install 'sapper[lab]'"
        ) from None
    # A cluster that goes away is told by us, in one line.
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _open_threads(options: PoolOptions) -> WorkerPool:
    return ExecutorPool(ThreadPoolExecutor, options.jobs)


def _open_processes(options: PoolOptions) -> WorkerPool:
    return ExecutorPool(_processes, options.jobs)


def _open_local(options: PoolOptions) -> WorkerPool:
    from sapper.kernels import STATUS

    together = options.jobs == 1 or (options.compiled and STATUS == "compiled")
    return _open_threads(options) if together else _open_processes(options)


RUNNERS = Registry(
    "runner",
    (
        Runner("local", "threads where the work is compiled, else processes", _open_local),
        Runner("threads", "threads of one process", _open_threads),
        Runner("processes", "processes of this machine", _open_processes),
        Runner("dask", "a Dask cluster; one on this machine without --scheduler", DaskPool, True),
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
    """The crew of a runner, sent home at the end; without *jobs* one worker for each core."""
    row = RUNNERS.find(runner)
    if scheduler is not None and not row.clustered:
        raise NotationError(f"expected a scheduler with the runner dask, got {row.name}")
    if jobs is not None and jobs < 1:
        raise NotationError(f"expected at least 1 job, got {jobs}")
    opened = row.gather(PoolOptions(jobs or cores(), scheduler, compiled))
    try:
        yield opened
    finally:
        opened.close()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
