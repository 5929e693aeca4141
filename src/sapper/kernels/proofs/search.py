"""Smallest proofs, by hitting sets.

A set of hints proves a move unless some placement meets all of them and contradicts the move.
The hints that such a placement does not meet are a set that every proof must hit.
So: take the lightest set of hints that hits all sets found so far, and look for a placement that
meets it and contradicts the move. There is none: it is the lightest proof of all.
There is one: it gives a new set to hit.  (Implicit hitting sets; Ignatiev et al. 2015 use them for
smallest unsatisfiable subsets.)

A placement found for one move serves every move that it contradicts, so the sets are kept.

x          the blank of the move, or -1: no move, but a frame that is contradictory
base       a satisfactory placement (if there is any); it makes the move that is to be proved
set s      the hints item[set_start[s]:set_start[s + 1]], not met by the placement that differs
           from the base in the blanks flipped[flip_start[s]:flip_start[s + 1]]
relevant   the sets of this move; no other set of them lies within one of them
weight     of a hint: one for being there, then its distance, then its index, as one number
taken      the hints of the cover that is tried; is_barred are those that it must do without
best       the lightest cover; upper, the smallest known proof by luck
patience   how many more steps may be taken
"""

import cython
import numpy as np

from sapper.kernels import view

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import (
        CAPPED,
        FAILED,
        HARD,
        LARGER,
        MET,
        NOT_CERTAIN,
        OVER,
        PROVED,
        SOFT,
    )
    from cython.cimports.sapper.kernels.proofs.covers import admit, cover, lightest
    from cython.cimports.sapper.kernels.proofs.repair import Search, flip, repair, restore
else:
    from sapper.kernels.codes import (
        CAPPED,
        FAILED,
        HARD,
        LARGER,
        MET,
        NOT_CERTAIN,
        OVER,
        PROVED,
        SOFT,
    )
    from sapper.kernels.proofs.covers import admit, cover, lightest
    from sapper.kernels.proofs.repair import Search, flip, repair, restore

ONE = cython.declare(cython.ulonglong, 1)

# A weight is SIZE + FAR * distance + index; 62 hints of it fit into 63 bits.
MOST_HINTS = cython.declare(cython.int, 62)
SIZE = cython.declare(cython.longlong, 1 << 56)
FAR = cython.declare(cython.longlong, 1 << 31)
FARTHEST = cython.declare(cython.int, 1 << 18)
HEAVIEST = cython.declare(cython.longlong, 0x7FFFFFFFFFFFFFFF)

# Beyond so many cells around a move all hints count as equally far: on a giant board, every
# proof would otherwise walk over all of it.
NEAR_CELLS = cython.declare(cython.int, 5_000)

# Steps of one repair that only makes a set smaller: a proof does not depend on its success.
# 100 to 1,000 made no difference on Expert frames, 20 cost a third more time.
PATCH = cython.declare(cython.int, 200)

SETS = 4096
ITEMS = 65_536


