"""Repair an assignment: flip covered cells until given numbers are satisfied.

An assignment says of each covered cell whether it is a mine. Where a number is not satisfied, one
of the cells around it must be flipped, and each is tried once; so the search ends with an
assignment, or with the proof that none exists that flips only cells that are not fixed. It stays
local when it starts near a solution, however large the board is.

h, b         a number, a covered cell; the mine count, where used, is one more number, count_row
missing      mines that a number needs in addition to the assignment's; negative for too many
value        1 where the assignment has a mine; `restore` returns to the assignment base
unsatisfied  the numbers that are not satisfied; unsatisfied_at[h] is the index of h, or -1
role         HARD (must be satisfied), SOFT (need not be) or NO_ROLE, which means HARD if all_hard
             is set, else SOFT
fixed        cells that must not be flipped
box          cells of the same box have exactly the same numbers, so that one represents all
group        the same for few hard numbers: a bit for each of them, otherwise 0
steps_left   how many more steps the search may take; depth is how many more flips
deadline     when to stop, on the monotonic clock; cancel[0] stops it too, and sets stopped
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.native import now

from sapper.kernels import view
from sapper.kernels.declarations import allocate

# Results of `most_constrained` other than a number.
ALL_SATISFIED = cython.declare(cython.int, -1)
NO_CHOICE = cython.declare(cython.int, -2)

# Steps between two checks of the clock, less one: about 0.1 ms.
CLOCK_MASK = cython.declare(cython.int, 0x3FF)

# A level of the recursion takes about 200 bytes of the C stack; plain Python allows 1,000 levels.
MAX_DEPTH = 500


class ProofSearch:
    """The numbers and covered cells of one position, an assignment, and all scratch memory."""

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
        self.missing = view(need.copy())
        self.box = view(box)
        allocate(self, "group value base fixed is_touched touched excluded", self.covered)
        allocate(self, "role is_taken is_excluded unsatisfied", self.numbers)
        allocate(self, "unsatisfied_at", self.numbers, fill=-1)
        allocate(self, "cancel", 1)
        self.depth = MAX_DEPTH
        self.deadline = np.inf
        self.stack_capacity = 4096 + 4 * self.covered
        allocate(self, "stack score", self.stack_capacity)
        for h in range(self.numbers):
            if need[h]:
                self.unsatisfied[self.unsatisfied_count] = h
                self.unsatisfied_at[h] = self.unsatisfied_count
                self.unsatisfied_count += 1


def limit_reached(s: ProofSearch) -> cython.bint:
    """Return whether the time limit or the cancel flag has stopped the search."""
    s.step_count = (s.step_count + 1) & CLOCK_MASK
    if s.step_count == 0 and (s.cancel[0] or now() > s.deadline):
        s.stopped = 1
    return s.stopped


def flip(s: ProofSearch, b: cython.int) -> cython.void:
    """Add or remove the mine of a covered cell."""
    change: cython.int = 1 if s.value[b] else -1
    s.value[b] = 1 - s.value[b]
    if not s.is_touched[b]:
        s.is_touched[b] = 1
        s.touched[s.touched_count] = b
        s.touched_count += 1
    for k in range(s.covered_start[b], s.covered_start[b + 1]):
        h = s.covered_number[k]
        if s.missing[h] == 0:
            s.unsatisfied_at[h] = s.unsatisfied_count
            s.unsatisfied[s.unsatisfied_count] = h
            s.unsatisfied_count += 1
        s.missing[h] += change
        if s.missing[h] == 0:
            s.unsatisfied_count -= 1
            last = s.unsatisfied[s.unsatisfied_count]
            s.unsatisfied[s.unsatisfied_at[h]] = last
            s.unsatisfied_at[last] = s.unsatisfied_at[h]
            s.unsatisfied_at[h] = -1


def restore(s: ProofSearch) -> cython.void:
    """Return to the base."""
    for i in range(s.touched_count):
        b = s.touched[i]
        if s.value[b] != s.base[b]:
            flip(s, b)
        s.is_touched[b] = 0
    s.touched_count = 0


@cython.cfunc
@cython.nogil
def flip_cost(s: ProofSearch, b: cython.int) -> cython.int:
    """Return how many more numbers are unsatisfied after a flip."""
    change: cython.int = 1 if s.value[b] else -1
    worse: cython.int = 0
    for k in range(s.covered_start[b], s.covered_start[b + 1]):
        needed = s.missing[s.covered_number[k]]
        if needed == 0:
            worse += 1
        elif needed + change == 0:
            worse -= 1
    return worse


@cython.cfunc
@cython.nogil
def are_equivalent(s: ProofSearch, b: cython.int, c: cython.int) -> cython.bint:
    """Return whether the same hard numbers touch both covered cells."""
    if s.all_hard:
        return s.box[b] == s.box[c]
    return s.group[b] == s.group[c]


@cython.cfunc
@cython.nogil
def most_constrained(s: ProofSearch) -> cython.int:
    """Return the unsatisfied hard number with the fewest choices, or ALL_SATISFIED.

    Return NO_CHOICE where one of them cannot be satisfied.
    """
    least: cython.int = 1 << 30
    found: cython.int = ALL_SATISFIED
    for i in range(s.unsatisfied_count):
        h = s.unsatisfied[i]
        if s.role[h] == codes.SOFT or not (s.all_hard or s.role[h] == codes.HARD):
            continue
        if h == s.count_row:
            # The longest row by far: used when all others are satisfied.
            if found == ALL_SATISFIED:
                found = h
            continue
        wrong_value = 0 if s.missing[h] > 0 else 1
        slack = -s.missing[h] if s.missing[h] > 0 else s.missing[h]
        for k in range(s.number_start[h], s.number_start[h + 1]):
            b = s.number_covered[k]
            if s.value[b] == wrong_value and not s.fixed[b]:
                slack += 1
        if slack < 0:
            return NO_CHOICE
        if slack < least:
            least = slack
            found = h
    return found


@cython.cfunc
@cython.nogil
def push_choices(s: ProofSearch, h: cython.int) -> cython.int:
    """Push one cell of each group that may be flipped for h, the lowest cost first.

    Return the number of cells in these groups, or -1 where the stack is full.
    """
    count: cython.int = 0
    first: cython.int = s.stack_top
    wrong_value: cython.int = 0 if s.missing[h] > 0 else 1
    if s.stack_top + s.number_start[h + 1] - s.number_start[h] > s.stack_capacity:
        return -1
    for k in range(s.number_start[h], s.number_start[h + 1]):
        b = s.number_covered[k]
        if s.value[b] != wrong_value or s.fixed[b]:
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
        # Shift the worse ones up; the former cell of this group is overwritten.
        while j > first and s.score[j - 1] > score:
            s.stack[j] = s.stack[j - 1]
            s.score[j] = s.score[j - 1]
            j -= 1
        s.stack[j] = b
        s.score[j] = score
    return count


def repair(s: ProofSearch) -> cython.int:
    """Flip cells that are not fixed until every hard number is satisfied.

    Return SATISFIED, with the repaired assignment, or UNSATISFIABLE (there is none) or STOPPED (a
    limit was reached), with the assignment unchanged.
    """
    first: cython.int = s.stack_top
    excluded_before: cython.int = s.excluded_top
    result: cython.int = codes.UNSATISFIABLE
    if s.steps_left <= 0 or limit_reached(s):
        return codes.STOPPED
    s.steps_left -= 1
    h = most_constrained(s)
    if h == ALL_SATISFIED:
        return codes.SATISFIED
    if h == NO_CHOICE:
        return codes.UNSATISFIABLE
    if s.depth == 0:
        return codes.STOPPED
    left = push_choices(s, h)
    if left < 0:
        return codes.STOPPED
    stop = s.stack_top
    wrong_value = 0 if s.missing[h] > 0 else 1
    needed = s.missing[h] if s.missing[h] > 0 else -s.missing[h]
    s.depth -= 1
    for j in range(first, stop):
        if left < needed:
            break
        b = s.stack[j]
        flip(s, b)
        s.fixed[b] = 1
        result = repair(s)
        s.fixed[b] = 0
        if result == codes.SATISFIED:
            break
        flip(s, b)
        if result == codes.STOPPED:
            break
        # Flipping a cell of this group leads to no repair, so later choices exclude the group.
        for k in range(s.number_start[h], s.number_start[h + 1]):
            c = s.number_covered[k]
            if s.value[c] == wrong_value and not s.fixed[c] and are_equivalent(s, b, c):
                s.fixed[c] = 1
                s.excluded[s.excluded_top] = c
                s.excluded_top += 1
                left -= 1
    s.depth += 1
    while s.excluded_top > excluded_before:
        s.excluded_top -= 1
        s.fixed[s.excluded[s.excluded_top]] = 0
    s.stack_top = first
    return result
