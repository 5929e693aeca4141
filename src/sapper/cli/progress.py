"""Progress bars on standard error, where somebody watches; and who does long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from sapper.cli.numbers import Whole
from sapper.lab.runners import RUNNERS, crew

Item = TypeVar("Item")
Result = TypeVar("Result")
Command = TypeVar("Command", bound=Callable[..., Any])


def runner_options(command: Command) -> Command:
    """--jobs, --runner and --scheduler: who does the work."""
    for option in (
        click.option(
            "--scheduler", metavar="ADDRESS", help="Of a Dask cluster, such as tcp://host:8786."
        ),
        click.option(
            "--runner",
            default=RUNNERS[0].name,
            show_default=True,
            help=" ".join(f"{row.name}: {row.about}." for row in RUNNERS),
        ),
        click.option("--jobs", type=Whole(1), metavar="N", help="Workers, one a core."),
    ):
        command = option(command)
    return command


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


def spread_out(
    function: Callable[[Iterable[Item]], Iterable[Result]],
    items: Iterable[Item],
    *,
    jobs: int | None,
    runner: str,
    scheduler: str | None,
) -> Iterator[Result]:
    """What the function makes of the items, in order: here, or by the workers that are asked for.

    Here, where nobody asked: workers take a second to come, and most work is done before.
    """
    if jobs is None and runner == RUNNERS[0].name and scheduler is None:
        yield from function(items)
        return
    from sapper.lab.work import spread

    with crew(runner, jobs, scheduler, compiled=False) as workers:
        yield from spread(workers, function, items)


def watched(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """The items, under a progress bar where there are several."""
    if total == 1:
        yield from items
        return
    with progress_bar(what, total) as tell:
        for done, item in enumerate(items, 1):
            yield item
            tell(done, "")
