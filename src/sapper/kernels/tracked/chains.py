"""Components as chains of boxes; `layers` computes the states after each box.

The number with the fewest remaining cells comes next, so that few numbers are open at once.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.tracked.layers import add_box
from cython.cimports.sapper.kernels.tracked.marks import remove_component, remove_components
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

ONE = cython.declare(cython.ulonglong, 1)
MAX_NUMBERS = cython.declare(cython.int, 64)
MAX_COMPONENTS = cython.declare(cython.int, 64)


def update_components(p: TrackedPosition) -> cython.int:
    """Build the missing components.

    Return OK, NO_SOLUTION or TOO_WIDE; unless OK, all components are removed.
    """
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
    if p.rescan:
        _scan(p)
    i = 0
    while i < p.seed_count:
        c = p.seeds[i]
        i += 1
        if p.marks[c] >= 0 and p.covered[c] and p.component_of[c] < 0:
            status = _build_component(p, c)
            if status == codes.OK and p.frontier > p.max_cells:
                status = codes.TOO_WIDE
            if status:
                remove_components(p)
                return status
    p.seed_count = 0
    return codes.OK


@cython.cfunc
@cython.nogil
def _scan(p: TrackedPosition) -> cython.void:
    """Count the marks, remove the components that no longer match them, and list new numbers."""
    unknown: cython.int = 0
    flagged: cython.int = 0
    known_safe: cython.int = 0
    components: cython.int = p.live_count
    # From the last: the last component moves to the place of one that is removed.
    for i in range(components):
        f = p.live[components - 1 - i]
        if not _is_unchanged(p, f):
            remove_component(p, f)
    if p.live_count == 0:
        remove_components(p)
    p.seed_count = 0
    for c in range(p.cells):
        unknown += p.marks[c] == codes.COVERED
        flagged += p.marks[c] == codes.FLAG
        known_safe += p.marks[c] == codes.KNOWN_SAFE
    # The condition is vectorised. Then every cell is written and only some are kept: a branch would
    # be unpredictable.
    for c in range(p.cells):
        p.batch[c] = (p.covered[c] > 0) & (p.marks[c] >= 0) & (p.component_of[c] < 0)
    i = 0
    for c in range(p.cells):
        p.seeds[i] = c
        i += p.batch[c]
    p.seed_count = i
    p.unknown = unknown
    p.flagged = flagged
    p.known_safe_count = known_safe
    p.rescan = False


@cython.cfunc
@cython.nogil
def _is_unchanged(p: TrackedPosition, f: cython.int) -> cython.bint:
    """Return whether the component's numbers need the same mines in the same cells as before.

    That is so where each number has the same number of covered cells as before and all cells of
    the component are still covered.
    """
    for i in range(p.component_number[f], p.component_number_stop[f]):
        c = p.number_cell[i]
        if (
            p.marks[c] < 0
            or p.marks[c] - p.flags[c] != p.number_need[i]
            or p.covered[c] != p.number_covered[i]
        ):
            return False
    b = p.component_box[f]
    for i in range(p.box_member[b], p.box_member[b] + p.component_size[f]):
        if p.marks[p.member[i]] != codes.COVERED:
            return False
    return True


@cython.cfunc
@cython.nogil
def _build_component(p: TrackedPosition, seed: cython.int) -> cython.int:
    """Build the component of the number at *seed*; remove the components that it takes over."""
    f: cython.int = p.component_end
    first: cython.int = p.number_end
    first_box: cython.int = p.box_end
    first_member: cython.int = p.member_end
    count: cython.int = 1
    if (
        f == p.component_capacity
        or p.live_count == MAX_COMPONENTS
        or p.state_end >= p.state_capacity
    ):
        return codes.TOO_WIDE
    p.stamp += 1
    p.taken = 0
    p.component_end = f + 1
    p.component_number[f] = first
    p.component_box[f] = first_box
    p.component_state[f] = p.state_end
    p.layer = p.state_end
    p.key[p.state_end] = 0
    p.ways[p.state_end] = 1.0
    p.first_link[p.state_end] = p.link_end
    p.state_end += 1
    p.first_link[p.state_end] = p.link_end
    status = _add_number(p, f, seed)
    p.opened[0] = first
    while count and status == codes.OK:
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
                status = codes.TOO_WIDE
            i = p.box_end
            while status == codes.OK and i > first_box and p.box_state[i - 1] < 0:
                i -= 1
            while status == codes.OK and i < p.box_end:
                status = add_box(p, i)
                i += 1
    p.component_number_stop[f] = p.number_end
    p.component_box_stop[f] = p.box_end
    p.component_size[f] = p.member_end - first_member
    if status == codes.OK and p.component_size[f] > p.max_cells:
        status = codes.TOO_WIDE
    if status:
        for i in range(first, p.number_end):
            p.component_of[p.number_cell[i]] = -1
        for i in range(first_member, p.member_end):
            p.box_of[p.member[i]] = -1
        return status
    p.live[p.live_count] = f
    p.live_count += 1
    p.frontier += p.component_size[f]
    return codes.OK


@cython.cfunc
@cython.nogil
def _add_number(p: TrackedPosition, f: cython.int, c: cython.int) -> cython.int:
    """Add the number at c to the component; return OK, or TOO_WIDE where there are too many."""
    h: cython.int = p.number_end
    need: cython.int = p.marks[c] - p.flags[c]
    # Bits for 1 to 3 mines, and a guard bit above them; more where more mines are needed.
    width: cython.int = 2 + (need > 1)
    while need >> (width - 1):
        width += 1
    if h == p.number_capacity or h - p.component_number[f] == MAX_NUMBERS:
        return codes.TOO_WIDE
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
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(end=cython.int, mask=cython.ulonglong)
def _make_boxes(p: TrackedPosition, f: cython.int, h: cython.int, count: cython.int) -> cython.int:
    """Gather the covered cells around number h that are in no box yet into boxes (box_state -1).

    Return the number of open numbers, or -1 where a limit is exceeded.
    The cells of a box have the same first number, so only boxes made here can be theirs.
    """
    c: cython.int = p.number_cell[h]
    first: cython.int = p.component_number[f]
    first_box: cython.int = p.box_end
    found: cython.int = 0
    # As in `_scan`: every neighbour is written, and covered ones that are not seen yet are kept.
    for j in range(p.offsets[c], p.offsets[c + 1]):
        x = p.neighbours[j]
        p.batch[found] = x
        found += (p.marks[x] == codes.COVERED) & (p.seen[x] != p.stamp)
    for j in range(found):
        x = p.batch[j]
        p.seen[x] = p.stamp
        mask = 0
        end = p.cover_end
        if end + p.offsets[x + 1] - p.offsets[x] > p.member_capacity:
            return -1
        for k in range(p.offsets[x], p.offsets[x + 1]):
            d = p.neighbours[k]
            p.cover[end] = d
            end += p.marks[d] >= 0
        for k in range(p.cover_end, end):
            d = p.cover[k]
            if p.component_of[d] != f:
                if _add_number(p, f, d) or count == MAX_NUMBERS:
                    return -1
                p.opened[count] = p.number_end - 1
                count += 1
            i = p.place[d]
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
            p.box_cover_stop[b] = end
            p.box_size[b] = 0
            p.box_state[b] = -1
            p.cover_end = end
            p.box_end = b + 1
        p.box_size[b] += 1
        p.batch_box[j] = b
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
