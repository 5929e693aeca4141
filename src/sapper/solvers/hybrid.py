"""The hybrid of the paper's program: human-like, and backtracking when that finds nothing.

Backtracking works component by component: components share no covered cell, so each decides its own
moves, and their solutions need not be multiplied (docs/errata.md, 17).
"""

from __future__ import annotations

from collections.abc import Mapping

from sapper.board.position import Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit
from sapper.errors import OutOfBudget
from sapper.solvers.backtracking import Backtracking, components
from sapper.solvers.brute_force import brute_solve
from sapper.solvers.human import HumanSolver
from sapper.solvers.result import Deduction


class HybridSolver:
    """Finds every move that is certain without the mine count, the easy ones first.

    `solutions_checked` counts the solutions that its searches enumerated.
    """

    def __init__(self, position: Position):
        self.solutions_checked = 0
        self._human = HumanSolver(position)

    def moves(self, limit: Limit | None = None) -> list[Deduction]:
        """Return what the human-like algorithm finds, else what backtracking finds.

        Raises OutOfBudget if a component exceeds the limit and no other one has a certain move.
        """
        limit = limit or DEFAULT_BUDGET.start()
        if deductions := self._human.moves(limit):
            return deductions
        found, checked = search_components(self._human.position, limit)
        self.solutions_checked += checked
        return [new for deduction in found for new in self._human.record(deduction)]

    def update(self, changes: Mapping[int, int]) -> None:
        """Set new marks, as `HumanSolver.update` does."""
        self._human.update(changes)


def search_components(position: Position, budget: Budget) -> tuple[list[Deduction], int]:
    """Return the certain moves of each component by backtracking, and the solutions enumerated.

    All components share the budget.
    Raises OutOfBudget if a component exceeds the budget and no other one has a certain move.
    """
    deductions = []
    checked = 0
    limit = budget.start()
    failure: OutOfBudget | None = None
    # Small components first, so that a large one does not use up their time.
    for component in sorted(components(position), key=lambda c: sum(len(n.covered) for n in c)):
        try:
            deduction = brute_solve(position, Backtracking(component, limit))
        except OutOfBudget as error:
            failure = error
            continue
        checked += deduction.solutions_checked or 0
        if deduction:
            deductions.append(deduction)
    if failure is not None and not deductions:
        raise failure
    return deductions, checked
