"""The marks of a tracked position: read from a position or changed by a move.

The rules of single numbers are applied until they decide no cell, so that chains contain only
undecided cells. A component is removed when a covered cell next to one of its numbers changes; its
numbers become the seeds of new components. `state` describes the arrays.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts, Ints
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

# The number of cells that are compared at once.
BLOCK_CELLS = cython.declare(cython.int, 64)


def read_marks(
    p: TrackedPosition,
    marks: ConstInts,
    base: cython.Py_ssize_t,
    mines: cython.int,
    trust_flags: cython.bint,
) -> cython.int:
    """Read the position marks[base:]; components that it shares with the one before are kept.

    *mines* is -1 where the count is unknown. Return OK, or NO_SOLUTION for a contradictory number.
    """
    if p.depth:
        p.depth = 0
        p.trail_count = 0
        p.position_known = False
        remove_components(p)
    p.mines = mines
    p.answered = False
    p.resuming = False
    if p.position_known and p.trusted == trust_flags:
        c = _find_changes(p, marks, base)
        if c >= 0:
            status = _apply_changes(p, c)
            p.position_known = status == codes.OK
            if status == codes.OK:
                return codes.OK
    p.trusted = trust_flags
    status = _read_all(p, marks, base)
    p.position_known = status == codes.OK
    return status


@cython.cfunc
@cython.nogil
@cython.locals(differs=cython.int)
def _find_changes(p: TrackedPosition, marks: ConstInts, base: cython.Py_ssize_t) -> cython.int:
    """List the cells in p.batch that show a new number; return how many there are.

    Return -1 where reading all marks is faster, or where something else changed.
    """
    read_as_covered: cython.int = codes.COVERED if p.trusted else codes.FLAG
    changed: cython.int = 0
    other_change: cython.int = 0
    first: cython.Py_ssize_t = 0
    # In blocks: another position usually differs in the first.
    while first < p.cells:
        stop = min(first + BLOCK_CELLS, p.cells)
        for c in range(first, stop):
            mark = marks[base + c]
            mark = codes.COVERED if mark == read_as_covered else mark
            differs = mark != p.position[c]
            changed += differs
            other_change |= differs & ((p.position[c] != codes.COVERED) | (mark < 0))
        if other_change or 8 * changed > p.cells:
            return -1
        first = stop
    changed = 0
    for c in range(p.cells):
        mark = marks[base + c]
        p.batch[changed] = cython.cast(cython.int, c)
        changed += (mark >= 0) & (mark != p.position[c])
    for c in range(changed):
        p.batch_box[c] = marks[base + p.batch[c]]
    return changed


@cython.cfunc
@cython.nogil
def _apply_changes(p: TrackedPosition, count: cython.int) -> cython.int:
    """Set the cells p.batch[:count] to the numbers p.batch_box[:count], as `set_mark` does."""
    for i in range(count):
        c = p.batch[i]
        if p.marks[c] == codes.FLAG:
            return codes.NO_SOLUTION
        p.position[c] = p.batch_box[i]
        _change_mark(p, c, p.batch_box[i])
        p.seeds[p.seed_count] = c
        p.seed_count += 1
    for i in range(count):
        _enqueue(p, p.batch[i])
    return _apply_rules(p)


@cython.cfunc
@cython.nogil
@cython.locals(decides=cython.int)
def _read_all(p: TrackedPosition, marks: ConstInts, base: cython.Py_ssize_t) -> cython.int:
    """Read all marks of a position, count the marks around each cell, and apply the rules."""
    count: cython.int = 0
    found: cython.int = 0
    flagged: cython.int = 0
    read_as_covered: cython.int = codes.COVERED if p.trusted else codes.FLAG
    p.rescan = True
    while p.queue_count:
        p.queue_count -= 1
        p.queued[p.queue[p.queue_count]] = 0
    for c in range(p.cells):
        mark = marks[base + c]
        mark = codes.COVERED if mark == read_as_covered else mark
        p.marks[c] = mark
        p.position[c] = mark
    for c in range(p.cells):
        flagged += p.marks[c] == codes.FLAG
        p.flags[c] = 0
    for c in range(p.cells):
        p.place[c] = p.marks[c] == codes.COVERED
    _sum_around(p, p.place, p.covered)
    if flagged:
        for c in range(p.cells):
            if p.marks[c] == codes.FLAG:
                for k in range(p.offsets[c], p.offsets[c + 1]):
                    p.flags[p.neighbours[k]] += 1
    _flag_at_once(p)
    # Queue the numbers that decide or contradict. The condition is vectorised. Then every cell is
    # written and only some are kept: a branch would be unpredictable.
    for c in range(p.cells):
        mark = p.marks[c]
        need = mark - p.flags[c]
        covered = p.covered[c]
        decides = (mark >= 0) & ((need <= 0) | (need >= covered)) & ((covered > 0) | (need != 0))
        p.batch[c] = decides
        found += decides
    if found:
        for c in range(p.cells):
            p.queue[count] = c
            count += p.batch[c]
    return _apply_rules_to_all(p, count)


@cython.cfunc
@cython.nogil
def _flag_at_once(p: TrackedPosition) -> cython.void:
    """Flag the cells of all numbers that need a mine in each of them; p.place is 1 where covered.

    Whole arrays at once: most cells that single numbers decide are these mines, and a queue takes
    twice as long.
    """
    found: cython.int = 0
    for c in range(p.cells):
        p.batch[c] = (p.covered[c] > 0) & (p.marks[c] - p.flags[c] == p.covered[c])
        found += p.batch[c]
    if found == 0:
        return
    _sum_around(p, p.batch, p.batch_box)
    for c in range(p.cells):
        p.place[c] &= p.batch_box[c] > 0
    _sum_around(p, p.place, p.batch_box)
    for c in range(p.cells):
        p.marks[c] -= p.place[c]
    for c in range(p.cells):
        p.flags[c] += p.batch_box[c]
        p.covered[c] -= p.batch_box[c]


@cython.cfunc
@cython.nogil
def _sum_around(p: TrackedPosition, values: Ints, out: Ints) -> cython.void:
    """Set out[c] to the sum of the values of the neighbours of c, for every cell.

    Vectorised over a range of cells: 0.3 us for an Expert board instead of 3. The few irregular
    cells in it get a wrong sum first and their own afterwards.
    """
    for c in range(p.cells):
        out[c] = 0
    for i in range(p.pattern_size // 4):
        k = 4 * i
        _add_four(
            out,
            values,
            p.first_regular,
            p.regular_stop,
            p.pattern[k],
            p.pattern[k + 1],
            p.pattern[k + 2],
            p.pattern[k + 3],
        )
    for k in range(p.pattern_size // 4 * 4, p.pattern_size):
        _add_one(out, values, p.first_regular, p.regular_stop, p.pattern[k])
    for i in range(p.irregular_count):
        c = p.irregular[i]
        total = 0
        for k in range(p.offsets[c], p.offsets[c + 1]):
            total += values[p.neighbours[k]]
        out[c] = total


@cython.cfunc
@cython.nogil
def _add_four(
    out: Ints,
    values: Ints,
    first: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    c: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
) -> cython.void:
    """Add the values at four offsets to out, for a range of cells; wide indices allow SIMD."""
    for i in range(first, stop):
        out[i] += values[i + a] + values[i + b] + values[i + c] + values[i + d]


@cython.cfunc
@cython.nogil
def _add_one(
    out: Ints,
    values: Ints,
    first: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    offset: cython.Py_ssize_t,
) -> cython.void:
    """Add the values at one offset to out, for a range of cells."""
    for i in range(first, stop):
        out[i] += values[i + offset]


@cython.cfunc
@cython.nogil
def _enqueue(p: TrackedPosition, c: cython.int) -> cython.void:
    """Queue the number at c."""
    if not p.queued[c]:
        p.queued[c] = 1
        p.queue[p.queue_count] = c
        p.queue_count += 1


@cython.cfunc
@cython.nogil
def _apply_rules(p: TrackedPosition) -> cython.int:
    """Mark the cells that the queued numbers decide until no number decides more."""
    while p.queue_count:
        p.queue_count -= 1
        c = p.queue[p.queue_count]
        p.queued[c] = 0
        need = p.marks[c] - p.flags[c]
        if need < 0 or need > p.covered[c]:
            p.conflict = c
            while p.queue_count:
                p.queue_count -= 1
                p.queued[p.queue[p.queue_count]] = 0
            return codes.NO_SOLUTION
        if p.covered[c] and (need == 0 or need == p.covered[c]):
            count = _list_covered(p, c)
            for i in range(count):
                _change_mark(p, p.batch[i], codes.FLAG if need else codes.KNOWN_SAFE)
    return codes.OK


@cython.cfunc
@cython.nogil
def _list_covered(p: TrackedPosition, c: cython.int) -> cython.int:
    """Write the covered cells around c to p.batch; return how many there are."""
    count: cython.int = 0
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.batch[count] = d
        count += p.marks[d] == codes.COVERED
    return count


@cython.cfunc
@cython.nogil
@cython.locals(mine=cython.int)
def _apply_rules_to_all(p: TrackedPosition, count: cython.int) -> cython.int:
    """Apply the rules while all marks are read, from the numbers p.queue[:count].

    Components are compared with the marks afterwards. A number is queued when it begins to decide
    its cells, so p.queued is not needed: once it has decided them, nothing around it changes.
    """
    while count:
        count -= 1
        c = p.queue[count]
        need = p.marks[c] - p.flags[c]
        covered = p.covered[c]
        if need < 0 or need > covered:
            p.conflict = c
            return codes.NO_SOLUTION
        if covered == 0:
            continue
        mine = need > 0
        mark = codes.FLAG if mine else codes.KNOWN_SAFE
        cells = _list_covered(p, c)
        for i in range(cells):
            c = p.batch[i]
            p.marks[c] = mark
            # Every neighbour is written to the queue and only some are kept, as in `_read_all`.
            for k in range(p.offsets[c], p.offsets[c + 1]):
                d = p.neighbours[k]
                covered = p.covered[d]
                need = p.marks[d] - p.flags[d]
                p.covered[d] = covered - 1
                p.flags[d] += mine
                p.queue[count] = d
                # Kept where it had a choice and has none now; without a number, need is negative.
                count += (
                    (need > 0) & (need < covered) & ((need == mine) | (need - mine == covered - 1))
                )
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(is_new=cython.int)
def _change_mark(p: TrackedPosition, c: cython.int, mark: cython.int) -> cython.void:
    """Change the mark of a cell; remove the components around it and queue its numbers."""
    old: cython.int = p.marks[c]
    covered: cython.int = (mark == codes.COVERED) - (old == codes.COVERED)
    mine: cython.int = (mark == codes.FLAG) - (old == codes.FLAG)
    if p.depth:
        p.trail_cell[p.trail_count] = c
        p.trail_mark[p.trail_count] = old
        p.trail_count += 1
    p.marks[c] = mark
    p.unknown += covered
    p.flagged += mine
    p.known_safe_count += (mark == codes.KNOWN_SAFE) - (old == codes.KNOWN_SAFE)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.covered[d] += covered
        p.flags[d] += mine
        if p.component_of[d] >= 0:
            remove_component(p, p.component_of[d])
        need = p.marks[d] - p.flags[d]
        is_new = (p.marks[d] >= 0) & ((need <= 0) | (need >= p.covered[d])) & (p.queued[d] == 0)
        p.queue[p.queue_count] = d
        p.queue_count += is_new
        p.queued[d] |= is_new


def remove_component(p: TrackedPosition, f: cython.int) -> cython.void:
    """Remove a component; its numbers become seeds of new ones."""
    first: cython.int = p.box_member[p.component_box[f]]
    for i in range(first, first + p.component_size[f]):
        p.box_of[p.member[i]] = -1
    for i in range(p.component_number[f], p.component_number_stop[f]):
        p.component_of[p.number_cell[i]] = -1
        p.seeds[p.seed_count] = p.number_cell[i]
        p.seed_count += 1
    p.frontier -= p.component_size[f]
    i = 0
    while p.live[i] != f:
        i += 1
    p.live_count -= 1
    p.live[i] = p.live[p.live_count]


def remove_components(p: TrackedPosition) -> cython.void:
    """Remove all components; the next answer builds them again."""
    while p.live_count:
        remove_component(p, p.live[p.live_count - 1])
    p.seed_count = 0
    p.rescan = True
    if p.depth == 0:
        # Empty the pools.
        p.component_end = p.number_end = p.box_end = p.cover_end = p.member_end = 0
        p.state_end = p.link_end = 0


def set_mark(p: TrackedPosition, cell: cython.int, mark: cython.int) -> cython.int:
    """Set a covered cell to a number, to a mine (FLAG) or to safe (KNOWN_SAFE).

    Return OK, or NO_SOLUTION where single numbers contradict it; `answer` updates the components.
    """
    p.answered = False
    p.resuming = False
    if p.marks[cell] == mark:
        return codes.OK
    # A mine cannot show a number or be safe, and a safe cell cannot be a mine.
    if (p.marks[cell] == codes.FLAG) or (p.marks[cell] == codes.KNOWN_SAFE and mark == codes.FLAG):
        p.conflict = cell
        return codes.NO_SOLUTION
    if p.depth == 0:
        p.position_known = False
    _change_mark(p, cell, mark)
    if mark >= 0:
        p.seeds[p.seed_count] = cell
        p.seed_count += 1
        _enqueue(p, cell)
    return _apply_rules(p)
