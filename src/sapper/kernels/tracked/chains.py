"""Components as chains: the boxes of a component one after another, and the states after each of them.

A state is a key: the mines used of each number that is open, packed, and above them the mines used
in all. Adding a box of k mines adds the same number to every key, and closing a number takes the
same number off, so the states of a layer stay in order and a layer is a merge of shifted copies
of the layer before: no hashing. Bounds are tested as in `joins`, by a guard bit above each field.

The number with fewest cells still to come is taken next, so that few are open at once.
Counts are not tilted: a component of `max_cells` cells stays far within a float, and a count is
positive if and only if a solution stands behind it. Whatever is too wide answers TOO_WIDE.
Finding a component and laying its chain are one walk over the same pools, hence the length.
"""

import cython
from cython.cimports.sapper.kernels.codes import (
    COVERED,
    FLAG,
    KNOWN_SAFE,
    NO_SOLUTION,
    OK,
    TOO_WIDE,
)
from cython.cimports.sapper.kernels.native import lowest_bit
from cython.cimports.sapper.kernels.tracked.marks import remove_component, remove_components
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

ONE = cython.declare(cython.ulonglong, 1)
# The mines used in all stand above the fields of the numbers.
ALL_MINES = cython.declare(cython.int, 54)
FIELDS = cython.declare(cython.ulonglong, (1 << 54) - 1)
NO_KEY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MAX_NUMBERS = cython.declare(cython.int, 64)
MAX_COMPONENTS = cython.declare(cython.int, 64)
LARGEST_BOX = cython.declare(cython.int, 32)


@cython.ccall
@cython.nogil
def update_components(p: TrackedPosition) -> cython.int:
    """Make the components that are missing. OK, NO_SOLUTION, or TOO_WIDE: then none is kept."""
    i: cython.int
    c: cython.int
    status: cython.int
    if p.depth == 0 and (
        2 * p.state_end > p.state_capacity
        or 2 * p.link_end > p.link_capacity
        or 2 * p.component_end > p.component_capacity
        or 2 * p.number_end > p.number_capacity
        or 2 * p.box_end > p.box_capacity
        or 2 * p.member_end > p.member_capacity
        or 2 * p.cover_end > p.member_capacity
    ):
        remove_components(p)
    if p.scan:
        _scan(p)
    i = 0
    while i < p.seed_count:
        c = p.seeds[i]
        i += 1
        if p.marks[c] >= 0 and p.covered[c] and p.component_of[c] < 0:
            status = _build_component(p, c)
            if status == OK and p.frontier > p.max_cells:
                status = TOO_WIDE
            if status:
                remove_components(p)
                return status
    p.seed_count = 0
    return OK


@cython.cfunc
@cython.nogil
def _scan(p: TrackedPosition) -> cython.void:
    """Count the marks, dissolve the components that they no longer bear out, and look for new numbers."""
    c: cython.int
    i: cython.int
    unknown: cython.int = 0
    flagged: cython.int = 0
    open_cells: cython.int = 0
    components: cython.int = p.live_count
    # From the last: a component that is dissolved leaves its place to the last one.
    for i in range(components):
        c = p.live[components - 1 - i]
        if not _is_unchanged(p, c):
            remove_component(p, c)
    if p.live_count == 0:
        remove_components(p)
    p.seed_count = 0
    for c in range(p.cells):
        unknown += p.marks[c] == COVERED
        flagged += p.marks[c] == FLAG
        open_cells += p.marks[c] == KNOWN_SAFE
    # Every cell is written and only some are kept: which ones, the processor could not foresee.
    i = 0
    for c in range(p.cells):
        p.seeds[i] = c
        i += (p.covered[c] > 0) & (p.marks[c] >= 0) & (p.component_of[c] < 0)
    p.seed_count = i
    p.unknown = unknown
    p.flagged = flagged
    p.open_cells = open_cells
    p.scan = False


@cython.cfunc
@cython.nogil
def _is_unchanged(p: TrackedPosition, f: cython.int) -> cython.bint:
    """Whether the component's numbers need the same mines in the same cells as when it was made.

    As many covered cells around each number as then, and all of the component's cells covered cell: the same cells.
    """
    c: cython.int
    i: cython.int
    b: cython.int
    for i in range(p.component_number[f], p.component_past_number[f]):
        c = p.number_cell[i]
        if (
            p.marks[c] < 0
            or p.marks[c] - p.flags[c] != p.number_need[i]
            or p.covered[c] != p.number_covered[i]
        ):
            return False
    b = p.component_box[f]
    for i in range(p.box_member[b], p.box_member[b] + p.component_size[f]):
        if p.marks[p.member[i]] != COVERED:
            return False
    return True


