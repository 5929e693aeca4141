"""Solving a table as on paper: hints stay as they are, blanks become mines or free, by deduction.

offsets, neighbours   the board: the neighbours of cell c are neighbours[offsets[c]:offsets[c + 1]]
marks                 a hint from 0 up, or less than 0 for a blank
known                 UNKNOWN, FREE or MINE for each cell; hints are FREE
need, left            of a hint: mines still to be found around it, and blanks still unknown
verdict               what the running pass has found of a cell, applied when the pass is over
fresh                 of a hint: its unknown blanks changed since all sets of two (bit 1)
                      or of three (bit 2) with it were looked at
code                  which hints of the set in hand see a cell, as bits

A pass looks at every connected set of one, two or three hints and finds exactly what the set
allows, so that each is complete for its number of hints. Cells that hints of the set share in the
same way form a region; only the number of mines in each region matters.
(Long for a module because the compiler wants a line for each variable.)
"""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import FREE, MINE, UNKNOWN
else:
    from sapper.kernels.codes import FREE, MINE, UNKNOWN

STUCK = cython.declare(cython.int, 0)
NO_PLACEMENT = cython.declare(cython.int, -1)

# Bits of `fresh`.
PAIRS = cython.declare(cython.uchar, 1)
TRIPLES = cython.declare(cython.uchar, 2)


@cython.cclass
class Desk:
    """The arrays of one board, made once and used for every replay on it; see the legend."""

    offsets: cython.const[cython.int][::1]
    neighbours: cython.const[cython.int][::1]
    marks: cython.const[cython.int][::1]
    known: cython.uchar[::1]
    verdict: cython.uchar[::1]
    fresh: cython.uchar[::1]
    code: cython.uchar[::1]
    need: cython.int[::1]
    left: cython.int[::1]
    queue: cython.int[::1]
    waits: cython.uchar[::1]
    found: cython.int[::1]
    stamp: cython.int[::1]
    near: cython.int[::1]
    least: cython.int[::1]
    greatest: cython.int[::1]
    size: cython.int[::1]
    cells: cython.int
    unknown: cython.int
    queued: cython.int
    finds: cython.int
    broken: cython.bint

    def __init__(
        self, offsets: object, neighbours: object, bytes_: list, ints: list, regions: list
    ) -> None:
        """*bytes_* has 5 rows of a byte a cell, *ints* 6 rows, *regions* 3 rows of 8."""
        self.offsets = offsets
        self.neighbours = neighbours
        self.known = bytes_[0]
        self.verdict = bytes_[1]
        self.fresh = bytes_[2]
        self.code = bytes_[3]
        self.waits = bytes_[4]
        self.need = ints[0]
        self.left = ints[1]
        self.queue = ints[2]
        self.found = ints[3]
        self.stamp = ints[4]
        self.near = ints[5]
        self.least = regions[0]
        self.greatest = regions[1]
        self.size = regions[2]
        self.cells = len(bytes_[0])
        self.unknown = 0
        self.queued = 0
        self.finds = 0
        self.broken = False


@cython.ccall
@cython.exceptval(check=False)
def replay(
    desk: Desk, marks: cython.const[cython.int][::1], most: cython.int, steps: cython.int[::1]
) -> cython.int:
    """Take every move of the fewest hints that allow any, again and again, up to *most* hints.

    Returns the largest number of hints that a move needed, STUCK when blanks are left,
    or NO_PLACEMENT. steps[k] becomes the number of blanks that needed k hints;
    desk.known tells what was found.
    """
    hardest: cython.int = 1
    k: cython.int
    for k in range(4):
        steps[k] = 0
    desk.marks = marks
    _begin(desk)
    while True:
        steps[1] += _singles(desk)
        if desk.broken:
            return NO_PLACEMENT
        if desk.unknown == 0:
            return hardest
        k = 0
        if most >= 2:
            _pairs(desk)
            k = 2
        if desk.finds == 0 and not desk.broken and most >= 3:
            _triples(desk)
            k = 3
        if desk.broken:
            return NO_PLACEMENT
        if desk.finds == 0:
            return STUCK
        hardest = max(hardest, k)
        steps[k] += desk.finds
        _apply(desk)


