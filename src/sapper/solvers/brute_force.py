"""Brute force (Slagle, §4.1 and §4.2): check every set of covered cells, keep the solutions.

Version 1, `brute-board`, uses the covered cells of the whole board; version 2, `brute`, those of
the frontier only, which is enough as long as the mine count is not used (the paper's claim 1).
`brute_solve` is the paper's BruteSolve, which takes any version of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from sapper.board.position import Position
from sapper.engine.budget import MORE_TIME, Budget, Limit
from sapper.engine.conflicts import solver_contradiction
from sapper.errors import OutOfBudget
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import unmet_constraints

Solution = frozenset[int]

# The rate of a slow machine; benchmarks measure several times as many.
SETS_PER_SECOND = 500_000
# Sets between two checks of the limit, minus 1.
CHECK_MASK = 0xFFFF


class SolutionSearch(Protocol):
    """A lazy search for the solutions within a scope, each yielded once."""

    by: str
    """The version's name."""
    scope: tuple[int, ...]
    """The covered cells that a solution may contain."""
    numbers: tuple[int, ...]
    """The cells of the numbers that a solution must satisfy."""
    sets_checked: int
    """How many sets were checked so far (calls made, in version 3)."""
    limit: Limit
    """The limit of the search."""

    def __iter__(self) -> Iterator[Solution]: ...


def brute_solve(position: Position, search: SolutionSearch) -> Deduction:
    """Find the cells that are mines in all solutions, and those in none (the paper's BruteSolve).

    Raises Contradiction if there is no solution: the paper would then report every cell both as a
    certain mine and as safe (docs/errata.md, 5).
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
    """All sets of cells of a scope, enumerated in binary.

    The space is proportional to the number of cells.
    Raises OutOfBudget immediately if there are too many sets.
    """

    def __init__(self, by: str, position: Position, scope: Iterable[int], budget: Budget):
        self.by = by
        self.scope = tuple(int(cell) for cell in scope)
        self.sets_checked = 0
        self.limit = budget.start()
        self._check_size()
        constraints = unmet_constraints(position)
        self.numbers = tuple(constraint.cell for constraint in constraints)
        bit = {cell: 1 << i for i, cell in enumerate(self.scope)}
        # For each number the covered cells around it as bits, and how many of them must be mines.
        self._tests = [
            (sum(bit[cell] for cell in constraint.covered), constraint.missing)
            for constraint in constraints
        ]

    def _check_size(self) -> None:
        max_cells = max(1, int(self.limit.seconds * SETS_PER_SECOND)).bit_length() - 1
        if len(self.scope) > max_cells:
            raise OutOfBudget(
                f"{self.by} can search {max_cells} covered cells in {self.limit.seconds:g} s, "
                f"and the position has {len(self.scope)}",
                remedy=MORE_TIME,
            )

    def __iter__(self) -> Iterator[Solution]:
        tests = self._tests
        for chosen in range(1 << len(self.scope)):
            if not chosen & CHECK_MASK:
                self.limit.check(f"{chosen:,} sets of covered cells checked by {self.by}")
            for covered, missing in tests:
                if (chosen & covered).bit_count() != missing:
                    break
            else:
                self.sets_checked = chosen + 1
                yield frozenset(cell for i, cell in enumerate(self.scope) if chosen >> i & 1)
        self.sets_checked = 1 << len(self.scope)


def brute_board(position: Position, budget: Budget) -> BruteForce:
    """Search all sets of covered cells of the board (version 1).

    The paper starts from all cells of the board, with flags (docs/errata.md, 6 and 7).
    """
    return BruteForce("brute-board", position, position.covered, budget)


def brute(position: Position, budget: Budget) -> BruteForce:
    """Search all sets of covered cells of the frontier (version 2)."""
    return BruteForce("brute", position, position.frontier, budget)
