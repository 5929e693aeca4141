"""The marks of a position: read from a position, changed by a move, put back after a what-if.

Single-number rules are applied until they rest, so that chains see only what is undecided.
A component is dissolved as soon as a covered cell next to one of its numbers changes; its numbers are noted as
seeds, from which `chains` makes new components. The arrays are described in `tracked`.
Every change of a mark and the way back from it stand together, which makes the file long.
"""

import cython
from cython.cimports.sapper.kernels.codes import COVERED, FLAG, KNOWN_SAFE, NO_SOLUTION, OK
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition


@cython.ccall
@cython.nogil
def read_marks(
    p: TrackedPosition,
    marks: cython.const[cython.int][::1],
    base: cython.Py_ssize_t,
    mines: cython.int,
    trust: cython.bint,
) -> cython.int:
    """Take over the position marks[base:]; components that it shares with the position before are kept.

    *mines* is -1 where the count is unknown. OK, or NO_SOLUTION where a number cannot be met.
    """
    c: cython.int
    status: cython.int
    if p.depth:
        p.depth = 0
        p.trail_count = 0
        p.position_known = False
        remove_components(p)
    p.mines = mines
    p.answered = False
    p.going_on = False
    if p.position_known and p.trusted == trust:
        c = _find_changes(p, marks, base)
        if c >= 0:
            status = _apply_changes(p, c)
            p.position_known = status == OK
            if status == OK:
                return OK
    p.trusted = trust
    status = _read_all(p, marks, base)
    p.position_known = status == OK
    return status


@cython.cfunc
@cython.nogil
def _find_changes(
    p: TrackedPosition, marks: cython.const[cython.int][::1], base: cython.Py_ssize_t
) -> cython.int:
    """List the cells in p.batch that show a number since the position before; how many there are.

    Or -1, where they are so many that reading all is quicker, or where something else changed.
    """
    c: cython.Py_ssize_t
    m: cython.int
    other: cython.int
    covered: cython.int = COVERED if p.trusted else FLAG
    changed: cython.int = 0
    wrong: cython.int = 0
    for c in range(p.cells):
        m = marks[base + c]
        m = COVERED if m == covered else m
        other = m != p.position[c]
        changed += other
        wrong |= other & ((p.position[c] != COVERED) | (m < 0))
    if wrong or 8 * changed > p.cells:
        return -1
    changed = 0
    for c in range(p.cells):
        m = marks[base + c]
        p.batch[changed] = cython.cast(cython.int, c)
        changed += (m >= 0) & (m != p.position[c])
    for c in range(changed):
        p.batch_box[c] = marks[base + p.batch[c]]
    return changed


@cython.cfunc
@cython.nogil
def _apply_changes(p: TrackedPosition, count: cython.int) -> cython.int:
    """The cells p.batch[:count] show the numbers p.batch_box[:count]; as `set_mark` for each."""
    i: cython.int
    c: cython.int
    for i in range(count):
        c = p.batch[i]
        if p.marks[c] == FLAG:
            return NO_SOLUTION
        p.position[c] = p.batch_box[i]
        _set(p, c, p.batch_box[i])
        p.seeds[p.seed_count] = c
        p.seed_count += 1
    for i in range(count):
        _enqueue(p, p.batch[i])
    return _apply_rules(p, False)


