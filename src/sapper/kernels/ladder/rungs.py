"""Every move that one hint allows (strategies 1 and 2), or a pair of hints (strategies 3 to 7).

marks    the frame: hints from 0
known    UNKNOWN, FREE or MINE for each cell; a revealed cell is FREE
out      the moves that are found: MINE or FREE where UNKNOWN stood; all moves are read off the
         same known cells, and none is used to find another

p, q     two revealed cells; need, blanks: the mines that a hint still lacks, its unknown neighbours
"""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import FREE, MINE, UNKNOWN
else:
    from sapper.kernels.codes import FREE, MINE, UNKNOWN


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def moves_of_one(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    marks: cython.const[cython.int][::1],
    known: cython.const[cython.uchar][::1],
    need: cython.int[::1],
    blanks: cython.int[::1],
    out: cython.uchar[::1],
) -> cython.int:
    """Fill *need* and *blanks*, then *out* with what single hints give; returns how many moves."""
    p: cython.Py_ssize_t
    k: cython.int
    d: cython.int
    value: cython.int
    found: cython.int = 0
    for p in range(marks.shape[0]):
        blanks[p] = 0
        if marks[p] < 0:
            continue
        need[p] = marks[p]
        for k in range(offsets[p], offsets[p + 1]):
            if known[neighbours[k]] == UNKNOWN:
                blanks[p] += 1
            elif known[neighbours[k]] == MINE:
                need[p] -= 1
        if blanks[p] == 0 or (need[p] != 0 and need[p] != blanks[p]):
            continue
        value = FREE if need[p] == 0 else MINE
        for k in range(offsets[p], offsets[p + 1]):
            d = neighbours[k]
            if known[d] == UNKNOWN and out[d] == UNKNOWN:
                out[d] = value
                found += 1
    return found


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def moves_of_two(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    marks: cython.const[cython.int][::1],
    known: cython.const[cython.uchar][::1],
    need: cython.const[cython.int][::1],
    blanks: cython.const[cython.int][::1],
    shared: cython.int[::1],
    near: cython.int[::1],
    out: cython.uchar[::1],
) -> cython.int:
    """Fill *out* with what pairs of hints give; *need* and *blanks* as `moves_of_one` left them.

    *shared* comes and goes as zeros; *near* needs room for every cell.
    """
    p: cython.Py_ssize_t
    i: cython.int
    j: cython.int
    k: cython.int
    q: cython.int
    b: cython.int
    fewest: cython.int
    most: cython.int
    only_p: cython.int
    only_q: cython.int
    of_p: cython.int
    of_both: cython.int
    of_q: cython.int
    count: cython.int
    found: cython.int = 0
    for p in range(marks.shape[0]):
        if marks[p] < 0 or blanks[p] == 0:
            continue
        count = 0
        for k in range(offsets[p], offsets[p + 1]):
            b = neighbours[k]
            if known[b] != UNKNOWN:
                continue
            for j in range(offsets[b], offsets[b + 1]):
                q = neighbours[j]
                if q <= p or marks[q] < 0:
                    continue
                if shared[q] == 0:
                    near[count] = q
                    count += 1
                shared[q] += 1
        for i in range(count):
            q = near[i]
            only_p = blanks[p] - shared[q]
            only_q = blanks[q] - shared[q]
            most = min(need[p], need[q], shared[q])
            fewest = max(0, need[p] - only_p, need[q] - only_q)
            # What the pair says of the blanks of p alone, of both, and of q alone.
            of_p = UNKNOWN
            of_q = UNKNOWN
            of_both = UNKNOWN
            if need[p] - most == only_p:
                of_p = MINE
            elif fewest == need[p]:
                of_p = FREE
            if need[q] - most == only_q:
                of_q = MINE
            elif fewest == need[q]:
                of_q = FREE
            if fewest == shared[q]:
                of_both = MINE
            shared[q] = 0
            if of_p == UNKNOWN and of_q == UNKNOWN and of_both == UNKNOWN:
                continue
            for k in range(offsets[p], offsets[p + 1]):
                b = neighbours[k]
                if known[b] == UNKNOWN and out[b] == UNKNOWN:
                    if touches(offsets, neighbours, b, q):
                        out[b] = of_both
                    else:
                        out[b] = of_p
                    found += out[b] != UNKNOWN
            for k in range(offsets[q], offsets[q + 1]):
                b = neighbours[k]
                if known[b] == UNKNOWN and out[b] == UNKNOWN and of_q != UNKNOWN:
                    if not touches(offsets, neighbours, b, cython.cast(cython.int, p)):
                        out[b] = of_q
                        found += 1
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def touches(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    c: cython.int,
    d: cython.int,
) -> cython.bint:
    """Whether two cells are neighbours."""
    k: cython.int
    for k in range(offsets[c], offsets[c + 1]):
        if neighbours[k] == d:
            return True
    return False
