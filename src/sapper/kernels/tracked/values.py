"""The values of all covered cells: the probability that a cell is safe and shows each number.

For a cell c the chain of its component is followed only from the first box next to c to the last,
with the mines around c counted beside each state; the weights before and after are known.
If i of the j interior cells around c (c itself included, if it is in the interior) are mines, the
weights of the mines on the frontier change, so each chain is followed backwards once for each pair
(j, i) that occurs; `_pair_index` numbers the pairs.

A cell next to several components would need all of them at once: for such a cell, each number is a
what-if.

c, d     cells; v: a number that c may show
j, i     interior cells around c or c itself, and the mines in them
n        mines in the frontier cells around c (elsewhere: cells of the interior)
k        mines in a box, or the index of a component in p.live
t, u     mines in one component, and in the others
"""

import cython
from cython.cimports.libc.math import exp
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.tracked.chains import update_components
from cython.cimports.sapper.kernels.tracked.marks import set_mark
from cython.cimports.sapper.kernels.tracked.queries import answer, restore_state, save_state
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition
from cython.cimports.sapper.kernels.tracked.totals import combine

# With more cells of the interior, or of the frontier, around a cell, what-ifs are used instead.
MAX_INTERIOR = cython.declare(cython.int, 13)
MAX_AROUND = cython.declare(cython.int, 31)
PAIRS = cython.declare(cython.int, 105)
NEEDS_WHAT_IFS = cython.declare(cython.int, -1)


def find_values(p: TrackedPosition, out: cython.double[:, ::1]) -> cython.int:
    """Write the probability that cell c is safe and shows v to out[c, v]; needs `allocate_lists`.

    Rows of revealed cells are zero, and so are, without a mine count, those of cells next to the
    interior. Return OK, a status of `answer`, or TOO_WIDE where the general engine answered.
    """
    status: cython.int = answer(p)
    later_count: cython.int = 0
    if status:
        return status
    if p.used_general:
        return codes.TOO_WIDE
    p.weight_end = 0
    for k in range(p.live_count * PAIRS):
        p.weight_start[k] = -1
    for k in range(PAIRS):
        p.interior_ready[k] = False
    for k in range(p.live_count):
        p.others_ready[k] = False
    for c in range(p.cells):
        for v in range(out.shape[1]):
            out[c, v] = 0.0
        if p.marks[c] < 0 and p.marks[c] != codes.FLAG:
            if _values_of(p, c, out) == NEEDS_WHAT_IFS:
                p.later[later_count] = c
                later_count += 1
    # Last, because a what-if overwrites the weights of the states.
    for k in range(later_count):
        status = _values_by_what_if(p, p.later[k], out)
        if status:
            return status
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(j=cython.int, total=cython.double)
def _values_of(p: TrackedPosition, c: cython.int, out: cython.double[:, ::1]) -> cython.int:
    """Find the values of one cell.

    Return OK, or NEEDS_WHAT_IFS where its chain alone is not enough.
    """
    interior_around: cython.int = 0
    frontier_around: cython.int = 0
    first: cython.int = -1
    last: cython.int = -1
    own_box: cython.int = -1
    if p.marks[c] == codes.COVERED:
        own_box = p.box_of[c]
        first = own_box
        last = own_box
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if p.marks[d] != codes.COVERED:
            continue
        b = p.box_of[d]
        if b < 0:
            interior_around += 1
            continue
        frontier_around += 1
        if first < 0:
            first = b
            last = b
        elif b < first:
            first = b
        elif b > last:
            last = b
    j = interior_around + (p.marks[c] == codes.COVERED and own_box < 0)
    if j and not p.has_mine_count:
        return codes.OK
    if interior_around >= MAX_INTERIOR or frontier_around > MAX_AROUND or j > p.interior:
        return NEEDS_WHAT_IFS
    if first < 0 and interior_around == 0 and j == 0:
        out[c, p.flags[c]] = 1.0
        return codes.OK
    if first < 0:
        for i in range(interior_around + 1):
            total = p.binomial[interior_around, i] * _interior_weight(p, j, i)
            if total > 0.0:
                out[c, p.flags[c] + i] += total / p.total
        return codes.OK
    # The boxes of a component are adjacent in the pool.
    k = p.component_of[p.number_cell[p.cover[p.box_cover[first]]]]
    if last >= p.component_box_stop[k]:
        return NEEDS_WHAT_IFS
    return _add_chain_values(p, c, k, first, last, own_box, interior_around, j, out)


