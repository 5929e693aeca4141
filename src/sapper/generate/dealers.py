"""Ways to deal a game after the player's own first click, by the name that a saved game carries."""

from __future__ import annotations

from functools import partial
from typing import Any

from sapper.generate.no_guess.make import NoGuessRules, find
from sapper.infer.budget import DEFAULT, Budget
from sapper.infer.ladder.rungs import RUNGS
from sapper.model.game import Dealer
from sapper.model.layout import Layout
from sapper.model.rules import Rules
from sapper.play.start import DEALERS as PLAIN
from sapper.play.start import Dealers

NO_GUESS = "no-guess"


_ASKED: dict[str, dict[str, Any]] = {
    NO_GUESS: {},
    f"{NO_GUESS}-without-count": {"with_count": False},
    **{f"{NO_GUESS}-{rung.name}": {"rung": rung.name} for rung in RUNGS},
}


def dealers(budget: Budget) -> Dealers:
    """All ways to deal; a search for a layout keeps to the budget."""
    return {**PLAIN, **{name: partial(_dealer, asked, budget) for name, asked in _ASKED.items()}}


def _dealer(asked: dict[str, Any], budget: Budget, rules: Rules, seed: int) -> Dealer:
    return partial(_layout, NoGuessRules(rules, **asked), seed, budget)


def _layout(wanted: NoGuessRules, seed: int, budget: Budget, first: int) -> Layout:
    return find(wanted, seed, first, budget=budget).layout


DEALERS = dealers(DEFAULT)

DEALS: dict[str, str] = {
    "plain": "any layout",
    NO_GUESS: "won without a guess",
    f"{NO_GUESS}-without-count": "won without a guess from the numbers alone",
    **{f"{NO_GUESS}-{rung.name}": f"won without a guess; hardest: {rung.label}" for rung in RUNGS},
}
"""What each of them promises, for menus."""
