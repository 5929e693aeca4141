"""The functions of a tracked position that callers use.

    read_marks(p, marks, 0, mines, trust_flags)   any position of the board (`marks`)
    marks_changed(p, mines)                 the marks, shared with another kernel, have changed
    set_mark(p, cell, mark)                 a number, a mine (FLAG) or safe (KNOWN_SAFE) (`marks`)
    answer(p)                               OK: ln_solutions, least, second, safe_count and the
                                            probabilities of the interior and of every box are set
    probability_of(p, cell)                 the probability of one cell, after an answer
    write_probabilities(p)                  all cells to p.probabilities and p.known
    what_if(p, cell, mark)                  save_state, set_mark and answer
    restore_state(p)                        undo the last what-if or `save_state`

After `restore_state` the position has no answer until the next call; p.probabilities is unchanged.
Nothing here needs the GIL or allocates memory. An answer may be NO_SOLUTION or WRONG_COUNT for a
contradiction, or a status of the general engine, which is used where a component is too wide for a
chain: from GROW on, enlarge the pool of p.general and call again.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, ConstInts, Doubles, Ints
from cython.cimports.sapper.kernels.engine.pipeline import analyse, resume
from cython.cimports.sapper.kernels.tracked.chains import update_components
from cython.cimports.sapper.kernels.tracked.marks import read_marks, remove_component, set_mark
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition
from cython.cimports.sapper.kernels.tracked.totals import backward_pass, combine, write_cells


def marks_changed(p: TrackedPosition, mines: cython.int) -> cython.void:
    """Record that another kernel has changed the arrays marks, covered and flags that it shares."""
    p.mines = mines
    p.rescan = True
    p.position_known = False
    p.answered = False
    p.resuming = False


def answer(p: TrackedPosition) -> cython.int:
    """Update the components and compute the probabilities; fast where nothing has changed."""
    if p.answered:
        return codes.OK
    # Tested here too, because a batch may have many small positions, which never reach the joins.
    if p.general.cancel[0]:
        return codes.CANCELLED
    if p.resuming:
        return _answer_by_general(p)
    p.used_general = False
    p.has_mine_count = p.mines >= 0
    status = update_components(p)
    if status == codes.OK:
        status = combine(p)
    if status == codes.OK:
        backward_pass(p)
        p.answered = True
    elif status == codes.TOO_WIDE or status == codes.IMPRECISE:
        return _answer_by_general(p)
    return status


@cython.cfunc
@cython.nogil
def _answer_by_general(p: TrackedPosition) -> cython.int:
    """Compute the answer with the general engine; known mines are passed to it as flags."""
    p.general.trust_flags = True
    if p.resuming:
        status = resume(p.general, p.offsets, p.neighbours, p.marks, 0, p.mines)
    else:
        status = analyse(p.general, p.offsets, p.neighbours, p.marks, 0, p.mines)
    p.resuming = status != codes.OK
    if status:
        return status
    p.used_general = True
    p.answered = True
    p.ln_solutions = p.general.ln_solutions
    p.interior_probability = p.general.interior_probability
    p.interior = p.general.interior
    p.least = 2.0
    p.second = 2.0
    p.safe_count = 0
    for c in range(p.cells):
        if p.marks[c] == codes.COVERED:
            if p.general.known[c] == codes.SAFE:
                p.safe_count += 1
            if p.general.probabilities[c] < p.least:
                p.second = p.least
                p.least = p.general.probabilities[c]
            elif p.general.probabilities[c] < p.second:
                p.second = p.general.probabilities[c]
        elif p.marks[c] < 0 and p.marks[c] != codes.FLAG:
            p.safe_count += 1
    return codes.OK


def probability_of(p: TrackedPosition, cell: cython.int) -> cython.double:
    """Return the probability of one cell, after an answer; nan where it shows a number."""
    mark: cython.int = p.marks[cell]
    if mark != codes.COVERED:
        return p.nan if mark >= 0 else 1.0 if mark == codes.FLAG else 0.0
    if p.used_general:
        return p.general.probabilities[cell]
    return p.box_probability[p.box_of[cell]] if p.box_of[cell] >= 0 else p.interior_probability


def write_probabilities(p: TrackedPosition) -> cython.void:
    """Write the answer to p.probabilities and p.known (UNKNOWN, MINE, SAFE or REVEALED)."""
    write_arrays(p, p.probabilities, p.known, 0)


@cython.cfunc
@cython.nogil
def write_arrays(
    p: TrackedPosition, probabilities: Doubles, known: Bytes, base: cython.Py_ssize_t
) -> cython.void:
    """Write the answer to probabilities[base:] and known[base:]."""
    if not p.used_general:
        write_cells(p, probabilities, known, base)
        return
    for c in range(p.cells):
        mark = p.marks[c]
        probabilities[base + c] = probability_of(p, c)
        known[base + c] = (
            p.general.known[c]
            if mark == codes.COVERED
            else codes.REVEALED
            if mark >= 0
            else codes.MINE
            if mark == codes.FLAG
            else codes.SAFE
        )


def what_if(p: TrackedPosition, cell: cython.int, mark: cython.int) -> cython.int:
    """Assume that a covered cell shows a number, is a mine (FLAG) or safe (KNOWN_SAFE), and answer.

    `restore_state` undoes it, whatever the status. At most p.max_depth can be open at once.
    """
    if p.rescan or p.seed_count:
        # A position that is too wide has no components, neither before nor in the what-if.
        update_components(p)
    save_state(p)
    status = set_mark(p, cell, mark)
    if status:
        return status
    return answer(p)


def read_and_answer(
    p: TrackedPosition,
    marks: ConstInts,
    mines: cython.int,
    trust_flags: cython.bint,
    probabilities: Doubles,
    known: Bytes,
):
    """Call `read_marks` and `answer`, and write the result to two arrays, without the GIL."""
    with cython.nogil:
        status = read_marks(p, marks, 0, mines, trust_flags)
        if status == codes.OK:
            status = answer(p)
        if status == codes.OK:
            write_arrays(p, probabilities, known, 0)
    return status


def resume_answer(p: TrackedPosition, probabilities: Doubles, known: Bytes):
    """Call `answer` again after a pool has grown, and write the result to two arrays."""
    with cython.nogil:
        status = answer(p)
        if status == codes.OK:
            write_arrays(p, probabilities, known, 0)
    return status


def copy_positions(positions: list, cells: cython.Py_ssize_t, marks: Ints, mines: Ints):
    """Copy the marks of positions of one board side by side into *marks*, and their mine counts.

    An unknown count is -1; a count larger than the board is one more than its cells.
    """
    source: ConstInts
    for i in range(len(positions)):
        position = positions[i]
        source = position.marks
        for c in range(cells):
            marks[i * cells + c] = source[c]
        total = position.mines
        mines[i] = -1 if total is None else min(total, cells + 1)


def answer_batch(
    p: TrackedPosition,
    marks: ConstInts,
    mines: ConstInts,
    trust_flags: cython.bint,
    first: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    probabilities: Doubles,
    known: Bytes,
    ln_solutions: Doubles,
    statuses: Ints,
):
    """Answer positions first..stop of one board, side by side in *marks*, without the GIL.

    Return *stop*, or the position at which a pool of p.general must grow, with its status in
    *statuses*.
    """
    with cython.nogil:
        for i in range(first, stop):
            base = i * p.cells
            # After a pool has grown, the same position continues where it stopped.
            status = codes.OK
            if not (p.resuming and i == first):
                status = read_marks(p, marks, base, mines[i], trust_flags)
            if status == codes.OK:
                status = answer(p)
            statuses[i] = status
            if status >= codes.GROW:
                stop = i
                break
            if status == codes.OK:
                write_arrays(p, probabilities, known, base)
                ln_solutions[i] = p.ln_solutions
    return stop


def save_state(p: TrackedPosition) -> cython.void:
    """Save the sizes of all pools, to be restored."""
    d: cython.int = p.depth
    p.saved[d, codes.SAVED_TRAIL_COUNT] = p.trail_count
    p.saved[d, codes.SAVED_LIVE_COUNT] = p.live_count
    p.saved[d, codes.SAVED_COMPONENT_END] = p.component_end
    p.saved[d, codes.SAVED_NUMBER_END] = p.number_end
    p.saved[d, codes.SAVED_BOX_END] = p.box_end
    p.saved[d, codes.SAVED_COVER_END] = p.cover_end
    p.saved[d, codes.SAVED_MEMBER_END] = p.member_end
    p.saved[d, codes.SAVED_STATE_END] = p.state_end
    p.saved[d, codes.SAVED_LINK_END] = p.link_end
    p.saved[d, codes.SAVED_FRONTIER] = p.frontier
    p.saved[d, codes.SAVED_RESCAN] = p.rescan
    for i in range(p.live_count):
        p.saved_live[d, i] = p.live[i]
    p.depth = d + 1


@cython.locals(f=cython.int)
def restore_state(p: TrackedPosition) -> cython.void:
    """Undo everything since the last `save_state`: restore its marks and components."""
    d: cython.int = p.depth - 1
    components: cython.int = p.live_count
    for i in range(components):
        k = components - 1 - i
        if p.live[k] >= p.saved[d, codes.SAVED_COMPONENT_END]:
            remove_component(p, p.live[k])
    p.seed_count = 0
    # No rules are applied: they decided no cell for these marks before.
    while p.trail_count > p.saved[d, codes.SAVED_TRAIL_COUNT]:
        p.trail_count -= 1
        _restore_mark(p, p.trail_cell[p.trail_count], p.trail_mark[p.trail_count])
    p.live_count = p.saved[d, codes.SAVED_LIVE_COUNT]
    p.component_end = p.saved[d, codes.SAVED_COMPONENT_END]
    p.number_end = p.saved[d, codes.SAVED_NUMBER_END]
    p.box_end = p.saved[d, codes.SAVED_BOX_END]
    p.cover_end = p.saved[d, codes.SAVED_COVER_END]
    p.member_end = p.saved[d, codes.SAVED_MEMBER_END]
    p.state_end = p.saved[d, codes.SAVED_STATE_END]
    p.link_end = p.saved[d, codes.SAVED_LINK_END]
    p.frontier = p.saved[d, codes.SAVED_FRONTIER]
    p.rescan = p.saved[d, codes.SAVED_RESCAN]
    for k in range(p.live_count):
        f = p.saved_live[d, k]
        p.live[k] = f
        if p.component_of[p.number_cell[p.component_number[f]]] == f:
            continue
        for i in range(p.component_number[f], p.component_number_stop[f]):
            p.component_of[p.number_cell[i]] = f
        for b in range(p.component_box[f], p.component_box_stop[f]):
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
    old: cython.int = p.marks[c]
    covered: cython.int = (mark == codes.COVERED) - (old == codes.COVERED)
    mine: cython.int = (mark == codes.FLAG) - (old == codes.FLAG)
    p.marks[c] = mark
    p.unknown += covered
    p.flagged += mine
    p.known_safe_count += (mark == codes.KNOWN_SAFE) - (old == codes.KNOWN_SAFE)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.covered[d] += covered
        p.flags[d] += mine
