"""The joins of nodes, forward; `adjoints` differentiates them backward.

A node maps a key (mines used of each open number) to a polynomial in the number of mines.
Keys of two nodes are added; whether every number stays within its bounds is seen in two subtractions
for the whole key, by the guard bit above each field.

Coefficients are tilted: a solution of t mines weighs tilt ** t, so that sums stay near 1.
In a *careful* position (too many covered cells for that to be enough) every node is scaled by its maximum,
and a positive product never becomes less than TINY.
So in either case a coefficient is positive if and only if some solution stands behind it:
certainty rests on that, not on rounding.

The pairing of states, where the time goes, stands here twice: for keys of one word, which nearly
all positions have, and for wider ones. That makes the file long.
"""

import cython
from cython.cimports.libc.math import frexp, ldexp, lgamma, log
from cython.cimports.sapper.kernels.codes import (
    CANCELLED,
    GROW_HASHES,
    GROW_KEYS,
    GROW_LINKS,
    GROW_PARTS,
    GROW_STATES,
    GROW_TERMS,
    NO_SOLUTION,
    OK,
    OUT_OF_TIME,
)
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.native import now

ONE = cython.declare(cython.ulonglong, 1)
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)
LN_2 = cython.declare(cython.double, 0.6931471805599453)

TINY = cython.declare(cython.double, 1e-300)
# Up to here C(size, k) * tilt ** k is a float of normal size: tilt is at least 0.001, at most 1000.
SMALL_BOX = cython.declare(cython.int, 64)


@cython.ccall
@cython.nogil
def start_leaves(ws: Workspace) -> cython.int:
    """Make the leaf of every box: k of its cells are mines in C(size, k) ways."""
    b: cython.int
    k: cython.int
    w: cython.int
    s: cython.longlong
    i: cython.longlong
    states: cython.longlong = 0
    ws.at = ws.boxes
    ws.link_end = 0
    ws.part_end = 0
    ws.ln_scale = 0.0
    ws.work = 0
    for b in range(ws.boxes):
        states += ws.box_high[b] - ws.box_low[b] + 1
    if states > ws.states_capacity:
        ws.wanted = 2 * states
        return GROW_STATES
    if states * ws.words > ws.keys_capacity:
        ws.wanted = 2 * states * ws.words
        return GROW_KEYS
    if states > ws.terms_capacity:
        ws.wanted = 4 * states
        return GROW_TERMS
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
            ws.lowest[s] = k if ws.counted else 0
            ws.length[s] = 1
            ws.term[s] = s
            s += 1
        ws.past_state[b] = cython.cast(cython.int, s)
        if ws.careful:
            _rescale(ws, ws.first_state[b], s)
    ws.state_end = s
    ws.term_end = s
    return OK


@cython.cfunc
@cython.nogil
def _weigh_leaf(ws: Workspace, b: cython.int, s: cython.longlong) -> cython.void:
    """Write C(size, k) * tilt ** k to ws.value[s:], for each k that box b may hold.

    A box of a careful position may be so large that these leave the range of floats. Then they are
    written relative to the largest, whose logarithm is noted, and none becomes less than TINY.
    """
    k: cython.int
    size: cython.int = ws.box_size[b]
    low: cython.int = ws.box_low[b]
    high: cython.int = ws.box_high[b]
    top: cython.int = low
    first: cython.longlong = s - low
    weight: cython.double = 1.0
    if size <= SMALL_BOX or not ws.careful:
        for k in range(high + 1):
            if k >= low:
                ws.value[first + k] = weight
            weight = weight * (size - k) / (k + 1) * ws.tilt
        return
    while top < high and (size - top) * ws.tilt > top + 1:
        top += 1
    ws.ln_scale += (
        lgamma(size + 1.0) - lgamma(top + 1.0) - lgamma(size - top + 1.0) + top * log(ws.tilt)
    )
    ws.value[first + top] = 1.0
    for k in range(top, high):
        weight = weight * (size - k) / (k + 1) * ws.tilt
        weight = weight if weight > TINY else TINY
        ws.value[first + k + 1] = weight
    weight = 1.0
    for k in range(top - low):
        # Down from j = top - k: C(size, j - 1) = C(size, j) * j / (size - j + 1)
        weight = weight * (top - k) / (size - top + k + 1) / ws.tilt
        weight = weight if weight > TINY else TINY
        ws.value[first + top - k - 1] = weight


