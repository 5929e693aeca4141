"""Recursive backtracking (Slagle, §4.3 and §4.4): build solutions number by number.

Version 3, `backtrack`. For each number next to the frontier in turn, add every set of mines that
satisfies it and keeps the numbers before it satisfied; where there is none, go back.
The paper's pseudocode does not run as printed; docs/errata.md, 8 to 12, lists the corrections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sapper.board.position import Position
from sapper.engine.budget import MORE_TIME, Budget
from sapper.errors import OutOfBudget
from sapper.solvers.brute_force import Solution
from sapper.solvers.strategies import Constraint, unmet_constraints

# The rate of a slow machine; benchmarks measure several times as many.
CALLS_PER_SECOND = 200_000
# Calls between two checks of the limit, minus 1.
CHECK_MASK = 0xFFF
# The most states of a forecast, about 200 bytes each.
MAX_STATES = 30_000


class Backtracking:
    """The solutions of some constraints, built one constraint at a time.

    The space is proportional to the number of covered cells.
    Raises OutOfBudget immediately if the search would make too many calls.
    """

    by = "backtrack"

    def __init__(self, constraints: Sequence[Constraint], budget: Budget):
        self.numbers = tuple(constraint.cell for constraint in constraints)
        self.sets_checked = 0
        self.limit = budget.start()
        self._missing = [constraint.missing for constraint in constraints]
        self._covered = [constraint.covered for constraint in constraints]
        self._new = _new_cells(self._covered)
        self.scope = tuple(sorted(frozenset().union(*self._covered)))
        max_calls = int(self.limit.seconds * CALLS_PER_SECOND)
        if self.forecast(max_calls) > max_calls:
            raise OutOfBudget(
                f"backtrack can make {max_calls:,} calls in {self.limit.seconds:g} s, "
                f"and the frontier of {len(self.scope)} cells takes more",
                remedy=MORE_TIME,
            )

    def __iter__(self) -> Iterator[Solution]:
        for depth, solution in self.calls():
            if depth == len(self.numbers):
                # A copy, because the search modifies its set afterwards.
                yield frozenset(solution)

    def calls(self) -> Iterator[tuple[int, set[int]]]:
        """Yield every call of the paper's SPHelper: index of the next constraint, mines so far.

        The mines satisfy all constraints before that index, and only cells of those can be mines.
        The calls are kept on a list, because a long frontier would overflow Python's stack.
        """
        solution: set[int] = set()
        yield self._call(0, solution)
        stack = [self._ways(0, solution)]
        chosen: list[tuple[int, ...]] = []
        while stack:
            if len(chosen) == len(stack):
                solution.difference_update(chosen.pop())
            flags = next(stack[-1], None)
            if flags is None:
                stack.pop()
                continue
            chosen.append(flags)
            solution.update(flags)
            yield self._call(len(chosen), solution)
            stack.append(self._ways(len(chosen), solution))

    def _call(self, depth: int, solution: set[int]) -> tuple[int, set[int]]:
        if not self.sets_checked & CHECK_MASK:
            self._check_limit(self.sets_checked)
        self.sets_checked += 1
        return depth, solution

    def _check_limit(self, calls: int) -> None:
        self.limit.check(f"{calls:,} calls of backtrack")

    def _ways(self, depth: int, solution: set[int]) -> Iterator[tuple[int, ...]]:
        """Return the sets of mines to add so that a constraint is satisfied.

        They are taken from the covered cells that no earlier constraint has. If there are too many
        mines already, there is no such set.
        """
        if depth == len(self.numbers):
            return iter(())
        still_missing = self._missing[depth] - len(solution & self._covered[depth])
        return iter(()) if still_missing < 0 else combinations(self._new[depth], still_missing)

    def forecast(self, max_calls: int) -> int:
        """Return the number of calls of the search; a lower bound if it exceeds *max_calls*.

        Calls that place the same number of mines at each later constraint continue alike, so they
        are counted together. If even those are too many, the result is the count so far.
        """
        later = self._later_constraints()
        # A state is an integer whose digits are the mines placed at this constraint, the next, ...
        width = max(map(len, self._covered), default=0).bit_length()
        states = {0: 1}
        calls = 1
        for depth, new in enumerate(self._new):
            self._check_limit(calls)
            # (mines placed at later constraints, mines that this one still needs) -> calls
            partial: dict[tuple[int, int], int] = {}
            for state, count in states.items():
                needed = self._missing[depth] - (state & ((1 << width) - 1))
                if 0 <= needed <= len(new):
                    partial[state >> width, needed] = count
            for cell in new:
                mine = sum(1 << width * (other - depth - 1) for other in later[cell])
                with_cell = partial.copy()
                for (state, needed), count in partial.items():
                    if needed:
                        key = (state + mine, needed - 1)
                        with_cell[key] = with_cell.get(key, 0) + count
                partial = with_cell
                if len(partial) > MAX_STATES:
                    return calls
            states = {state: count for (state, needed), count in partial.items() if not needed}
            calls += sum(states.values())
            if calls > max_calls or not states:
                break
        return calls

    def _later_constraints(self) -> dict[int, list[int]]:
        """Return for each cell all constraints that have it, except the first, which decides it."""
        constraints_of: dict[int, list[int]] = {}
        for index, covered in enumerate(self._covered):
            for cell in covered:
                constraints_of.setdefault(cell, []).append(index)
        return {cell: indices[1:] for cell, indices in constraints_of.items()}


def backtrack(position: Position, budget: Budget) -> Backtracking:
    """Search the solutions of the whole frontier (version 3)."""
    return Backtracking(
        [constraint for component in components(position) for constraint in component], budget
    )


def components(position: Position) -> list[list[Constraint]]:
    """Return the constraints in groups that share no covered cell.

    Within a group each constraint is close to those before it, so that dead ends appear early.
    """
    remaining = {constraint.cell: constraint for constraint in unmet_constraints(position)}
    groups = []
    while remaining:
        component = [remaining.pop(next(iter(remaining)))]
        for constraint in component:
            for covered in sorted(constraint.covered):
                for other in position.board.around(covered).tolist():
                    if other in remaining:
                        component.append(remaining.pop(other))
        groups.append(component)
    return groups


def _new_cells(groups: list[frozenset[int]]) -> list[tuple[int, ...]]:
    """Return for each group the cells that are in no earlier group."""
    seen: set[int] = set()
    new = []
    for group in groups:
        new.append(tuple(sorted(group - seen)))
        seen |= group
    return new
