"""Groups of commands that import a command when it is first needed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from sapper.errors import ReaderGone


class Group(click.Group):
    """A click group over a table: what each command is called, and in which module it lives."""

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.modules = modules

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the words; help and version are printed here."""
        with _reader_may_go():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _reader_may_go():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the table."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if name not in self.modules:
            return None
        module = importlib.import_module(f"sapper.cli.{self.modules[name]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command


@contextmanager
def _reader_may_go() -> Iterator[None]:
    # click would take a BrokenPipeError for a failure.
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None
