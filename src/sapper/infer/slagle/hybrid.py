"""The hybrid, as in the paper's own program: human-like, and backtracking when that finds nothing.

Backtracking goes front by front: fronts share no blank, so each settles its own moves, and their
placements need not be multiplied (docs/errata.md, 17).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

from sapper.errors import OutOfBudget
from sapper.infer.budget import Budget
from sapper.infer.slagle.backtrack import Backtracking, fronts
from sapper.infer.slagle.brute import brute_solve
from sapper.infer.slagle.human import HumanSolver
from sapper.infer.solution import Deduction
from sapper.model.frame import Frame


class HybridSolver:
    """Finds every certain move that follows without the mine count, the easy ones first.

    Told what changed like a HumanSolver; `placements` counts what its searches looked at.
    """

    def __init__(self, frame: Frame, budget: Budget | None = None):
        self.placements = 0
        self._human = HumanSolver(frame)
        self._budget = budget or Budget()

    def moves(self) -> list[Deduction]:
        """What the human-like algorithm finds; only when that is nothing, what backtracking does.

        Raises OutOfBudget when a front is beyond the budget and no other front moves.
        """
        return self._human.moves() or self._search()

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._human.learn(changes)

    def _search(self) -> list[Deduction]:
        found, placements = search_fronts(self._human.frame, self._budget)
        self.placements += placements
        return [news for deduction in found for news in self._human.believe(deduction)]


def search_fronts(frame: Frame, budget: Budget) -> tuple[list[Deduction], int]:
    """The certain moves of each front by backtracking, and how many placements that took.

    All fronts share the budget: each has the time that those before it left.
    Raises OutOfBudget when a front is beyond the budget and no other front moves.
    """
    found = []
    placements = 0
    deadline = budget.deadline()
    failure: OutOfBudget | None = None
    # Small fronts first, so that a large one does not take the time that they need.
    for front in sorted(fronts(frame), key=lambda front: sum(len(hint.blanks) for hint in front)):
        try:
            left = deadline - monotonic()
            if left <= 0:
                raise OutOfBudget(f"the search of the fronts took {budget.seconds:g} seconds")
            deduction = brute_solve(frame, Backtracking(front, replace(budget, seconds=left)))
        except OutOfBudget as error:
            failure = error
            continue
        placements += deduction.placements or 0
        if deduction:
            found.append(deduction)
    if failure is not None and not found:
        raise failure
    return found, placements
