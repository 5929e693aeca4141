"""Passes up the ladder: every move that one number, a pair, or three numbers allow, found at once.

A pass reads one state of the marks and finds all that its number of numbers allows; the moves are
made when it is over, so that a step counts what it needs and no more. The legend is in `human`.
`solve_on_paper` solves a table as on paper: numbers stay as they are, and covered cells become mines or free.

Sets of two share a covered cell; of three, the one in the middle shares a covered cell with each of the others.
Cells that the numbers of a set share in the same way form a region; only the number of mines in each
region matters. A pass leaves alone the sets of which no number changed since the pass before.
Longer than most modules: the three passes share their scratch and how they speak of regions.
"""

import cython
from cython.cimports.sapper.kernels.codes import (
    COVERED,
    FLAG,
    IN_SINGLE_QUEUE,
    KNOWN_SAFE,
    MINE,
    NO_SOLUTION,
    OK,
    PAIRS_CHANGED,
    SAFE,
    TRIPLES_CHANGED,
    UNKNOWN,
)
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    are_neighbours,
    find_partners,
    load_marks,
    pair_conclusions,
    run_single_strategies,
    set_mark,
    set_number,
)

STUCK = cython.declare(cython.int, 0)
BROKEN = cython.declare(cython.int, -1)


@cython.ccall
@cython.nogil
def solve_on_paper(
    w: HumanState, marks: cython.const[cython.int][::1], most: cython.int, steps: cython.int[::1]
) -> cython.int:
    """Take every move of the fewest numbers that allow any, again and again, up to *most* numbers.

    Returns the largest number of numbers that a move needed, STUCK when covered cells are left,
    or BROKEN where numbers cannot be met. steps[k] becomes the number of covered cells that needed k numbers;
    its marks tell what was found. Flags count as covered cells: only numbers say anything.
    """
    hardest: cython.int = 1
    unknown: cython.int = 0
    status: cython.int
    c: cython.int
    k: cython.int
    for k in range(4):
        steps[k] = 0
    for c in range(w.cells):
        w.marks[c] = marks[c] if marks[c] >= 0 else COVERED
        unknown += marks[c] < 0
    load_marks(w)
    clear_verdicts(w)
    while True:
        if run_single_strategies(w) != OK:
            return BROKEN
        steps[1] += w.found_count
        unknown -= w.found_count
        w.found_count = 0
        if unknown == 0:
            return hardest
        k = 0
        status = OK
        if most >= 2:
            status = pass_two(w)
            k = 2
        if status == OK and w.found_count == 0 and most >= 3:
            status = pass_three(w)
            k = 3
        if status != OK:
            return BROKEN
        if w.found_count == 0:
            return STUCK
        hardest = max(hardest, k)
        steps[k] += w.found_count
        unknown -= w.found_count
        apply_verdicts(w, PAIRS_CHANGED if k == 2 else TRIPLES_CHANGED)


@cython.ccall
@cython.nogil
def clear_verdicts(w: HumanState) -> cython.void:
    """Have no verdict on any cell; comes after `load_marks`."""
    c: cython.int
    for c in range(w.cells):
        w.verdict[c] = UNKNOWN
        w.code[c] = 0


@cython.ccall
@cython.nogil
def update_marks(
    w: HumanState,
    marks: cython.const[cython.int][::1],
    known: cython.const[cython.uchar][::1],
) -> cython.void:
    """Go on to a position and what is known of its cells, before the next pass.

    Where more is revealed or known than before, only that is looked at; else all is.
    """
    c: cython.int
    i: cython.int
    mark: cython.int
    back: cython.bint = False
    for i in range(w.found_count):
        w.verdict[w.found[i]] = UNKNOWN
    w.found_count = 0
    for i in range(w.active_count):
        w.waits[w.active[i]] &= ~IN_SINGLE_QUEUE
    w.active_count = 0
    for c in range(w.cells):
        mark = _mark(marks[c], known[c])
        if mark == w.marks[c]:
            continue
        if mark >= 0 and (w.marks[c] == COVERED or w.marks[c] == KNOWN_SAFE):
            set_number(w, c, mark)
        elif mark < 0 and w.marks[c] == COVERED:
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
    """How the ladder marks a cell."""
    if mark >= 0:
        return mark
    if known == MINE:
        return FLAG
    return KNOWN_SAFE if known == SAFE else COVERED


@cython.cfunc
@cython.nogil
def _clear_changed(w: HumanState, bit: cython.int) -> cython.void:
    """All sets of a pass have been looked at."""
    c: cython.int
    for c in range(w.cells):
        w.waits[c] &= ~bit


