"""Brute force (Slagle, §4.1 and §4.2): look at every set of covered cells, keep the satisfactory ones.

Version 1, `brute-board`, takes the covered cells of the whole board; version 2, `brute`, those of the
frontier only, which is enough as long as the mine count is not used (the paper's claim 1).
`brute_solve` is the paper's BruteSolve, into which every version is plugged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from sapper.board.position import Position
from sapper.engine.budget import Budget, Limit
from sapper.engine.conflicts import solver_contradiction
from sapper.errors import OutOfBudget
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import unmet_constraints

Solution = frozenset[int]

# What a slow machine manages; benchmarks/bench_papers.py measures several times as many.
SETS_PER_SECOND = 500_000
# How many sets pass between two looks at the clock.
STRIDE = 0xFFFF


class SolutionSearch(Protocol):
    """A lazy search for the solutions within a scope, each yielded once."""

    by: str
    """The version's name."""
    scope: tuple[int, ...]
    """The covered cells that a solution may contain."""
    numbers: tuple[int, ...]
    """The numbers that a solution must meet."""
    sets_checked: int
    """How many sets were looked at so far (calls made, in version 3)."""
    limit: Limit
    """What stops it, and what follows upon it."""

    def __iter__(self) -> Iterator[Solution]: ...


def brute_solve(position: Position, search: SolutionSearch) -> Deduction:
    """The paper's BruteSolve: what lies in all solutions, and what in none.

    Raises Contradiction where there is no solution: the paper would then find
    every cell both a certain mine and certainly free (docs/errata.md, 5).
    """
    mines = set(search.scope)
    safe = set(search.scope)
    solutions = 0
    for solution in search:
        # An intersection: the newest draft prints a union here (docs/errata.md, 3).
        mines &= solution
        safe -= solution
        solutions += 1
    if not solutions:
        raise solver_contradiction(position, *search.numbers, limit=search.limit)
    return Deduction(
        search.by,
        tuple(sorted(mines)),
        tuple(sorted(safe)),
        tuple(sorted(search.numbers)),
        solutions,
    )


class BruteForce:
    """Every set of covered cells of a scope, counted through in binary; O(p) space.

    Raises OutOfBudget at once when there are too many sets to look at.
    """

    def __init__(self, by: str, position: Position, scope: Iterable[int], budget: Budget):
        self.by = by
        self.scope = tuple(int(cell) for cell in scope)
        self.sets_checked = 0
        self.limit = budget.start()
        self._refuse_too_many()
        numbers = unmet_constraints(position)
        self.numbers = tuple(constraint.cell for constraint in numbers)
        bit = {cell: 1 << place for place, cell in enumerate(self.scope)}
        # For each number the covered cells around it as bits, and how many of them must be mines.
        self._tests = [
            (sum(bit[cell] for cell in constraint.covered), constraint.missing)
            for constraint in numbers
        ]

    def _refuse_too_many(self) -> None:
        most = max(1, int(self.limit.seconds * SETS_PER_SECOND)).bit_length() - 1
        if len(self.scope) > most:
            raise OutOfBudget(
                f"expected at most {most} covered cells for {self.by} in {self.limit.seconds:g} seconds, "
                f"got {len(self.scope)}"
            )

    def __iter__(self) -> Iterator[Solution]:
        tests = self._tests
        for chosen in range(1 << len(self.scope)):
            if not chosen & STRIDE:
                self.limit.check(f"{chosen:,} sets of covered cells looked at by {self.by}")
            for covered, missing in tests:
                if (chosen & covered).bit_count() != missing:
                    break
            else:
                self.sets_checked = chosen + 1
                yield frozenset(
                    cell for place, cell in enumerate(self.scope) if chosen >> place & 1
                )
        self.sets_checked = 1 << len(self.scope)


def brute_board(position: Position, budget: Budget) -> BruteForce:
    """Version 1: every set of covered cells of the board.

    Of its covered cells: the paper starts from the whole board, flags and all (docs/errata.md, 6 and 7).
    """
    return BruteForce("brute-board", position, position.covered, budget)


def brute(position: Position, budget: Budget) -> BruteForce:
    """Version 2: every set of covered cells of the frontier."""
    return BruteForce("brute", position, position.frontier, budget)
