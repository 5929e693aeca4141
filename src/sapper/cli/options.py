"""Options and arguments that several commands share."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from sapper.board.random_stream import parse_seed
from sapper.board.rules import LEVELS, RULES
from sapper.board.tilings import TILINGS
from sapper.engine.budget import Budget
from sapper.errors import NotationError
from sapper.players.player import Setting

CommandFunction = Callable[..., Any]
Decorator = Callable[[Any], Any]

# Help.


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


# Parameter types.


class Number(click.ParamType[float]):
    """A number, optionally within bounds."""

    name = "number"
    parse: type[float] = float

    def __init__(self, minimum: float = -math.inf, maximum: float = math.inf):
        self.minimum, self.maximum = minimum, maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a number and check its bounds."""
        try:
            number = self.parse(value)
        except ValueError:
            number = math.nan
        if not self.minimum <= number <= self.maximum:  # nan fails too
            self.fail(f"expected a {self.name}{self._bounds()}, got {value!r:.60}", param, ctx)
        return number

    def _bounds(self) -> str:
        if self.maximum < math.inf:
            return f" from {self.minimum} to {self.maximum}"
        return f" of at least {self.minimum}" if self.minimum > -math.inf else ""


class WholeNumber(Number):
    """A whole number, optionally within bounds."""

    name = "whole number"
    parse = int


class FileName(click.Path):
    """A name, which is neither empty, because that is the current folder, nor one of *refused*."""

    def __init__(self, *refused: str, path_type: type[Path] | None = None):
        super().__init__(readable=False, path_type=path_type)
        self._refused = ("", *refused)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check a name."""
        if value in self._refused:
            self.fail(f"expected the name of a file or folder, got {value!r}", param, ctx)
        return super().convert(value, param, ctx)


class Seed(click.ParamType[int]):
    """An unsigned 64-bit integer."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse a seed."""
        try:
            return parse_seed(str(value))
        except NotationError as error:
            self.fail(str(error), param, ctx)


# Building blocks.


def combine(*options: Decorator) -> Decorator:
    """Return one decorator for several options, listed by --help in this order."""

    def decorate(command: CommandFunction) -> CommandFunction:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def bundle(parameter: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Return options that a command receives as one parameter, created from them by *make*."""
    names = tuple(inspect.signature(make).parameters)

    def decorate(command: CommandFunction) -> CommandFunction:
        @wraps(command)
        def with_bundle(**values: Any) -> Any:
            value = make(**{name: values.pop(name) for name in names})
            return command(**{parameter: value}, **values)

        decorated: CommandFunction = combine(*options)(with_bundle)
        return decorated

    return decorate


def choice_option(
    flag: str,
    about: str,
    names: Iterable[str],
    default_text: str = "",
    **settings: Any,
) -> Decorator:
    """Return an option whose value is one of *names*, which --help and the shell list."""
    known = tuple(names)
    default_text = default_text or settings.get("default", "")
    text = f"{about}: {', '.join(known)}."
    text += f" [default: {default_text}]" if default_text else ""
    settings = {"metavar": "NAME", "shell_complete": complete_from(known), **settings}
    return click.option(flag, help=text, **settings)


def file_option(*flags: str, **settings: Any) -> Decorator:
    """Return an option that takes a file name, which the shell completes."""
    return click.option(*flags, **{"type": FileName(), "metavar": "FILE", **settings})


def complete_from(names: tuple[str, ...]) -> Callable[..., list[CompletionItem]]:
    """Return a shell completion function for a fixed list of words."""

    def complete(ctx: click.Context, param: click.Parameter, prefix: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names if name.startswith(prefix)]

    return complete


# Shared options.

size_argument = click.argument(
    "size", metavar="[SIZE]", required=False, shell_complete=complete_from(tuple(LEVELS))
)
board_option = file_option(
    "--board", help="Use any graph, as JSON; SIZE is then its number of mines."
)
tiling_option = choice_option("--tiling", "Board shape", TILINGS, "square")
rule_option = click.option(
    "--rule",
    metavar="NAME",
    shell_complete=complete_from(tuple(RULES)),
    help="First click: any (it may hit a mine), safe (it is not a mine) or zero (it is not next "
    "to a mine either). [default: zero]",
)
first_option = click.option(
    "--first", metavar="CELL", help="First click, such as r3c5, or best. [default: the middle cell]"
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
trust_flags_option = click.option("--trust-flags", is_flag=True, help="Treat flags as mines.")
seed_option = click.option(
    "--seed",
    type=Seed(),
    metavar="S",
    help="Random seed; the same seed gives the same result. [default: random]",
)
count_option = click.option(
    "--count",
    default=1,
    type=WholeNumber(1),
    metavar="N",
    help="How many; their seeds are S, S + 1, ... [default: 1]",
)
settings_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting of the player; may be repeated.",
)


def parse_settings(texts: Iterable[str]) -> dict[str, Setting]:
    """Return the settings of --set by name; a value that is valid JSON is read as JSON."""
    settings: dict[str, Setting] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise NotationError(f"expected a setting such as NAME=VALUE, got {text!r:.60}")
        settings[name] = value
        with suppress(ValueError):
            parsed = json.loads(value, parse_constant=str)
            settings[name] = parsed if isinstance(parsed, Setting) else value
    return settings


def budget_options(seconds: float = Budget.seconds) -> Decorator:
    """Return --seconds and --memory, passed on as one `budget`."""
    return bundle(
        "budget",
        _budget,
        click.option(
            "--seconds",
            default=seconds,
            show_default=True,
            type=Number(),
            metavar="N",
            help="Time limit of each search.",
        ),
        click.option(
            "--memory",
            default=Budget.memory / 1e9,
            show_default=True,
            type=Number(),
            metavar="GB",
            help="Memory limit of each search.",
        ),
    )


def _budget(seconds: float, memory: float) -> Budget:
    if not 0 < memory <= 1e9:
        raise NotationError(f"expected a memory limit in GB above 0 and up to 1e9, got {memory}")
    return Budget(seconds, int(memory * 1e9))