@cython.cfunc
@cython.nogil
def apply_verdicts(w: HumanState, bit: cython.int) -> cython.void:
    """Make what a pass found; then numbers around the moves have changed, and no others."""
    i: cython.int
    c: cython.int
    _clear_changed(w, bit)
    for i in range(w.found_count):
        c = w.found[i]
        set_mark(w, c, FLAG if w.verdict[c] == MINE else KNOWN_SAFE)
        w.verdict[c] = UNKNOWN
    w.found_count = 0


@cython.cfunc
@cython.inline
@cython.nogil
def _add_verdict(w: HumanState, c: cython.int, verdict: cython.int) -> cython.void:
    """Note a verdict on a covered cell, unless there is one."""
    if verdict != UNKNOWN and w.verdict[c] == UNKNOWN:
        w.verdict[c] = verdict
        w.found[w.found_count] = c
        w.found_count += 1


@cython.ccall
@cython.nogil
def pass_one(w: HumanState) -> cython.int:
    """Find all that single numbers allow (strategies 1 and 2). OK, or NO_SOLUTION."""
    p: cython.int
    k: cython.int
    need: cython.int
    for p in range(w.cells):
        if w.marks[p] < 0:
            continue
        need = w.marks[p] - w.flags[p]
        if need < 0 or need > w.covered[p]:
            return NO_SOLUTION
        if w.covered[p] == 0 or (need != 0 and need != w.covered[p]):
            continue
        for k in range(w.offsets[p], w.offsets[p + 1]):
            if w.marks[w.neighbours[k]] == COVERED:
                _add_verdict(w, w.neighbours[k], MINE if need else SAFE)
    return OK


@cython.ccall
@cython.nogil
def pass_two(w: HumanState) -> cython.int:
    """Find all that pairs of numbers allow (strategies 3 to 7). OK, or NO_SOLUTION.

    Comes when single numbers have nothing more to say.
    """
    p: cython.int
    q: cython.int
    i: cython.int
    count: cython.int
    status: cython.int
    for p in range(w.cells):
        if w.marks[p] < 0 or w.covered[p] == 0:
            continue
        count = find_partners(w, p)
        status = OK
        for i in range(count):
            q = w.partners[i]
            if q > p and status != NO_SOLUTION and (w.waits[p] | w.waits[q]) & PAIRS_CHANGED:
                status = pair_conclusions(w, p, q)
                if status != OK and status != NO_SOLUTION:
                    _add_pair_verdicts(w, p, q)
            w.shared[q] = 0
        if status == NO_SOLUTION:
            return NO_SOLUTION
    # Until its moves are made, a pass would find them again.
    if w.found_count == 0:
        _clear_changed(w, PAIRS_CHANGED)
    return OK


@cython.cfunc
@cython.nogil
def _add_pair_verdicts(w: HumanState, p: cython.int, q: cython.int) -> cython.void:
    """Note what was said of a pair for each of its covered cells."""
    k: cython.int
    c: cython.int
    for k in range(w.offsets[p], w.offsets[p + 1]):
        c = w.neighbours[k]
        if w.marks[c] == COVERED and w.verdict[c] == UNKNOWN:
            _add_verdict(w, c, w.of_both if are_neighbours(w, c, q) else w.of_p)
    if w.of_q != UNKNOWN:
        for k in range(w.offsets[q], w.offsets[q + 1]):
            c = w.neighbours[k]
            if w.marks[c] == COVERED and not are_neighbours(w, c, p):
                _add_verdict(w, c, w.of_q)


@cython.cfunc
@cython.nogil
def pass_three(w: HumanState) -> cython.int:
    """Find all that three numbers allow: b in the middle, a and c each sharing a covered cell with it.

    OK, or NO_SOLUTION. Comes when pairs of numbers have nothing more to say.
    """
    b: cython.int
    i: cython.int
    j: cython.int
    count: cython.int
    changed: cython.int
    status: cython.int = OK
    for b in range(w.cells):
        if w.marks[b] < 0 or w.covered[b] == 0:
            continue
        count = find_partners(w, b)
        for i in range(count):
            w.shared[w.partners[i]] = 0
        _toggle(w, b, 1)
        for i in range(count):
            changed = w.waits[b] | w.waits[w.partners[i]]
            _toggle(w, w.partners[i], 2)
            for j in range(i):
                if (changed | w.waits[w.partners[j]]) & TRIPLES_CHANGED and status == OK:
                    status = _check_triple(w, b, w.partners[i], w.partners[j])
            _toggle(w, w.partners[i], 2)
        _toggle(w, b, 1)
        if status != OK:
            return status
    if w.found_count == 0:
        _clear_changed(w, TRIPLES_CHANGED)
    return OK


