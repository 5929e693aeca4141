"""`sapper lab`: campaigns played, kept, reported, compared and drawn."""

from __future__ import annotations

import importlib

import click

# Each lives in sapper.cli.lab.<module> under its own name, imported when it is called.
COMMANDS = ("run", "report", "merge", "compare", "plot")


class Group(click.Group):
    """A click group that imports a command when it is first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{name}"), name)
        return command


@click.group(cls=Group)
def lab() -> None:
    """Measure how strong players are: win rates with error bars, on one machine or many."""
