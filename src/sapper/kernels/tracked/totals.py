"""Combine the components with the mine count: solutions, and the probability of every box.

before[i] and after[i] are polynomials in the mines used so far: the product of the components
before the i-th, and the weight of the components from the i-th on with the interior. Together they
give the weight of each number of mines in component i, from which its chain is followed backwards.

Short names: p the tracked position; i the i-th component; f a component; b a box; s a state; c a
cell; t mines in a component or on the frontier; u mines in the components before it; k mines in a
box. at, next_at: the offsets in before and after at which a component and the next one have 0
mines.
"""

import cython
from cython.cimports.libc.math import log
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, Doubles, Ints
from cython.cimports.sapper.kernels.ties import clamp
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

# Products of weights below this might underflow; the general engine scales them.
SMALLEST_WEIGHT = cython.declare(cython.double, 1e-60)


def combine(p: TrackedPosition) -> cython.int:
    """Multiply the components with the interior: number of solutions, probability of the interior.

    Return OK, WRONG_COUNT (the mine count is impossible), or TOO_WIDE or IMPRECISE (use the general
    engine).
    """
    low: cython.int = 0
    high: cython.int = 0
    components: cython.int = p.live_count
    p.interior = p.unknown - p.frontier
    # Components before i use low_before[i] to high_before[i] mines.
    p.low_before[0] = 0
    p.high_before[0] = 0
    p.after_start[0] = 0
    for i in range(components):
        b = p.component_box_stop[p.live[i]] - 1
        p.after_start[i + 1] = p.after_start[i] + high - low + 1
        low += cython.cast(cython.int, p.key[p.box_state[b]] >> codes.MINES_SHIFT)
        high += cython.cast(cython.int, p.key[p.box_state_stop[b] - 1] >> codes.MINES_SHIFT)
        p.low_before[i + 1] = low
        p.high_before[i + 1] = high
    if p.after_start[components] + high - low + 1 > p.total_capacity or p.frontier > p.max_cells:
        return codes.TOO_WIDE
    status = _weigh_interior(p, p.after_start[components], low, high)
    if status:
        return status
    for done in range(components):
        i = components - 1 - done
        b = p.component_box_stop[p.live[i]] - 1
        at = p.after_start[i] - p.low_before[i]
        next_at = p.after_start[i + 1] - p.low_before[i + 1]
        for u in range(p.low_before[i], p.high_before[i] + 1):
            total = 0.0
            for s in range(p.box_state[b], p.box_state_stop[b]):
                t = cython.cast(cython.int, p.key[s] >> codes.MINES_SHIFT)
                total += p.ways[s] * p.after[next_at + u + t]
            p.after[at + u] = total
    p.total = p.after[0]
    if p.total <= 0.0:
        return codes.WRONG_COUNT
    p.ln_solutions = log(p.total)
    if p.has_mine_count:
        p.ln_solutions += (
            p.ln_factorial[p.interior]
            - p.ln_factorial[p.mines - p.flagged - p.reference]
            - p.ln_factorial[p.interior - p.mines + p.flagged + p.reference]
        )
    _multiply_before(p)
    _find_interior_probability(p)
    return codes.OK


@cython.cfunc
@cython.nogil
def _weigh_interior(
    p: TrackedPosition, at: cython.int, low: cython.int, high: cython.int
) -> cython.int:
    """Write the weights of low..high mines on the frontier to p.after[at:].

    A weight is C(interior, remaining mines), relative to the largest of them, that of *peak* mines.
    """
    n: cython.int = p.interior
    left: cython.int = p.mines - p.flagged
    first: cython.int = left - n
    stop: cython.int = left + 1
    weight: cython.double = 1.0
    p.reference = 0
    if not p.has_mine_count:
        for t in range(high - low + 1):
            p.after[at + t] = 1.0
        return codes.OK
    if left < 0:
        return codes.WRONG_COUNT
    if first < low:
        first = low
    if stop > high + 1:
        stop = high + 1
    if first >= stop:
        return codes.WRONG_COUNT
    # The interior has the most solutions when half of its cells are mines.
    peak = left - n // 2
    peak = first if peak < first else stop - 1 if peak >= stop else peak
    for t in range(high - low + 1):
        p.after[at + t] = 0.0
    at -= low
    for t in range(peak, stop):
        p.after[at + t] = weight
        weight *= (left - t) / cython.cast(cython.double, n - left + t + 1)
    weight = 1.0
    for x in range(peak - first):
        t = peak - 1 - x
        weight *= (n - left + t + 1) / cython.cast(cython.double, left - t)
        p.after[at + t] = weight
    if p.after[at + first] < SMALLEST_WEIGHT or p.after[at + stop - 1] < SMALLEST_WEIGHT:
        return codes.IMPRECISE
    p.reference = peak
    return codes.OK


@cython.cfunc
@cython.nogil
def _multiply_before(p: TrackedPosition) -> cython.void:
    """Compute the product of the components before each one, up to the product of all."""
    p.before[0] = 1.0
    for i in range(p.live_count):
        b = p.component_box_stop[p.live[i]] - 1
        at = p.after_start[i] - p.low_before[i]
        next_at = p.after_start[i + 1] - p.low_before[i + 1]
        for t in range(p.low_before[i + 1], p.high_before[i + 1] + 1):
            p.before[next_at + t] = 0.0
        for s in range(p.box_state[b], p.box_state_stop[b]):
            t = cython.cast(cython.int, p.key[s] >> codes.MINES_SHIFT)
            for u in range(p.low_before[i], p.high_before[i] + 1):
                p.before[next_at + u + t] += p.before[at + u] * p.ways[s]