@cython.cfunc
@cython.exceptval(check=False)
def _begin(desk: Desk) -> cython.void:
    c: cython.int
    k: cython.int
    desk.unknown = 0
    desk.queued = 0
    desk.finds = 0
    desk.broken = False
    for c in range(desk.cells):
        desk.verdict[c] = UNKNOWN
        desk.code[c] = 0
        desk.stamp[c] = -1
        desk.waits[c] = 0
        if desk.marks[c] >= 0:
            desk.known[c] = FREE
            desk.need[c] = desk.marks[c]
        else:
            desk.known[c] = UNKNOWN
            desk.unknown += 1
    for c in range(desk.cells):
        if desk.marks[c] >= 0:
            desk.left[c] = 0
            for k in range(desk.offsets[c], desk.offsets[c + 1]):
                if desk.marks[desk.neighbours[k]] < 0:
                    desk.left[c] += 1
            _touch(desk, c)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _touch(desk: Desk, h: cython.int) -> cython.void:
    """Hint h has changed: look at it alone next, and at all sets with it later."""
    desk.fresh[h] = PAIRS | TRIPLES
    if not desk.waits[h]:
        desk.waits[h] = 1
        desk.queue[desk.queued] = h
        desk.queued += 1


@cython.cfunc
@cython.exceptval(check=False)
def _settle(desk: Desk, c: cython.int, verdict: cython.uchar) -> cython.void:
    k: cython.int
    h: cython.int
    desk.known[c] = verdict
    desk.unknown -= 1
    for k in range(desk.offsets[c], desk.offsets[c + 1]):
        h = desk.neighbours[k]
        if desk.marks[h] >= 0:
            desk.left[h] -= 1
            if verdict == MINE:
                desk.need[h] -= 1
            _touch(desk, h)


@cython.cfunc
@cython.exceptval(check=False)
def _singles(desk: Desk) -> cython.int:
    """Settle all that single hints allow; returns how many blanks that was."""
    h: cython.int
    c: cython.int
    k: cython.int
    verdict: cython.uchar
    before: cython.int = desk.unknown
    while desk.queued:
        desk.queued -= 1
        h = desk.queue[desk.queued]
        desk.waits[h] = 0
        if desk.need[h] < 0 or desk.need[h] > desk.left[h]:
            desk.broken = True
            break
        if desk.left[h] == 0 or (desk.need[h] != 0 and desk.need[h] != desk.left[h]):
            continue
        verdict = MINE if desk.need[h] else FREE
        for k in range(desk.offsets[h], desk.offsets[h + 1]):
            c = desk.neighbours[k]
            if desk.known[c] == UNKNOWN:
                _settle(desk, c, verdict)
    return before - desk.unknown


@cython.cfunc
@cython.exceptval(check=False)
def _pairs(desk: Desk) -> cython.void:
    """Find all that two hints with a shared blank allow."""
    h: cython.int
    i: cython.int
    count: cython.int
    for h in range(desk.cells):
        if desk.marks[h] < 0 or desk.left[h] == 0:
            continue
        count = _gather(desk, h)
        _write(desk, h, 1)
        for i in range(count):
            if desk.near[i] > h and (desk.fresh[h] | desk.fresh[desk.near[i]]) & PAIRS:
                _pair(desk, h, desk.near[i])
        _write(desk, h, 0)
        if desk.broken:
            return
    for h in range(desk.cells):
        desk.fresh[h] &= TRIPLES