@cython.cfunc
@cython.nogil
@cython.locals(near=cython.int, rest=cython.int, factor=cython.double, total=cython.double)
def _add_chain_values(
    p: TrackedPosition,
    c: cython.int,
    f: cython.int,
    first: cython.int,
    last: cython.int,
    own_box: cython.int,
    interior_around: cython.int,
    j: cython.int,
    out: cython.double[:, ::1],
) -> cython.int:
    """Follow the chain of component f from box *first* to *last*, counting the mines around c.

    Write the values of c; *interior_around* of the j interior cells are around it.
    A row of counts, MAX_AROUND + 1 items, has the ways to reach a state of the layer by mines
    around c; *here* is the last layer and *there* the next, with rows from x and y on.
    """
    before: cython.int = (
        p.box_state[first - 1] if first > p.component_box[f] else p.component_state[f]
    )
    here: cython.int = 0
    there: cython.int = 1
    around: cython.int = 0
    for s in range(before, p.box_state[first]):
        p.counts[0, (s - before) * (MAX_AROUND + 1)] = p.ways[s]
    for b in range(first, last + 1):
        near = 0
        for k in range(p.offsets[c], p.offsets[c + 1]):
            x = p.neighbours[k]
            near += p.marks[x] == codes.COVERED and p.box_of[x] == b
        rest = p.box_size[b] - near - (b == own_box)
        base = p.box_state[b]
        for s in range(base, p.box_state_stop[b]):
            y = (s - base) * (MAX_AROUND + 1)
            for n in range(around + near + 1):
                p.counts[there, y + n] = 0.0
            for link in range(p.first_link[s], p.first_link[s + 1]):
                k = p.link_mines[link]
                x = (p.link_from[link] - before) * (MAX_AROUND + 1)
                for i in range(near + 1):
                    if i > k or k - i > rest:
                        continue
                    factor = p.binomial[near, i] * p.binomial[rest, k - i]
                    for n in range(around + 1):
                        p.counts[there, y + n + i] += factor * p.counts[here, x + n]
        around += near
        before = base
        here = 1 - here
        there = 1 - there
    for i in range(interior_around + 1):
        at = _state_weights(p, f, j, i)
        if at == NEEDS_WHAT_IFS:
            return NEEDS_WHAT_IFS
        for n in range(around + 1):
            total = 0.0
            for s in range(before, p.box_state_stop[last]):
                total += p.counts[here, (s - before) * (MAX_AROUND + 1) + n] * p.weights[at + s]
            if total > 0.0:
                out[c, p.flags[c] + n + i] += p.binomial[interior_around, i] * total / p.total
    return codes.OK


@cython.cfunc
@cython.nogil
def _pair_index(j: cython.int, i: cython.int) -> cython.int:
    """Return an index for i mines among j cells."""
    return j * (j + 1) // 2 + i


@cython.cfunc
@cython.nogil
def _frontier_weight(
    p: TrackedPosition, t: cython.int, j: cython.int, i: cython.int
) -> cython.double:
    """Return the weight of t mines on the frontier if i of j cells of the interior are mines.

    C(n - j, m - i) = C(n, m) m (m - 1)... (n - m)(n - m - 1)... / n (n - 1)...
    """
    n: cython.int = p.interior
    m: cython.int = p.mines - p.flagged - t
    components: cython.int = p.live_count
    value: cython.double = p.after[p.after_start[components] + t - p.low_before[components]]
    if value <= 0.0 or i > m or j - i > n - m:
        return 0.0
    for x in range(i):
        value *= m - x
    for x in range(j - i):
        value *= n - m - x
    for x in range(j):
        value /= n - x
    return value


