"""The values of all covered cells: the probability that a cell is safe and shows each number.

For a cell c the chain of its component is followed only from the first box next to c to the last,
with the mines around c counted beside each state; the weights before and after are known.
Of the interior, j cells matter: those around c, and c itself if it is there. Mines in i of them
change the weights of the mines on the frontier, so each chain is followed backwards once for each
pair (j, i) that occurs.

A cell next to several components would need them all at once: there each number is a what-if.
"""

import cython
from cython.cimports.libc.math import exp
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.tracked.chains import update_components
from cython.cimports.sapper.kernels.tracked.marks import set_mark
from cython.cimports.sapper.kernels.tracked.queries import answer, restore_state, save_state
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition
from cython.cimports.sapper.kernels.tracked.totals import combine

ALL_MINES = cython.declare(cython.int, 54)
# With more cells of the interior, or boxes, around one cell, the engine is used instead.
MAX_INSIDE = cython.declare(cython.int, 13)
MAX_AROUND = cython.declare(cython.int, 31)
PAIRS = cython.declare(cython.int, 105)
SEVERAL = cython.declare(cython.int, -1)


@cython.locals(c=cython.int, v=cython.int, k=cython.int)
def find_values(p: TrackedPosition, out: cython.double[:, ::1]) -> cython.int:
    """Write the probability that cell c is safe and shows v to out[c, v]; needs `allocate_lists`.

    Rows of revealed cells are zero, and so are, without a mine count, those of cells next to the
    interior. OK, a status of `answer`, or TOO_WIDE where the general engine answered.
    """
    status: cython.int = answer(p)
    several: cython.int = 0
    if status:
        return status
    if p.by_general:
        return codes.TOO_WIDE
    p.worth_end = 0
    for k in range(p.live_count * PAIRS):
        p.worth_start[k] = -1
    for k in range(PAIRS):
        p.inside_ready[k] = False
    for k in range(p.live_count):
        p.others_ready[k] = False
    for c in range(p.cells):
        for v in range(out.shape[1]):
            out[c, v] = 0.0
        if p.marks[c] < 0 and p.marks[c] != codes.FLAG:
            if _values_of(p, c, out) == SEVERAL:
                p.later[several] = c
                several += 1
    # Last, because a what-if overwrites the weights of the states.
    for k in range(several):
        status = _values_by_what_if(p, p.later[k], out)
        if status:
            return status
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, d=cython.int, i=cython.int, k=cython.int, taken=cython.int)
@cython.locals(total=cython.double)
def _values_of(p: TrackedPosition, c: cython.int, out: cython.double[:, ::1]) -> cython.int:
    """Find the values of one cell; OK, or SEVERAL where its chain alone is not enough."""
    inside: cython.int = 0
    around: cython.int = 0
    first: cython.int = -1
    last: cython.int = -1
    own: cython.int = -1
    if p.marks[c] == codes.COVERED:
        own = p.box_of[c]
        first = own
        last = own
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if p.marks[d] != codes.COVERED:
            continue
        b = p.box_of[d]
        if b < 0:
            inside += 1
            continue
        around += 1
        if first < 0:
            first = b
            last = b
        elif b < first:
            first = b
        elif b > last:
            last = b
    taken = inside + (p.marks[c] == codes.COVERED and own < 0)
    if taken and not p.counted:
        return codes.OK
    if inside >= MAX_INSIDE or around > MAX_AROUND or taken > p.interior:
        return SEVERAL
    if first < 0 and inside == 0 and taken == 0:
        out[c, p.flags[c]] = 1.0
        return codes.OK
    if first < 0:
        for i in range(inside + 1):
            total = p.binomial[inside, i] * _worth_inside(p, taken, i)
            if total > 0.0:
                out[c, p.flags[c] + i] += total / p.total
        return codes.OK
    # The boxes of a component are adjacent in the pool.
    k = p.component_of[p.number_cell[p.cover[p.box_cover[first]]]]
    if last >= p.component_past_box[k]:
        return SEVERAL
    return _walk(p, c, k, first, last, own, inside, taken, around, out)


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, i=cython.int, k=cython.int, n=cython.int, s=cython.int, x=cython.int)
@cython.locals(y=cython.int, link=cython.int, base=cython.int, near=cython.int, rest=cython.int)
@cython.locals(worth=cython.int, factor=cython.double, total=cython.double)
def _walk(
    p: TrackedPosition,
    c: cython.int,
    f: cython.int,
    first: cython.int,
    last: cython.int,
    own: cython.int,
    inside: cython.int,
    taken: cython.int,
    around: cython.int,
    out: cython.double[:, ::1],
) -> cython.int:
    """Follow the chain of component f from box *first* to *last*, counting the mines around c."""
    before: cython.int = (
        p.box_state[first - 1] if first > p.component_box[f] else p.component_state[f]
    )
    here: cython.int = 0
    there: cython.int = 1
    found: cython.int = 0
    for s in range(before, p.box_state[first]):
        p.counts[0, (s - before) * (MAX_AROUND + 1)] = p.value[s]
    for b in range(first, last + 1):
        near = 0
        for k in range(p.offsets[c], p.offsets[c + 1]):
            x = p.neighbours[k]
            near += p.marks[x] == codes.COVERED and p.box_of[x] == b
        rest = p.box_size[b] - near - (b == own)
        base = p.box_state[b]
        for s in range(base, p.box_past_state[b]):
            y = (s - base) * (MAX_AROUND + 1)
            for n in range(found + near + 1):
                p.counts[there, y + n] = 0.0
            for link in range(p.first_link[s], p.first_link[s + 1]):
                k = p.link_mines[link]
                x = (p.link_from[link] - before) * (MAX_AROUND + 1)
                for i in range(near + 1):
                    if i > k or k - i > rest:
                        continue
                    factor = p.binomial[near, i] * p.binomial[rest, k - i]
                    for n in range(found + 1):
                        p.counts[there, y + n + i] += factor * p.counts[here, x + n]
        found += near
        before = base
        here = 1 - here
        there = 1 - there
    for i in range(inside + 1):
        worth = _worth_of(p, f, taken, i)
        if worth == SEVERAL:
            return SEVERAL
        for n in range(found + 1):
            total = 0.0
            for s in range(before, p.box_past_state[last]):
                total += p.counts[here, (s - before) * (MAX_AROUND + 1) + n] * p.worths[worth + s]
            if total > 0.0:
                out[c, p.flags[c] + n + i] += p.binomial[inside, i] * total / p.total
    return codes.OK


