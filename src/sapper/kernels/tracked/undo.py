"""Save and restore a tracked position, for what-ifs of any depth."""

import cython
from cython.cimports.sapper.kernels.codes import COVERED, FLAG, KNOWN_SAFE
from cython.cimports.sapper.kernels.tracked.marks import remove_component
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition


@cython.ccall
@cython.nogil
def save_state(p: TrackedPosition) -> cython.void:
    """Save the sizes of all pools, to be restored."""
    i: cython.int
    d: cython.int = p.depth
    p.saved[d, 0] = p.trail_count
    p.saved[d, 1] = p.live_count
    p.saved[d, 2] = p.component_end
    p.saved[d, 3] = p.number_end
    p.saved[d, 4] = p.box_end
    p.saved[d, 5] = p.cover_end
    p.saved[d, 6] = p.member_end
    p.saved[d, 7] = p.state_end
    p.saved[d, 8] = p.link_end
    p.saved[d, 9] = p.frontier
    p.saved[d, 10] = p.rescan
    for i in range(p.live_count):
        p.saved_live[d, i] = p.live[i]
    p.depth = d + 1


@cython.ccall
@cython.nogil
def restore_state(p: TrackedPosition) -> cython.void:
    """Undo everything since the last `save_state`: marks, and the components of that time."""
    b: cython.int
    c: cython.int
    f: cython.int
    i: cython.int
    k: cython.int
    d: cython.int = p.depth - 1
    components: cython.int = p.live_count
    for i in range(components):
        k = components - 1 - i
        if p.live[k] >= p.saved[d, 2]:
            remove_component(p, p.live[k])
    p.seed_count = 0
    # No rules are applied: they gave no move for these marks before.
    while p.trail_count > p.saved[d, 0]:
        p.trail_count -= 1
        _restore_mark(p, p.trail_cell[p.trail_count], p.trail_mark[p.trail_count])
    p.live_count = p.saved[d, 1]
    p.component_end = p.saved[d, 2]
    p.number_end = p.saved[d, 3]
    p.box_end = p.saved[d, 4]
    p.cover_end = p.saved[d, 5]
    p.member_end = p.saved[d, 6]
    p.state_end = p.saved[d, 7]
    p.link_end = p.saved[d, 8]
    p.frontier = p.saved[d, 9]
    p.rescan = p.saved[d, 10]
    for k in range(p.live_count):
        f = p.saved_live[d, k]
        p.live[k] = f
        if p.component_of[p.number_cell[p.component_number[f]]] == f:
            continue
        for i in range(p.component_number[f], p.component_past_number[f]):
            p.component_of[p.number_cell[i]] = f
        for b in range(p.component_box[f], p.component_past_box[f]):
            for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                c = p.member[i]
                p.box_of[c] = b
    p.depth = d
    p.answered = False
    p.resuming = False


@cython.cfunc
@cython.nogil
def _restore_mark(p: TrackedPosition, c: cython.int, mark: cython.int) -> cython.void:
    """Restore the mark of a cell and the counts around it."""
    k: cython.int
    d: cython.int
    old: cython.int = p.marks[c]
    covered: cython.int = (mark == COVERED) - (old == COVERED)
    mine: cython.int = (mark == FLAG) - (old == FLAG)
    p.marks[c] = mark
    p.unknown += covered
    p.flagged += mine
    p.known_safe_count += (mark == KNOWN_SAFE) - (old == KNOWN_SAFE)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.covered[d] += covered
        p.flags[d] += mine