@cython.cfunc
@cython.exceptval(check=False)
def _gather(desk: Desk, h: cython.int) -> cython.int:
    """List in desk.near the hints that share an unknown blank with h; returns how many."""
    c: cython.int
    g: cython.int
    k: cython.int
    j: cython.int
    count: cython.int = 0
    desk.stamp[h] = h
    for k in range(desk.offsets[h], desk.offsets[h + 1]):
        c = desk.neighbours[k]
        if desk.known[c] != UNKNOWN:
            continue
        for j in range(desk.offsets[c], desk.offsets[c + 1]):
            g = desk.neighbours[j]
            if desk.marks[g] >= 0 and desk.stamp[g] != h:
                desk.stamp[g] = h
                desk.near[count] = g
                count += 1
    desk.stamp[h] = -1
    for k in range(count):
        desk.stamp[desk.near[k]] = -1
    return count


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _write(desk: Desk, h: cython.int, code: cython.uchar) -> cython.void:
    """Set the code of all unknown blanks around h."""
    k: cython.int
    c: cython.int
    for k in range(desk.offsets[h], desk.offsets[h + 1]):
        c = desk.neighbours[k]
        if desk.known[c] == UNKNOWN:
            desk.code[c] = code


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _toggle(desk: Desk, h: cython.int, bit: cython.uchar) -> cython.void:
    """Flip a bit in the code of all unknown blanks around h."""
    k: cython.int
    c: cython.int
    for k in range(desk.offsets[h], desk.offsets[h + 1]):
        c = desk.neighbours[k]
        if desk.known[c] == UNKNOWN:
            desk.code[c] ^= bit


@cython.cfunc
@cython.exceptval(check=False)
def _pair(desk: Desk, h: cython.int, g: cython.int) -> cython.void:
    """Find what h, whose blanks have code 1, and g allow together."""
    k: cython.int
    shared: cython.int = 0
    for k in range(desk.offsets[g], desk.offsets[g + 1]):
        if desk.code[desk.neighbours[k]] == 1 and desk.known[desk.neighbours[k]] == UNKNOWN:
            shared += 1
    only_h: cython.int = desk.left[h] - shared
    only_g: cython.int = desk.left[g] - shared
    least: cython.int = max(0, desk.need[h] - only_h, desk.need[g] - only_g)
    most: cython.int = min(shared, desk.need[h], desk.need[g])
    if least > most:
        desk.broken = True
        return
    desk.least[1] = desk.need[h] - most
    desk.greatest[1] = desk.need[h] - least
    desk.size[1] = only_h
    desk.least[2] = desk.need[g] - most
    desk.greatest[2] = desk.need[g] - least
    desk.size[2] = only_g
    desk.least[3] = least
    desk.greatest[3] = most
    desk.size[3] = shared
    if _decided(desk, 4):
        _toggle(desk, g, 2)
        _judge(desk, h)
        _judge(desk, g)
        _toggle(desk, g, 2)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _decided(desk: Desk, regions: cython.int) -> cython.bint:
    """Whether some region below *regions* is all mines or all free."""
    r: cython.int
    for r in range(1, regions):
        if desk.size[r] and (desk.greatest[r] == 0 or desk.least[r] == desk.size[r]):
            return True
    return False


@cython.cfunc
@cython.exceptval(check=False)
def _judge(desk: Desk, h: cython.int) -> cython.void:
    """Note a verdict for the unknown blanks around h whose region is decided."""
    k: cython.int
    c: cython.int
    r: cython.int
    for k in range(desk.offsets[h], desk.offsets[h + 1]):
        c = desk.neighbours[k]
        r = desk.code[c]
        if desk.known[c] != UNKNOWN or desk.verdict[c] != UNKNOWN:
            continue
        if desk.greatest[r] == 0:
            desk.verdict[c] = FREE
        elif desk.least[r] == desk.size[r]:
            desk.verdict[c] = MINE
        else:
            continue
        desk.found[desk.finds] = c
        desk.finds += 1


@cython.cfunc
@cython.exceptval(check=False)
def _apply(desk: Desk) -> cython.void:
    i: cython.int
    c: cython.int
    for i in range(desk.finds):
        c = desk.found[i]
        _settle(desk, c, desk.verdict[c])
        desk.verdict[c] = UNKNOWN
    desk.finds = 0


