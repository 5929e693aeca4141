"""The pass over sets of three numbers, and solving a paper puzzle with all passes.

The number in the middle shares a covered cell with each of the others. Cells that touch the same
numbers of a set form a region; only the number of mines in each region matters. `human` describes
the fields.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    find_partners,
    load_marks,
    run_single_strategies,
)
from cython.cimports.sapper.kernels.solvers.passes import (
    add_verdict,
    apply_verdicts,
    clear_changed,
    clear_verdicts,
    pass_two,
)

STUCK = cython.declare(cython.int, 0)
BROKEN = cython.declare(cython.int, -1)


def pass_three(w: HumanState) -> cython.int:
    """Find every move that three numbers give: a and c each share a covered cell with b.

    OK, or NO_SOLUTION. Call it when pairs of numbers give no move.
    """
    status: cython.int = codes.OK
    for b in range(w.cells):
        if w.marks[b] < 0 or w.covered[b] == 0:
            continue
        count = find_partners(w, b)
        for i in range(count):
            w.shared[w.partners[i]] = 0
        _toggle(w, b, 1)
        for i in range(count):
            changed = w.queued[b] | w.queued[w.partners[i]]
            _toggle(w, w.partners[i], 2)
            for j in range(i):
                if (
                    changed | w.queued[w.partners[j]]
                ) & codes.TRIPLES_CHANGED and status == codes.OK:
                    status = _check_triple(w, b, w.partners[i], w.partners[j])
            _toggle(w, w.partners[i], 2)
        _toggle(w, b, 1)
        if status != codes.OK:
            return status
    if w.found_count == 0:
        clear_changed(w, codes.TRIPLES_CHANGED)
    return codes.OK


@cython.cfunc
@cython.inline
@cython.nogil
def _toggle(w: HumanState, h: cython.int, bit: cython.int) -> cython.void:
    """Flip a bit in the region of all covered cells around h."""
    for k in range(w.offsets[h], w.offsets[h + 1]):
        c = w.neighbours[k]
        if w.marks[c] == codes.COVERED:
            w.region[c] ^= bit


@cython.cfunc
@cython.inline
@cython.nogil
def _has_decided_region(w: HumanState) -> cython.bint:
    """Return whether some region is all mines or all safe."""
    for r in range(1, 8):
        if w.size[r] and (w.greatest[r] == 0 or w.least[r] == w.size[r]):
            return True
    return False


@cython.cfunc
@cython.nogil
def _add_region_verdicts(w: HumanState, h: cython.int) -> cython.void:
    """Record a verdict for the covered cells around h whose region is decided."""
    for k in range(w.offsets[h], w.offsets[h + 1]):
        c = w.neighbours[k]
        r = w.region[c]
        if w.marks[c] != codes.COVERED:
            continue
        if w.greatest[r] == 0:
            add_verdict(w, c, codes.SAFE)
        elif w.least[r] == w.size[r]:
            add_verdict(w, c, codes.MINE)


@cython.cfunc
@cython.nogil
def _check_triple(w: HumanState, b: cython.int, a: cython.int, c: cython.int) -> cython.int:
    """Find what b (bit 1 of the region), a (bit 2) and c (bit 4, not yet written) give together.

    For fixed numbers of mines in the region of all three and in that of a and b, the two regions
    shared with c range over a rectangle that is cut by the mines that c needs, so its corners
    are known. OK, or NO_SOLUTION where the three contradict each other.
    """
    for r in range(8):
        w.size[r] = 0
        w.least[r] = 1 << 30
        w.greatest[r] = -1
    for k in range(w.offsets[c], w.offsets[c + 1]):
        cell = w.neighbours[k]
        if w.marks[cell] == codes.COVERED:
            w.size[4 | w.region[cell]] += 1
    for k in range(w.offsets[a], w.offsets[a + 1]):
        cell = w.neighbours[k]
        if w.marks[cell] == codes.COVERED and w.region[cell] == 3:
            w.size[3] += 1
    w.size[3] -= w.size[7]
    w.size[1] = w.covered[b] - w.size[3] - w.size[5] - w.size[7]
    w.size[2] = w.covered[a] - w.size[3] - w.size[6] - w.size[7]

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
                return codes.OK
    if not met:
        return codes.NO_SOLUTION
    _toggle(w, c, 4)
    _add_region_verdicts(w, a)
    _add_region_verdicts(w, b)
    _add_region_verdicts(w, c)
    _toggle(w, c, 4)
    return codes.OK


@cython.cfunc
@cython.inline
@cython.nogil
def _widen(w: HumanState, r: cython.int, low: cython.int, high: cython.int) -> cython.void:
    """Allow region r to hold *low* to *high* mines too."""
    w.least[r] = min(w.least[r], low)
    w.greatest[r] = max(w.greatest[r], high)


@cython.ccall
@cython.nogil
def solve_on_paper(
    w: HumanState, marks: cython.const[cython.int][::1], most: cython.int, steps: cython.int[::1]
) -> cython.int:
    """Take every move of the fewest numbers that give one, repeatedly, up to *most* numbers.

    Return the largest number of numbers that a move needed, STUCK where covered cells remain, or
    BROKEN for a contradiction. steps[k] becomes the number of cells that needed k numbers; w.marks
    has what was found. Flags count as covered: only numbers are evidence.
    """
    hardest: cython.int = 1
    unknown: cython.int = 0
    for k in range(4):
        steps[k] = 0
    for c in range(w.cells):
        w.marks[c] = marks[c] if marks[c] >= 0 else codes.COVERED
        unknown += marks[c] < 0
    load_marks(w)
    clear_verdicts(w)
    while True:
        if run_single_strategies(w) != codes.OK:
            return BROKEN
        steps[1] += w.found_count
        unknown -= w.found_count
        w.found_count = 0
        if unknown == 0:
            return hardest
        k = 0
        status = codes.OK
        if most >= 2:
            status = pass_two(w)
            k = 2
        if status == codes.OK and w.found_count == 0 and most >= 3:
            status = pass_three(w)
            k = 3
        if status != codes.OK:
            return BROKEN
        if w.found_count == 0:
            return STUCK
        hardest = max(hardest, k)
        steps[k] += w.found_count
        unknown -= w.found_count
        apply_verdicts(w, codes.PAIRS_CHANGED if k == 2 else codes.TRIPLES_CHANGED)
