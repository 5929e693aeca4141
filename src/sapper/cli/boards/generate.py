"""`sapper deal`: layouts, plain or without a guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from sapper.board.random_layout import deal as deal_one
from sapper.board.rules import LEVELS, Rules
from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.input import read_rules
from sapper.cli.options import (
    board_option,
    budget_options,
    choice_option,
    combine,
    count_option,
    first_option,
    json_option,
    rule_option,
    seed_option,
    seed_range,
    size_argument,
    tiling_option,
)
from sapper.cli.output import print_json_list, print_note
from sapper.cli.workers import WorkerOptions, with_progress, worker_options_decorator
from sapper.engine.budget import Budget
from sapper.errors import NotationError
from sapper.generators.no_guess import METHODS, NoGuessOptions, find_many
from sapper.lab.runners import RUNNERS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.cells import Json
from sapper.serialize.layouts import generated_json, no_guess_json, no_guess_text

_BOUNDS = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


@dataclass(frozen=True)
class _Options:
    """The options that only boards without a guess have."""

    without_mine_count: bool
    difficulty: str | None
    or_easier: bool
    three_bv: str | None
    method: str | None
    certificate: bool


_no_guess_options = combine(
    click.option("--no-guess", is_flag=True, help="Won from the first click without a guess."),
    click.option("--without-count", is_flag=True, help="Won from the numbers alone."),
    choice_option("--difficulty", "Its hardest step exactly", DIFFICULTIES.names),
    click.option("--at-most", is_flag=True, help="--difficulty is an upper bound."),
    click.option("--3bv", "three_bv", metavar="A-B", help="Its 3BV, from A to B."),
    choice_option("--method", "How it is found", METHODS),
    click.option("--certificate", is_flag=True, help="Print the steps that win it."),
)


@click.command(
    cls=CommandWithLists, lists={"Levels": LEVELS.items(), "Runners": name_rows(RUNNERS)}
)
@size_argument
@board_option
@tiling_option
@seed_option
@first_option
@rule_option
@count_option
@_no_guess_options
@budget_options()
@worker_options_decorator
@json_option
def deal(
    size: str | None,
    board: str | None,
    tiling: str | None,
    seed: int | None,
    first: str | None,
    rule: str | None,
    count: int,
    no_guess: bool,
    budget: Budget,
    worker_options: WorkerOptions,
    as_json: bool,
    **given: Any,
) -> None:
    """Deal layouts of SIZE, a level's name or WIDTHxHEIGHT/MINES, or of any graph.

    With --no-guess a player who finds every certain move wins them from the first click.
    """
    rules = read_rules(size, board, tiling, rule)
    seeds = seed_range(seed, count)
    make: Callable[[Iterable[int]], Iterator[Any]]
    if no_guess:
        options = _Options(**given)
        wanted = _wanted(rules, options)
        make = partial(_no_guess_layouts, wanted, first, budget, options.certificate, as_json)
    else:
        _require_no_guess(given)
        make = partial(_random_layouts, rules, first, as_json)
    _print(with_progress(worker_options.map_batches(make, seeds), "layouts", count), as_json)
    print_note(f"seed {seeds[0]}" if count == 1 else f"seeds {seeds[0]} to {seeds[-1]}")


def _print(layouts: Iterator[Any], as_json: bool) -> None:
    if as_json:
        print_json_list("layouts", layouts)
        return
    for i, text in enumerate(layouts):
        click.echo(("\n" if i else "") + text)


# What workers make of seeds: all that is printed, since grading takes longer than finding.


def _random_layouts(
    rules: Rules, first: str | None, as_json: bool, seeds: Iterable[int]
) -> Iterator[Json | str]:
    for seed in seeds:
        one = deal_one(rules, seed, first)
        yield generated_json(one) if as_json else str(one.layout)


def _no_guess_layouts(
    wanted: NoGuessOptions,
    first: str | None,
    budget: Budget,
    certificate: bool,
    as_json: bool,
    seeds: Iterable[int],
) -> Iterator[Json | str]:
    for one in find_many(wanted, seeds, first, budget=budget):
        if as_json:
            yield no_guess_json(one, certificate)
        else:
            yield no_guess_text(one, certificate)


def _wanted(rules: Rules, options: _Options) -> NoGuessOptions:
    """What is asked for; what cannot be is refused before the first board."""
    return NoGuessOptions(
        rules,
        use_mine_count=not options.without_mine_count,
        difficulty=options.difficulty,
        or_easier=options.or_easier,
        three_bv=_bounds(options.three_bv),
        method=options.method,
    )


def _bounds(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = _BOUNDS.fullmatch(text)
    if match is None:
        raise NotationError(f"expected bounds of the 3BV such as 150-180, got {text!r:.60}")
    return int(match[1]), int(match[2])


def _require_no_guess(given: dict[str, Any]) -> None:
    """Options that mean something only with --no-guess are not passed over in silence."""
    for name, value in given.items():
        if value:
            option = name.replace("_", "-")
            raise NotationError(f"expected --no-guess to go with --{option}, got it alone")