@cython.cfunc
@cython.nogil
def _pair(taken: cython.int, i: cython.int) -> cython.int:
    """Return an index for i mines among *taken* cells."""
    return taken * (taken + 1) // 2 + i


@cython.cfunc
@cython.nogil
@cython.locals(x=cython.int)
def _fall(p: TrackedPosition, t: cython.int, taken: cython.int, i: cython.int) -> cython.double:
    """Return the weight of t mines on the frontier if i of *taken* cells of the interior are mines.

    C(n - taken, m - i) = C(n, m) m (m - 1)... (n - m)(n - m - 1)... / n (n - 1)...
    """
    n: cython.int = p.interior
    m: cython.int = p.mines - p.flagged - t
    components: cython.int = p.live_count
    value: cython.double = p.after[p.after_start[components] + t - p.low_before[components]]
    if value <= 0.0 or i > m or taken - i > n - m:
        return 0.0
    for x in range(i):
        value *= m - x
    for x in range(taken - i):
        value *= n - m - x
    for x in range(taken):
        value /= n - x
    return value


@cython.cfunc
@cython.nogil
@cython.locals(t=cython.int)
def _worth_inside(p: TrackedPosition, taken: cython.int, i: cython.int) -> cython.double:
    """Return the weight of all solutions with i mines in *taken* given cells of the interior."""
    components: cython.int = p.live_count
    at: cython.int = p.after_start[components] - p.low_before[components]
    pair: cython.int = _pair(taken, i)
    total: cython.double = 0.0
    if not p.inside_ready[pair]:
        for t in range(p.low_before[components], p.high_before[components] + 1):
            total += p.before[at + t] * _fall(p, t, taken, i)
        p.inside_worth[pair] = total
        p.inside_ready[pair] = True
    return p.inside_worth[pair]


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, s=cython.int, t=cython.int, u=cython.int, x=cython.int)
@cython.locals(link=cython.int, place=cython.int, start=cython.int, size=cython.int)
@cython.locals(total=cython.double)
def _worth_of(p: TrackedPosition, f: cython.int, taken: cython.int, i: cython.int) -> cython.int:
    """Return the index in p.worths of component f's states (less its first state), or SEVERAL."""
    k: cython.int = 0
    last: cython.int = p.component_past_box[f] - 1
    first: cython.int = p.component_state[f]
    past: cython.int = p.box_past_state[last]
    while p.live[k] != f:
        k += 1
    place = k * PAIRS + _pair(taken, i)
    if p.worth_start[place] >= 0:
        return p.worth_start[place] - first
    if p.worth_end + past - first > p.worths.shape[0]:
        return SEVERAL
    start = p.worth_end - first
    p.worth_start[place] = p.worth_end
    p.worth_end += past - first
    if not p.others_ready[k]:
        _multiply_others(p, k)
    for s in range(first, past):
        p.worths[start + s] = 0.0
    for s in range(p.box_state[last], past):
        t = cython.cast(cython.int, p.key[s] >> ALL_MINES)
        total = 0.0
        for x in range(p.others_length[k]):
            u = p.others_low[k] + x
            if p.others[k, x] > 0.0:
                if p.counted:
                    total += p.others[k, x] * _fall(p, t + u, taken, i)
                else:
                    total += p.others[k, x]
        p.worths[start + s] = total
    for x in range(last + 1 - p.component_box[f]):
        b = last - x
        size = p.box_size[b]
        for s in range(p.box_state[b], p.box_past_state[b]):
            total = p.worths[start + s]
            if total > 0.0:
                for link in range(p.first_link[s], p.first_link[s + 1]):
                    p.worths[start + p.link_from[link]] += (
                        total * p.binomial[size, p.link_mines[link]]
                    )
    return start


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, j=cython.int, s=cython.int, x=cython.int, low=cython.int)
@cython.locals(high=cython.int)
def _multiply_others(p: TrackedPosition, k: cython.int) -> cython.void:
    """Compute the product of all components except the k-th as others[k, :others_length[k]]."""
    length: cython.int = 1
    p.others[k, 0] = 1.0
    p.others_low[k] = 0
    for j in range(p.live_count):
        if j == k:
            continue
        b = p.component_past_box[p.live[j]] - 1
        low = cython.cast(cython.int, p.key[p.box_state[b]] >> ALL_MINES)
        high = cython.cast(cython.int, p.key[p.box_past_state[b] - 1] >> ALL_MINES)
        for x in range(length):
            p.product[x] = p.others[k, x]
        for x in range(length + high - low):
            p.others[k, x] = 0.0
        for s in range(p.box_state[b], p.box_past_state[b]):
            high = cython.cast(cython.int, p.key[s] >> ALL_MINES)
            for x in range(length):
                p.others[k, x + high - low] += p.product[x] * p.value[s]
        high = cython.cast(cython.int, p.key[p.box_past_state[b] - 1] >> ALL_MINES)
        length += high - low
        p.others_low[k] += low
    p.others_length[k] = length
    p.others_ready[k] = True


@cython.cfunc
@cython.nogil
@cython.locals(v=cython.int, status=cython.int, ln_solutions=cython.double)
def _values_by_what_if(p: TrackedPosition, c: cython.int, out: cython.double[:, ::1]) -> cython.int:
    """Find the values of one cell by what-ifs; OK, or a status of the general engine."""
    combine(p)
    ln_solutions = p.ln_solutions
    for v in range(p.flags[c], p.flags[c] + p.covered[c] + 1):
        save_state(p)
        status = set_mark(p, c, v)
        if status == codes.OK:
            status = update_components(p)
        if status == codes.OK:
            status = combine(p)
        if status == codes.OK:
            out[c, v] = exp(p.ln_solutions - ln_solutions)
        restore_state(p)
        if status != codes.OK and status != codes.NO_SOLUTION and status != codes.WRONG_COUNT:
            return codes.TOO_WIDE
    return codes.OK


@cython.locals(status=cython.int)
def cell_values(p: TrackedPosition, out):
    """Call `find_values` without the GIL."""
    rows: cython.double[:, ::1] = out
    with cython.nogil:
        status = find_values(p, rows)
    return status
