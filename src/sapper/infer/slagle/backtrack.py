"""Recursive backtracking (Slagle, §4.3 and §4.4): build satisfactory placements hint by hint.

Version 3, `backtrack`. For each hint of the fringe in turn, add every set of flags that meets it
and leaves the hints before it alone; where that cannot be done, go back.
The paper's pseudocode does not run as printed; what was mended stands in docs/errata.md, 8 to 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sapper.errors import OutOfBudget
from sapper.infer.budget import Budget
from sapper.infer.slagle.brute import Placement
from sapper.infer.slagle.strategies import Hint, unmet_hints
from sapper.model.frame import Frame

# What a slow machine manages; benchmarks/bench_papers.py measures several times as many.
CALLS_PER_SECOND = 200_000
# How many calls pass between two looks at the clock.
STRIDE = 0xFFF
# How many different states the forecast follows, at some 200 bytes each, before it gives up.
MOST_STATES = 30_000


class Backtracking:
    """The satisfactory placements of some hints' blanks, built up one hint at a time; O(p) space.

    Raises OutOfBudget at once when the search would make too many calls.
    """

    by = "backtrack"

    def __init__(self, hints: Sequence[Hint], budget: Budget):
        self.hints = tuple(hint.cell for hint in hints)
        self.looked = 0
        self.limit = budget.start()
        self._need = [hint.need for hint in hints]
        self._blanks = [hint.blanks for hint in hints]
        self._new = _newly_seen(self._blanks)
        self.scope = tuple(sorted(frozenset().union(*self._blanks)))
        affordable = int(self.limit.seconds * CALLS_PER_SECOND)
        calls = self.forecast(affordable)
        if calls > affordable:
            raise OutOfBudget(
                f"expected at most {affordable:,} calls for backtrack in {self.limit.seconds:g} "
                f"seconds, got a frame of {len(self.scope)} blanks in play that takes more"
            )

    def __iter__(self) -> Iterator[Placement]:
        for hint, placement in self.calls():
            if hint == len(self.hints):
                # A copy: the search goes on to change its own.
                yield frozenset(placement)

    def calls(self) -> Iterator[tuple[int, set[int]]]:
        """Every call of the paper's SPHelper: the hint's place in the fringe, the placement so far.

        The placement meets all hints before that place, and contains only blanks around them.
        The calls wait on a list, not on Python's stack, which a long fringe would overflow.
        """
        placement: set[int] = set()
        yield self._call(0, placement)
        waiting = [self._ways(0, placement)]
        chosen: list[tuple[int, ...]] = []
        while waiting:
            if len(chosen) == len(waiting):
                placement.difference_update(chosen.pop())
            flags = next(waiting[-1], None)
            if flags is None:
                waiting.pop()
                continue
            chosen.append(flags)
            placement.update(flags)
            yield self._call(len(chosen), placement)
            waiting.append(self._ways(len(chosen), placement))

    def _call(self, hint: int, placement: set[int]) -> tuple[int, set[int]]:
        if not self.looked & STRIDE:
            self._watch_the_clock(self.looked)
        self.looked += 1
        return hint, placement

    def _watch_the_clock(self, calls: int) -> None:
        self.limit.check(f"{calls:,} calls of backtrack")

    def _ways(self, hint: int, placement: set[int]) -> Iterator[tuple[int, ...]]:
        """The sets of flags to add so that a hint is met; the empty one where it is met already.

        They come from the blanks that no earlier hint sees. Too many flags: no way at all.
        """
        if hint == len(self.hints):
            return iter(())
        lacking = self._need[hint] - len(placement & self._blanks[hint])
        return iter(()) if lacking < 0 else combinations(self._new[hint], lacking)

    def forecast(self, most: int) -> int:
        """How many calls the search makes in all; only more than *most* if it is more than that.

        Calls that give the later hints the same numbers of flags go on alike, so they are counted
        together. Where even those are too many to follow, the answer is what was counted so far.
        """
        later = self._flags_given()
        # A state is one number, in digits: the flags given to this hint, to the next, and so on.
        width = max(map(len, self._blanks), default=0).bit_length()
        states = {0: 1}
        calls = 1
        for hint, new in enumerate(self._new):
            self._watch_the_clock(calls)
            # (flags given to later hints, flags that this hint still lacks) -> number of calls
            partial: dict[tuple[int, int], int] = {}
            for state, count in states.items():
                lacking = self._need[hint] - (state & ((1 << width) - 1))
                if 0 <= lacking <= len(new):
                    partial[state >> width, lacking] = count
            for cell in new:
                gives = sum(1 << width * (other - hint - 1) for other in later[cell])
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
        """For each blank the later hints that see it, besides the one where it is decided."""
        seers: dict[int, list[int]] = {}
        for hint, blanks in enumerate(self._blanks):
            for cell in blanks:
                seers.setdefault(cell, []).append(hint)
        return {cell: hints[1:] for cell, hints in seers.items()}


def backtrack(frame: Frame, budget: Budget) -> Backtracking:
    """Version 3: placements of the whole perimeter."""
    return Backtracking([hint for front in fronts(frame) for hint in front], budget)


def fronts(frame: Frame) -> list[list[Hint]]:
    """The unmet hints in groups that share no blank.

    Within a group each hint stands near those before it, so that dead ends show early.
    """
    waiting = {hint.cell: hint for hint in unmet_hints(frame)}
    found = []
    while waiting:
        front = [waiting.pop(next(iter(waiting)))]
        for hint in front:
            for blank in sorted(hint.blanks):
                for other in frame.board.around(blank).tolist():
                    if other in waiting:
                        front.append(waiting.pop(other))
        found.append(front)
    return found


def _newly_seen(groups: list[frozenset[int]]) -> list[tuple[int, ...]]:
    """For each group the cells that no group before it has."""
    seen: set[int] = set()
    new = []
    for group in groups:
        new.append(tuple(sorted(group - seen)))
        seen |= group
    return new
