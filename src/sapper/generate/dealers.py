"""Ways to deal a game after the player's own first click, by the name that a saved game carries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sapper.generate.no_guess.make import NoGuessRules, find
from sapper.infer.ladder.rungs import RUNGS
from sapper.model.game import Dealer
from sapper.model.layout import Layout
from sapper.model.rules import Rules
from sapper.play.session import DEALERS as PLAIN
from sapper.play.session import Dealers

NO_GUESS = "no-guess"


def _no_guess(**asked: Any) -> Callable[[Rules, int], Dealer]:
    return lambda rules, seed: partial(_layout, NoGuessRules(rules, **asked), seed)


def _layout(wanted: NoGuessRules, seed: int, first: int) -> Layout:
    return find(wanted, seed, first).layout


DEALERS: Dealers = {
    **PLAIN,
    NO_GUESS: _no_guess(),
    f"{NO_GUESS}-without-count": _no_guess(with_count=False),
    **{f"{NO_GUESS}-{rung.name}": _no_guess(rung=rung.name) for rung in RUNGS},
}

DEALS: dict[str, str] = {
    "plain": "any layout",
    NO_GUESS: "won without a guess",
    f"{NO_GUESS}-without-count": "won without a guess from the numbers alone",
    **{f"{NO_GUESS}-{rung.name}": f"won without a guess; hardest: {rung.label}" for rung in RUNGS},
}
"""What each of them promises, for menus."""