@cython.cfunc
@cython.exceptval(check=False)
def _triples(desk: Desk) -> cython.void:
    """Find all that three hints allow: b in the middle, a and c each sharing a blank with it."""
    b: cython.int
    i: cython.int
    j: cython.int
    count: cython.int
    fresh: cython.uchar
    for b in range(desk.cells):
        if desk.marks[b] < 0 or desk.left[b] == 0:
            continue
        count = _gather(desk, b)
        _write(desk, b, 1)
        for i in range(count):
            fresh = desk.fresh[b] | desk.fresh[desk.near[i]]
            _toggle(desk, desk.near[i], 2)
            for j in range(i):
                if (fresh | desk.fresh[desk.near[j]]) & TRIPLES:
                    _triple(desk, b, desk.near[i], desk.near[j])
            _toggle(desk, desk.near[i], 2)
        _write(desk, b, 0)
        if desk.broken:
            return
    for b in range(desk.cells):
        desk.fresh[b] &= PAIRS


@cython.cfunc
@cython.exceptval(check=False)
def _triple(desk: Desk, b: cython.int, a: cython.int, c: cython.int) -> cython.void:
    """Find what b (bit 1 of the code), a (bit 2) and c (bit 4, not yet written) allow together.

    With the mines that all three share and those that a and b share fixed, the two regions shared
    with c range over a box cut by c's need: its corners are plain arithmetic.
    """
    k: cython.int
    r: cython.int
    cell: cython.int
    for r in range(8):
        desk.size[r] = 0
        desk.least[r] = 1 << 30
        desk.greatest[r] = -1
    for k in range(desk.offsets[c], desk.offsets[c + 1]):
        cell = desk.neighbours[k]
        if desk.known[cell] == UNKNOWN:
            desk.size[4 | desk.code[cell]] += 1
    for k in range(desk.offsets[a], desk.offsets[a + 1]):
        cell = desk.neighbours[k]
        if desk.known[cell] == UNKNOWN and desk.code[cell] == 3:
            desk.size[3] += 1
    desk.size[3] -= desk.size[7]
    desk.size[1] = desk.left[b] - desk.size[3] - desk.size[5] - desk.size[7]
    desk.size[2] = desk.left[a] - desk.size[3] - desk.size[6] - desk.size[7]

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
    for all_three in range(desk.size[7] + 1):
        rest_c = desk.need[c] - all_three
        for ab in range(desk.size[3] + 1):
            rest_a = desk.need[a] - all_three - ab
            rest_b = desk.need[b] - all_three - ab
            low_a = max(0, rest_a - desk.size[2])
            high_a = min(desk.size[6], rest_a)
            low_b = max(0, rest_b - desk.size[1])
            high_b = min(desk.size[5], rest_b)
            if low_a > high_a or low_b > high_b:
                continue
            low = max(low_a + low_b, rest_c - desk.size[4])
            high = min(high_a + high_b, rest_c)
            if low > high:
                continue
            met = True
            _widen(desk, 7, all_three, all_three)
            _widen(desk, 3, ab, ab)
            _widen(desk, 4, rest_c - high, rest_c - low)
            low_a, high_a = max(low_a, low - high_b), min(high_a, high - low_b)
            low_b, high_b = max(low_b, low - high_a), min(high_b, high - low_a)
            _widen(desk, 6, low_a, high_a)
            _widen(desk, 2, rest_a - high_a, rest_a - low_a)
            _widen(desk, 5, low_b, high_b)
            _widen(desk, 1, rest_b - high_b, rest_b - low_b)
            if not _decided(desk, 8):
                return
    if not met:
        desk.broken = True
        return
    _toggle(desk, c, 4)
    _judge(desk, a)
    _judge(desk, b)
    _judge(desk, c)
    _toggle(desk, c, 4)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _widen(desk: Desk, r: cython.int, low: cython.int, high: cython.int) -> cython.void:
    """Region r may hold from *low* to *high* mines as well."""
    desk.least[r] = min(desk.least[r], low)
    desk.greatest[r] = max(desk.greatest[r], high)
