"""The forward pass: joins of nodes; `adjoints` is the backward pass.

A node maps a key (the mines used of each open number) to a polynomial in the number of mines.
The keys of two nodes are added. Two subtractions test whether every number stays within its bounds:
a guard bit above each field of the key shows a borrow.

Coefficients are tilted: a solution of t mines has weight tilt ** t, so that sums stay near 1.
Where that is not enough (ws.rescaling: too many covered cells), every node is scaled by its
maximum, and a positive product never becomes less than TINY. In either case a coefficient is
positive if and only if it counts a solution; certainty depends on that and not on rounding.
"""

import cython
from cython.cimports.libc.math import frexp, ldexp, lgamma, log
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Doubles
from cython.cimports.sapper.kernels.engine.pairing import pair_states, pair_wide_states
from cython.cimports.sapper.kernels.engine.workspace import Workspace, check_limits

ONE = cython.declare(cython.ulonglong, 1)
LN_2 = cython.declare(cython.double, 0.6931471805599453)

TINY = cython.declare(cython.double, 1e-300)
# Up to here C(size, k) * tilt ** k is a float of normal size: tilt is at least 0.001, at most 1000.
SMALL_BOX = cython.declare(cython.int, 64)


@cython.locals(s=cython.longlong)
def start_leaves(ws: Workspace) -> cython.int:
    """Create the leaf of every box: k of its cells are mines in C(size, k) ways."""
    states: cython.longlong = 0
    ws.next_join = ws.boxes
    ws.link_end = 0
    ws.part_end = 0
    ws.ln_scale = 0.0
    ws.work = 0
    for b in range(ws.boxes):
        states += ws.box_high[b] - ws.box_low[b] + 1
    if states > ws.states_capacity:
        ws.requested = 2 * states
        return codes.GROW_STATES
    if states * ws.words > ws.keys_capacity:
        ws.requested = 2 * states * ws.words
        return codes.GROW_KEYS
    if states > ws.terms_capacity:
        ws.requested = 4 * states
        return codes.GROW_TERMS
    s = 0
    for b in range(ws.boxes):
        ws.first_state[b] = cython.cast(cython.int, s)
        for w in range(ws.words):
            ws.scratch[w] = 0
        for i in range(ws.scope_start[b], ws.scope_start[b] + ws.scope_open[b]):
            k = ws.scope_number[i]
            ws.scratch[ws.word[k]] |= ONE << ws.shift[k]
        _weigh_leaf(ws, b, s)
        for k in range(ws.box_low[b], ws.box_high[b] + 1):
            for w in range(ws.words):
                ws.key[s * ws.words + w] = ws.scratch[w] * cython.cast(cython.ulonglong, k)
            ws.lowest[s] = k if ws.has_mine_count else 0
            ws.length[s] = 1
            ws.term[s] = s
            s += 1
        ws.state_stop[b] = cython.cast(cython.int, s)
        if ws.rescaling:
            _rescale(ws, ws.first_state[b], s)
    ws.state_end = s
    ws.term_end = s
    return codes.OK


@cython.cfunc
@cython.nogil
def _weigh_leaf(ws: Workspace, b: cython.int, s: cython.longlong) -> cython.void:
    """Write C(size, k) * tilt ** k to ws.value[s:], for each k that box b may hold.

    With ws.rescaling a box may be so large that these exceed the range of floats. They are then
    relative to the largest, that of *peak* mines, whose logarithm is added to ws.ln_scale, and at
    least TINY.
    """
    size: cython.int = ws.box_size[b]
    low: cython.int = ws.box_low[b]
    high: cython.int = ws.box_high[b]
    peak: cython.int = low
    first: cython.longlong = s - low
    weight: cython.double = 1.0
    if size <= SMALL_BOX or not ws.rescaling:
        for k in range(high + 1):
            if k >= low:
                ws.value[first + k] = weight
            weight = weight * (size - k) / (k + 1) * ws.tilt
        return
    while peak < high and (size - peak) * ws.tilt > peak + 1:
        peak += 1
    ws.ln_scale += (
        lgamma(size + 1.0) - lgamma(peak + 1.0) - lgamma(size - peak + 1.0) + peak * log(ws.tilt)
    )
    ws.value[first + peak] = 1.0
    for k in range(peak, high):
        weight = weight * (size - k) / (k + 1) * ws.tilt
        weight = weight if weight > TINY else TINY
        ws.value[first + k + 1] = weight
    weight = 1.0
    for k in range(peak - low):
        # Down from j = peak - k: C(size, j - 1) = C(size, j) * j / (size - j + 1)
        weight = weight * (peak - k) / (size - peak + k + 1) / ws.tilt
        weight = weight if weight > TINY else TINY
        ws.value[first + peak - k - 1] = weight