@cython.cfunc
@cython.nogil
def _find_interior_probability(p: TrackedPosition) -> cython.void:
    """Compute the probability of the interior, and whether it is certain."""
    i: cython.int = p.live_count
    left: cython.int = p.mines - p.flagged
    at: cython.int = p.after_start[i] - p.low_before[i]
    any_mine: cython.bint = False
    any_safe: cython.bint = False
    mean: cython.double = 0.0
    p.interior_probability = p.nan
    p.interior_known = codes.UNKNOWN
    if p.interior == 0 or not p.has_mine_count:
        return
    for t in range(p.low_before[i], p.high_before[i] + 1):
        product = p.before[at + t] * p.after[at + t]
        if product > 0.0:
            mean += product * (left - t)
            any_mine |= t < left
            any_safe |= left - t < p.interior
    if not any_mine:
        p.interior_known = codes.SAFE
        p.interior_probability = 0.0
    elif not any_safe:
        p.interior_known = codes.MINE
        p.interior_probability = 1.0
    else:
        p.interior_probability = clamp(mean / (p.total * p.interior))


def backward_pass(p: TrackedPosition) -> cython.void:
    """Follow every chain backwards to the probabilities of its boxes; call `combine` first.

    Also set p.least, p.second and p.safe_count.
    """
    p.least = 2.0
    p.second = 2.0
    p.safe_count = p.known_safe_count
    for i in range(p.live_count):
        f = p.live[i]
        last = p.component_box_stop[f] - 1
        at = p.after_start[i] - p.low_before[i]
        next_at = p.after_start[i + 1] - p.low_before[i + 1]
        for s in range(p.box_state[last], p.box_state_stop[last]):
            t = cython.cast(cython.int, p.key[s] >> codes.MINES_SHIFT)
            total = 0.0
            for u in range(p.low_before[i], p.high_before[i] + 1):
                total += p.before[at + u] * p.after[next_at + u + t]
            p.weight[s] = total
        for t in range(last + 1 - p.component_box[f]):
            b = last - t
            _find_box_probability(
                p, b, p.box_state[b - 1] if b > p.component_box[f] else p.component_state[f]
            )
    if p.interior and p.has_mine_count:
        if p.interior_known == codes.SAFE:
            p.safe_count += p.interior
        _record_least(p, p.interior_probability, p.interior)


@cython.cfunc
@cython.nogil
def _find_box_probability(p: TrackedPosition, b: cython.int, before: cython.int) -> cython.void:
    """Compute the weights of the states before box b (from *before* on), and its probability."""
    size: cython.int = p.box_size[b]
    low: cython.int = size
    high: cython.int = 0
    mean: cython.double = 0.0
    for s in range(before, p.box_state[b]):
        p.weight[s] = 0.0
    for s in range(p.box_state[b], p.box_state_stop[b]):
        if p.weight[s] <= 0.0:
            continue
        for link in range(p.first_link[s], p.first_link[s + 1]):
            k = p.link_mines[link]
            low = k if k < low else low
            high = k if k > high else high
            weight = p.weight[s] * p.binomial[size, k]
            p.weight[p.link_from[link]] += weight
            mean += k * weight * p.ways[p.link_from[link]]
    if high == 0:
        p.box_probability[b] = 0.0
        p.box_known[b] = codes.SAFE
        p.safe_count += size
    elif low == size:
        p.box_probability[b] = 1.0
        p.box_known[b] = codes.MINE
    else:
        p.box_probability[b] = clamp(mean / (p.total * size))
        p.box_known[b] = codes.UNKNOWN
    _record_least(p, p.box_probability[b], size)


@cython.cfunc
@cython.nogil
def _record_least(p: TrackedPosition, probability: cython.double, count: cython.int) -> cython.void:
    """Keep the two least probabilities of the position; a box of two cells counts twice."""
    if probability < p.least:
        p.second = p.least
        p.least = probability
        if count > 1:
            p.second = probability
    elif probability < p.second:
        p.second = probability


def write_cells(
    p: TrackedPosition, probabilities: Doubles, known: Bytes, base: cython.Py_ssize_t
) -> cython.void:
    """Write every cell to probabilities[base:] and known[base:]."""
    # The index is the negated mark, or 0 for every number.
    p.probability_by_mark[0] = p.nan
    p.probability_by_mark[-codes.COVERED] = p.interior_probability
    p.probability_by_mark[-codes.FLAG] = 1.0
    p.probability_by_mark[-codes.KNOWN_SAFE] = 0.0
    p.known_by_mark[0] = codes.REVEALED
    p.known_by_mark[-codes.COVERED] = cython.cast(cython.uchar, p.interior_known)
    p.known_by_mark[-codes.FLAG] = codes.MINE
    p.known_by_mark[-codes.KNOWN_SAFE] = codes.SAFE
    for c in range(p.cells):
        mark = p.marks[c]
        p.batch[c] = -mark & (mark >> 31)
    for c in range(p.cells):
        probabilities[base + c] = p.probability_by_mark[p.batch[c]]
    _look_up(p.batch, p.known_by_mark, known, base, p.cells)
    for k in range(p.live_count):
        for b in range(p.component_box[p.live[k]], p.component_box_stop[p.live[k]]):
            probability = p.box_probability[b]
            box_known = cython.cast(cython.uchar, p.box_known[b])
            for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                probabilities[base + p.member[i]] = probability
                known[base + p.member[i]] = box_known


@cython.cfunc
@cython.nogil
def _look_up(
    index: Ints, table: Bytes, out: Bytes, base: cython.Py_ssize_t, count: cython.Py_ssize_t
) -> cython.void:
    """Set out[base + i] to table[index[i]] for i < count.

    This is a separate function for speed: a byte that is written may alias the fields of a
    position, so with those the compiler would load them again in every iteration.
    """
    for i in range(count):
        out[base + i] = table[index[i]]
