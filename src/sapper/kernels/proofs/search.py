"""Smallest proofs, by implicit hitting sets.

A set of numbers proves a move unless some assignment satisfies all of them and contradicts the
move. The numbers that such an assignment does not satisfy are a set that every proof must hit.
So take the lightest set of numbers that hits all sets found so far, and search for an assignment
that satisfies it and contradicts the move. If there is none, it is the lightest proof; otherwise
there is a new set to hit. (Ignatiev et al. 2015 find smallest unsatisfiable subsets in this way.)

An assignment found for one move serves every move that it contradicts, so the sets are kept.

s          the search, a ProofSearch; `repair` describes its other fields
h, b       a number, a covered cell
x          the covered cell of the move, or -1 to prove that the position is contradictory
base       a solution (if there is one); the move agrees with it
set t      the numbers item[set_start[t]:set_start[t + 1]]: not satisfied by the assignment that
           differs from the base in the cells flipped[flip_start[t]:flip_start[t + 1]]
relevant   the sets of this move, none of which contains another
weight     of a number: one for the number itself, then its distance, then its index, in one integer
taken      the numbers of the current cover; is_excluded marks those that it must not use
best       the lightest cover; upper is the smallest proof found so far, an upper bound
budget     how many more steps may be taken
soft       scratch: a list of numbers; stamp_of: the stamp of the last set that had the number
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, ConstInts
from cython.cimports.sapper.kernels.proofs.hitting_sets import add_set, find_cover, lightest_number
from cython.cimports.sapper.kernels.proofs.repair import ProofSearch, flip, repair, restore

from sapper.kernels import view
from sapper.kernels.declarations import allocate

ONE = cython.declare(cython.ulonglong, 1)

# A weight is SIZE_WEIGHT + DISTANCE_WEIGHT * distance + index; 62 weights add up to 63 bits.
MAX_NUMBERS = cython.declare(cython.int, 62)
SIZE_WEIGHT = cython.declare(cython.longlong, 1 << 56)
DISTANCE_WEIGHT = cython.declare(cython.longlong, 1 << 31)
MAX_DISTANCE = cython.declare(cython.int, 1 << 18)
MAX_WEIGHT = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)

# Numbers beyond the nearest cells of a move count as equally far: otherwise every proof on a giant
# board would search all of it.
NEAR_CELLS = cython.declare(cython.int, 5_000)

# Steps of one repair that only makes a set smaller; the proof does not depend on its success.
# 100 to 1,000 made no difference on Expert positions, 20 took a third more time.
SHRINKING_STEPS = cython.declare(cython.int, 200)

# In addition to the statuses of a repair: the counterexample satisfies every number.
IS_SOLUTION = cython.declare(cython.int, -1)

SET_CAPACITY = 4096
ITEM_CAPACITY = 65_536


def allocate_search(s: ProofSearch, number_cell: object, cells: cython.int) -> None:
    """Allocate the memory for proofs; number_cell is the cell of each number."""
    s.set_capacity, s.item_capacity = SET_CAPACITY, ITEM_CAPACITY + s.numbers + s.covered
    s.weights_by_distance = -1
    allocate(s, "set_start flip_start relevant", SET_CAPACITY + 1)
    allocate(s, "item flipped", s.item_capacity)
    allocate(s, "taken best upper stamp_of soft", s.numbers + 64)
    allocate(s, "weight", s.numbers)
    allocate(s, "cell_number distance", cells, fill=-1)
    allocate(s, "queue", cells)
    s.number_cell = view(number_cell)
    known = number_cell >= 0
    np.asarray(s.cell_number)[number_cell[known]] = np.flatnonzero(known)


@cython.ccall
@cython.nogil
def set_weights(
    s: ProofSearch, offsets: ConstInts, neighbours: ConstInts, cell: cython.int
) -> cython.void:
    """Set the weights of the numbers for a move on *cell*; with cell -1, all are equally near."""
    read: cython.int = 0
    count: cython.int = 0
    far: cython.longlong = DISTANCE_WEIGHT * (MAX_DISTANCE - 1) if cell >= 0 else 0
    if s.weights_by_distance != (cell >= 0):
        s.weights_by_distance = cell >= 0
        for h in range(s.numbers):
            s.weight[h] = SIZE_WEIGHT + far + s.number_cell[h]
    # Reset only the numbers near the last move: the board may be giant.
    for k in range(s.near_count):
        c = s.queue[k]
        if s.cell_number[c] >= 0:
            s.weight[s.cell_number[c]] = SIZE_WEIGHT + far + c
    s.near_count = 0
    if cell < 0:
        return
    s.distance[cell] = 0
    s.queue[0] = cell
    count = 1
    while read < count:
        c = s.queue[read]
        read += 1
        h = s.cell_number[c]
        if h >= 0:
            s.weight[h] = SIZE_WEIGHT + DISTANCE_WEIGHT * s.distance[c] + c
        if count > NEAR_CELLS or s.distance[c] > MAX_DISTANCE - 3:
            continue
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if s.distance[d] < 0:
                s.distance[d] = s.distance[c] + 1
                s.queue[count] = d
                count += 1
    for k in range(count):
        s.distance[s.queue[k]] = -1
    s.near_count = count


@cython.ccall
@cython.nogil
def find_base(s: ProofSearch, initial: Bytes, max_steps: cython.longlong) -> cython.int:
    """Make a base that satisfies as many numbers as possible, starting from *initial*.

    Each number gets at most *max_steps* steps of repair. Return SATISFIED if all numbers are,
    UNSATISFIABLE if they are contradictory, STOPPED if that is not known. All values must be 0;
    cells that the caller fixed keep theirs.
    """
    count: cython.int = 0
    result: cython.int = codes.SATISFIED
    for b in range(s.covered):
        if initial[b]:
            flip(s, b)
    # Fill the interior with the mines that the count needs: this requires no search.
    if s.count_row >= 0:
        for b in range(s.covered):
            if s.missing[s.count_row] > 0 and not s.value[b] and not s.fixed[b]:
                if s.covered_start[b + 1] - s.covered_start[b] == 1:
                    flip(s, b)
    s.all_hard = 1
    for i in range(s.unsatisfied_count):
        s.role[s.unsatisfied[i]] = codes.SOFT
    for h in range(s.numbers):
        if s.role[h] != codes.SOFT:
            continue
        s.role[h] = codes.NO_ROLE
        s.steps_left = max_steps
        status = repair(s)
        if status != codes.SATISFIED:
            s.role[h] = codes.SOFT
            s.soft[count] = h
            count += 1
            if result != codes.UNSATISFIABLE:
                result = status
    for i in range(count):
        s.role[s.soft[i]] = codes.NO_ROLE
    for b in range(s.covered):
        s.base[b] = s.value[b]
        s.is_touched[b] = 0
        s.fixed[b] = 0
    s.touched_count = 0
    return result


@cython.cfunc
@cython.nogil
def find_counterexample(s: ProofSearch, x: cython.int) -> cython.int:
    """Search for an assignment that satisfies the taken numbers and contradicts the move."""
    s.all_hard = 0
    for i in range(s.taken_count):
        h = s.taken[i]
        s.role[h] = codes.HARD
        for k in range(s.number_start[h], s.number_start[h + 1]):
            s.group[s.number_covered[k]] |= ONE << i
    if s.count_row >= 0:
        s.role[s.count_row] = codes.HARD
    restore(s)
    if x >= 0:
        flip(s, x)
        s.fixed[x] = 1
    s.steps_left = s.budget
    result = repair(s)
    s.budget = s.steps_left
    for i in range(s.taken_count):
        h = s.taken[i]
        s.role[h] = codes.NO_ROLE
        for k in range(s.number_start[h], s.number_start[h + 1]):
            s.group[s.number_covered[k]] = 0
    if s.count_row >= 0:
        s.role[s.count_row] = codes.NO_ROLE
    return result


@cython.cfunc
@cython.nogil
def satisfy_more(s: ProofSearch) -> cython.void:
    """Satisfy more numbers, one after the other, and keep those that are satisfied."""
    count: cython.int = s.unsatisfied_count
    for i in range(count):
        h = s.unsatisfied[i]
        s.soft[i] = h
        s.role[h] = codes.SOFT
    s.all_hard = 1
    for i in range(count):
        h = s.soft[i]
        s.role[h] = codes.NO_ROLE
        s.steps_left = SHRINKING_STEPS
        if s.missing[h] != 0 and repair(s) != codes.SATISFIED:
            s.role[h] = codes.SOFT
        s.budget -= SHRINKING_STEPS - s.steps_left
    for i in range(count):
        s.role[s.soft[i]] = codes.NO_ROLE


@cython.cfunc
@cython.nogil
def contradicts_move(s: ProofSearch, t: cython.int, x: cython.int) -> cython.bint:
    """Return whether the assignment of set t contradicts the move."""
    if x < 0:
        return True
    for k in range(s.flip_start[t], s.flip_start[t + 1]):
        if s.flipped[k] == x:
            return True
    return False


@cython.cfunc
@cython.nogil
def store_set(s: ProofSearch) -> cython.bint:
    """Store the unsatisfied numbers and the flipped cells; return False if memory is full."""
    t: cython.int = s.set_count
    k: cython.int = s.set_start[t]
    m: cython.int = s.flip_start[t]
    if (
        t == s.set_capacity
        or k + s.unsatisfied_count > s.item_capacity
        or m + s.touched_count > s.item_capacity
    ):
        return False
    for i in range(s.unsatisfied_count):
        s.item[k] = s.unsatisfied[i]
        k += 1
    for i in range(s.touched_count):
        b = s.touched[i]
        if s.value[b] != s.base[b]:
            s.flipped[m] = b
            m += 1
    s.set_start[t + 1] = k
    s.flip_start[t + 1] = m
    s.set_count += 1
    return True


@cython.ccall
@cython.nogil
def prove(
    s: ProofSearch, x: cython.int, max_size: cython.int, max_steps: cython.longlong
) -> cython.int:
    """Find the lightest set of numbers from which the move on x follows: best[:best_count].

    Return PROVED, NOT_CERTAIN (the assignment is a counterexample), TOO_LARGE (more than *max_size*
    numbers are needed) or UNDECIDED (a limit was reached). If undecided, upper[:upper_count] is a
    proof where upper_count >= 0.
    """
    result: cython.int = codes.UNDECIDED
    s.budget = max_steps
    s.upper_count = -1
    s.relevant_count = 0
    if s.set_count > s.set_capacity // 2 or s.set_start[s.set_count] > s.item_capacity // 2:
        s.set_count = 0
    for t in range(s.set_count):
        if contradicts_move(s, t, x):
            add_set(s, t)
    while True:
        s.best_cost = MAX_WEIGHT
        s.best_count = -1
        s.taken_count = 0
        find_cover(s, 0)
        if s.budget <= 0 or s.best_count < 0 or s.stopped:
            break
        if s.best_count > max_size:
            result = codes.TOO_LARGE
            break
        s.taken_count = s.best_count
        for k in range(s.best_count):
            s.taken[k] = s.best[k]
        # Add a number of each new set to the cover until there is no counterexample: that gives
        # many sets for one cover, and a proof in the end, though rarely the smallest.
        first_try = True
        while True:
            status = find_counterexample(s, x)
            if status != codes.SATISFIED:
                break
            satisfy_more(s)
            if s.unsatisfied_count == 0:
                status = IS_SOLUTION
                break
            t = s.set_count
            if not store_set(s):
                status = codes.STOPPED
                break
            if x >= 0:
                s.fixed[x] = 0
            add_set(s, t)
            first_try = False
            if s.taken_count == MAX_NUMBERS:
                break
            s.taken[s.taken_count] = lightest_number(s, t)
            s.taken_count += 1
        if x >= 0:
            s.fixed[x] = 0
        if status == IS_SOLUTION:
            result = codes.NOT_CERTAIN
            break
        if status == codes.STOPPED:
            break
        if status == codes.UNSATISFIABLE:
            if first_try:
                result = codes.PROVED
                break
            s.upper_count = s.taken_count
            for k in range(s.taken_count):
                s.upper[k] = s.taken[k]
    restore(s)
    return result