@cython.cfunc
@cython.nogil
def _interior_weight(p: TrackedPosition, j: cython.int, i: cython.int) -> cython.double:
    """Return the weight of all solutions with i mines in j given cells of the interior."""
    components: cython.int = p.live_count
    at: cython.int = p.after_start[components] - p.low_before[components]
    pair: cython.int = _pair_index(j, i)
    total: cython.double = 0.0
    if not p.interior_ready[pair]:
        for t in range(p.low_before[components], p.high_before[components] + 1):
            total += p.before[at + t] * _frontier_weight(p, t, j, i)
        p.interior_weight[pair] = total
        p.interior_ready[pair] = True
    return p.interior_weight[pair]


@cython.cfunc
@cython.nogil
@cython.locals(total=cython.double)
def _state_weights(p: TrackedPosition, f: cython.int, j: cython.int, i: cython.int) -> cython.int:
    """Compute the weights of component f's states with i mines in j given cells of the interior.

    Return an index such that the weight of state s is p.weights[index + s], or NEEDS_WHAT_IFS
    where memory is full.
    """
    k: cython.int = 0
    last: cython.int = p.component_box_stop[f] - 1
    first: cython.int = p.component_state[f]
    stop: cython.int = p.box_state_stop[last]
    while p.live[k] != f:
        k += 1
    pair = k * PAIRS + _pair_index(j, i)
    if p.weight_start[pair] >= 0:
        return p.weight_start[pair] - first
    if p.weight_end + stop - first > p.weights.shape[0]:
        return NEEDS_WHAT_IFS
    start = p.weight_end - first
    p.weight_start[pair] = p.weight_end
    p.weight_end += stop - first
    if not p.others_ready[k]:
        _multiply_others(p, k)
    for s in range(first, stop):
        p.weights[start + s] = 0.0
    for s in range(p.box_state[last], stop):
        t = cython.cast(cython.int, p.key[s] >> codes.MINES_SHIFT)
        total = 0.0
        for x in range(p.others_length[k]):
            u = p.others_low[k] + x
            if p.others[k, x] > 0.0:
                if p.has_mine_count:
                    total += p.others[k, x] * _frontier_weight(p, t + u, j, i)
                else:
                    total += p.others[k, x]
        p.weights[start + s] = total
    for x in range(last + 1 - p.component_box[f]):
        b = last - x
        size = p.box_size[b]
        for s in range(p.box_state[b], p.box_state_stop[b]):
            total = p.weights[start + s]
            if total > 0.0:
                for link in range(p.first_link[s], p.first_link[s + 1]):
                    p.weights[start + p.link_from[link]] += (
                        total * p.binomial[size, p.link_mines[link]]
                    )
    return start


@cython.cfunc
@cython.nogil
def _multiply_others(p: TrackedPosition, k: cython.int) -> cython.void:
    """Compute the product of all components except the k-th as others[k, :others_length[k]]."""
    length: cython.int = 1
    p.others[k, 0] = 1.0
    p.others_low[k] = 0
    for j in range(p.live_count):
        if j == k:
            continue
        b = p.component_box_stop[p.live[j]] - 1
        low = cython.cast(cython.int, p.key[p.box_state[b]] >> codes.MINES_SHIFT)
        high = cython.cast(cython.int, p.key[p.box_state_stop[b] - 1] >> codes.MINES_SHIFT)
        for x in range(length):
            p.product[x] = p.others[k, x]
        for x in range(length + high - low):
            p.others[k, x] = 0.0
        for s in range(p.box_state[b], p.box_state_stop[b]):
            high = cython.cast(cython.int, p.key[s] >> codes.MINES_SHIFT)
            for x in range(length):
                p.others[k, x + high - low] += p.product[x] * p.ways[s]
        high = cython.cast(cython.int, p.key[p.box_state_stop[b] - 1] >> codes.MINES_SHIFT)
        length += high - low
        p.others_low[k] += low
    p.others_length[k] = length
    p.others_ready[k] = True


@cython.cfunc
@cython.nogil
def _values_by_what_if(p: TrackedPosition, c: cython.int, out: cython.double[:, ::1]) -> cython.int:
    """Find the values of one cell by what-ifs; return OK or a status of the general engine."""
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


def cell_values(p: TrackedPosition, out: cython.double[:, ::1]):
    """Call `find_values` without the GIL."""
    with cython.nogil:
        status = find_values(p, out)
    return status
