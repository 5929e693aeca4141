"""Runners: execute tasks on threads or processes of this machine, or on a Dask cluster.

A runner opens a worker pool, which accepts functions with plain arguments and returns futures.
To add a runner, add an entry to RUNNERS.
"""

from __future__ import annotations

import logging
import os
import pickle
import platform
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sapper
from sapper.errors import NotationError, Unavailable, WorkersLost
from sapper.kernels import running_source_hash
from sapper.registry import Registry

MAX_JOBS = max(64, 4 * (os.cpu_count() or 1))
"""The most workers of this machine: a process takes 40 MB, and 0.2 s of CPU time to start."""
CONNECT_SECONDS = 10.0
"""The time that a scheduler may take to answer."""
START_SECONDS = 60.0
"""The time that the first worker of a cluster may take to connect."""


@lru_cache(maxsize=1)
def build_id() -> str:
    """Return the version of Sapper with a digest of the kernels' sources."""
    return f"{sapper.__version__}+{running_source_hash()[:8]}"


@dataclass(frozen=True)
class WorkerPool:
    """Workers that execute submitted tasks."""

    submit: Callable[..., Future[Any]]
    """Submits a function with its arguments."""
    count_workers: Callable[[], int]
    """Returns the number of tasks that run at the same time; in a cluster it may change."""
    failures: Mapping[type[BaseException], str] = field(default_factory=dict)
    """What an exception of a future means that is not one of its task."""


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
    open_pool: Callable[[PoolOptions], AbstractContextManager[WorkerPool]]
    has_scheduler: bool = False
    """Whether it can use the scheduler of a cluster."""


# Threads and processes.


@contextmanager
def _open_threads(options: PoolOptions) -> Iterator[WorkerPool]:
    with ThreadPoolExecutor(options.jobs) as executor:
        yield WorkerPool(executor.submit, lambda: options.jobs)


@contextmanager
def _open_processes(options: PoolOptions) -> Iterator[WorkerPool]:
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    def submit(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        # An executor starts its workers when tasks are submitted.
        with _defer_interrupts():
            return executor.submit(function, *arguments)

    # Spawned, because a forked child copies locks that other threads hold at that moment.
    context = multiprocessing.get_context("spawn")
    with _defer_interrupts():
        executor = ProcessPoolExecutor(options.jobs, context, _initialise_worker)
    with executor:
        yield WorkerPool(
            submit,
            lambda: options.jobs,
            {BrokenProcessPool: "a worker process ended, perhaps for lack of memory"},
        )


def _open_local(options: PoolOptions) -> AbstractContextManager[WorkerPool]:
    from sapper.kernels import STATUS

    use_threads = options.jobs == 1 or (options.compiled and STATUS == "compiled")
    return _open_threads(options) if use_threads else _open_processes(options)


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


_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


@contextmanager
def _defer_interrupts() -> Iterator[None]:
    """Delay signals until the end of the block, and hide Ctrl-C from processes started in it.

    A terminal sends SIGINT to all processes. New ones inherit the signal mask, so they never
    receive it, not even while they start up. The handler is needed too: a signal that this thread
    blocks may be delivered to another thread, and Python would still raise here. SIGTERM and SIGHUP
    are not masked, because they end workers.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    from multiprocessing import resource_tracker

    received: list[tuple[int, Any]] = []
    handlers: dict[int, Any] = {
        number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))
    }
    for number in handlers:
        signal.signal(number, lambda number, frame: received.append((number, frame)))
    mask = None
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        # Started first, because it unblocks SIGINT after its own start.
        resource_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number, frame in received[:1]:
            handlers[number](number, frame)


# Dask.

_CALL = f"__import__({__name__!r}, fromlist=['run_pickled']).run_pickled(version, call)"


@contextmanager
def _open_dask(options: PoolOptions) -> Iterator[WorkerPool]:
    """Connect to a scheduler; without an address, start a cluster of processes of this machine.

    Dask runs the tasks of a lost worker on others.
    """
    with _defer_interrupts():
        distributed = _import_distributed()
    address = options.scheduler
    cluster = {
        "n_workers": options.jobs,
        "threads_per_worker": 1,
        "dashboard_address": ":0",
        "silence_logs": logging.CRITICAL,
    }
    try:
        with nullcontext() if address else _defer_interrupts():
            client = distributed.Client(
                address, timeout=CONNECT_SECONDS, **({} if address else cluster)
            )
    except OSError:
        raise Unavailable(f"no Dask scheduler answers at {address}") from None
    except (ValueError, TypeError):
        raise NotationError(
            f"expected the address of a scheduler such as tcp://host:8786, got {address!r:.60}"
        ) from None
    lost = "the Dask scheduler was lost"

    def submit(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        # `eval` exists on every worker: Dask never returns a function that it cannot import there.
        call = {"version": build_id(), "call": pickle.dumps((function, arguments))}
        future: Future[Any] = executor.submit(eval, _CALL, call)
        return future

    def count_workers() -> int:
        try:
            return sum(client.nthreads().values())
        except (OSError, AttributeError):  # the latter if the client has closed itself
            raise WorkersLost(lost) from None

    with client:
        try:
            client.wait_for_workers(1, timeout=START_SECONDS)
        except TimeoutError:
            raise Unavailable(
                f"the scheduler {address} has had no workers for {START_SECONDS:.0f} s"
            ) from None
        executor = client.get_executor(pure=False)
        yield WorkerPool(
            submit,
            count_workers,
            {
                CancelledError: lost,
                distributed.KilledWorker: "several workers were lost that ran the same task",
                ModuleNotFoundError: f"a worker does not have sapper {build_id()}",
            },
        )


def run_pickled(version: str, call: bytes) -> Any:
    """Call a pickled function in a worker of a cluster, which must have this version of Sapper."""
    if version != build_id():
        raise Unavailable(
            f"a worker on {platform.node()} has sapper {build_id()}, but this is sapper {version}"
        )
    function, arguments = pickle.loads(call)
    return function(*arguments)


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


RUNNERS = Registry(
    "runner",
    (
        Runner("local", "threads where the work is compiled, else processes", _open_local),
        Runner("threads", "threads of one process", _open_threads),
        Runner("processes", "processes of this machine", _open_processes),
        Runner(
            "dask", "a Dask cluster; without --scheduler, one on this machine", _open_dask, True
        ),
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
    # The cores that this process may use; Linux knows them.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with entry.open_pool(PoolOptions(jobs or cores or 1, scheduler, compiled)) as pool:
        yield pool
