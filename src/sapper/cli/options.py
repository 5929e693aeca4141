"""The options and arguments that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import click
from click.shell_completion import CompletionItem

from sapper.board.random_stream import SEEDS, parse_seed, random_seed
from sapper.board.rules import LEVELS, RULES
from sapper.board.tilings import TILINGS
from sapper.cli.number_types import Number, WholeNumber
from sapper.engine.budget import Budget
from sapper.errors import NotationError, RulesError

Command = Callable[..., Any]
Decorator = Callable[[Any], Any]


def combine(*options: Decorator) -> Decorator:
    """Several options as one decorator; the help lists them in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def choice_option(
    flag: str,
    about: str,
    names: Iterable[str],
    usual: str = "",
    into: str | None = None,
    **more: Any,
) -> Decorator:
    """An option that is one of some names: the help lists them, and the shell completes them.

    The command is given it as *into* where its own name is no name in Python.
    """
    known = tuple(names)
    usual = usual or more.get("default", "")
    words = f"{about}: {', '.join(known)}." + (f" [{usual}]" if usual else "")
    settings = {"metavar": "NAME", "shell_complete": complete_from(known), **more}
    flags = (flag,) if into is None else (flag, into)
    return click.option(*flags, help=words, **settings)


def file_option(*flags: str, **settings: Any) -> Decorator:
    """An option that names a file, which the shell completes."""
    return click.option(*flags, shell_complete=complete_files, **{"metavar": "FILE", **settings})


def complete_from(names: tuple[str, ...]) -> Callable[..., list[CompletionItem]]:
    """The completion of a word that is one of these."""

    def complete(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names if name.startswith(begun)]

    return complete


def complete_files(*_: object) -> list[CompletionItem]:
    """Leave the completion of a file to the shell."""
    return [CompletionItem("", type="file")]


size_argument = click.argument(
    "size", metavar="[SIZE]", required=False, shell_complete=complete_from(tuple(LEVELS))
)
board_option = file_option("--board", help="Any graph, as JSON; SIZE is then its number of mines.")
tiling_option = choice_option("--tiling", "The board", TILINGS, "square")
rule_option = choice_option("--rule", "What the first click is promised", RULES, "zero")
first_option = click.option(
    "--first", metavar="CELL", help="The first click, such as r3c5, or best. [the middle cell]"
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


class Seed(click.ParamType[int]):
    """An unsigned 64-bit integer."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a seed."""
        try:
            return parse_seed(str(value))
        except NotationError as error:
            self.fail(str(error), param, ctx)


seed_option = click.option("--seed", type=Seed(), metavar="S", help="Which one. [a fresh one]")
count_option = click.option(
    "--count", default=1, type=WholeNumber(1), metavar="N", help="How many; seeds S, S + 1, ... [1]"
)


def seed_range(seed: int | None, count: int) -> range:
    """The seeds of so many, from a fresh one on unless it is given."""
    start = random_seed() if seed is None else seed
    if start + count > SEEDS:
        raise RulesError(f"expected seeds below {SEEDS}, got {start} + {count - 1}")
    return range(start, start + count)


def budget_options(seconds: float = Budget.seconds) -> Decorator:
    """--seconds and --memory, which the command is given as one `budget`."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_budget(*, seconds: float, memory: float, **given: Any) -> Any:
            return command(budget=_budget(seconds, memory), **given)

        decorated: Command = with_options(with_budget)
        return decorated

    with_options = combine(
        click.option(
            "--seconds",
            default=seconds,
            show_default=True,
            type=Number(),
            metavar="N",
            help="Time that a search may take.",
        ),
        click.option(
            "--memory",
            default=Budget.memory / 1e9,
            show_default=True,
            type=Number(),
            metavar="GB",
            help="Gigabytes that a search may take.",
        ),
    )
    return decorate


def _budget(seconds: float, memory: float) -> Budget:
    if not 0 < memory <= 1e9:
        raise NotationError(f"expected gigabytes above 0 up to 1e9, got {memory}")
    return Budget(seconds, int(memory * 1e9))