@cython.cfunc
@cython.nogil
def _build_component(p: TrackedPosition, seed: cython.int) -> cython.int:
    """Make the component of the number at *seed*, swallowing components that it has grown into."""
    f: cython.int = p.component_end
    first: cython.int = p.number_end
    first_box: cython.int = p.box_end
    first_member: cython.int = p.member_end
    i: cython.int
    h: cython.int
    best: cython.int
    count: cython.int = 1
    status: cython.int
    if (
        f == p.component_capacity
        or p.live_count == MAX_COMPONENTS
        or p.state_end >= p.state_capacity
    ):
        return TOO_WIDE
    p.stamp += 1
    p.taken = 0
    p.component_end = f + 1
    p.component_number[f] = first
    p.component_box[f] = first_box
    p.component_state[f] = p.state_end
    p.layer = p.state_end
    p.key[p.state_end] = 0
    p.value[p.state_end] = 1.0
    p.first_link[p.state_end] = p.link_end
    p.state_end += 1
    p.first_link[p.state_end] = p.link_end
    status = _add_number(p, f, seed)
    p.opened[0] = first
    while count and status == OK:
        best = 0
        for i in range(1, count):
            if p.number_left[p.opened[i]] <= p.number_left[p.opened[best]]:
                best = i
        h = p.opened[best]
        count -= 1
        p.opened[best] = p.opened[count]
        if p.number_left[h]:
            count = _make_boxes(p, f, h, count)
            if count < 0:
                status = TOO_WIDE
            i = p.box_end
            while status == OK and i > first_box and p.box_state[i - 1] < 0:
                i -= 1
            while status == OK and i < p.box_end:
                status = _add_box(p, i)
                i += 1
    p.component_past_number[f] = p.number_end
    p.component_past_box[f] = p.box_end
    p.component_size[f] = p.member_end - first_member
    if status == OK and p.component_size[f] > p.max_cells:
        status = TOO_WIDE
    if status:
        for i in range(first, p.number_end):
            p.component_of[p.number_cell[i]] = -1
        for i in range(first_member, p.member_end):
            p.box_of[p.member[i]] = -1
        return status
    p.live[p.live_count] = f
    p.live_count += 1
    p.frontier += p.component_size[f]
    return OK


@cython.cfunc
@cython.nogil
def _add_number(p: TrackedPosition, f: cython.int, c: cython.int) -> cython.int:
    """Add the number at c to the component; OK, or TOO_WIDE where there are too many."""
    h: cython.int = p.number_end
    need: cython.int = p.marks[c] - p.flags[c]
    # Bits for 1 to 3 mines, and a guard bit above them; more for the rare larger needs.
    width: cython.int = 2 + (need > 1)
    while need >> (width - 1):
        width += 1
    if h == p.number_capacity or h - p.component_number[f] == MAX_NUMBERS:
        return TOO_WIDE
    if p.component_of[c] >= 0:
        remove_component(p, p.component_of[c])
    p.component_of[c] = f
    p.place[c] = h
    p.number_cell[h] = c
    p.number_need[h] = need
    p.number_width[h] = width
    p.number_covered[h] = p.covered[c]
    p.number_left[h] = p.covered[c]
    p.number_rest[h] = p.covered[c]
    p.number_end = h + 1
    return OK


@cython.cfunc
@cython.nogil
def _make_boxes(p: TrackedPosition, f: cython.int, h: cython.int, count: cython.int) -> cython.int:
    """Gather the covered cells around number h that are in no box yet into boxes (box_state -1).

    Answers with how many numbers are open then, or -1 where something is too large.
    Cells of one box have the same first number, so only the boxes made here can be theirs.
    """
    b: cython.int
    c: cython.int = p.number_cell[h]
    g: cython.int
    i: cython.int
    j: cython.int
    k: cython.int
    x: cython.int
    first: cython.int = p.component_number[f]
    first_box: cython.int = p.box_end
    end: cython.int
    found: cython.int = 0
    mask: cython.ulonglong
    for j in range(p.offsets[c], p.offsets[c + 1]):
        x = p.neighbours[j]
        if p.marks[x] != COVERED or p.seen[x] == p.stamp:
            continue
        p.seen[x] = p.stamp
        mask = 0
        end = p.cover_end
        if end + p.offsets[x + 1] - p.offsets[x] > p.member_capacity:
            return -1
        # As in `_scan`: written always, kept where it is a number.
        for k in range(p.offsets[x], p.offsets[x + 1]):
            g = p.neighbours[k]
            p.cover[end] = g
            end += p.marks[g] >= 0
        for k in range(p.cover_end, end):
            g = p.cover[k]
            if p.component_of[g] != f:
                if _add_number(p, f, g) or count == MAX_NUMBERS:
                    return -1
                p.opened[count] = p.number_end - 1
                count += 1
            i = p.place[g]
            p.number_left[i] -= 1
            mask |= ONE << (i - first)
            p.cover[k] = i
        b = first_box
        while b < p.box_end and p.box_mask[b] != mask:
            b += 1
        if b == p.box_end:
            if b == p.box_capacity:
                return -1
            p.box_mask[b] = mask
            p.box_cover[b] = p.cover_end
            p.box_past_cover[b] = end
            p.box_size[b] = 0
            p.box_state[b] = -1
            p.cover_end = end
            p.box_end = b + 1
        p.box_size[b] += 1
        p.batch[found] = x
        p.batch_box[found] = b
        found += 1
    if p.member_end + found > p.member_capacity:
        return -1
    for b in range(first_box, p.box_end):
        p.box_member[b] = p.member_end
        for i in range(found):
            if p.batch_box[i] == b:
                p.box_of[p.batch[i]] = b
                p.member[p.member_end] = p.batch[i]
                p.member_end += 1
    return count


