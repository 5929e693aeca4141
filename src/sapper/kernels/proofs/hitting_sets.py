"""The lightest set of numbers that hits every relevant set, by branch and bound.

A cover takes numbers until each relevant set contains one of them. `find_cover` branches on the
numbers of the set with the fewest choices, the lightest first, and excludes a number after it was
tried. Sets without a common number need a number each, which bounds the weight of a cover from
below. `search` describes the fields. Short names: s the search; t, r sets; h a number.
"""

import cython
from cython.cimports.sapper.kernels.proofs.repair import ProofSearch, limit_reached

# Beyond this, weights would not fit into 63 bits, nor groups into 64.
MAX_NUMBERS = cython.declare(cython.int, 62)
MAX_WEIGHT = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)


def add_set(s: ProofSearch, t: cython.int) -> cython.void:
    """Make set t relevant unless it contains a relevant one; drop relevant sets that contain it."""
    kept: cython.int = 0
    size: cython.int = s.set_start[t + 1] - s.set_start[t]
    s.stamp += 1
    for k in range(s.set_start[t], s.set_start[t + 1]):
        s.stamp_of[s.item[k]] = s.stamp
    for i in range(s.relevant_count):
        r = s.relevant[i]
        common = 0
        for k in range(s.set_start[r], s.set_start[r + 1]):
            if s.stamp_of[s.item[k]] == s.stamp:
                common += 1
        if common == s.set_start[r + 1] - s.set_start[r]:
            return
        # Sets are dropped only if t contains none of them: then this one contains t.
        if common != size:
            s.relevant[kept] = r
            kept += 1
    s.relevant_count = kept
    # The smallest sets first: they have the fewest branches and give the best bounds.
    i = kept
    while i > 0 and s.set_start[s.relevant[i - 1] + 1] - s.set_start[s.relevant[i - 1]] > size:
        s.relevant[i] = s.relevant[i - 1]
        i -= 1
    s.relevant[i] = t
    s.relevant_count += 1


@cython.cfunc
@cython.nogil
def is_better(s: ProofSearch, cost: cython.longlong) -> cython.bint:
    """Return whether the taken numbers beat the best: a lower cost, then lower indices."""
    if cost != s.best_cost:
        return cost < s.best_cost
    for i in range(s.taken_count):
        s.soft[i] = s.taken[i]
    for i in range(1, s.taken_count):
        h = s.soft[i]
        j = i
        while j > 0 and s.soft[j - 1] > h:
            s.soft[j] = s.soft[j - 1]
            j -= 1
        s.soft[j] = h
    for i in range(s.taken_count):
        if s.soft[i] != s.best[i]:
            return s.soft[i] < s.best[i]
    return False


@cython.cfunc
@cython.nogil
def store_best(s: ProofSearch, cost: cython.longlong) -> cython.void:
    """Store the taken numbers, ascending, as the best cover."""
    for i in range(s.taken_count):
        h = s.taken[i]
        j = i
        while j > 0 and s.best[j - 1] > h:
            s.best[j] = s.best[j - 1]
            j -= 1
        s.best[j] = h
    s.best_count = s.taken_count
    s.best_cost = cost


def lightest_number(s: ProofSearch, t: cython.int) -> cython.int:
    """Return the lightest number of set t that is not excluded, or -1."""
    lightest: cython.int = -1
    for k in range(s.set_start[t], s.set_start[t + 1]):
        h = s.item[k]
        if not s.is_excluded[h] and (lightest < 0 or s.weight[h] < s.weight[lightest]):
            lightest = h
    return lightest


def find_cover(s: ProofSearch, cost: cython.longlong) -> cython.void:
    """Extend the taken numbers until every relevant set is hit, and store the best cover.

    Branch and bound: sets without a common number need a number each.
    """
    bound: cython.longlong = cost
    fewest: cython.int = 1 << 30
    pick: cython.int = -1
    if s.budget <= 0 or limit_reached(s):
        return
    s.budget -= 1
    s.stamp += 1
    for i in range(s.relevant_count):
        t = s.relevant[i]
        hit = False
        disjoint = True
        free = 0
        least = MAX_WEIGHT
        for k in range(s.set_start[t], s.set_start[t + 1]):
            h = s.item[k]
            if s.is_taken[h]:
                hit = True
                break
            if s.is_excluded[h]:
                continue
            free += 1
            if s.weight[h] < least:
                least = s.weight[h]
            if s.stamp_of[h] == s.stamp:
                disjoint = False
        if hit:
            continue
        if free == 0:
            return
        if free < fewest:
            fewest = free
            pick = t
        if disjoint:
            bound += least
            if bound > s.best_cost:
                return
            for k in range(s.set_start[t], s.set_start[t + 1]):
                if not s.is_excluded[s.item[k]]:
                    s.stamp_of[s.item[k]] = s.stamp
    if pick < 0:
        if is_better(s, cost):
            store_best(s, cost)
        return
    if s.taken_count == MAX_NUMBERS:
        return
    first = s.stack_top
    while True:
        h = lightest_number(s, pick)
        if h < 0 or cost + s.weight[h] > s.best_cost or s.stack_top == s.stack_capacity:
            break
        s.is_taken[h] = 1
        s.taken[s.taken_count] = h
        s.taken_count += 1
        find_cover(s, cost + s.weight[h])
        s.taken_count -= 1
        s.is_taken[h] = 0
        s.is_excluded[h] = 1
        s.stack[s.stack_top] = h
        s.stack_top += 1
    while s.stack_top > first:
        s.stack_top -= 1
        s.is_excluded[s.stack[s.stack_top]] = 0
