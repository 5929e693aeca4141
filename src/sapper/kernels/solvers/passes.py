"""Passes: every move that single numbers or pairs give, found at once.

A pass reads one state of the marks and records its verdicts; they become marks when it is over, so
that every move needs only what it is said to need. A pass skips the sets in which no number changed
since the pass before. `human` describes the fields.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    are_neighbours,
    find_partners,
    load_marks,
    pair_conclusions,
    set_mark,
    set_number,
)


def clear_verdicts(w: HumanState) -> cython.void:
    """Remove the verdicts of all cells; call it after `load_marks`."""
    for c in range(w.cells):
        w.verdict[c] = codes.UNKNOWN
        w.region[c] = 0


@cython.ccall
@cython.nogil
def update_marks(
    w: HumanState, marks: cython.const[cython.int][::1], known: cython.const[cython.uchar][::1]
) -> cython.void:
    """Change to a position and what is known of its cells, before the next pass.

    Where cells were only added to what is revealed or known, only those are examined.
    """
    back: cython.bint = False
    for i in range(w.found_count):
        w.verdict[w.found[i]] = codes.UNKNOWN
    w.found_count = 0
    for i in range(w.single_count):
        w.queued[w.single_queue[i]] &= ~codes.IN_SINGLE_QUEUE
    w.single_count = 0
    for c in range(w.cells):
        mark = _mark(marks[c], known[c])
        if mark == w.marks[c]:
            continue
        if mark >= 0 and (w.marks[c] == codes.COVERED or w.marks[c] == codes.KNOWN_SAFE):
            set_number(w, c, mark)
        elif mark < 0 and w.marks[c] == codes.COVERED:
            set_mark(w, c, mark)
        else:
            back = True
            break
    if back:
        for c in range(w.cells):
            w.marks[c] = _mark(marks[c], known[c])
        load_marks(w)


@cython.cfunc
@cython.inline
@cython.nogil
def _mark(mark: cython.int, known: cython.int) -> cython.int:
    """Return the mark of a cell."""
    if mark >= 0:
        return mark
    if known == codes.MINE:
        return codes.FLAG
    return codes.KNOWN_SAFE if known == codes.SAFE else codes.COVERED


def clear_changed(w: HumanState, bit: cython.int) -> cython.void:
    """Record that a pass has examined all sets."""
    for c in range(w.cells):
        w.queued[c] &= ~bit


def apply_verdicts(w: HumanState, bit: cython.int) -> cython.void:
    """Mark the cells that a pass found; only the numbers around them then count as changed."""
    clear_changed(w, bit)
    for i in range(w.found_count):
        c = w.found[i]
        set_mark(w, c, codes.FLAG if w.verdict[c] == codes.MINE else codes.KNOWN_SAFE)
        w.verdict[c] = codes.UNKNOWN
    w.found_count = 0


def add_verdict(w: HumanState, c: cython.int, verdict: cython.int) -> cython.void:
    """Record a verdict on a covered cell that has none."""
    if verdict != codes.UNKNOWN and w.verdict[c] == codes.UNKNOWN:
        w.verdict[c] = verdict
        w.found[w.found_count] = c
        w.found_count += 1


def pass_one(w: HumanState) -> cython.int:
    """Find every move that a single number gives (strategies 1 and 2); OK, or NO_SOLUTION."""
    for p in range(w.cells):
        if w.marks[p] < 0:
            continue
        need = w.marks[p] - w.flags[p]
        if need < 0 or need > w.covered[p]:
            return codes.NO_SOLUTION
        if w.covered[p] == 0 or (need != 0 and need != w.covered[p]):
            continue
        for k in range(w.offsets[p], w.offsets[p + 1]):
            if w.marks[w.neighbours[k]] == codes.COVERED:
                add_verdict(w, w.neighbours[k], codes.MINE if need else codes.SAFE)
    return codes.OK


def pass_two(w: HumanState) -> cython.int:
    """Find every move that a pair of numbers gives (strategies 3 to 7); OK, or NO_SOLUTION.

    Call it when single numbers give no move.
    """
    for p in range(w.cells):
        if w.marks[p] < 0 or w.covered[p] == 0:
            continue
        count = find_partners(w, p)
        status = codes.OK
        for i in range(count):
            q = w.partners[i]
            if (
                q > p
                and status != codes.NO_SOLUTION
                and (w.queued[p] | w.queued[q]) & codes.PAIRS_CHANGED
            ):
                status = pair_conclusions(w, p, q)
                if status != codes.OK and status != codes.NO_SOLUTION:
                    _add_pair_verdicts(w, p, q)
            w.shared[q] = 0
        if status == codes.NO_SOLUTION:
            return codes.NO_SOLUTION
    # A pass that found moves would find them again until they are made.
    if w.found_count == 0:
        clear_changed(w, codes.PAIRS_CHANGED)
    return codes.OK


@cython.cfunc
@cython.nogil
def _add_pair_verdicts(w: HumanState, p: cython.int, q: cython.int) -> cython.void:
    """Record the conclusions of a pair for each of its covered cells."""
    for k in range(w.offsets[p], w.offsets[p + 1]):
        c = w.neighbours[k]
        if w.marks[c] == codes.COVERED and w.verdict[c] == codes.UNKNOWN:
            add_verdict(w, c, w.of_both if are_neighbours(w, c, q) else w.of_p)
    if w.of_q != codes.UNKNOWN:
        for k in range(w.offsets[q], w.offsets[q + 1]):
            c = w.neighbours[k]
            if w.marks[c] == codes.COVERED and not are_neighbours(w, c, p):
                add_verdict(w, c, w.of_q)