def equip(s: Search, hint_cell: object, cells: cython.int) -> None:
    """Give a search the memory for proofs; hint_cell is the cell of each hint."""
    s.set_room, s.item_room = SETS, ITEMS + s.hints + s.blanks
    s.set_count = s.relevant_count = s.taken_count = s.best_count = s.upper_count = s.stamp = 0
    s.near_count = 0
    s.far_mode = -1
    s.patience = s.best_cost = 0
    for name in ("set_start", "flip_start"):
        setattr(s, name, view(np.zeros(SETS + 1, dtype=np.int32)))
    for name in ("item", "flipped"):
        setattr(s, name, view(np.zeros(s.item_room, dtype=np.int32)))
    s.relevant = view(np.zeros(SETS, dtype=np.int32))
    for name in ("taken_at", "best_at", "upper_at", "stamp_of", "soft_at"):
        setattr(s, name, view(np.zeros(s.hints + 64, dtype=np.int32)))
    s.weight = view(np.zeros(s.hints, dtype=np.int64))
    s.hint_cell = view(hint_cell)
    cell_hint = np.full(cells, -1, dtype=np.int32)
    known = hint_cell >= 0
    cell_hint[hint_cell[known]] = np.flatnonzero(known)
    s.cell_hint = view(cell_hint)
    s.distance = view(np.full(cells, -1, dtype=np.int32))
    s.queue = view(np.zeros(cells, dtype=np.int32))


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def weigh(
    s: Search,
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    cell: cython.int,
) -> cython.void:
    """Weigh the hints for a move on *cell*; with cell -1, all are equally near."""
    k: cython.int
    h: cython.int
    d: cython.int
    c: cython.int
    read: cython.int = 0
    count: cython.int = 0
    far: cython.longlong = FAR * (FARTHEST - 1) if cell >= 0 else 0
    if s.far_mode != (cell >= 0):
        s.far_mode = cell >= 0
        for h in range(s.hints):
            s.weight[h] = SIZE + far + s.hint_cell[h]
    # On a giant board only what the last move made nearer is put back.
    for k in range(s.near_count):
        c = s.queue[k]
        if s.cell_hint[c] >= 0:
            s.weight[s.cell_hint[c]] = SIZE + far + c
    s.near_count = 0
    if cell < 0:
        return
    s.distance[cell] = 0
    s.queue[0] = cell
    count = 1
    while read < count:
        c = s.queue[read]
        read += 1
        h = s.cell_hint[c]
        if h >= 0:
            s.weight[h] = SIZE + FAR * s.distance[c] + c
        if count > NEAR_CELLS or s.distance[c] > FARTHEST - 3:
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
@cython.exceptval(check=False)
def settle(s: Search, guess: cython.uchar[::1], nodes: cython.longlong) -> cython.int:
    """Make a base that meets as many hints as can be, starting from *guess*.

    MET: it meets all. FAILED: the hints are contradictory. CAPPED: it is not known which.
    Comes with every value at 0; blanks whose value the caller fixed stay.
    """
    h: cython.int
    b: cython.int
    i: cython.int
    got: cython.int
    count: cython.int = 0
    result: cython.int = MET
    for b in range(s.blanks):
        if guess[b]:
            flip(s, b)
    # The interior takes the mines that the count asks for: no search is needed for those.
    if s.count_row >= 0:
        for b in range(s.blanks):
            if s.lack[s.count_row] > 0 and not s.value[b] and not s.fixed[b]:
                if s.blank_start[b + 1] - s.blank_start[b] == 1:
                    flip(s, b)
    s.all_hard = 1
    for i in range(s.bad_count):
        s.role[s.bad[i]] = SOFT
    for h in range(s.hints):
        if s.role[h] != SOFT:
            continue
        s.role[h] = 0
        s.nodes = nodes
        got = repair(s)
        if got != MET:
            s.role[h] = SOFT
            s.soft_at[count] = h
            count += 1
            if result != FAILED:
                result = got
    for i in range(count):
        s.role[s.soft_at[i]] = 0
    for b in range(s.blanks):
        s.base[b] = s.value[b]
        s.is_touched[b] = 0
        s.fixed[b] = 0
    s.touched_count = 0
    return result


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def decide(s: Search, x: cython.int) -> cython.int:
    """Look for a placement that meets the taken hints and contradicts the move."""
    i: cython.int
    k: cython.int
    h: cython.int
    result: cython.int
    s.all_hard = 0
    for i in range(s.taken_count):
        h = s.taken_at[i]
        s.role[h] = HARD
        for k in range(s.hint_start[h], s.hint_start[h + 1]):
            s.group[s.hint_blank[k]] |= ONE << i
    if s.count_row >= 0:
        s.role[s.count_row] = HARD
    restore(s)
    if x >= 0:
        flip(s, x)
        s.fixed[x] = 1
    s.nodes = s.patience
    result = repair(s)
    s.patience = s.nodes
    for i in range(s.taken_count):
        h = s.taken_at[i]
        s.role[h] = 0
        for k in range(s.hint_start[h], s.hint_start[h + 1]):
            s.group[s.hint_blank[k]] = 0
    if s.count_row >= 0:
        s.role[s.count_row] = 0
    return result


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def patch(s: Search) -> cython.void:
    """Meet more hints, one after the other, without losing any that is met."""
    i: cython.int
    h: cython.int
    count: cython.int = s.bad_count
    for i in range(count):
        h = s.bad[i]
        s.soft_at[i] = h
        s.role[h] = SOFT
    s.all_hard = 1
    for i in range(count):
        h = s.soft_at[i]
        s.role[h] = 0
        s.nodes = PATCH
        if s.lack[h] != 0 and repair(s) != MET:
            s.role[h] = SOFT
        s.patience -= PATCH - s.nodes
    for i in range(count):
        s.role[s.soft_at[i]] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_relevant(s: Search, t: cython.int, x: cython.int) -> cython.bint:
    """Whether the placement of set t contradicts the move."""
    k: cython.int
    if x < 0:
        return True
    for k in range(s.flip_start[t], s.flip_start[t + 1]):
        if s.flipped[k] == x:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_set(s: Search) -> cython.bint:
    """Keep the hints that the placement does not meet, and how it differs from the base."""
    i: cython.int
    b: cython.int
    t: cython.int = s.set_count
    k: cython.int = s.set_start[t]
    m: cython.int = s.flip_start[t]
    if t == s.set_room or k + s.bad_count > s.item_room or m + s.touched_count > s.item_room:
        return False
    for i in range(s.bad_count):
        s.item[k] = s.bad[i]
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
@cython.exceptval(check=False)
def prove(s: Search, x: cython.int, most: cython.int, patience: cython.longlong) -> cython.int:
    """The lightest set of hints from which the move on x follows: best_at[:best_count].

    PROVED; NOT_CERTAIN (the placement at hand is a counter-example); LARGER than *most* hints;
    OVER: patience ended first, or the limit stopped it. Then upper_at[:upper_count] is a proof, if
    upper_count >= 0.
    """
    t: cython.int
    k: cython.int
    got: cython.int
    result: cython.int = OVER
    whole: cython.bint
    s.patience = patience
    s.upper_count = -1
    s.relevant_count = 0
    if s.set_count > s.set_room // 2 or s.set_start[s.set_count] > s.item_room // 2:
        s.set_count = 0
    for t in range(s.set_count):
        if is_relevant(s, t, x):
            admit(s, t)
    while True:
        s.best_cost = HEAVIEST
        s.best_count = -1
        s.taken_count = 0
        cover(s, 0)
        if s.patience <= 0 or s.best_count < 0 or s.stopped:
            break
        if s.best_count > most:
            result = LARGER
            break
        s.taken_count = s.best_count
        for k in range(s.best_count):
            s.taken_at[k] = s.best_at[k]
        # Beyond the lightest cover, add a hint of each new set until nothing is left to find:
        # many sets for one cover, and a proof in the end, though seldom the smallest.
        whole = True
        while True:
            got = decide(s, x)
            if got != MET:
                break
            patch(s)
            if s.bad_count == 0:
                got = -1
                break
            t = s.set_count
            if not note_set(s):
                got = CAPPED
                break
            if x >= 0:
                s.fixed[x] = 0
            admit(s, t)
            whole = False
            if s.taken_count == MOST_HINTS:
                break
            s.taken_at[s.taken_count] = lightest(s, t)
            s.taken_count += 1
        if x >= 0:
            s.fixed[x] = 0
        if got == -1:
            result = NOT_CERTAIN
            break
        if got == CAPPED:
            break
        if got == FAILED:
            if whole:
                result = PROVED
                break
            s.upper_count = s.taken_count
            for k in range(s.taken_count):
                s.upper_at[k] = s.taken_at[k]
    restore(s)
    return result