@cython.cfunc
@cython.nogil
def _read_all(
    p: TrackedPosition, marks: cython.const[cython.int][::1], base: cython.Py_ssize_t
) -> cython.int:
    """Take over all marks of a position, count what is around each cell, and apply the rules."""
    c: cython.int
    m: cython.int
    need: cython.int
    i: cython.int
    k: cython.int
    d: cython.int
    flagged: cython.int = 0
    covered: cython.int = COVERED if p.trusted else FLAG
    p.scan = True
    while p.waiting_count:
        p.waiting_count -= 1
        p.waits[p.waiting[p.waiting_count]] = 0
    for c in range(p.cells):
        m = marks[base + c]
        m = COVERED if m == covered else m
        p.marks[c] = m
        p.position[c] = m
    for c in range(p.cells):
        flagged += p.marks[c] == FLAG
        p.flags[c] = 0
    for c in range(p.cells):
        p.place[c] = p.marks[c] == COVERED
        p.covered[c] = 0
    # A processor adds several cells of a range at once: 0.5 us for an Expert board instead of 3.
    # The few cells of another pattern get nonsense first and their own count afterwards.
    for k in range(p.step_count):
        _add_range(p.covered, p.place, p.first_alike, p.past_alike, p.steps[k])
    for i in range(p.unlike_count):
        c = p.unlike[i]
        d = 0
        for k in range(p.offsets[c], p.offsets[c + 1]):
            d += p.place[p.neighbours[k]]
        p.covered[c] = d
    if flagged:
        for c in range(p.cells):
            if p.marks[c] == FLAG:
                for k in range(p.offsets[c], p.offsets[c + 1]):
                    p.flags[p.neighbours[k]] += 1
    for c in range(p.cells):
        need = p.marks[c] - p.flags[c]
        k = p.covered[c]
        # Without branches, which the processor could not foresee: a number that decides or clashes.
        if (p.marks[c] >= 0) & ((need <= 0) | (need >= k)) & ((k > 0) | (need != 0)):
            _enqueue(p, c)
    return _apply_rules(p, True)


@cython.cfunc
@cython.nogil
def _add_range(
    out: cython.int[::1],
    values: cython.int[::1],
    first: cython.Py_ssize_t,
    past: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
) -> cython.void:
    """Add values[c + step] to out[c] for a range of cells; wide indices let it be vectorised."""
    c: cython.Py_ssize_t
    for c in range(first, past):
        out[c] += values[c + step]


@cython.cfunc
@cython.nogil
def _enqueue(p: TrackedPosition, c: cython.int) -> cython.void:
    """Let the number at c be looked at."""
    if not p.waits[c]:
        p.waits[c] = 1
        p.waiting[p.waiting_count] = c
        p.waiting_count += 1


@cython.cfunc
@cython.nogil
def _apply_rules(p: TrackedPosition, reading: cython.bint) -> cython.int:
    """Single numbers that decide all their covered cells do so, until no more do."""
    c: cython.int
    d: cython.int
    k: cython.int
    need: cython.int
    while p.waiting_count:
        p.waiting_count -= 1
        c = p.waiting[p.waiting_count]
        p.waits[c] = 0
        need = p.marks[c] - p.flags[c]
        if need < 0 or need > p.covered[c]:
            p.clash = c
            while p.waiting_count:
                p.waiting_count -= 1
                p.waits[p.waiting[p.waiting_count]] = 0
            return NO_SOLUTION
        if p.covered[c] and (need == 0 or need == p.covered[c]):
            for k in range(p.offsets[c], p.offsets[c + 1]):
                d = p.neighbours[k]
                if p.marks[d] == COVERED:
                    if reading:
                        _set_while_reading(p, d, FLAG if need else KNOWN_SAFE)
                    else:
                        _set(p, d, FLAG if need else KNOWN_SAFE)
    return OK


@cython.cfunc
@cython.nogil
def _set_while_reading(p: TrackedPosition, c: cython.int, mark: cython.int) -> cython.void:
    """Turn a covered cell into FLAG or KNOWN_SAFE while a position is read; components are compared afterwards."""
    k: cython.int
    d: cython.int
    mine: cython.int = mark == FLAG
    need: cython.int
    fresh: cython.int
    p.marks[c] = mark
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.covered[d] -= 1
        p.flags[d] += mine
        need = p.marks[d] - p.flags[d]
        fresh = (p.marks[d] >= 0) & ((need <= 0) | (need >= p.covered[d])) & (p.waits[d] == 0)
        p.waiting[p.waiting_count] = d
        p.waiting_count += fresh
        p.waits[d] |= fresh


