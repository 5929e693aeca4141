"""Groups of commands that import a command when it is first needed."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import click

from sapper.cli.commands import Command
from sapper.errors import NotationError, OutputClosed, did_you_mean


class CommandWithLists(click.Command):
    """A command whose help lists what some of its options choose from, a line for each."""

    def __init__(
        self, *arguments: Any, lists: Mapping[str, Iterable[tuple[str, str]]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.lists = {title: tuple(rows) for title, rows in lists.items()}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The lists, then the examples."""
        for title, rows in self.lists.items():
            with formatter.section(title):
                formatter.write_dl(rows)
        super().format_epilog(ctx, formatter)


class NamedRow(Protocol):
    """A row of a registry with a description."""

    @property
    def name(self) -> str:
        """What users call it."""

    @property
    def about(self) -> str:
        """What it is."""


def name_rows(registry: Mapping[str, NamedRow]) -> Iterator[tuple[str, str]]:
    """Return the name and the description of each row, for a `CommandWithLists`."""
    return ((row.name, row.about) for row in registry.values())


class Group(click.Group):
    """A click group over families of commands, each a row that names the module it lives in."""

    def __init__(
        self, *arguments: Any, sections: Mapping[str, Mapping[str, Command]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.sections = sections

    @property
    def rows(self) -> dict[str, Command]:
        """All commands by name."""
        return {name: row for section in self.sections.values() for name, row in section.items()}

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the words; help and version are printed here."""
        with _translate_broken_pipe():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _translate_broken_pipe():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the table."""
        return list(self.rows)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported now, with its examples below its help."""
        row = self.rows.get(name)
        if row is None:
            return None
        module = importlib.import_module(f"sapper.cli.{row.module}")
        command: click.Command = copy.copy(getattr(module, name.replace("-", "_")))
        command.short_help = row.about
        examples = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in row.examples)
        command.epilog = f"{command.epilog}\n\n{examples}" if command.epilog else examples
        return command

    def resolve_command(
        self, ctx: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Which command is meant; a mistyped one is refused with the nearest."""
        name = words[0]
        if not name.startswith("-") and name not in self.rows and not ctx.resilient_parsing:
            suggestion = did_you_mean(name, self.rows) or f"; see {ctx.command_path} --help"
            raise NotationError(f"no such command {name!r:.60}{suggestion}")
        return super().resolve_command(ctx, words)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, from the table alone: nothing is imported, and no line is cut off."""
        width = max(map(len, self.rows))
        for section, rows in self.sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), row.about) for name, row in rows.items()])
                if len(self.sections) > 1:
                    formatter.write_text(f"Example: {next(iter(rows.values())).examples[0]}")


@contextmanager
def _translate_broken_pipe() -> Iterator[None]:
    # click would take a BrokenPipeError for a failure.
    try:
        yield
    except BrokenPipeError:
        raise OutputClosed from None
