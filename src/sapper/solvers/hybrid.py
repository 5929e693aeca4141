"""The hybrid, as in the paper's own program: human-like, and backtracking when that finds nothing.

Backtracking goes component by component: components share no covered cell, so each settles its own moves, and their
solutions need not be multiplied (docs/errata.md, 17).
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
    """Finds every certain move that follows without the mine count, the easy ones first.

    Told what changed like a HumanSolver; `solutions` counts what its searches looked at.
    """

    def __init__(self, position: Position):
        self.solutions = 0
        self._human = HumanSolver(position)

    def moves(self, limit: Limit | None = None) -> list[Deduction]:
        """What the human-like algorithm finds; only when that is nothing, what backtracking does.

        Raises OutOfBudget when a component is beyond the limit and no other component moves.
        """
        limit = limit or DEFAULT_BUDGET.start()
        return self._human.moves(limit) or self._search(limit)

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._human.learn(changes)

    def _search(self, limit: Limit) -> list[Deduction]:
        found, solutions = search_components(self._human.position, limit)
        self.solutions += solutions
        return [news for deduction in found for news in self._human.believe(deduction)]


def search_components(position: Position, budget: Budget) -> tuple[list[Deduction], int]:
    """The certain moves of each component by backtracking, and how many solutions that took.

    All components share the budget.
    Raises OutOfBudget when a component is beyond the budget and no other component moves.
    """
    found = []
    solutions = 0
    limit = budget.start()
    failure: OutOfBudget | None = None
    # Small components first, so that a large one does not take the time that they need.
    for component in sorted(
        components(position), key=lambda component: sum(len(number.covered) for number in component)
    ):
        try:
            deduction = brute_solve(position, Backtracking(component, limit))
        except OutOfBudget as error:
            failure = error
            continue
        solutions += deduction.solutions or 0
        if deduction:
            found.append(deduction)
    if failure is not None and not found:
        raise failure
    return found, solutions