@cython.cfunc
@cython.nogil
def _find_field(p: TrackedPosition, width: cython.int) -> cython.int:
    """The lowest place in a key with so many bits free, or -1."""
    free: cython.ulonglong = FIELDS & ~p.taken
    while width > 1:
        free &= free >> 1
        width -= 1
    return lowest_bit(free) if free else -1


@cython.cfunc
@cython.nogil
def _add_box(p: TrackedPosition, b: cython.int) -> cython.int:
    """Add a box to the chain: the layer of states after it, with the links that lead to them."""
    h: cython.int
    i: cython.int
    need: cython.int
    rest: cython.int
    shift: cython.int
    width: cython.int
    size: cython.int = p.box_size[b]
    low: cython.int = 0
    high: cython.int = size
    guard: cython.ulonglong
    field: cython.ulonglong
    guards: cython.ulonglong = 0
    most: cython.ulonglong = 0
    least: cython.ulonglong = 0
    touched: cython.ulonglong = 0
    freed: cython.ulonglong = 0
    closing: cython.ulonglong = 0
    unit: cython.ulonglong = ONE << ALL_MINES
    if size > LARGEST_BOX:
        return TOO_WIDE
    for i in range(p.box_cover[b], p.box_past_cover[b]):
        h = p.cover[i]
        need = p.number_need[h]
        width = p.number_width[h]
        if p.number_rest[h] == p.number_covered[h]:
            shift = _find_field(p, width)
            if shift < 0:
                return TOO_WIDE
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
    """Merge the layer before box b, shifted by each number of mines in the box, into the next."""
    k: cython.int
    s: cython.int
    low: cython.int = p.box_low[b]
    high: cython.int = p.box_high[b]
    size: cython.int = p.box_size[b]
    first: cython.int = p.layer
    past: cython.int = p.state_end
    end: cython.int = past
    link: cython.int = p.link_end
    most_new: cython.int = (past - first) * (high - low + 1)
    total: cython.double
    lowest: cython.ulonglong
    if most_new > p.max_layer or past + most_new > p.state_capacity:
        return TOO_WIDE
    if link + most_new > p.link_capacity:
        return TOO_WIDE
    for k in range(low, high + 1):
        p.at[k] = first - 1
        _advance(p, k, past, unit, touched, guards, most, least)
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
                total += p.value[s] * p.ways[size, k]
                _advance(p, k, past, unit, touched, guards, most, least)
        p.key[end] = lowest - closing
        p.value[end] = total
        end += 1
        p.first_link[end] = link
    p.box_state[b] = past
    p.box_past_state[b] = end
    p.layer = past
    p.state_end = end
    p.link_end = link
    return OK if end > past else NO_SOLUTION


@cython.cfunc
@cython.nogil
@cython.inline
def _advance(
    p: TrackedPosition,
    k: cython.int,
    past: cython.int,
    unit: cython.ulonglong,
    touched: cython.ulonglong,
    guards: cython.ulonglong,
    most: cython.ulonglong,
    least: cython.ulonglong,
) -> cython.void:
    """Go to the next state that k mines in the box leave within the bounds of every number."""
    s: cython.int = p.at[k] + 1
    key: cython.ulonglong
    field: cython.ulonglong
    shift: cython.ulonglong = cython.cast(cython.ulonglong, k) * unit
    while s < past:
        key = p.key[s] + shift
        field = key & touched
        if ((most - field) & guards) == guards and (((field | guards) - least) & guards) == guards:
            p.at[k] = s
            p.head[k] = key
            return
        s += 1
    p.head[k] = NO_KEY
