"""The hybrid, as in the paper's own program: human-like, and backtracking when that finds nothing.

Backtracking goes front by front: fronts share no blank, so each settles its own moves, and their
placements need not be multiplied (docs/errata.md, 17).
"""

from __future__ import annotations

from collections.abc import Mapping

from sapper.errors import OutOfBudget
from sapper.infer.budget import DEFAULT, Budget, Limit
from sapper.infer.slagle.backtrack import Backtracking, fronts
from sapper.infer.slagle.brute import brute_solve
from sapper.infer.slagle.human import HumanSolver
from sapper.infer.solution import Deduction
from sapper.model.frame import Frame


class HybridSolver:
    """Finds every certain move that follows without the mine count, the easy ones first.

    Told what changed like a HumanSolver; `placements` counts what its searches looked at.
    """

    def __init__(self, frame: Frame):
        self.placements = 0
        self._human = HumanSolver(frame)

    def moves(self, limit: Limit | None = None) -> list[Deduction]:
        """What the human-like algorithm finds; only when that is nothing, what backtracking does.

        Raises OutOfBudget when a front is beyond the limit and no other front moves.
        """
        limit = limit or DEFAULT.start()
        return self._human.moves(limit) or self._search(limit)

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._human.learn(changes)

    def _search(self, limit: Limit) -> list[Deduction]:
        found, placements = search_fronts(self._human.frame, limit)
        self.placements += placements
        return [news for deduction in found for news in self._human.believe(deduction)]


def search_fronts(frame: Frame, budget: Budget) -> tuple[list[Deduction], int]:
    """The certain moves of each front by backtracking, and how many placements that took.

    All fronts share the budget.
    Raises OutOfBudget when a front is beyond the budget and no other front moves.
    """
    found = []
    placements = 0
    limit = budget.start()
    failure: OutOfBudget | None = None
    # Small fronts first, so that a large one does not take the time that they need.
    for front in sorted(fronts(frame), key=lambda front: sum(len(hint.blanks) for hint in front)):
        try:
            deduction = brute_solve(frame, Backtracking(front, limit))
        except OutOfBudget as error:
            failure = error
            continue
        placements += deduction.placements or 0
        if deduction:
            found.append(deduction)
    if failure is not None and not found:
        raise failure
    return found, placements
