"""How hard a layout is from its click, and how hard a position is by its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sapper.board.layout import Layout
from sapper.engine.budget import DEFAULT_BUDGET, Budget, start_limit
from sapper.engine.probabilities import tied_for_least
from sapper.generators.playthrough import Playthrough
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.steps import StepFinder
from sapper.values import FrozenDict, check_type


@dataclass(frozen=True)
class Grade:
    """How hard a layout is: the hardest difficulty needed, cells revealed on each difficulty, guesses.

    The click itself and guesses are on no difficulty; a guess counts once, whatever it opens.
    `difficulty` is the lowest one where no deduction is needed at all.
    """

    difficulty: str
    steps: Mapping[str, int] = field(default_factory=FrozenDict)
    guesses: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", FrozenDict(self.steps))


def grade(layout: Layout, *, budget: Budget = DEFAULT_BUDGET) -> Grade:
    """Play a layout from its click: every move of the lowest difficulty that moves, again and again.

    When stuck, the truly free covered cell of least probability is opened (the lowest index on ties).
    Raises OutOfBudget when the whole takes longer than *budget*.
    """
    check_type(layout, Layout, "a layout")
    limit = start_limit(budget)
    playthrough = Playthrough(layout, limit)
    counts = {difficulty.name: 0 for difficulty in DIFFICULTIES.values()}
    used: set[str] = set()
    guesses = 0
    while playthrough.left:
        limit.check(f"{playthrough.left} free cells left to reveal by then")
        made = playthrough.step()
        if made is None:
            playthrough.open([_least_free(layout, playthrough.finder)])
            guesses += 1
        else:
            step, revealed = made
            used.add(step.difficulty)
            counts[step.difficulty] += revealed
    return Grade(hardest(used), counts, guesses)


def hardest(difficulties: Iterable[str]) -> str:
    """The hardest of some difficulties, by name; the lowest difficulty of none."""
    return max(difficulties, key=DIFFICULTIES.index, default=DIFFICULTIES.names[0])


def _least_free(layout: Layout, finder: StepFinder) -> int:
    """The truly free covered cell of least probability."""
    probabilities = finder.analysis().probability.copy()
    probabilities[layout.mine_mask != 0] = np.nan
    return int(tied_for_least(probabilities)[0])
