"""`sapper.generate`, and the registry of layout generators that games use after the first click."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, overload

from sapper.board.layout import Layout
from sapper.board.random_layout import GeneratedLayout, random_layout
from sapper.board.random_stream import check_seed, random_seed
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel
from sapper.games.setup import PLAIN_GENERATOR, LayoutGenerators, LayoutSource
from sapper.generators.no_guess import NoGuessLayout, NoGuessOptions, no_guess_layouts
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.values import check_type


@overload
def generate(
    rules: Rules | str,
    seed: int | None = ...,
    first: int | str | None = ...,
    *,
    rule: str | None = ...,
    tiling: str | None = ...,
    no_guess: Literal[False] = ...,
    budget: Budget = ...,
    cancel: Cancel | None = ...,
) -> GeneratedLayout: ...
@overload
def generate(
    rules: Rules | str,
    seed: int | None = ...,
    first: int | str | None = ...,
    *,
    rule: str | None = ...,
    tiling: str | None = ...,
    no_guess: Literal[True] | NoGuessOptions,
    budget: Budget = ...,
    cancel: Cancel | None = ...,
) -> NoGuessLayout: ...
def generate(
    rules: Rules | str,
    seed: int | None = None,
    first: int | str | None = None,
    *,
    rule: str | None = None,
    tiling: str | None = None,
    no_guess: bool | NoGuessOptions = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> GeneratedLayout:
    """Generate the layout of a seed, uniformly from all layouts that the rule allows.

    *rules* is Rules, a level or a size such as 30x16/99; *rule* is any, safe or zero.
    *first* is the first click, by default the middle of the board. The seed is random by default.

    With *no_guess*, certain moves alone win the game from the first click; pass NoGuessOptions to
    ask for a difficulty, a range of 3BV or a method. *budget* limits that search. Raises
    OutOfBudget if it finds no such layout, and Unavailable if there is none.

    >>> print(generate("5x3/4", seed=1).layout)
    *....
    *.c.*
    *....
    >>> board = generate("expert", seed=1, no_guess=True)
    >>> board.method, board.difficulty, board.certificate.steps[0].difficulty
    ('rejection', 'count', 'one')
    """
    rules = Rules.of(rules, tiling, rule)
    seed = random_seed() if seed is None else check_seed(seed)
    check_type(no_guess, (bool, NoGuessOptions), "True, False or NoGuessOptions for no_guess")
    if not no_guess:
        cell = rules.first_cell(first)
        return GeneratedLayout(rules, seed, cell, random_layout(rules, seed, cell))
    options = no_guess if isinstance(no_guess, NoGuessOptions) else None
    layouts = no_guess_layouts(rules, [seed], first, options, budget=budget, cancel=cancel)
    return next(layouts)


NO_GUESS = "no-guess"

_NO_GUESS_OPTIONS = {
    NO_GUESS: NoGuessOptions(),
    f"{NO_GUESS}-without-count": NoGuessOptions(use_mine_count=False),
    **{f"{NO_GUESS}-{name}": NoGuessOptions(difficulty=name) for name in DIFFICULTIES},
}


def layout_generators(budget: Budget) -> LayoutGenerators:
    """Return all layout generators by name, with a budget for each no-guess search."""
    return {
        **PLAIN_GENERATOR,
        **{name: NoGuessGenerator(options, budget) for name, options in _NO_GUESS_OPTIONS.items()},
    }


@dataclass(frozen=True)
class NoGuessGenerator:
    """A generator of no-guess layouts for games, with a budget for each search."""

    options: NoGuessOptions
    budget: Budget

    def __call__(self, rules: Rules, seed: int) -> LayoutSource:
        """Return the function that makes the layout of a seed after the first click."""
        return partial(_no_guess_layout, self.options, self.budget, rules, seed)


def _no_guess_layout(
    options: NoGuessOptions, budget: Budget, rules: Rules, seed: int, first: int
) -> Layout:
    return next(no_guess_layouts(rules, [seed], first, options, budget=budget)).layout


LAYOUT_GENERATORS = layout_generators(DEFAULT_BUDGET)
