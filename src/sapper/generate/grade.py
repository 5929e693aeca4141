"""How hard a layout is from its click, and how hard a frame is by its hints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sapper.generate.ascent import Ascent
from sapper.infer.budget import DEFAULT, Budget, started
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.ties import tied_for_least
from sapper.model.layout import Layout
from sapper.values import FrozenDict, need


@dataclass(frozen=True)
class Grade:
    """How hard a layout is: the hardest rung needed, cells revealed on each rung, guesses.

    The click itself and guesses are on no rung; a guess counts once, whatever it opens.
    `rung` is the lowest one where no deduction is needed at all.
    """

    rung: str
    steps: Mapping[str, int] = field(default_factory=FrozenDict)
    guesses: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", FrozenDict(self.steps))


def grade(layout: Layout, *, budget: Budget = DEFAULT) -> Grade:
    """Play a layout from its click: every move of the lowest rung that moves, again and again.

    When stuck, the truly free blank of least odds is opened (the lowest index on ties).
    Raises OutOfBudget when the whole takes longer than *budget*.
    """
    need(layout, Layout, "a layout")
    limit = started(budget)
    ascent = Ascent(layout, limit)
    counts = {rung.name: 0 for rung in RUNGS}
    used: set[str] = set()
    guesses = 0
    while ascent.left:
        limit.check(f"{ascent.left} free cells left to reveal by then")
        made = ascent.step()
        if made is None:
            ascent.open([_least_free(layout, ascent.climb)])
            guesses += 1
        else:
            step, revealed = made
            used.add(step.rung)
            counts[step.rung] += revealed
    return Grade(hardest(used), counts, guesses)


def hardest(rungs: Iterable[str]) -> str:
    """The hardest of some rungs, by name; the lowest rung of none."""
    return max(rungs, key=RUNGS.place, default=RUNGS[0].name)


def _least_free(layout: Layout, climb: Climb) -> int:
    """The truly free blank of least odds."""
    odds = climb.analysis().probability.copy()
    odds[layout.mine_mask != 0] = np.nan
    return int(tied_for_least(odds)[0])
