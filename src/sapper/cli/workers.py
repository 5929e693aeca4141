"""Parallel work of commands: the options of worker pools, and progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import click

from sapper.cli.interrupts import raise_on_termination
from sapper.cli.options import Decorator, WholeNumber, bundle, choice_option
from sapper.lab.runners import MAX_JOBS, RUNNERS, WorkerPool, worker_pool

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Workers:
    """The options --jobs, --runner and --scheduler."""

    jobs: int | None = None
    runner: str = RUNNERS.names[0]
    scheduler: str | None = None

    @contextmanager
    def pool(self, *, compiled: bool) -> Iterator[WorkerPool]:
        """Open a pool; *compiled* says whether nearly all of the work is done in kernels."""
        with (
            raise_on_termination(),
            worker_pool(self.runner, self.jobs, self.scheduler, compiled=compiled) as pool,
        ):
            yield pool

    def map_batches(
        self, function: Callable[[Iterable[Item]], Iterable[Result]], items: Iterable[Item]
    ) -> Iterator[Result]:
        """Apply *function* to batches of items and yield the results in order.

        Without any of the options the work is done in this process: workers take a second to
        start, and most work is finished by then.
        """
        if self == Workers():
            yield from function(items)
            return
        from sapper.lab.tasks import map_batches

        with self.pool(compiled=False) as pool:
            yield from map_batches(pool, function, items)


def worker_options(default_jobs: str = "one per core") -> Decorator:
    """Return --jobs, --runner and --scheduler, passed on as one `workers`.

    *default_jobs* describes the default of --jobs.
    """
    return bundle(
        "workers",
        Workers,
        click.option(
            "--jobs",
            type=WholeNumber(1, MAX_JOBS),
            metavar="N",
            help=f"Number of workers. [default: {default_jobs}]",
        ),
        choice_option("--runner", "What runs the workers", RUNNERS.names, default=RUNNERS.names[0]),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="With dask: scheduler of a cluster, such as tcp://host:8786. "
            "[default: start one here]",
        ),
    )


NO_WORKERS = "none; with --runner one per core"
"""The default of --jobs where the work is usually done in this process."""


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """Show a progress bar if standard error is a terminal.

    The context is a function that takes the number of finished items and a note.
    """
    if not sys.stderr.isatty():
        yield lambda done, note: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(16),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)


def with_progress(items: Iterable[Item], title: str, total: int) -> Iterator[Item]:
    """Yield the items, with a progress bar if there are several."""
    if total == 1:
        yield from items
        return
    with progress_bar(title, total) as update:
        for done, item in enumerate(items, 1):
            yield item
            update(done, "")
