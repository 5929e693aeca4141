"""The table of commands, and a click group that imports a command when it is needed."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from sapper.cli import interrupts
from sapper.errors import NotationError, did_you_mean

COMPLETION_VARIABLE = "_SAPPER_COMPLETE"
"""The environment variable through which a completion script requests completions."""


@dataclass(frozen=True)
class CommandEntry:
    """A command: its module in sapper.cli.commands, a line for the overview, and examples."""

    module: str
    about: str
    examples: tuple[str, str]
    """Run by a test, which creates the files that they name."""


# Commands by section, in the order of the overview.
COMMAND_SECTIONS: dict[str, dict[str, CommandEntry]] = {
    "Play and watch": {
        "play": CommandEntry(
            "serve",
            "play in the browser, with hints and explanations",
            ("sapper play", "sapper play --port 9000"),
        ),
        "serve": CommandEntry(
            "serve",
            "serve the web page without opening a browser",
            ("sapper serve --port 9000", "sapper serve --host 0.0.0.0 --data games"),
        ),
        "watch": CommandEntry(
            "watch",
            "watch a player or solver, move by move",
            ("sapper watch expert", "sapper watch 9x9/10 --seed 7 --plain"),
        ),
        "demo": CommandEntry(
            "demo",
            "watch a hard game being solved, with reasons",
            ("sapper demo", "sapper demo --pace 0"),
        ),
        "review": CommandEntry(
            "review",
            "judge a finished game: mistakes, accuracy, luck",
            ("sapper review game.txt", "sapper review game.txt --svg chart.svg"),
        ),
    },
    "Analyse a position": {
        "analyse": CommandEntry(
            "analyse",
            "safe cells, certain mines, exact mine probabilities",
            ("sapper analyse position.txt", "sapper analyse position.txt --guess thoughtful"),
        ),
        "solve": CommandEntry(
            "solve",
            "certain moves, by the solver of your choice",
            ("sapper solve position.txt", "sapper solve position.txt --solver human"),
        ),
        "explain": CommandEntry(
            "solve",
            "a smallest proof of every certain move",
            ("sapper explain position.txt", "sapper explain position.txt --cell r3c1"),
        ),
        "hint": CommandEntry(
            "solve",
            "help when you are stuck, with as much detail as you want",
            ("sapper hint position.txt", "sapper hint position.txt --detail 3"),
        ),
        "read": CommandEntry(
            "read",
            "read a position from a screenshot",
            ("sapper read screenshot.png", "sapper read screenshot.png --mines 10 -o position.txt"),
        ),
        "show": CommandEntry(
            "show",
            "draw a position or a layout",
            ("sapper show position.txt", "sapper show position.txt --svg position.svg"),
        ),
        "convert": CommandEntry(
            "show",
            "convert a position to another program's format",
            ("sapper convert position.txt --to json", "sapper convert layout.txt --to mbf"),
        ),
    },
    "Generate boards and worksheets": {
        "generate": CommandEntry(
            "generate",
            "random layouts, also no-guess boards",
            ("sapper generate expert --seed 1", "sapper generate 16x16/40 --no-guess --first r4c4"),
        ),
        "grade": CommandEntry(
            "generate",
            "how difficult a layout is",
            ("sapper grade layout.txt", "sapper generate 9x9/10 | sapper grade -"),
        ),
        "perfect": CommandEntry(
            "generate",
            "the exact chance of winning a small board",
            ("sapper perfect 4x4/4 --rule safe", "sapper perfect 3x3/2 --tiling hexagonal"),
        ),
        "one-click": CommandEntry(
            "one_click",
            "boards that one click wins, or why there are none",
            ("sapper one-click 5x5/10", "sapper one-click 8x8/20 --method varied --seed 3"),
        ),
        "worksheet": CommandEntry(
            "worksheets",
            "worksheets to print: puzzles, proofs, probabilities",
            (
                "sapper worksheet 8x8 --seed 2",
                "sapper worksheet 6x6 --kind proof --count 4 -o sheet.pdf",
            ),
        ),
        "puzzle": CommandEntry(
            "worksheets",
            "positions to train on: find what is certain",
            (
                "sapper puzzle --difficulty three --seed 2",
                "sapper puzzle --difficulty two --count 6 -o find.pdf",
            ),
        ),
    },
    "Measure": {
        "lab": CommandEntry(
            "lab",
            "win rates with error bars, on one machine or many",
            ("sapper lab run expert --player careful --games 1000", "sapper lab report a.db"),
        ),
    },
    "Set up": {
        "completion": CommandEntry(
            "completion",
            "shell completion of commands and options",
            ("sapper completion bash", "sapper completion fish"),
        ),
    },
}

ALIASES = {"analyze": "analyse"}

LAB_COMMANDS: dict[str, CommandEntry] = {
    "run": CommandEntry(
        "lab",
        "play a campaign, or continue one",
        (
            "sapper lab run expert --player careful --games 1000 --seed 1 --out c.db",
            "sapper lab run 9x9/10 --player thoughtful --set blend=1.0 --games 200 --out d.db",
        ),
    ),
    "report": CommandEntry(
        "lab",
        "win rates of result files, with confidence intervals",
        ("sapper lab report a.db b.db", "sapper lab report a.db --markdown"),
    ),
    "merge": CommandEntry(
        "lab",
        "merge result files",
        ("sapper lab merge a.db a2.db -o all.db", "sapper lab merge a.db a2.db -o all.db --json"),
    ),
    "compare": CommandEntry(
        "lab",
        "compare two players on the same layouts",
        ("sapper lab compare a.db b.db", "sapper lab compare a.db b.db --json"),
    ),
    "plot": CommandEntry(
        "lab",
        "plot campaigns",
        (
            "sapper lab plot a.db --kind guesses -o guesses.svg",
            "sapper lab plot a.db b.db --kind guesses -o guesses.png",
        ),
    ),
}


class Group(click.Group):
    """A click group whose commands are entries of a table, in sections."""

    def __init__(
        self, *arguments: Any, sections: Mapping[str, Mapping[str, CommandEntry]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.sections = sections

    @property
    def entries(self) -> dict[str, CommandEntry]:
        """Return all commands by name."""
        return {
            name: entry for section in self.sections.values() for name, entry in section.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of the table."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command and add its examples to its help."""
        name = ALIASES.get(name, name)
        entry = self.entries.get(name)
        if entry is None:
            return None
        module = importlib.import_module(f"sapper.cli.commands.{entry.module}")
        command: click.Command = copy.copy(getattr(module, name.replace("-", "_")))
        if not isinstance(command, click.Group):
            interrupts.raise_on_interrupt()
        command.short_help = entry.about
        examples = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in entry.examples)
        command.epilog = f"{command.epilog}\n\n{examples}" if command.epilog else examples
        return command

    def resolve_command(
        self, ctx: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a mistyped name, suggest the most similar one."""
        name = words[0]
        known = {*self.entries, *ALIASES}
        if not name.startswith("-") and name not in known and not ctx.resilient_parsing:
            suggestion = did_you_mean(name, self.entries) or f"; see {ctx.command_path} --help"
            raise NotationError(f"no such command {name!r:.60}{suggestion}")
        return super().resolve_command(ctx, words)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview from the table alone, without importing any command."""
        width = max(map(len, self.entries))
        for section, entries in self.sections.items():
            with formatter.section(section):
                formatter.write_dl(
                    [(name.ljust(width), entry.about) for name, entry in entries.items()]
                )
                if len(self.sections) > 1:
                    formatter.write_text(f"Example: {next(iter(entries.values())).examples[0]}")
