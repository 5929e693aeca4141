"""Repairing a solution: which covered cells to flip so that given numbers are met.

A search that is told a solution flips covered cells until every hard number is met.
Some covered cell around a number that lacks mines must be flipped, and each of them is tried once;
so it ends with a solution, or with the proof that there is none that flips only unfixed covered cells.
Starting near a solution keeps it local, however large the board is.

h, b        a number, a covered cell; the mine count, where it is used, is one more number, the count_row
lack        mines that a number lacks in the solution at hand; negative where it has too many
value       1 where the solution has a mine; base is the solution that `restore` goes back to
bad         the numbers with a lack; bad_at[h] is the place of h in it, or -1
role        HARD or SOFT numbers; all others are hard where all_hard is set
fixed       covered cells that must not be flipped
box         covered cells with the same box have exactly the same numbers, so that one stands for all
group       likewise where only a few numbers are hard: a bit for each of them; otherwise 0
nodes       how many more steps the search may take; depth is how many more flips
until       when to stop, on the monotonic clock; cancel[0] stops it too; stopped: it did
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels.codes import HARD, SATISFIED, SOFT, STOPPED, UNSATISFIABLE
from cython.cimports.sapper.kernels.native import now

from sapper.kernels import view

# Steps between two looks at the clock, less one: some 0.1 ms.
STRIDE = cython.declare(cython.int, 0x3FF)

# A level of the recursion takes some 200 bytes of the C stack; plain Python allows 1,000 levels.
DEEPEST = 500


class ProofSearch:
    """The numbers and covered cells of one position, a solution on them, and all scratch memory."""

    def __init__(
        self,
        number_start: object,
        number_covered: object,
        need: object,
        covered_start: object,
        covered_number: object,
        box: object,
        count_row: cython.int,
    ) -> None:
        self.numbers = len(need)
        self.covered = len(box)
        self.count_row = count_row
        self.number_start, self.number_covered = view(number_start), view(number_covered)
        self.covered_start, self.covered_number = view(covered_start), view(covered_number)
        self.lack = view(need.copy())
        self.box = view(box)
        self.group = view(np.zeros(self.covered, dtype=np.uint64))
        for name in ("value", "base", "fixed", "is_touched"):
            setattr(self, name, view(np.zeros(self.covered, dtype=np.uint8)))
        for name in ("role", "is_taken", "is_barred"):
            setattr(self, name, view(np.zeros(self.numbers, dtype=np.uint8)))
        self.bad_count = self.touched_count = self.stack_top = self.barred_top = 0
        self.all_hard = 0
        self.depth = DEEPEST
        self.nodes = 0
        self.stopped = self.steps = 0
        self.until = np.inf
        self.cancel = view(np.zeros(1, dtype=np.int32))
        self.bad = view(np.zeros(self.numbers, dtype=np.int32))
        self.bad_at = view(np.full(self.numbers, -1, dtype=np.int32))
        self.touched = view(np.zeros(self.covered, dtype=np.int32))
        self.barred = view(np.zeros(self.covered, dtype=np.int32))
        self.stack_capacity = 4096 + 4 * self.covered
        self.stack = view(np.zeros(self.stack_capacity, dtype=np.int32))
        self.score = view(np.zeros(self.stack_capacity, dtype=np.int32))
        for h in range(self.numbers):
            if need[h]:
                self.bad[self.bad_count] = h
                self.bad_at[h] = self.bad_count
                self.bad_count += 1


@cython.cfunc
@cython.nogil
def limit_reached(s: ProofSearch) -> cython.bint:
    """Whether the limit has stopped the search; a step that asks now and then."""
    s.steps = (s.steps + 1) & STRIDE
    if s.steps == 0 and (s.cancel[0] or now() > s.until):
        s.stopped = 1
    return s.stopped


@cython.cfunc
@cython.nogil
def flip(s: ProofSearch, b: cython.int) -> cython.void:
    """Put a mine on the covered cell, or take it off."""
    k: cython.int
    h: cython.int
    last: cython.int
    change: cython.int = 1 if s.value[b] else -1
    s.value[b] = 1 - s.value[b]
    if not s.is_touched[b]:
        s.is_touched[b] = 1
        s.touched[s.touched_count] = b
        s.touched_count += 1
    for k in range(s.covered_start[b], s.covered_start[b + 1]):
        h = s.covered_number[k]
        if s.lack[h] == 0:
            s.bad_at[h] = s.bad_count
            s.bad[s.bad_count] = h
            s.bad_count += 1
        s.lack[h] += change
        if s.lack[h] == 0:
            s.bad_count -= 1
            last = s.bad[s.bad_count]
            s.bad[s.bad_at[h]] = last
            s.bad_at[last] = s.bad_at[h]
            s.bad_at[h] = -1


@cython.cfunc
@cython.nogil
def restore(s: ProofSearch) -> cython.void:
    """Go back to the base."""
    i: cython.int
    b: cython.int
    for i in range(s.touched_count):
        b = s.touched[i]
        if s.value[b] != s.base[b]:
            flip(s, b)
        s.is_touched[b] = 0
    s.touched_count = 0


@cython.cfunc
@cython.nogil
def flip_cost(s: ProofSearch, b: cython.int) -> cython.int:
    """How many more numbers are not met after a flip."""
    k: cython.int
    lack: cython.int
    change: cython.int = 1 if s.value[b] else -1
    worse: cython.int = 0
    for k in range(s.covered_start[b], s.covered_start[b + 1]):
        lack = s.lack[s.covered_number[k]]
        if lack == 0:
            worse += 1
        elif lack + change == 0:
            worse -= 1
    return worse


@cython.cfunc
@cython.nogil
def are_equivalent(s: ProofSearch, b: cython.int, c: cython.int) -> cython.bint:
    """Whether all hard numbers see both covered cells or neither."""
    if s.all_hard:
        return s.box[b] == s.box[c]
    return s.group[b] == s.group[c]


@cython.cfunc
@cython.nogil
def most_constrained(s: ProofSearch) -> cython.int:
    """The hard number that leaves the least choice; -1 if all are met, -2 if one cannot be."""
    i: cython.int
    k: cython.int
    h: cython.int
    b: cython.int
    slack: cython.int
    wrong: cython.int
    least: cython.int = 1 << 30
    found: cython.int = -1
    for i in range(s.bad_count):
        h = s.bad[i]
        if s.role[h] == SOFT or not (s.all_hard or s.role[h] == HARD):
            continue
        if h == s.count_row:
            # The longest row by far: looked at when all others are met.
            if found < 0:
                found = h
            continue
        wrong = 0 if s.lack[h] > 0 else 1
        slack = -s.lack[h] if s.lack[h] > 0 else s.lack[h]
        for k in range(s.number_start[h], s.number_start[h + 1]):
            b = s.number_covered[k]
            if s.value[b] == wrong and not s.fixed[b]:
                slack += 1
        if slack < 0:
            return -2
        if slack < least:
            least = slack
            found = h
    return found


@cython.cfunc
@cython.nogil
def push_choices(s: ProofSearch, h: cython.int) -> cython.int:
    """Push one covered cell of each kind that may be flipped for h, least harm first.

    Returns how many covered cells there are in those kinds together, or -1 when there is no room.
    """
    k: cython.int
    j: cython.int
    b: cython.int
    score: cython.int
    count: cython.int = 0
    first: cython.int = s.stack_top
    wrong: cython.int = 0 if s.lack[h] > 0 else 1
    if s.stack_top + s.number_start[h + 1] - s.number_start[h] > s.stack_capacity:
        return -1
    for k in range(s.number_start[h], s.number_start[h + 1]):
        b = s.number_covered[k]
        if s.value[b] != wrong or s.fixed[b]:
            continue
        count += 1
        score = flip_cost(s, b)
        j = first
        while j < s.stack_top and not are_equivalent(s, s.stack[j], b):
            j += 1
        if j == s.stack_top:
            s.stack_top += 1
        elif score >= s.score[j]:
            continue
        # Shift the worse ones up; the place of the kind's former covered cell is overwritten.
        while j > first and s.score[j - 1] > score:
            s.stack[j] = s.stack[j - 1]
            s.score[j] = s.score[j - 1]
            j -= 1
        s.stack[j] = b
        s.score[j] = score
    return count


@cython.cfunc
@cython.nogil
def repair(s: ProofSearch) -> cython.int:
    """Flip unfixed covered cells until every hard number is met.

    SATISFIED leaves the repaired solution; UNSATISFIABLE (there is none) and STOPPED (the search stopped at
    its limit) leave the solution as it was.
    """
    k: cython.int
    j: cython.int
    b: cython.int
    c: cython.int
    h: cython.int
    left: cython.int
    wrong: cython.int
    lack: cython.int
    past: cython.int
    first: cython.int = s.stack_top
    barred: cython.int = s.barred_top
    result: cython.int = UNSATISFIABLE
    if s.nodes <= 0 or limit_reached(s):
        return STOPPED
    s.nodes -= 1
    h = most_constrained(s)
    if h == -1:
        return SATISFIED
    if h == -2:
        return UNSATISFIABLE
    if s.depth == 0:
        return STOPPED
    left = push_choices(s, h)
    if left < 0:
        return STOPPED
    past = s.stack_top
    wrong = 0 if s.lack[h] > 0 else 1
    lack = s.lack[h] if s.lack[h] > 0 else -s.lack[h]
    s.depth -= 1
    for j in range(first, past):
        if left < lack:
            break
        b = s.stack[j]
        flip(s, b)
        s.fixed[b] = 1
        result = repair(s)
        s.fixed[b] = 0
        if result == SATISFIED:
            break
        flip(s, b)
        if result == STOPPED:
            break
        # No solution flips a covered cell of this kind, so the later choices leave the kind alone.
        for k in range(s.number_start[h], s.number_start[h + 1]):
            c = s.number_covered[k]
            if s.value[c] == wrong and not s.fixed[c] and are_equivalent(s, b, c):
                s.fixed[c] = 1
                s.barred[s.barred_top] = c
                s.barred_top += 1
                left -= 1
    s.depth += 1
    while s.barred_top > barred:
        s.barred_top -= 1
        s.fixed[s.barred[s.barred_top]] = 0
    s.stack_top = first
    return result
