"""`sapper generate`, `sapper grade` and `sapper perfect`: layouts, and how hard they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import click

from sapper.board.random_layout import GeneratedLayout
from sapper.board.random_stream import seed_range
from sapper.board.rules import BEST_FIRST, LEVELS, Rules
from sapper.cli.input import layout_argument, read_layouts, rules_options
from sapper.cli.options import (
    CommandWithLists,
    budget_options,
    bundle,
    choice_option,
    count_option,
    first_option,
    json_option,
    name_rows,
    seed_option,
)
from sapper.cli.output import print_json, print_json_list, print_note
from sapper.cli.workers import NO_WORKERS, Workers, with_progress, worker_options
from sapper.engine.budget import Budget
from sapper.errors import NotationError
from sapper.generators.grading import Grade
from sapper.generators.grading import grade as grade_layout
from sapper.generators.layouts import generate as generate_layout
from sapper.generators.no_guess import NoGuessOptions, no_guess_layouts
from sapper.generators.no_guess_search import NO_GUESS_METHODS
from sapper.lab.runners import RUNNERS
from sapper.players.perfect import perfect as find_perfect_play
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.cells import Json
from sapper.serialize.generated import layout_json, layout_text
from sapper.wording import count_text

_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)


def _no_guess_options(
    no_guess: bool,
    without_mine_count: bool,
    difficulty: str | None,
    or_easier: bool,
    three_bv: str | None,
    method: str | None,
) -> NoGuessOptions | None:
    """Return the options of no-guess boards; None without --no-guess."""
    if not no_guess:
        needs_no_guess = {
            "--without-mine-count": without_mine_count,
            "--difficulty": difficulty,
            "--or-easier": or_easier,
            "--3bv": three_bv,
            "--method": method,
        }
        for option, value in needs_no_guess.items():
            if value:
                raise NotationError(f"{option} needs --no-guess")
        return None
    if or_easier and difficulty is None:
        raise NotationError("--or-easier needs --difficulty")
    match = None if three_bv is None else _RANGE.fullmatch(three_bv)
    if three_bv is not None and match is None:
        raise NotationError(f"expected bounds of the 3BV such as 150-180, got {three_bv!r:.60}")
    bounds = None if match is None else (int(match[1]), int(match[2]))
    return NoGuessOptions(not without_mine_count, difficulty, or_easier, bounds, method)


@click.command(
    cls=CommandWithLists,
    lists={
        "Levels": LEVELS.items(),
        "Difficulties": name_rows(DIFFICULTIES),
        "Methods": NO_GUESS_METHODS.items(),
        "Runners": name_rows(RUNNERS),
    },
)
@rules_options
@first_option
@seed_option
@count_option
@bundle(
    "options",
    _no_guess_options,
    click.option("--no-guess", is_flag=True, help="No-guess boards: certain moves win."),
    click.option("--without-mine-count", is_flag=True, help="No-guess: never need the mine count."),
    choice_option("--difficulty", "No-guess: difficulty of the hardest step", DIFFICULTIES.names),
    click.option("--or-easier", is_flag=True, help="With --difficulty: also accept easier boards."),
    click.option("--3bv", "three_bv", metavar="A-B", help="No-guess: 3BV from A to B."),
    choice_option("--method", "No-guess: how the layout is found", NO_GUESS_METHODS),
)
@click.option("--certificate", is_flag=True, help="No-guess: print the steps that win.")
@budget_options()
@worker_options(NO_WORKERS)
@json_option
def generate(
    rules: Rules,
    first: str | None,
    seed: int | None,
    count: int,
    options: NoGuessOptions | None,
    certificate: bool,
    budget: Budget,
    workers: Workers,
    as_json: bool,
) -> None:
    """Generate layouts of SIZE, a level's name or WIDTHxHEIGHT/MINES, or of any graph."""
    seeds = seed_range(seed, count)
    if certificate and options is None:
        raise NotationError("--certificate needs --no-guess")
    make_layouts = partial(_formatted_layouts, rules, first, options, budget, certificate, as_json)
    output = with_progress(workers.map_batches(make_layouts, seeds), "layouts", count)
    if as_json:
        print_json_list("layouts", output)
    else:
        for i, text in enumerate(output):
            click.echo(("\n" if i else "") + text)
    print_note(f"seed {seeds[0]}" if count == 1 else f"seeds {seeds[0]} to {seeds[-1]}")


def _formatted_layouts(
    rules: Rules,
    first: str | None,
    options: NoGuessOptions | None,
    budget: Budget,
    certificate: bool,
    as_json: bool,
    seeds: Iterable[int],
) -> Iterator[Any]:
    """Yield each layout as JSON or text; workers format it too, because that is the slower part."""
    format_layout: Callable[..., Json | str] = layout_json if as_json else layout_text
    layouts: Iterable[GeneratedLayout]
    if options is None:
        layouts = (generate_layout(rules, seed, first) for seed in seeds)
    else:
        layouts = no_guess_layouts(rules, seeds, first, options, budget=budget)
    return (format_layout(layout, certificate) for layout in layouts)


@click.command(cls=CommandWithLists, lists={"Difficulties": name_rows(DIFFICULTIES)})
@layout_argument
@budget_options()
@json_option
def grade(file: str, budget: Budget, as_json: bool) -> None:
    """Grade the layout in FILE: difficulty, cells revealed at each difficulty, and guesses.

    All moves of the lowest possible difficulty are made repeatedly; when there are none, the safe
    cell of least mine probability is revealed, which counts as a guess. FILE may contain several
    layouts, also as `sapper generate --json` prints them; --json prints one line for each.
    """
    for i, layout in enumerate(read_layouts(file)):
        result = grade_layout(layout, budget=budget)
        if as_json:
            print_json(
                {
                    "difficulty": result.difficulty,
                    "revealed_by_difficulty": result.revealed_by_difficulty,
                    "guesses": result.guesses,
                }
            )
        else:
            click.echo(("\n" if i else "") + _report(result))


def _report(result: Grade) -> str:
    guesses = "1 guess" if result.guesses == 1 else f"{result.guesses:,} guesses"
    counts = result.revealed_by_difficulty
    lines = [f"{name:>6} {count_text(counts[name], 'cell')}" for name in DIFFICULTIES]
    return "\n".join([f"difficulty {result.difficulty}, {guesses}", *lines])


@click.command()
@rules_options
@click.option("--first", metavar="CELL", help="First click, such as r1c1. [default: the best]")
@budget_options(seconds=60.0)
@json_option
def perfect(rules: Rules, first: str | None, budget: Budget, as_json: bool) -> None:
    """Compute the exact chance of winning SIZE with perfect play, and the best first clicks.

    SIZE is WIDTHxHEIGHT/MINES. All layouts are enumerated, so only small boards can be solved:
    5x5/5 takes seconds.
    """
    if first is not None and first.lower() == BEST_FIRST:
        first = None
    start = perf_counter()
    result = find_perfect_play(rules, first, budget=budget)
    seconds = perf_counter() - start
    names = [rules.board.name(cell) for cell in result.first]
    if as_json:
        print_json(
            {
                "value": str(result),
                "win_rate": float(result.value),
                "first": names,
                "seconds": seconds,
                "wins": result.wins,
                "layouts": result.layouts,
                "rule": rules.rule,
            }
        )
        return
    click.echo(f"{result} = {100 * float(result.value):.4f}% of the layouts are won")
    click.echo(f"first click: {' '.join(names)}")