def forward(ws: Workspace) -> cython.int:
    """Do the joins from ws.next_join on; call it again after a pool has grown."""
    while ws.next_join < ws.nodes:
        if ws.next_join < ws.first_product:
            status = _join(ws, ws.next_join)
        else:
            status = _multiply(ws, ws.next_join)
        if status:
            return status
        ws.next_join += 1
    return codes.OK


@cython.cfunc
@cython.nogil
def _join(ws: Workspace, c: cython.int) -> cython.int:
    """Join the two nodes of c: pass 1 pairs the states, pass 2 multiplies the polynomials."""
    a: cython.int = ws.left[c]
    b: cython.int = ws.right[c]
    if ws.state_stop[a] - ws.first_state[a] < ws.state_stop[b] - ws.first_state[b]:
        a = ws.right[c]
        b = ws.left[c]
        ws.left[c] = a
        ws.right[c] = b
    _set_bounds(ws, c)
    if ws.words == 1:
        status = pair_states(ws, a, b, c)
    else:
        status = pair_wide_states(ws, a, b, c)
    if status:
        return status
    if ws.state_stop[c] == ws.first_state[c]:
        ws.bad_number = ws.number_cell[ws.scope_number[ws.scope_start[c]]]
        return codes.NO_SOLUTION
    return _accumulate(ws, a, b, c)


@cython.cfunc
@cython.nogil
def _set_bounds(ws: Workspace, c: cython.int) -> cython.void:
    """Set the masks of node c: upper and lower bounds of its fields, guard bits, fields to keep."""
    start: cython.longlong = ws.scope_start[c]
    open_stop: cython.longlong = start + ws.scope_open[c]
    for w in range(ws.words):
        ws.upper[w] = 0
        ws.lower[w] = 0
        ws.guard[w] = 0
        ws.keep[w] = 0
    for i in range(start, start + ws.scope_all[c]):
        u = ws.scope_number[i]
        w = ws.word[u]
        guard = ONE << (ws.shift[u] + ws.width[u] - 1)
        ws.guard[w] |= guard
        ws.upper[w] |= guard | (cython.cast(cython.ulonglong, ws.number_need[u]) << ws.shift[u])
        least = ws.number_need[u] - ws.number_size[u] + ws.scope_in[i]
        if least > 0:
            ws.lower[w] |= cython.cast(cython.ulonglong, least) << ws.shift[u]
        if i < open_stop:
            ws.keep[w] |= ((ONE << ws.width[u]) - 1) << ws.shift[u]


