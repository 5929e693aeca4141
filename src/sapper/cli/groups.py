"""Click groups that import a command when it is first needed."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from sapper.cli import interrupts
from sapper.cli.commands import ALIASES, Command
from sapper.errors import NotationError, did_you_mean

COMPLETION_VARIABLE = "_SAPPER_COMPLETE"
"""The environment variable by which the script of a shell asks for completions."""


class CommandWithLists(click.Command):
    """A command whose help lists the values that some of its options take, one per line."""

    def __init__(
        self, *arguments: Any, lists: Mapping[str, Iterable[tuple[str, str]]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.lists = {title: tuple(rows) for title, rows in lists.items()}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists, then the examples."""
        for title, rows in self.lists.items():
            with formatter.section(title):
                formatter.write_dl(rows)
        super().format_epilog(ctx, formatter)


def name_rows(registry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the description of each entry of a registry, for `CommandWithLists`."""
    return ((entry.name, entry.about) for entry in registry.values())


class Group(click.Group):
    """A click group whose commands are rows of a table, in sections."""

    def __init__(
        self, *arguments: Any, sections: Mapping[str, Mapping[str, Command]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.sections = sections

    @property
    def rows(self) -> dict[str, Command]:
        """Return all commands by name."""
        return {name: row for section in self.sections.values() for name, row in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of the table."""
        return list(self.rows)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command and add its examples to its help."""
        name = ALIASES.get(name, name)
        row = self.rows.get(name)
        if row is None:
            return None
        module = importlib.import_module(f"sapper.cli.{row.module}")
        command: click.Command = copy.copy(getattr(module, name.replace("-", "_")))
        if not isinstance(command, click.Group):
            interrupts.raise_error()
        command.short_help = row.about
        examples = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in row.examples)
        command.epilog = f"{command.epilog}\n\n{examples}" if command.epilog else examples
        return command

    def resolve_command(
        self, ctx: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a mistyped name, suggest the most similar one."""
        name = words[0]
        known = {*self.rows, *ALIASES}
        if not name.startswith("-") and name not in known and not ctx.resilient_parsing:
            suggestion = did_you_mean(name, self.rows) or f"; see {ctx.command_path} --help"
            raise NotationError(f"no such command {name!r:.60}{suggestion}")
        return super().resolve_command(ctx, words)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview from the table alone, without importing any command."""
        width = max(map(len, self.rows))
        for section, rows in self.sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), row.about) for name, row in rows.items()])
                if len(self.sections) > 1:
                    formatter.write_text(f"Example: {next(iter(rows.values())).examples[0]}")
