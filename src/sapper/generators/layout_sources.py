"""Ways to generate the layout of a game after its first click, by the name in a saved game."""

from __future__ import annotations

from functools import partial

from sapper.board.layout import Layout
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget
from sapper.games.game import LayoutSource
from sapper.games.setup import LAYOUT_GENERATORS as PLAIN
from sapper.games.setup import LayoutGenerators
from sapper.generators.no_guess import NoGuessOptions, no_guess_layouts
from sapper.proofs.difficulty import DIFFICULTIES

NO_GUESS = "no-guess"

_OPTIONS = {
    NO_GUESS: NoGuessOptions(),
    f"{NO_GUESS}-without-count": NoGuessOptions(use_mine_count=False),
    **{f"{NO_GUESS}-{name}": NoGuessOptions(difficulty=name) for name in DIFFICULTIES},
}


def layout_generators(budget: Budget) -> LayoutGenerators:
    """Return all ways to generate a layout, with a budget for the searches."""
    return {
        **PLAIN,
        **{name: partial(_source, options, budget) for name, options in _OPTIONS.items()},
    }


def _source(options: NoGuessOptions, budget: Budget, rules: Rules, seed: int) -> LayoutSource:
    return partial(_layout, options, budget, rules, seed)


def _layout(options: NoGuessOptions, budget: Budget, rules: Rules, seed: int, first: int) -> Layout:
    return next(no_guess_layouts(rules, [seed], first, options, budget=budget)).layout


LAYOUT_GENERATORS = layout_generators(DEFAULT_BUDGET)

LAYOUT_LABELS: dict[str, str] = {
    "plain": "any layout",
    NO_GUESS: "no-guess",
    f"{NO_GUESS}-without-count": "no-guess, without the mine count",
    **{
        f"{NO_GUESS}-{difficulty.name}": f"no-guess; hardest: {difficulty.label}"
        for difficulty in DIFFICULTIES.values()
    },
}
"""A description of each way, for menus."""