@cython.cfunc
@cython.nogil
def _set(p: TrackedPosition, c: cython.int, mark: cython.int) -> cython.void:
    """Give a cell another mark; components around it dissolve and numbers around it are looked at."""
    k: cython.int
    d: cython.int
    old: cython.int = p.marks[c]
    covered: cython.int = (mark == COVERED) - (old == COVERED)
    mine: cython.int = (mark == FLAG) - (old == FLAG)
    need: cython.int
    fresh: cython.int
    if p.depth:
        p.trail_cell[p.trail_count] = c
        p.trail_mark[p.trail_count] = old
        p.trail_count += 1
    p.marks[c] = mark
    p.unknown += covered
    p.flagged += mine
    p.open_cells += (mark == KNOWN_SAFE) - (old == KNOWN_SAFE)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.covered[d] += covered
        p.flags[d] += mine
        if p.component_of[d] >= 0:
            remove_component(p, p.component_of[d])
        need = p.marks[d] - p.flags[d]
        fresh = (p.marks[d] >= 0) & ((need <= 0) | (need >= p.covered[d])) & (p.waits[d] == 0)
        p.waiting[p.waiting_count] = d
        p.waiting_count += fresh
        p.waits[d] |= fresh


@cython.ccall
@cython.nogil
def remove_component(p: TrackedPosition, f: cython.int) -> cython.void:
    """Take a component out of the position; its numbers become seeds of new ones."""
    i: cython.int
    first: cython.int = p.box_member[p.component_box[f]]
    for i in range(first, first + p.component_size[f]):
        p.box_of[p.member[i]] = -1
    for i in range(p.component_number[f], p.component_past_number[f]):
        p.component_of[p.number_cell[i]] = -1
        p.seeds[p.seed_count] = p.number_cell[i]
        p.seed_count += 1
    p.frontier -= p.component_size[f]
    i = 0
    while p.live[i] != f:
        i += 1
    p.live_count -= 1
    p.live[i] = p.live[p.live_count]


@cython.ccall
@cython.nogil
def remove_components(p: TrackedPosition) -> cython.void:
    """Drop all components; the next answer makes them anew."""
    while p.live_count:
        remove_component(p, p.live[p.live_count - 1])
    p.seed_count = 0
    p.scan = True
    if p.depth == 0:
        _clear_pools(p)


@cython.cfunc
@cython.nogil
def _clear_pools(p: TrackedPosition) -> cython.void:
    p.component_end = 0
    p.number_end = 0
    p.box_end = 0
    p.cover_end = 0
    p.member_end = 0
    p.state_end = 0
    p.link_end = 0


@cython.ccall
@cython.nogil
def set_mark(p: TrackedPosition, cell: cython.int, mark: cython.int) -> cython.int:
    """A cell without a number shows one, or is known to be a mine (FLAG) or free (KNOWN_SAFE).

    OK, or NO_SOLUTION where single numbers refute it at once; components follow when asked for.
    """
    p.answered = False
    p.going_on = False
    if p.marks[cell] == mark:
        return OK
    # A mine cannot show a number or be free, nor a free cell be a mine.
    if (p.marks[cell] == FLAG) or (p.marks[cell] == KNOWN_SAFE and mark == FLAG):
        p.clash = cell
        return NO_SOLUTION
    if p.depth == 0:
        p.position_known = False
    _set(p, cell, mark)
    if mark >= 0:
        p.seeds[p.seed_count] = cell
        p.seed_count += 1
        _enqueue(p, cell)
    return _apply_rules(p, False)


@cython.ccall
@cython.nogil
def save_state(p: TrackedPosition) -> cython.void:
    """Note where everything stands, to be taken back."""
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
    p.saved[d, 10] = p.scan
    for i in range(p.live_count):
        p.saved_live[d, i] = p.live[i]
    p.depth = d + 1


@cython.ccall
@cython.nogil
def restore_state(p: TrackedPosition) -> cython.void:
    """Undo all since the last `save_state`: marks, and the components that stood then."""
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
    # The marks are put back quietly: the rules rested on them before.
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
    p.scan = p.saved[d, 10]
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
    p.going_on = False


@cython.cfunc
@cython.nogil
def _restore_mark(p: TrackedPosition, c: cython.int, mark: cython.int) -> cython.void:
    k: cython.int
    d: cython.int
    old: cython.int = p.marks[c]
    covered: cython.int = (mark == COVERED) - (old == COVERED)
    mine: cython.int = (mark == FLAG) - (old == FLAG)
    p.marks[c] = mark
    p.unknown += covered
    p.flagged += mine
    p.open_cells += (mark == KNOWN_SAFE) - (old == KNOWN_SAFE)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.covered[d] += covered
        p.flags[d] += mine
