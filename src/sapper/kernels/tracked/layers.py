"""The states after each box of a chain.

A state is a key: the mines used of each open number, packed, and above them the total number of
mines used. A box with k mines adds the same number to every key, and closing a number subtracts the
same number, so the states of a layer stay sorted, and a layer is a merge of shifted copies of the
layer before, without hashing. Bounds are tested as in `engine.joins`, by a guard bit above each
field.

Counts are not tilted: a component of `max_cells` cells is far within the range of a float, and a
count is positive if and only if there is a solution.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.native import lowest_bit
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

ONE = cython.declare(cython.ulonglong, 1)
# The fields of the numbers are below the total number of mines.
FIELDS = cython.declare(cython.ulonglong, (1 << 54) - 1)
NO_KEY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LARGEST_BOX = cython.declare(cython.int, 32)


@cython.cfunc
@cython.nogil
def _find_field(p: TrackedPosition, width: cython.int) -> cython.int:
    """Return the lowest position in a key with *width* unused bits, or -1."""
    free: cython.ulonglong = FIELDS & ~p.taken
    while width > 1:
        free &= free >> 1
        width -= 1
    return lowest_bit(free) if free else -1


def add_box(p: TrackedPosition, b: cython.int) -> cython.int:
    """Append the layer of states after box b, with the links that lead to them.

    OK, NO_SOLUTION, or TOO_WIDE for the general engine.
    """
    size: cython.int = p.box_size[b]
    low: cython.int = 0
    high: cython.int = size
    guards: cython.ulonglong = 0
    most: cython.ulonglong = 0
    least: cython.ulonglong = 0
    touched: cython.ulonglong = 0
    freed: cython.ulonglong = 0
    closing: cython.ulonglong = 0
    unit: cython.ulonglong = ONE << codes.MINES_SHIFT
    if size > LARGEST_BOX:
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
        most |= guard | (cython.cast(cython.ulonglong, need) << shift)
        if need > rest:
            least |= cython.cast(cython.ulonglong, need - rest) << shift
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
    return _merge(p, b, unit, touched, guards, most, least, closing)


@cython.cfunc
@cython.nogil
def _merge(
    p: TrackedPosition,
    b: cython.int,
    unit: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    most: cython.ulonglong,
    least: cython.ulonglong,
    closing: cython.ulonglong,
) -> cython.int:
    """Merge copies of the layer before box b, one for each number of mines, into the next."""
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    first: cython.int = p.layer
    stop: cython.int = p.state_end
    most_new: cython.int = (stop - first) * (high - low + 1)
    if most_new > p.max_layer or stop + most_new > p.state_capacity:
        return codes.TOO_WIDE
    if p.link_end + most_new > p.link_capacity:
        return codes.TOO_WIDE
    if high - low < 2:
        end = _merge_two(p, b, first, stop, unit, touched, guards, most, least, closing)
    else:
        end = _merge_many(p, b, first, stop, unit, touched, guards, most, least, closing)
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
    most: cython.ulonglong,
    least: cython.ulonglong,
    closing: cython.ulonglong,
) -> cython.int:
    """Merge the layer first..stop for one or two numbers of mines; return the end of the states."""
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    i: cython.int = first - 1
    j: cython.int = first - 1
    end: cython.int = stop
    link: cython.int = p.link_end
    ways: cython.double = p.binomial[p.box_size[b], low]
    more_ways: cython.double = p.binomial[p.box_size[b], high]
    shift: cython.ulonglong = cython.cast(cython.ulonglong, low) * unit
    more_shift: cython.ulonglong = cython.cast(cython.ulonglong, high) * unit
    key: cython.ulonglong = NO_KEY
    more_key: cython.ulonglong = NO_KEY
    i = _next_state(p, i, stop, shift, touched, guards, most, least)
    if i < stop:
        key = p.key[i] + shift
    if high > low:
        j = _next_state(p, j, stop, more_shift, touched, guards, most, least)
        if j < stop:
            more_key = p.key[j] + more_shift
    while True:
        lowest = key if key < more_key else more_key
        if lowest == NO_KEY:
            break
        total = 0.0
        if key == lowest:
            p.link_from[link] = i
            p.link_mines[link] = low
            link += 1
            total += p.ways[i] * ways
            i = _next_state(p, i, stop, shift, touched, guards, most, least)
            key = p.key[i] + shift if i < stop else NO_KEY
        if more_key == lowest:
            p.link_from[link] = j
            p.link_mines[link] = high
            link += 1
            total += p.ways[j] * more_ways
            j = _next_state(p, j, stop, more_shift, touched, guards, most, least)
            more_key = p.key[j] + more_shift if j < stop else NO_KEY
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
    most: cython.ulonglong,
    least: cython.ulonglong,
    closing: cython.ulonglong,
) -> cython.int:
    """Merge the layer first..stop for any numbers of mines; return the end of the states."""
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    size: cython.int = p.box_size[b]
    end: cython.int = stop
    link: cython.int = p.link_end
    for k in range(low, high + 1):
        shift = cython.cast(cython.ulonglong, k) * unit
        s = _next_state(p, first - 1, stop, shift, touched, guards, most, least)
        p.at[k] = s
        p.head[k] = p.key[s] + shift if s < stop else NO_KEY
    while True:
        lowest = NO_KEY
        for k in range(low, high + 1):
            if p.head[k] < lowest:
                lowest = p.head[k]
        if lowest == NO_KEY:
            break
        total = 0.0
        for k in range(low, high + 1):
            if p.head[k] == lowest:
                s = p.at[k]
                p.link_from[link] = s
                p.link_mines[link] = k
                link += 1
                total += p.ways[s] * p.binomial[size, k]
                shift = cython.cast(cython.ulonglong, k) * unit
                s = _next_state(p, s, stop, shift, touched, guards, most, least)
                p.at[k] = s
                p.head[k] = p.key[s] + shift if s < stop else NO_KEY
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
    shift: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    most: cython.ulonglong,
    least: cython.ulonglong,
) -> cython.int:
    """Return the next state after s whose shifted key is within the bounds of every number."""
    s += 1
    while s < stop:
        field = (p.key[s] + shift) & touched
        if ((most - field) & guards) == guards and (((field | guards) - least) & guards) == guards:
            return s
        s += 1
    return stop
