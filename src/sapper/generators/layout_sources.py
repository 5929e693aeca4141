"""Ways to deal a game after the player's own first click, by the name that a saved game carries."""

from __future__ import annotations

from functools import partial
from typing import Any

from sapper.board.layout import Layout
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget
from sapper.games.game import LayoutSource
from sapper.games.setup import LAYOUT_GENERATORS as PLAIN
from sapper.games.setup import LayoutGenerators
from sapper.generators.no_guess import NoGuessOptions, find
from sapper.proofs.difficulty import DIFFICULTIES

NO_GUESS = "no-guess"


_NO_GUESS_OPTIONS: dict[str, dict[str, Any]] = {
    NO_GUESS: {},
    f"{NO_GUESS}-without-count": {"use_mine_count": False},
    **{
        f"{NO_GUESS}-{difficulty.name}": {"difficulty": difficulty.name}
        for difficulty in DIFFICULTIES.values()
    },
}


def layout_generators(budget: Budget) -> LayoutGenerators:
    """All ways to deal; a search for a layout keeps to the budget."""
    return {
        **PLAIN,
        **{
            name: partial(_layout_source, asked, budget)
            for name, asked in _NO_GUESS_OPTIONS.items()
        },
    }


def _layout_source(asked: dict[str, Any], budget: Budget, rules: Rules, seed: int) -> LayoutSource:
    return partial(_layout, NoGuessOptions(rules, **asked), seed, budget)


def _layout(options: NoGuessOptions, seed: int, budget: Budget, first: int) -> Layout:
    return find(options, seed, first, budget=budget).layout


LAYOUT_GENERATORS = layout_generators(DEFAULT_BUDGET)

LAYOUT_SOURCE_LABELS: dict[str, str] = {
    "plain": "any layout",
    NO_GUESS: "won without a guess",
    f"{NO_GUESS}-without-count": "won without a guess from the numbers alone",
    **{
        f"{NO_GUESS}-{difficulty.name}": f"won without a guess; hardest: {difficulty.label}"
        for difficulty in DIFFICULTIES.values()
    },
}
"""What each of them promises, for menus."""
