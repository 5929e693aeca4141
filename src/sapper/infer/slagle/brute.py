"""Brute force (Slagle, §4.1 and §4.2): look at every set of blanks, keep the satisfactory ones.

Version 1, `brute-board`, takes the blanks of the whole board; version 2, `brute`, those of the
perimeter only, which is enough as long as the mine count is not used (the paper's claim 1).
`brute_solve` is the paper's BruteSolve, into which every version is plugged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from sapper.errors import OutOfBudget
from sapper.infer.budget import Budget, Limit
from sapper.infer.proofs.contradictions import blame
from sapper.infer.slagle.strategies import unmet_hints
from sapper.infer.solution import Deduction
from sapper.model.frame import Frame

Placement = frozenset[int]

# What a slow machine manages; benchmarks/bench_papers.py measures several times as many.
SETS_PER_SECOND = 500_000
# How many sets pass between two looks at the clock.
STRIDE = 0xFFFF


class PlacementSearch(Protocol):
    """A lazy search for the satisfactory placements within a scope, each yielded once."""

    by: str
    """The version's name."""
    scope: tuple[int, ...]
    """The blanks that a placement may contain."""
    hints: tuple[int, ...]
    """The hints that a placement must meet."""
    looked: int
    """How many sets were looked at so far (calls made, in version 3)."""
    limit: Limit
    """What stops it, and what follows upon it."""

    def __iter__(self) -> Iterator[Placement]: ...


def brute_solve(frame: Frame, search: PlacementSearch) -> Deduction:
    """The paper's BruteSolve: what lies in all satisfactory placements, and what in none.

    Raises Contradiction where there is no satisfactory placement: the paper would then find
    every cell both a certain mine and certainly free (docs/errata.md, 5).
    """
    mines = set(search.scope)
    free = set(search.scope)
    placements = 0
    for placement in search:
        # An intersection: the newest draft prints a union here (docs/errata.md, 3).
        mines &= placement
        free -= placement
        placements += 1
    if not placements:
        raise blame(frame, *search.hints, limit=search.limit)
    return Deduction(
        search.by,
        tuple(sorted(mines)),
        tuple(sorted(free)),
        tuple(sorted(search.hints)),
        placements,
    )


class BruteForce:
    """Every set of blanks of a scope, counted through in binary; O(p) space.

    Raises OutOfBudget at once when there are too many sets to look at.
    """

    def __init__(self, by: str, frame: Frame, scope: Iterable[int], budget: Budget):
        self.by = by
        self.scope = tuple(int(cell) for cell in scope)
        self.looked = 0
        self.limit = budget.start()
        self._refuse_too_many()
        hints = unmet_hints(frame)
        self.hints = tuple(hint.cell for hint in hints)
        bit = {cell: 1 << position for position, cell in enumerate(self.scope)}
        # For each hint the blanks around it as bits, and how many of them must be mines.
        self._tests = [(sum(bit[cell] for cell in hint.blanks), hint.need) for hint in hints]

    def _refuse_too_many(self) -> None:
        most = max(1, int(self.limit.seconds * SETS_PER_SECOND)).bit_length() - 1
        if len(self.scope) > most:
            raise OutOfBudget(
                f"expected at most {most} blanks for {self.by} in {self.limit.seconds:g} seconds, "
                f"got {len(self.scope)}"
            )

    def __iter__(self) -> Iterator[Placement]:
        tests = self._tests
        for chosen in range(1 << len(self.scope)):
            if not chosen & STRIDE:
                self.limit.check(f"{chosen:,} sets of blanks looked at by {self.by}")
            for blanks, need in tests:
                if (chosen & blanks).bit_count() != need:
                    break
            else:
                self.looked = chosen + 1
                yield frozenset(
                    cell for position, cell in enumerate(self.scope) if chosen >> position & 1
                )
        self.looked = 1 << len(self.scope)


def brute_board(frame: Frame, budget: Budget) -> BruteForce:
    """Version 1: every set of blanks of the board.

    Of its blanks: the paper starts from the whole board, flags and all (docs/errata.md, 6 and 7).
    """
    return BruteForce("brute-board", frame, frame.blanks, budget)


def brute(frame: Frame, budget: Budget) -> BruteForce:
    """Version 2: every set of blanks of the perimeter."""
    return BruteForce("brute", frame, frame.perimeter, budget)