@cython.ccall
@cython.nogil
def forward(ws: Workspace) -> cython.int:
    """Do the joins from ws.at on; after a pool has grown, call it again to go on."""
    status: cython.int
    while ws.at < ws.nodes:
        if ws.at < ws.first_product:
            status = _join(ws, ws.at)
        else:
            status = _multiply(ws, ws.at)
        if status:
            return status
        ws.at += 1
    return OK


@cython.cfunc
@cython.nogil
def check_limits(ws: Workspace, work: cython.longlong) -> cython.int:
    """Every now and then, look at the clock and at the flag that another thread may set."""
    ws.work += work
    if ws.work < ws.polls:
        return OK
    ws.work = 0
    if ws.cancel[0]:
        return CANCELLED
    if now() - ws.started > ws.seconds:
        return OUT_OF_TIME
    return OK


@cython.cfunc
@cython.nogil
def _join(ws: Workspace, c: cython.int) -> cython.int:
    """Join the two nodes of c. Pass 1 pairs the states, pass 2 multiplies the polynomials."""
    a: cython.int = ws.left[c]
    b: cython.int = ws.right[c]
    status: cython.int
    if ws.past_state[a] - ws.first_state[a] < ws.past_state[b] - ws.first_state[b]:
        a = ws.right[c]
        b = ws.left[c]
        ws.left[c] = a
        ws.right[c] = b
    _set_bounds(ws, c)
    if ws.words == 1:
        status = _pair_states(ws, a, b, c)
    else:
        status = _pair_wide_states(ws, a, b, c)
    if status:
        return status
    if ws.past_state[c] == ws.first_state[c]:
        ws.bad_number = ws.number_cell[ws.scope_number[ws.scope_start[c]]]
        return NO_SOLUTION
    return _accumulate(ws, a, b, c)


@cython.cfunc
@cython.nogil
def _set_bounds(ws: Workspace, c: cython.int) -> cython.void:
    """The masks of node c: upper and lower bounds of its fields, their guards, the fields kept."""
    w: cython.int
    u: cython.int
    least: cython.int
    i: cython.longlong
    start: cython.longlong = ws.scope_start[c]
    past_open: cython.longlong = start + ws.scope_open[c]
    guard: cython.ulonglong
    for w in range(ws.words):
        ws.up[w] = 0
        ws.low[w] = 0
        ws.guard[w] = 0
        ws.keep[w] = 0
    for i in range(start, start + ws.scope_all[c]):
        u = ws.scope_number[i]
        w = ws.word[u]
        guard = ONE << (ws.shift[u] + ws.width[u] - 1)
        ws.guard[w] |= guard
        ws.up[w] |= guard | (cython.cast(cython.ulonglong, ws.number_need[u]) << ws.shift[u])
        least = ws.number_need[u] - ws.number_size[u] + ws.scope_in[i]
        if least > 0:
            ws.low[w] |= cython.cast(cython.ulonglong, least) << ws.shift[u]
        if i < past_open:
            ws.keep[w] |= ((ONE << ws.width[u]) - 1) << ws.shift[u]


@cython.cfunc
@cython.nogil
def _start_hash(ws: Workspace, pairs: cython.double) -> cython.int:
    """Choose the room for hashes and forget what was there; the number of its bits, or 0."""
    bits: cython.int = 4
    if pairs > 16384.0:
        pairs = 16384.0
    while (ONE << bits) < 2 * pairs:
        bits += 1
    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
        ws.wanted = cython.cast(cython.longlong, ONE << bits)
        return 0
    _clear_hash(ws)
    return bits


@cython.cfunc
@cython.nogil
def _clear_hash(ws: Workspace) -> cython.void:
    """Entries carry the age in which they were written, so all of them go by growing older."""
    i: cython.longlong
    ws.hash_age += 1
    if ws.hash_age >= 0x7FFFFFFF:
        for i in range(ws.hashes_capacity):
            ws.hash[i] = 0
        ws.hash_age = 1


