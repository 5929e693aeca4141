"""Passes: every move that single numbers, pairs or sets of three numbers prove, found at once.

A pass reads one state of the marks and records its verdicts; they become marks when it is over, so
that no move depends on another move of the same pass. A pass skips the sets in which no number
changed since the pass before. `human` describes the fields.

In a set of three numbers, the one in the middle shares a covered cell with each of the others.
Cells that touch the same numbers of a set form a region; only the number of mines in each region
matters. For the numbers a, b and c the index of a region is a sum: TOUCHES_B if its cells touch b,
and so on.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstBytes, ConstInts, Ints
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

TOUCHES_B = cython.declare(cython.int, 1)
TOUCHES_A = cython.declare(cython.int, 2)
TOUCHES_C = cython.declare(cython.int, 4)

# Results of `solve_on_paper`.
STUCK = cython.declare(cython.int, 0)
CONTRADICTION = cython.declare(cython.int, -1)


def clear_verdicts(w: HumanState) -> cython.void:
    """Remove the verdicts of all cells; call it after `load_marks`."""
    for c in range(w.cells):
        w.verdict[c] = codes.UNKNOWN
        w.region[c] = 0


@cython.ccall
@cython.nogil
def update_marks(w: HumanState, marks: ConstInts, known: ConstBytes) -> cython.void:
    """Change to a position and what is known about its cells, before the next pass.

    Where cells were only added to those that are revealed or known, only these are examined.
    """
    must_reload: cython.bint = False
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
            must_reload = True
            break
    if must_reload:
        for c in range(w.cells):
            w.marks[c] = _mark(marks[c], known[c])
        load_marks(w)


@cython.cfunc
@cython.inline
@cython.nogil
def _mark(mark: cython.int, known: cython.int) -> cython.int:
    """Return the solver's mark for a cell with this mark and what is known about it."""
    if mark >= 0:
        return mark
    if known == codes.MINE:
        return codes.FLAG
    return codes.KNOWN_SAFE if known == codes.SAFE else codes.COVERED


def clear_changed(w: HumanState, bit: cython.int) -> cython.void:
    """Clear a bit of all numbers (PAIRS_CHANGED, TRIPLES_CHANGED) after a pass over all sets."""
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
    """Find every move that a single number proves, by strategies 1 and 2.

    Return OK or NO_SOLUTION.
    """
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
    """Find every move that a pair of numbers proves, by strategies 3 to 7.

    Call it when single numbers prove no move. Return OK or NO_SOLUTION.
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


def pass_three(w: HumanState) -> cython.int:
    """Find every move that three numbers prove: a and c each share a covered cell with b.

    Call it when pairs of numbers prove no move. Return OK or NO_SOLUTION.
    """
    status: cython.int = codes.OK
    for b in range(w.cells):
        if w.marks[b] < 0 or w.covered[b] == 0:
            continue
        count = find_partners(w, b)
        for i in range(count):
            w.shared[w.partners[i]] = 0
        _toggle(w, b, TOUCHES_B)
        for i in range(count):
            changed = w.queued[b] | w.queued[w.partners[i]]
            _toggle(w, w.partners[i], TOUCHES_A)
            for j in range(i):
                if (
                    changed | w.queued[w.partners[j]]
                ) & codes.TRIPLES_CHANGED and status == codes.OK:
                    status = _check_triple(w, b, w.partners[i], w.partners[j])
            _toggle(w, w.partners[i], TOUCHES_A)
        _toggle(w, b, TOUCHES_B)
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
    """Find the moves that a, b and c prove together; the regions of c are not marked yet.

    By index, the regions are: 1 only b, 2 only a, 3 a and b, 4 only c, 5 b and c, 6 a and c, 7 all.
    For fixed numbers of mines in regions 7 and 3, those of regions 5 and 6 range over a rectangle
    that is cut by the mines that c needs, so its corners are known. Return OK, or NO_SOLUTION where
    the three numbers contradict each other.
    """
    for r in range(8):
        w.size[r] = 0
        w.least[r] = 1 << 30
        w.greatest[r] = -1
    for k in range(w.offsets[c], w.offsets[c + 1]):
        cell = w.neighbours[k]
        if w.marks[cell] == codes.COVERED:
            w.size[TOUCHES_C | w.region[cell]] += 1
    for k in range(w.offsets[a], w.offsets[a + 1]):
        cell = w.neighbours[k]
        if w.marks[cell] == codes.COVERED and w.region[cell] == 3:
            w.size[3] += 1
    w.size[3] -= w.size[7]
    w.size[1] = w.covered[b] - w.size[3] - w.size[5] - w.size[7]
    w.size[2] = w.covered[a] - w.size[3] - w.size[6] - w.size[7]

    possible: cython.bint = False
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
            possible = True
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
    if not possible:
        return codes.NO_SOLUTION
    _toggle(w, c, TOUCHES_C)
    _add_region_verdicts(w, a)
    _add_region_verdicts(w, b)
    _add_region_verdicts(w, c)
    _toggle(w, c, TOUCHES_C)
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
    w: HumanState, marks: ConstInts, max_numbers: cython.int, steps: Ints
) -> cython.int:
    """Make all moves that the smallest sets of numbers prove, again and again.

    Sets have at most *max_numbers* numbers. Return the size of the largest set that was needed,
    STUCK where covered cells remain, or CONTRADICTION. steps[k] becomes the number of cells that
    needed k numbers, and w.marks has the result. Flags count as covered: proofs use only numbers.
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
            return CONTRADICTION
        steps[1] += w.found_count
        unknown -= w.found_count
        w.found_count = 0
        if unknown == 0:
            return hardest
        k = 0
        status = codes.OK
        if max_numbers >= 2:
            status = pass_two(w)
            k = 2
        if status == codes.OK and w.found_count == 0 and max_numbers >= 3:
            status = pass_three(w)
            k = 3
        if status != codes.OK:
            return CONTRADICTION
        if w.found_count == 0:
            return STUCK
        hardest = max(hardest, k)
        steps[k] += w.found_count
        unknown -= w.found_count
        apply_verdicts(w, codes.PAIRS_CHANGED if k == 2 else codes.TRIPLES_CHANGED)