@cython.cfunc
@cython.inline
@cython.nogil
def _toggle(w: HumanState, h: cython.int, bit: cython.int) -> cython.void:
    """Flip a bit in the code of all covered cells around h."""
    k: cython.int
    c: cython.int
    for k in range(w.offsets[h], w.offsets[h + 1]):
        c = w.neighbours[k]
        if w.marks[c] == COVERED:
            w.code[c] ^= bit


@cython.cfunc
@cython.inline
@cython.nogil
def _has_decided_region(w: HumanState) -> cython.bint:
    """Whether some region is all mines or all free."""
    r: cython.int
    for r in range(1, 8):
        if w.size[r] and (w.greatest[r] == 0 or w.least[r] == w.size[r]):
            return True
    return False


@cython.cfunc
@cython.nogil
def _add_region_verdicts(w: HumanState, h: cython.int) -> cython.void:
    """Note a verdict for the covered cells around h whose region is decided."""
    k: cython.int
    c: cython.int
    r: cython.int
    for k in range(w.offsets[h], w.offsets[h + 1]):
        c = w.neighbours[k]
        r = w.code[c]
        if w.marks[c] != COVERED:
            continue
        if w.greatest[r] == 0:
            _add_verdict(w, c, SAFE)
        elif w.least[r] == w.size[r]:
            _add_verdict(w, c, MINE)


@cython.cfunc
@cython.nogil
def _check_triple(w: HumanState, b: cython.int, a: cython.int, c: cython.int) -> cython.int:
    """Find what b (bit 1 of the code), a (bit 2) and c (bit 4, not yet written) allow together.

    With the mines that all three share and those that a and b share fixed, the two regions shared
    with c range over a box cut by c's need: its corners are plain arithmetic.
    OK, or NO_SOLUTION where they cannot be met together.
    """
    k: cython.int
    r: cython.int
    cell: cython.int
    for r in range(8):
        w.size[r] = 0
        w.least[r] = 1 << 30
        w.greatest[r] = -1
    for k in range(w.offsets[c], w.offsets[c + 1]):
        cell = w.neighbours[k]
        if w.marks[cell] == COVERED:
            w.size[4 | w.code[cell]] += 1
    for k in range(w.offsets[a], w.offsets[a + 1]):
        cell = w.neighbours[k]
        if w.marks[cell] == COVERED and w.code[cell] == 3:
            w.size[3] += 1
    w.size[3] -= w.size[7]
    w.size[1] = w.covered[b] - w.size[3] - w.size[5] - w.size[7]
    w.size[2] = w.covered[a] - w.size[3] - w.size[6] - w.size[7]

    all_three: cython.int
    ab: cython.int
    rest_a: cython.int
    rest_b: cython.int
    rest_c: cython.int
    low_a: cython.int
    high_a: cython.int
    low_b: cython.int
    high_b: cython.int
    low: cython.int
    high: cython.int
    met: cython.bint = False
    need_a: cython.int = w.marks[a] - w.flags[a]
    need_b: cython.int = w.marks[b] - w.flags[b]
    need_c: cython.int = w.marks[c] - w.flags[c]
    for all_three in range(w.size[7] + 1):
        rest_c = need_c - all_three
        for ab in range(w.size[3] + 1):
            rest_a = need_a - all_three - ab
            rest_b = need_b - all_three - ab
            low_a = max(0, rest_a - w.size[2])
            high_a = min(w.size[6], rest_a)
            low_b = max(0, rest_b - w.size[1])
            high_b = min(w.size[5], rest_b)
            if low_a > high_a or low_b > high_b:
                continue
            low = max(low_a + low_b, rest_c - w.size[4])
            high = min(high_a + high_b, rest_c)
            if low > high:
                continue
            met = True
            _widen(w, 7, all_three, all_three)
            _widen(w, 3, ab, ab)
            _widen(w, 4, rest_c - high, rest_c - low)
            low_a, high_a = max(low_a, low - high_b), min(high_a, high - low_b)
            low_b, high_b = max(low_b, low - high_a), min(high_b, high - low_a)
            _widen(w, 6, low_a, high_a)
            _widen(w, 2, rest_a - high_a, rest_a - low_a)
            _widen(w, 5, low_b, high_b)
            _widen(w, 1, rest_b - high_b, rest_b - low_b)
            if not _has_decided_region(w):
                return OK
    if not met:
        return NO_SOLUTION
    _toggle(w, c, 4)
    _add_region_verdicts(w, a)
    _add_region_verdicts(w, b)
    _add_region_verdicts(w, c)
    _toggle(w, c, 4)
    return OK


@cython.cfunc
@cython.inline
@cython.nogil
def _widen(w: HumanState, r: cython.int, low: cython.int, high: cython.int) -> cython.void:
    """Region r may hold from *low* to *high* mines as well."""
    w.least[r] = min(w.least[r], low)
    w.greatest[r] = max(w.greatest[r], high)
