"""`sapper deal`: layouts, plain or without a guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from sapper.answers.layouts import deal_json, no_guess_json, no_guess_text
from sapper.answers.spelling import Json
from sapper.cli.groups import Listing, described
from sapper.cli.options import (
    board_option,
    budget_options,
    count_option,
    first_option,
    json_option,
    name_option,
    rule_option,
    seed_option,
    seeds_of,
    size_argument,
    tiling_option,
    together,
)
from sapper.cli.progress import Workforce, runner_options, watched
from sapper.cli.reading import read_rules
from sapper.cli.writing import note, print_json_list
from sapper.errors import NotationError
from sapper.generate.no_guess.make import METHODS, NoGuessRules, find_many
from sapper.infer.budget import Budget
from sapper.infer.ladder.rungs import RUNGS
from sapper.lab.runners import RUNNERS
from sapper.model.deal import deal as deal_one
from sapper.model.rules import LEVELS, Rules

_BOUNDS = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


@dataclass(frozen=True)
class _Options:
    """The options that only boards without a guess have."""

    without_count: bool
    rung: str | None
    at_most: bool
    bbbv: str | None
    method: str | None
    certificate: bool


_no_guess_options = together(
    click.option("--no-guess", is_flag=True, help="Won from the first click without a guess."),
    click.option("--without-count", is_flag=True, help="Won from the hints alone."),
    name_option("--rung", "Its hardest step exactly", RUNGS.names),
    click.option("--at-most", is_flag=True, help="--rung is an upper bound."),
    click.option("--bbbv", metavar="A-B", help="Its 3BV, from A to B."),
    name_option("--method", "How it is found", METHODS),
    click.option("--certificate", is_flag=True, help="Print the steps that win it."),
)


@click.command(cls=Listing, lists={"Levels": LEVELS.items(), "Runners": described(RUNNERS)})
@size_argument
@board_option
@tiling_option
@seed_option
@first_option
@rule_option
@count_option
@_no_guess_options
@budget_options()
@runner_options
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
    workforce: Workforce,
    as_json: bool,
    **given: Any,
) -> None:
    """Deal layouts of SIZE, a level's name or WIDTHxHEIGHT/MINES, or of any graph.

    With --no-guess a player who finds every certain move wins them from the first click.
    """
    rules = read_rules(size, board, tiling, rule)
    seeds = seeds_of(seed, count)
    make: Callable[[Iterable[int]], Iterator[Any]]
    if no_guess:
        options = _Options(**given)
        wanted = _wanted(rules, options)
        make = partial(_boards, wanted, first, budget, options.certificate, as_json)
    else:
        _refuse_alone(given)
        make = partial(_deals, rules, first, as_json)
    _print(watched(workforce.spread(make, seeds), "layouts", count), as_json)
    note(f"seed {seeds[0]}" if count == 1 else f"seeds {seeds[0]} to {seeds[-1]}")


def _print(layouts: Iterator[Any], as_json: bool) -> None:
    if as_json:
        print_json_list("layouts", layouts)
        return
    for i, text in enumerate(layouts):
        click.echo(("\n" if i else "") + text)


# What workers make of seeds: all that is printed, since grading takes longer than finding.


def _deals(
    rules: Rules, first: str | None, as_json: bool, seeds: Iterable[int]
) -> Iterator[Json | str]:
    for seed in seeds:
        one = deal_one(rules, seed, first)
        yield deal_json(one) if as_json else str(one.layout)


def _boards(
    wanted: NoGuessRules,
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


def _wanted(rules: Rules, options: _Options) -> NoGuessRules:
    """What is asked for; what cannot be is refused before the first board."""
    return NoGuessRules(
        rules,
        with_count=not options.without_count,
        rung=options.rung,
        at_most=options.at_most,
        bbbv=_bounds(options.bbbv),
        method=options.method,
    )


def _bounds(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = _BOUNDS.fullmatch(text)
    if match is None:
        raise NotationError(f"expected bounds of the 3BV such as 150-180, got {text!r:.60}")
    return int(match[1]), int(match[2])


def _refuse_alone(given: dict[str, Any]) -> None:
    """Options that mean something only with --no-guess are not passed over in silence."""
    for name, value in given.items():
        if value:
            option = name.replace("_", "-")
            raise NotationError(f"expected --no-guess to go with --{option}, got it alone")