@cython.cfunc
@cython.nogil
def _accumulate(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 2: compute the polynomials of node c; `length` comes in as the most mines."""
    part: cython.longlong = ws.part_start[c]
    first: cython.longlong = ws.term_end
    end: cython.longlong = first
    for s in range(ws.first_state[c], ws.state_stop[c]):
        n = ws.length[s] - ws.lowest[s] + 1
        ws.length[s] = n
        ws.term[s] = end
        end += n
    if end > ws.terms_capacity:
        # Discard what pass 1 wrote: it runs again when the pool has grown.
        ws.link_end = ws.part[part]
        ws.part_end = part
        ws.requested = 2 * end
        return codes.GROW_TERMS
    for link in range(first, end):
        ws.value[link] = 0.0
    for j in range(ws.first_state[b], ws.state_stop[b]):
        for y in range(ws.length[j]):
            factor = ws.value[ws.term[j] + y]
            if factor == 0.0:
                continue
            for link in range(ws.part[part], ws.part[part + 1]):
                i = ws.link_from[link]
                s = ws.link_to[link]
                n = ws.length[i]
                from_term = ws.term[i]
                to_term = ws.term[s] + (ws.lowest[i] + ws.lowest[j] + y - ws.lowest[s])
                if not ws.rescaling:
                    for x in range(n):
                        ws.value[to_term + x] += factor * ws.value[from_term + x]
                else:
                    for x in range(n):
                        if ws.value[from_term + x] > 0.0:
                            product = factor * ws.value[from_term + x]
                            ws.value[to_term + x] += product if product > TINY else TINY
        part += 1
    ws.state_end = ws.state_stop[c]
    ws.term_end = end
    if ws.rescaling:
        _rescale(ws, ws.first_state[c], ws.state_stop[c])
    return check_limits(ws, end - first)


@cython.cfunc
@cython.nogil
def _rescale(ws: Workspace, first: cython.longlong, stop: cython.longlong) -> cython.void:
    """Scale the values of some states by a power of two, so that the largest is near 1."""
    ws.ln_scale += LN_2 * scale(ws.value, ws.term[first], ws.term[stop - 1] + ws.length[stop - 1])


def scale(values: Doubles, first: cython.longlong, stop: cython.longlong) -> cython.double:
    """Divide values by the power of two nearest to their maximum, keeping positive ones positive.

    Return the exponent of that power; 0.0 where the maximum is moderate and nothing is done.
    """
    largest: cython.double = 0.0
    exponent: cython.int = 0
    for i in range(first, stop):
        if values[i] > largest:
            largest = values[i]
    if largest == 0.0 or (1e-3 < largest and largest < 1e3):
        return 0.0
    if cython.compiled:
        frexp(largest, cython.address(exponent))
    else:
        exponent = frexp(largest)[1]
    for i in range(first, stop):
        if values[i] > 0.0:
            values[i] = ldexp(values[i], -exponent)
            if values[i] < TINY:
                values[i] = TINY
    return exponent


@cython.cfunc
@cython.nogil
def _multiply(ws: Workspace, c: cython.int) -> cython.int:
    """Compute node c of the product of the components: one polynomial times another."""
    i: cython.int = ws.first_state[ws.left[c]]
    j: cython.int = ws.first_state[ws.right[c]]
    s: cython.int = cython.cast(cython.int, ws.state_end)
    n: cython.int = ws.length[i]
    m: cython.int = ws.length[j]
    left: cython.longlong = ws.term[i]
    right: cython.longlong = ws.term[j]
    out: cython.longlong = ws.term_end
    if s >= ws.states_capacity:
        return codes.GROW_STATES
    if out + n + m > ws.terms_capacity:
        ws.requested = 2 * (out + n + m)
        return codes.GROW_TERMS
    ws.first_state[c] = s
    ws.state_stop[c] = s + 1
    ws.lowest[s] = ws.lowest[i] + ws.lowest[j]
    ws.length[s] = n + m - 1
    ws.term[s] = out
    for x in range(n + m - 1):
        ws.value[out + x] = 0.0
    for y in range(m):
        factor = ws.value[right + y]
        if factor == 0.0:
            continue
        if not ws.rescaling:
            for x in range(n):
                ws.value[out + y + x] += factor * ws.value[left + x]
        else:
            for x in range(n):
                if ws.value[left + x] > 0.0:
                    product = factor * ws.value[left + x]
                    ws.value[out + y + x] += product if product > TINY else TINY
    if ws.rescaling:
        _rescale(ws, s, s + 1)
    ws.state_end = s + 1
    ws.term_end = out + n + m - 1
    return check_limits(ws, cython.cast(cython.longlong, n) * m)
