"""Progress bars on standard error, where somebody watches; and who does long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from sapper.cli.number_types import WholeNumber
from sapper.cli.options import Command, choice_option, combine
from sapper.lab.runners import RUNNERS, WorkerPool, worker_pool

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class WorkerOptions:
    """Who does long work, as the options say it."""

    jobs: int | None
    runner: str
    scheduler: str | None

    def worker_pool(self, *, compiled: bool) -> AbstractContextManager[WorkerPool]:
        """The workers; *compiled* is whether nearly all of the work is done in kernels."""
        return worker_pool(self.runner, self.jobs, self.scheduler, compiled=compiled)

    def map_batches(
        self, function: Callable[[Iterable[Item]], Iterable[Result]], items: Iterable[Item]
    ) -> Iterator[Result]:
        """What the function makes of the items, in order: here, or by workers if asked for.

        Here, where nobody asked: workers take a second to come, and most work is done before.
        """
        if self == WorkerOptions(None, RUNNERS.names[0], None):
            yield from function(items)
            return
        from sapper.lab.tasks import map_batches

        with self.worker_pool(compiled=False) as workers:
            yield from map_batches(workers, function, items)


def worker_options_decorator(command: Command) -> Command:
    """--jobs, --runner and --scheduler, which the command is given as one `worker_options`."""

    @wraps(command)
    def with_worker_options(
        *, jobs: int | None, runner: str, scheduler: str | None, **given: Any
    ) -> Any:
        return command(worker_options=WorkerOptions(jobs, runner, scheduler), **given)

    decorated: Command = _OPTIONS(with_worker_options)
    return decorated


_OPTIONS = combine(
    click.option("--jobs", type=WholeNumber(1), metavar="N", help="Workers, one a core."),
    choice_option("--runner", "Who does the work", RUNNERS.names, default=RUNNERS.names[0]),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="With dask: its cluster, such as tcp://host:8786. [one of this machine]",
    ),
)


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar that is told how many are done and what to say beside it; silent without a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, beside: None
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
        TextColumn("{task.fields[beside]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, beside="")
        yield lambda done, beside: bar.update(task, completed=done, beside=beside)


def with_progress(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """The items, under a progress bar where there are several."""
    if total == 1:
        yield from items
        return
    with progress_bar(what, total) as update:
        for done, item in enumerate(items, 1):
            yield item
            update(done, "")
