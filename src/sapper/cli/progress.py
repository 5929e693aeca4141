"""Progress bars on standard error, where somebody watches; and who does long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from sapper.cli.numbers import Whole
from sapper.cli.options import Command, name_option, together
from sapper.lab.runners import RUNNERS, Crew, crew

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Workforce:
    """Who does long work, as the options say it."""

    jobs: int | None
    runner: str
    scheduler: str | None

    def crew(self, *, compiled: bool) -> AbstractContextManager[Crew]:
        """The workers; *compiled* is whether nearly all of the work is done in kernels."""
        return crew(self.runner, self.jobs, self.scheduler, compiled=compiled)

    def spread(
        self, function: Callable[[Iterable[Item]], Iterable[Result]], items: Iterable[Item]
    ) -> Iterator[Result]:
        """What the function makes of the items, in order: here, or by workers if asked for.

        Here, where nobody asked: workers take a second to come, and most work is done before.
        """
        if self == Workforce(None, RUNNERS[0].name, None):
            yield from function(items)
            return
        from sapper.lab.work import spread

        with self.crew(compiled=False) as workers:
            yield from spread(workers, function, items)


def runner_options(command: Command) -> Command:
    """--jobs, --runner and --scheduler, which the command is given as one `workforce`."""

    @wraps(command)
    def with_workforce(
        *, jobs: int | None, runner: str, scheduler: str | None, **given: Any
    ) -> Any:
        return command(workforce=Workforce(jobs, runner, scheduler), **given)

    decorated: Command = _OPTIONS(with_workforce)
    return decorated


_OPTIONS = together(
    click.option("--jobs", type=Whole(1), metavar="N", help="Workers, one a core."),
    name_option("--runner", "Who does the work", RUNNERS.names, default=RUNNERS[0].name),
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


def watched(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """The items, under a progress bar where there are several."""
    if total == 1:
        yield from items
        return
    with progress_bar(what, total) as tell:
        for done, item in enumerate(items, 1):
            yield item
            tell(done, "")
