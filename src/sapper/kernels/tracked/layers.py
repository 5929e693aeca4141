"""The states after each box of a chain.

A state is a key: the mines used of each open number, packed, and above them the total number of
mines used. A box with k mines adds the same number to every key, and closing a number subtracts the
same number, so the states of a layer stay sorted, and a layer is a merge of shifted copies of the
layer before, without hashing. Bounds are tested as in `engine.joins`, by a guard bit above each
field.

Counts are not tilted: a component of `max_cells` cells is far within the range of a float, and a
count is positive if and only if there is a solution.

unit          what one mine in the box adds to a key: 1 for each number of the box, and 1 in total
increment     what k mines add: k * unit
touched       the fields of the numbers that touch the box; guards: their guard bits
lower, upper  the bounds of these fields: the mines that each number must have used, and may have
              used, after the box
closing       the fields of the numbers that end with this box, each with the mines that it needs
first, stop   the states of the layer before; end: the end of the new states
low, high     the fewest and most mines in the box
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.native import lowest_bit
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

ONE = cython.declare(cython.ulonglong, 1)
# The bits for the fields of numbers; the bits above them are the total number of mines.
FIELD_MASK = cython.declare(cython.ulonglong, (1 << 54) - 1)
NO_KEY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MAX_BOX_SIZE = cython.declare(cython.int, 32)


@cython.cfunc
@cython.nogil
def _find_field(p: TrackedPosition, width: cython.int) -> cython.int:
    """Return the lowest position in a key with *width* unused bits, or -1."""
    free: cython.ulonglong = FIELD_MASK & ~p.taken
    while width > 1:
        free &= free >> 1
        width -= 1
    return lowest_bit(free) if free else -1


def add_box(p: TrackedPosition, b: cython.int) -> cython.int:
    """Append the layer of states after box b, with the links that lead to them.

    Return OK, NO_SOLUTION, or TOO_WIDE where the general engine must answer.
    """
    size: cython.int = p.box_size[b]
    low: cython.int = 0
    high: cython.int = size
    guards: cython.ulonglong = 0
    upper: cython.ulonglong = 0
    lower: cython.ulonglong = 0
    touched: cython.ulonglong = 0
    freed: cython.ulonglong = 0
    closing: cython.ulonglong = 0
    unit: cython.ulonglong = ONE << codes.MINES_SHIFT
    if size > MAX_BOX_SIZE:
        return codes.TOO_WIDE
    for i in range(p.box_cover[b], p.box_cover_stop[b]):
        h = p.cover[i]
        need = p.number_need[h]
        width = p.number_width[h]
        if p.number_rest[h] == p.number_covered[h]:
            shift = _find_field(p, width)
            if shift < 0:
                return codes.TOO_WIDE
            p.number_shift[h] = shift
            p.taken |= ((ONE << width) - 1) << shift
        shift = p.number_shift[h]
        rest = p.number_rest[h] - size
        p.number_rest[h] = rest
        guard = ONE << (shift + width - 1)
        field = (guard << 1) - (ONE << shift)
        guards |= guard
        touched |= field
        unit += ONE << shift
        upper |= guard | (cython.cast(cython.ulonglong, need) << shift)
        if need > rest:
            lower |= cython.cast(cython.ulonglong, need - rest) << shift
        if need < high:
            high = need
        if need - p.number_covered[h] + size > low:
            low = need - p.number_covered[h] + size
        if rest == 0:
            closing += cython.cast(cython.ulonglong, need) << shift
            freed |= field
    p.taken &= ~freed
    p.box_low[b] = low
    p.box_high[b] = high
    return _merge(p, b, unit, touched, guards, upper, lower, closing)


@cython.cfunc
@cython.nogil
def _merge(
    p: TrackedPosition,
    b: cython.int,
    unit: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    upper: cython.ulonglong,
    lower: cython.ulonglong,
    closing: cython.ulonglong,
) -> cython.int:
    """Merge copies of the layer before box b, one for each number of mines, into the next."""
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    first: cython.int = p.layer
    stop: cython.int = p.state_end
    max_new_states: cython.int = (stop - first) * (high - low + 1)
    if max_new_states > p.max_layer or stop + max_new_states > p.state_capacity:
        return codes.TOO_WIDE
    if p.link_end + max_new_states > p.link_capacity:
        return codes.TOO_WIDE
    if high - low < 2:
        end = _merge_two(p, b, first, stop, unit, touched, guards, upper, lower, closing)
    else:
        end = _merge_many(p, b, first, stop, unit, touched, guards, upper, lower, closing)
    p.box_state[b] = stop
    p.box_state_stop[b] = end
    p.layer = stop
    p.state_end = end
    return codes.OK if end > stop else codes.NO_SOLUTION


@cython.cfunc
@cython.nogil
def _merge_two(
    p: TrackedPosition,
    b: cython.int,
    first: cython.int,
    stop: cython.int,
    unit: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    upper: cython.ulonglong,
    lower: cython.ulonglong,
    closing: cython.ulonglong,
) -> cython.int:
    """Merge the layer first..stop for one or two numbers of mines; return the end of the states."""
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    i: cython.int = first - 1
    j: cython.int = first - 1
    end: cython.int = stop
    link: cython.int = p.link_end
    low_ways: cython.double = p.binomial[p.box_size[b], low]
    high_ways: cython.double = p.binomial[p.box_size[b], high]
    low_increment: cython.ulonglong = cython.cast(cython.ulonglong, low) * unit
    high_increment: cython.ulonglong = cython.cast(cython.ulonglong, high) * unit
    low_key: cython.ulonglong = NO_KEY
    high_key: cython.ulonglong = NO_KEY
    i = _next_state(p, i, stop, low_increment, touched, guards, upper, lower)
    if i < stop:
        low_key = p.key[i] + low_increment
    if high > low:
        j = _next_state(p, j, stop, high_increment, touched, guards, upper, lower)
        if j < stop:
            high_key = p.key[j] + high_increment
    while True:
        lowest = low_key if low_key < high_key else high_key
        if lowest == NO_KEY:
            break
        total = 0.0
        if low_key == lowest:
            p.link_from[link] = i
            p.link_mines[link] = low
            link += 1
            total += p.ways[i] * low_ways
            i = _next_state(p, i, stop, low_increment, touched, guards, upper, lower)
            low_key = p.key[i] + low_increment if i < stop else NO_KEY
        if high_key == lowest:
            p.link_from[link] = j
            p.link_mines[link] = high
            link += 1
            total += p.ways[j] * high_ways
            j = _next_state(p, j, stop, high_increment, touched, guards, upper, lower)
            high_key = p.key[j] + high_increment if j < stop else NO_KEY
        p.key[end] = lowest - closing
        p.ways[end] = total
        end += 1
        p.first_link[end] = link
    p.link_end = link
    return end


@cython.cfunc
@cython.nogil
@cython.locals(total=cython.double)
def _merge_many(
    p: TrackedPosition,
    b: cython.int,
    first: cython.int,
    stop: cython.int,
    unit: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    upper: cython.ulonglong,
    lower: cython.ulonglong,
    closing: cython.ulonglong,
) -> cython.int:
    """Merge the layer first..stop for any numbers of mines; return the end of the states."""
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    size: cython.int = p.box_size[b]
    end: cython.int = stop
    link: cython.int = p.link_end
    for k in range(low, high + 1):
        increment = cython.cast(cython.ulonglong, k) * unit
        s = _next_state(p, first - 1, stop, increment, touched, guards, upper, lower)
        p.merge_state[k] = s
        p.merge_key[k] = p.key[s] + increment if s < stop else NO_KEY
    while True:
        lowest = NO_KEY
        for k in range(low, high + 1):
            if p.merge_key[k] < lowest:
                lowest = p.merge_key[k]
        if lowest == NO_KEY:
            break
        total = 0.0
        for k in range(low, high + 1):
            if p.merge_key[k] == lowest:
                s = p.merge_state[k]
                p.link_from[link] = s
                p.link_mines[link] = k
                link += 1
                total += p.ways[s] * p.binomial[size, k]
                increment = cython.cast(cython.ulonglong, k) * unit
                s = _next_state(p, s, stop, increment, touched, guards, upper, lower)
                p.merge_state[k] = s
                p.merge_key[k] = p.key[s] + increment if s < stop else NO_KEY
        p.key[end] = lowest - closing
        p.ways[end] = total
        end += 1
        p.first_link[end] = link
    p.link_end = link
    return end


@cython.cfunc
@cython.nogil
@cython.inline
def _next_state(
    p: TrackedPosition,
    s: cython.int,
    stop: cython.int,
    increment: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    upper: cython.ulonglong,
    lower: cython.ulonglong,
) -> cython.int:
    """Return the next state after s whose key stays within all bounds with *increment* added."""
    s += 1
    while s < stop:
        field = (p.key[s] + increment) & touched
        if ((upper - field) & guards) == guards and (((field | guards) - lower) & guards) == guards:
            return s
        s += 1
    return stop