@cython.cfunc
@cython.nogil
def _pair_states(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 1 for keys of one word: links, and the states of c with the ranges of their terms."""
    i: cython.int
    j: cython.int
    s: cython.int
    low: cython.int
    high: cython.int
    bits: cython.int
    rank: cython.int = 64
    status: cython.int
    first: cython.int = cython.cast(cython.int, ws.state_end)
    end: cython.int = first
    a_first: cython.int = ws.first_state[a]
    a_past: cython.int = ws.past_state[a]
    b_first: cython.int = ws.first_state[b]
    b_past: cython.int = ws.past_state[b]
    full: cython.int
    links: cython.longlong = ws.link_end
    part: cython.longlong = ws.part_end
    k: cython.ulonglong
    kb: cython.ulonglong
    slot: cython.ulonglong
    entry: cython.ulonglong
    age: cython.ulonglong
    wrap: cython.ulonglong
    up: cython.ulonglong = ws.up[0]
    least: cython.ulonglong = ws.low[0]
    guard: cython.ulonglong = ws.guard[0]
    keep: cython.ulonglong = ws.keep[0]
    if part + (b_past - b_first) + 1 > ws.parts_capacity:
        ws.wanted = 2 * (part + (b_past - b_first) + 1)
        return GROW_PARTS
    bits = _start_hash(ws, cython.cast(cython.double, a_past - a_first) * (b_past - b_first))
    if bits == 0:
        return GROW_HASHES
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    wrap = (ONE << bits) - 1
    full = cython.cast(cython.int, ONE << (bits - 1))
    ws.part_start[c] = part
    for j in range(b_first, b_past):
        ws.part[part] = links
        part += 1
        kb = ws.key[j]
        if links + (a_past - a_first) > ws.links_capacity:
            ws.wanted = 2 * (links + (a_past - a_first))
            return GROW_LINKS
        if end + (a_past - a_first) > ws.states_capacity:
            ws.wanted = 2 * cython.cast(cython.longlong, end + (a_past - a_first))
            return GROW_STATES
        if end + (a_past - a_first) > ws.keys_capacity:
            ws.wanted = 2 * cython.cast(cython.longlong, end + (a_past - a_first))
            return GROW_KEYS
        for i in range(a_first, a_past):
            k = ws.key[i] + kb
            if ((up - k) & guard) != guard or (((k | guard) - least) & guard) != guard:
                continue
            k &= keep
            slot = ((k * MIX) & MASK) >> (rank - bits)
            while True:
                entry = ws.hash[slot]
                if (entry & ~LOW_HALF) != age:
                    s = -1
                    break
                s = cython.cast(cython.int, entry & LOW_HALF)
                if ws.key[s] == k:
                    break
                slot = (slot + 1) & wrap
            low = ws.lowest[i] + ws.lowest[j]
            high = low + ws.length[i] + ws.length[j] - 2
            if s < 0:
                s = end
                end += 1
                ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
                ws.key[s] = k
                ws.lowest[s] = low
                ws.length[s] = high
                if end - first > full:
                    bits += 2
                    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
                        ws.wanted = cython.cast(cython.longlong, ONE << bits)
                        return GROW_HASHES
                    _rehash(ws, first, end, bits)
                    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
                    wrap = (ONE << bits) - 1
                    full = cython.cast(cython.int, ONE << (bits - 1))
            else:
                if low < ws.lowest[s]:
                    ws.lowest[s] = low
                if high > ws.length[s]:
                    ws.length[s] = high
            ws.link_from[links] = i
            ws.link_to[links] = s
            links += 1
        status = check_limits(ws, a_past - a_first)
        if status:
            return status
    ws.part[part] = links
    ws.part_end = part + 1
    ws.link_end = links
    ws.first_state[c] = first
    ws.past_state[c] = end
    return OK


@cython.cfunc
@cython.nogil
def _rehash(ws: Workspace, first: cython.int, past: cython.int, bits: cython.int) -> cython.void:
    """Enter the keys first..past anew under hashes of that many bits."""
    s: cython.int
    slot: cython.ulonglong
    age: cython.ulonglong
    wrap: cython.ulonglong = (ONE << bits) - 1
    _clear_hash(ws)
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    for s in range(first, past):
        slot = _hash_of(ws, cython.cast(cython.longlong, s) * ws.words) >> (64 - bits)
        while (ws.hash[slot] & ~LOW_HALF) == age:
            slot = (slot + 1) & wrap
        ws.hash[slot] = age | cython.cast(cython.ulonglong, s)


@cython.cfunc
@cython.nogil
def _hash_of(ws: Workspace, at: cython.longlong) -> cython.ulonglong:
    """The hash of the key at ws.key[at:at + words]."""
    w: cython.int
    x: cython.ulonglong = (ws.key[at] * MIX) & MASK
    for w in range(1, ws.words):
        x = (((x ^ (x >> 29)) + ws.key[at + w]) * MIX) & MASK
    return x


@cython.cfunc
@cython.nogil
def _pair_wide_states(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 1 for keys of several words: as _pair_states, with the key built in place at the end."""
    i: cython.int
    j: cython.int
    s: cython.int
    w: cython.int
    words: cython.int = ws.words
    low: cython.int
    high: cython.int
    bits: cython.int
    status: cython.int
    same: cython.bint
    first: cython.int = cython.cast(cython.int, ws.state_end)
    end: cython.int = first
    a_first: cython.int = ws.first_state[a]
    a_past: cython.int = ws.past_state[a]
    b_first: cython.int = ws.first_state[b]
    b_past: cython.int = ws.past_state[b]
    full: cython.int
    links: cython.longlong = ws.link_end
    part: cython.longlong = ws.part_end
    ka: cython.longlong
    kb: cython.longlong
    kc: cython.longlong
    ks: cython.longlong
    k: cython.ulonglong
    guard: cython.ulonglong
    slot: cython.ulonglong
    entry: cython.ulonglong
    age: cython.ulonglong
    wrap: cython.ulonglong
    if part + (b_past - b_first) + 1 > ws.parts_capacity:
        ws.wanted = 2 * (part + (b_past - b_first) + 1)
        return GROW_PARTS
    bits = _start_hash(ws, cython.cast(cython.double, a_past - a_first) * (b_past - b_first))
    if bits == 0:
        return GROW_HASHES
    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
    wrap = (ONE << bits) - 1
    full = cython.cast(cython.int, ONE << (bits - 1))
    ws.part_start[c] = part
    for j in range(b_first, b_past):
        ws.part[part] = links
        part += 1
        kb = cython.cast(cython.longlong, j) * words
        if links + (a_past - a_first) > ws.links_capacity:
            ws.wanted = 2 * (links + (a_past - a_first))
            return GROW_LINKS
        if end + (a_past - a_first) > ws.states_capacity:
            ws.wanted = 2 * cython.cast(cython.longlong, end + (a_past - a_first))
            return GROW_STATES
        # One key more than there can be states: the candidate stands behind the last one.
        if cython.cast(cython.longlong, end + (a_past - a_first) + 1) * words > ws.keys_capacity:
            ws.wanted = 2 * cython.cast(cython.longlong, end + (a_past - a_first) + 1) * words
            return GROW_KEYS
        for i in range(a_first, a_past):
            ka = cython.cast(cython.longlong, i) * words
            kc = cython.cast(cython.longlong, end) * words
            same = True
            for w in range(words):
                k = ws.key[ka + w] + ws.key[kb + w]
                guard = ws.guard[w]
                if ((ws.up[w] - k) & guard) != guard or (
                    ((k | guard) - ws.low[w]) & guard
                ) != guard:
                    same = False
                    break
                ws.key[kc + w] = k & ws.keep[w]
            if not same:
                continue
            slot = _hash_of(ws, kc) >> (64 - bits)
            while True:
                entry = ws.hash[slot]
                if (entry & ~LOW_HALF) != age:
                    s = -1
                    break
                s = cython.cast(cython.int, entry & LOW_HALF)
                ks = cython.cast(cython.longlong, s) * words
                same = True
                for w in range(words):
                    if ws.key[ks + w] != ws.key[kc + w]:
                        same = False
                        break
                if same:
                    break
                slot = (slot + 1) & wrap
            low = ws.lowest[i] + ws.lowest[j]
            high = low + ws.length[i] + ws.length[j] - 2
            if s < 0:
                s = end
                end += 1
                ws.hash[slot] = age | cython.cast(cython.ulonglong, s)
                ws.lowest[s] = low
                ws.length[s] = high
                if end - first > full:
                    bits += 2
                    if cython.cast(cython.longlong, ONE << bits) > ws.hashes_capacity:
                        ws.wanted = cython.cast(cython.longlong, ONE << bits)
                        return GROW_HASHES
                    _rehash(ws, first, end, bits)
                    age = cython.cast(cython.ulonglong, ws.hash_age) << 32
                    wrap = (ONE << bits) - 1
                    full = cython.cast(cython.int, ONE << (bits - 1))
            else:
                if low < ws.lowest[s]:
                    ws.lowest[s] = low
                if high > ws.length[s]:
                    ws.length[s] = high
            ws.link_from[links] = i
            ws.link_to[links] = s
            links += 1
        status = check_limits(ws, a_past - a_first)
        if status:
            return status
    ws.part[part] = links
    ws.part_end = part + 1
    ws.link_end = links
    ws.first_state[c] = first
    ws.past_state[c] = end
    return OK


@cython.cfunc
@cython.nogil
def _accumulate(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Pass 2: the polynomials of node c. Until now length held the highest number of mines."""
    j: cython.int
    s: cython.int
    x: cython.int
    y: cython.int
    n: cython.int
    i: cython.int
    link: cython.longlong
    part: cython.longlong = ws.part_start[c]
    from_term: cython.longlong
    to_term: cython.longlong
    factor: cython.double
    product: cython.double
    first: cython.longlong = ws.term_end
    end: cython.longlong = first
    for s in range(ws.first_state[c], ws.past_state[c]):
        n = ws.length[s] - ws.lowest[s] + 1
        ws.length[s] = n
        ws.term[s] = end
        end += n
    if end > ws.terms_capacity:
        # Pass 1 will be done again, with what it wrote taken back.
        ws.link_end = ws.part[part]
        ws.part_end = part
        ws.wanted = 2 * end
        return GROW_TERMS
    for link in range(first, end):
        ws.value[link] = 0.0
    for j in range(ws.first_state[b], ws.past_state[b]):
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
                if not ws.careful:
                    for x in range(n):
                        ws.value[to_term + x] += factor * ws.value[from_term + x]
                else:
                    for x in range(n):
                        if ws.value[from_term + x] > 0.0:
                            product = factor * ws.value[from_term + x]
                            ws.value[to_term + x] += product if product > TINY else TINY
        part += 1
    ws.state_end = ws.past_state[c]
    ws.term_end = end
    if ws.careful:
        _rescale(ws, ws.first_state[c], ws.past_state[c])
    return check_limits(ws, end - first)


@cython.cfunc
@cython.nogil
def _rescale(ws: Workspace, first: cython.longlong, past: cython.longlong) -> cython.void:
    """Scale the values of some states by a power of two, so that the largest lies near 1."""
    ws.ln_scale += LN_2 * scale(ws.value, ws.term[first], ws.term[past - 1] + ws.length[past - 1])


@cython.cfunc
@cython.nogil
def scale(
    values: cython.double[::1], first: cython.longlong, past: cython.longlong
) -> cython.double:
    """Divide values by the power of two nearest to their maximum, keeping positives positive.

    Returns the exponent of that power; nothing is done while the maximum is moderate.
    """
    i: cython.longlong
    most: cython.double = 0.0
    e: cython.int = 0
    for i in range(first, past):
        if values[i] > most:
            most = values[i]
    if most == 0.0 or (1e-3 < most and most < 1e3):
        return 0.0
    if cython.compiled:
        frexp(most, cython.address(e))
    else:
        e = frexp(most)[1]
    for i in range(first, past):
        if values[i] > 0.0:
            values[i] = ldexp(values[i], -e)
            if values[i] < TINY:
                values[i] = TINY
    return e


@cython.cfunc
@cython.nogil
def _multiply(ws: Workspace, c: cython.int) -> cython.int:
    """Node c of the product of the components: one polynomial times another."""
    i: cython.int = ws.first_state[ws.left[c]]
    j: cython.int = ws.first_state[ws.right[c]]
    s: cython.int = cython.cast(cython.int, ws.state_end)
    x: cython.int
    y: cython.int
    n: cython.int = ws.length[i]
    m: cython.int = ws.length[j]
    left: cython.longlong = ws.term[i]
    right: cython.longlong = ws.term[j]
    out: cython.longlong = ws.term_end
    factor: cython.double
    product: cython.double
    if s >= ws.states_capacity:
        return GROW_STATES
    if out + n + m > ws.terms_capacity:
        ws.wanted = 2 * (out + n + m)
        return GROW_TERMS
    ws.first_state[c] = s
    ws.past_state[c] = s + 1
    ws.lowest[s] = ws.lowest[i] + ws.lowest[j]
    ws.length[s] = n + m - 1
    ws.term[s] = out
    for x in range(n + m - 1):
        ws.value[out + x] = 0.0
    for y in range(m):
        factor = ws.value[right + y]
        if factor == 0.0:
            continue
        if not ws.careful:
            for x in range(n):
                ws.value[out + y + x] += factor * ws.value[left + x]
        else:
            for x in range(n):
                if ws.value[left + x] > 0.0:
                    product = factor * ws.value[left + x]
                    ws.value[out + y + x] += product if product > TINY else TINY
    if ws.careful:
        _rescale(ws, s, s + 1)
    ws.state_end = s + 1
    ws.term_end = out + n + m - 1
    return check_limits(ws, cython.cast(cython.longlong, n) * m)
