"""Recursive backtracking (Slagle, §4.3 and §4.4): build solutions number by number.

Version 3, `backtrack`. For each number of the frontier in turn, add every set of flags that meets it
and leaves the numbers before it alone; where that cannot be done, go back.
The paper's pseudocode does not run as printed; what was mended stands in docs/errata.md, 8 to 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sapper.board.position import Position
from sapper.engine.budget import Budget
from sapper.errors import OutOfBudget
from sapper.solvers.brute_force import Solution
from sapper.solvers.strategies import Constraint, unmet_constraints

# What a slow machine manages; benchmarks/bench_papers.py measures several times as many.
CALLS_PER_SECOND = 200_000
# How many calls pass between two looks at the clock.
STRIDE = 0xFFF
# How many different states the forecast follows, at some 200 bytes each, before it gives up.
MOST_STATES = 30_000


class Backtracking:
    """The solutions of some numbers' covered cells, built up one number at a time; O(p) space.

    Raises OutOfBudget at once when the search would make too many calls.
    """

    by = "backtrack"

    def __init__(self, numbers: Sequence[Constraint], budget: Budget):
        self.numbers = tuple(constraint.cell for constraint in numbers)
        self.sets_checked = 0
        self.limit = budget.start()
        self._missing = [constraint.missing for constraint in numbers]
        self._covered = [constraint.covered for constraint in numbers]
        self._new = _newly_seen(self._covered)
        self.scope = tuple(sorted(frozenset().union(*self._covered)))
        affordable = int(self.limit.seconds * CALLS_PER_SECOND)
        calls = self.forecast(affordable)
        if calls > affordable:
            raise OutOfBudget(
                f"expected at most {affordable:,} calls for backtrack in {self.limit.seconds:g} "
                f"seconds, got a position of {len(self.scope)} covered cells in play that takes more"
            )

    def __iter__(self) -> Iterator[Solution]:
        for constraint, solution in self.calls():
            if constraint == len(self.numbers):
                # A copy: the search goes on to change its own.
                yield frozenset(solution)

    def calls(self) -> Iterator[tuple[int, set[int]]]:
        """Every call of the paper's SPHelper: the number's place in the frontier, the solution so far.

        The solution meets all numbers before that place, and contains only covered cells around them.
        The calls wait on a list, not on Python's stack, which a long frontier would overflow.
        """
        solution: set[int] = set()
        yield self._call(0, solution)
        waiting = [self._ways(0, solution)]
        chosen: list[tuple[int, ...]] = []
        while waiting:
            if len(chosen) == len(waiting):
                solution.difference_update(chosen.pop())
            flags = next(waiting[-1], None)
            if flags is None:
                waiting.pop()
                continue
            chosen.append(flags)
            solution.update(flags)
            yield self._call(len(chosen), solution)
            waiting.append(self._ways(len(chosen), solution))

    def _call(self, constraint: int, solution: set[int]) -> tuple[int, set[int]]:
        if not self.sets_checked & STRIDE:
            self._watch_the_clock(self.sets_checked)
        self.sets_checked += 1
        return constraint, solution

    def _watch_the_clock(self, calls: int) -> None:
        self.limit.check(f"{calls:,} calls of backtrack")

    def _ways(self, constraint: int, solution: set[int]) -> Iterator[tuple[int, ...]]:
        """The sets of flags to add so that a number is met; the empty one where it is met already.

        They come from the covered cells that no earlier number sees. Too many flags: no way at all.
        """
        if constraint == len(self.numbers):
            return iter(())
        lacking = self._missing[constraint] - len(solution & self._covered[constraint])
        return iter(()) if lacking < 0 else combinations(self._new[constraint], lacking)

    def forecast(self, most: int) -> int:
        """How many calls the search makes in all; only more than *most* if it is more than that.

        Calls that give the later numbers the same numbers of flags go on alike, so they are counted
        together. Where even those are too many to follow, the answer is what was counted so far.
        """
        later = self._flags_given()
        # A state is one number, in digits: the flags given to this number, to the next, and so on.
        width = max(map(len, self._covered), default=0).bit_length()
        states = {0: 1}
        calls = 1
        for constraint, new in enumerate(self._new):
            self._watch_the_clock(calls)
            # (flags given to later numbers, flags that this number still lacks) -> number of calls
            partial: dict[tuple[int, int], int] = {}
            for state, count in states.items():
                lacking = self._missing[constraint] - (state & ((1 << width) - 1))
                if 0 <= lacking <= len(new):
                    partial[state >> width, lacking] = count
            for cell in new:
                gives = sum(1 << width * (other - constraint - 1) for other in later[cell])
                step = partial.copy()
                for (state, lacking), count in partial.items():
                    if lacking:
                        key = (state + gives, lacking - 1)
                        step[key] = step.get(key, 0) + count
                partial = step
                if len(partial) > MOST_STATES:
                    return calls
            states = {state: count for (state, lacking), count in partial.items() if not lacking}
            calls += sum(states.values())
            if calls > most or not states:
                break
        return calls

    def _flags_given(self) -> dict[int, list[int]]:
        """For each covered cell the later numbers that see it, besides the one where it is decided."""
        seers: dict[int, list[int]] = {}
        for constraint, covered in enumerate(self._covered):
            for cell in covered:
                seers.setdefault(cell, []).append(constraint)
        return {cell: numbers[1:] for cell, numbers in seers.items()}


def backtrack(position: Position, budget: Budget) -> Backtracking:
    """Version 3: solutions of the whole frontier."""
    return Backtracking(
        [constraint for component in components(position) for constraint in component], budget
    )


def components(position: Position) -> list[list[Constraint]]:
    """The unmet numbers in groups that share no covered cell.

    Within a group each number stands near those before it, so that dead ends show early.
    """
    waiting = {constraint.cell: constraint for constraint in unmet_constraints(position)}
    found = []
    while waiting:
        component = [waiting.pop(next(iter(waiting)))]
        for constraint in component:
            for covered in sorted(constraint.covered):
                for other in position.board.around(covered).tolist():
                    if other in waiting:
                        component.append(waiting.pop(other))
        found.append(component)
    return found


def _newly_seen(groups: list[frozenset[int]]) -> list[tuple[int, ...]]:
    """For each group the cells that no group before it has."""
    seen: set[int] = set()
    new = []
    for group in groups:
        new.append(tuple(sorted(group - seen)))
        seen |= group
    return new
