"""The door to a position: read a position or follow a game, ask, ask what if, take back.

    read(p, marks, 0, mines, trust)   any position of the board; components that still hold are kept
    marks_changed(p, mines)              the marks, which another kernel shares, have changed
    follow(p, cell, mark)             a cell shows a number, or is a mine (FLAG) or free (KNOWN_SAFE)
    answer(p)                         OK: ln_solutions, least, second, safe_count, interior_probability
                                      and the probabilities of every box hold
    probability_of(p, cell)                  the probabilities of one cell, after an answer
    write_probabilities(p)                     the probabilities of all cells to p.probabilities, what is known to p.know
    what_if(p, cell, mark)            save, follow and answer in one
    take_back(p)                      undo the last what-if or `save_state`, to any depth

After `take_back` the position has no answer until it is asked again; p.probabilities stays as written.
All of it runs without the GIL and allocates nothing. An answer may be NO_SOLUTION or WRONG_COUNT
(nothing satisfies the position), or a status of the general engine, which is asked where a component is
too wide for a chain: from GROW on, enlarge the pool of p.general and ask again.
"""

import cython
from cython.cimports.sapper.kernels.codes import (
    CANCELLED,
    COVERED,
    FLAG,
    GROW,
    IMPRECISE,
    MINE,
    OK,
    REVEALED,
    SAFE,
    TOO_WIDE,
)
from cython.cimports.sapper.kernels.engine.pipeline import analyse, resume
from cython.cimports.sapper.kernels.tracked.chains import update_components
from cython.cimports.sapper.kernels.tracked.marks import read_marks, save_state, set_mark
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition
from cython.cimports.sapper.kernels.tracked.totals import backward_pass, combine, write_cells


@cython.ccall
@cython.nogil
def marks_changed(p: TrackedPosition, mines: cython.int) -> cython.void:
    """Someone else, who shares marks, covered cells and flags with the position, has changed them."""
    p.mines = mines
    p.scan = True
    p.position_known = False
    p.answered = False
    p.going_on = False


@cython.ccall
@cython.nogil
def answer(p: TrackedPosition) -> cython.int:
    """Bring the components up to date and find the probabilities; quick where nothing has changed."""
    status: cython.int
    if p.answered:
        return OK
    # Asked here too: small positions, of which a batch may have many, never come to the joins.
    if p.general.cancel[0]:
        return CANCELLED
    if p.going_on:
        return _ask_general(p)
    p.by_general = False
    p.counted = p.mines >= 0
    status = update_components(p)
    if status == OK:
        status = combine(p)
    if status == OK:
        backward_pass(p)
        p.answered = True
    elif status == TOO_WIDE or status == IMPRECISE:
        return _ask_general(p)
    return status


@cython.cfunc
@cython.nogil
def _ask_general(p: TrackedPosition) -> cython.int:
    """Let the general engine answer; what is known counts as trusted."""
    status: cython.int
    c: cython.int
    p.general.trust = True
    if p.going_on:
        status = resume(p.general, p.offsets, p.neighbours, p.marks, 0, p.mines)
    else:
        status = analyse(p.general, p.offsets, p.neighbours, p.marks, 0, p.mines)
    p.going_on = status != OK
    if status:
        return status
    p.by_general = True
    p.answered = True
    p.ln_solutions = p.general.ln_solutions
    p.interior_probability = p.general.interior_probability
    p.interior = p.general.interior
    p.least = 2.0
    p.second = 2.0
    p.safe_count = 0
    for c in range(p.cells):
        if p.marks[c] == COVERED:
            if p.general.know[c] == SAFE:
                p.safe_count += 1
            if p.general.probabilities[c] < p.least:
                p.second = p.least
                p.least = p.general.probabilities[c]
            elif p.general.probabilities[c] < p.second:
                p.second = p.general.probabilities[c]
        elif p.marks[c] < 0 and p.marks[c] != FLAG:
            p.safe_count += 1
    return OK


@cython.ccall
@cython.nogil
def probability_of(p: TrackedPosition, cell: cython.int) -> cython.double:
    """The probabilities of one cell, after an answer; nan where it shows a number."""
    mark: cython.int = p.marks[cell]
    if mark != COVERED:
        return p.nan if mark >= 0 else 1.0 if mark == FLAG else 0.0
    if p.by_general:
        return p.general.probabilities[cell]
    return p.box_probability[p.box_of[cell]] if p.box_of[cell] >= 0 else p.interior_probability


@cython.ccall
@cython.nogil
def write_probabilities(p: TrackedPosition) -> cython.void:
    """Write the answer out: p.probabilities, and p.know (UNKNOWN, MINE, SAFE or REVEALED)."""
    write_arrays(p, p.probabilities, p.know, 0)


@cython.cfunc
@cython.nogil
def write_arrays(
    p: TrackedPosition,
    probabilities: cython.double[::1],
    know: cython.uchar[::1],
    base: cython.Py_ssize_t,
) -> cython.void:
    """Write the answer to probabilities[base:] and know[base:]."""
    c: cython.int
    m: cython.int
    if not p.by_general:
        write_cells(p, probabilities, know, base)
        return
    for c in range(p.cells):
        m = p.marks[c]
        probabilities[base + c] = probability_of(p, c)
        know[base + c] = (
            p.general.know[c]
            if m == COVERED
            else REVEALED
            if m >= 0
            else MINE
            if m == FLAG
            else SAFE
        )


@cython.ccall
@cython.nogil
def what_if(p: TrackedPosition, cell: cython.int, mark: cython.int) -> cython.int:
    """Suppose that a covered cell shows a number, is a mine (FLAG) or is free (KNOWN_SAFE), and answer.

    Whatever the status, `take_back` undoes it. At most p.max_depth can be open at once.
    """
    status: cython.int
    if p.scan or p.seed_count:
        # A base that is too wide stays without components; so will what is asked of it.
        update_components(p)
    save_state(p)
    status = set_mark(p, cell, mark)
    if status:
        return status
    return answer(p)


def read_and_answer(p: TrackedPosition, marks, mines: cython.int, trust: cython.bint):
    """`read_marks` and `answer` without the GIL, with the probabilities written out."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = read_marks(p, m, 0, mines, trust)
        if status == OK:
            status = answer(p)
        if status == OK:
            write_probabilities(p)
    return status


def resume_answer(p: TrackedPosition):
    """`answer` without the GIL, with the probabilities written out."""
    status: cython.int
    with cython.nogil:
        status = answer(p)
        if status == OK:
            write_probabilities(p)
    return status


def copy_positions(positions, cells: cython.Py_ssize_t, marks, mines):
    """Copy the marks of positions of one board side by side into *marks*, and their mine counts.

    An unknown count is -1, and one that no board could hold is one more than its cells.
    """
    out: cython.int[::1] = marks
    count: cython.int[::1] = mines
    one: cython.const[cython.int][::1]
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for i in range(len(positions)):
        position = positions[i]
        one = position.marks
        for c in range(cells):
            out[i * cells + c] = one[c]
        total = position.mines
        count[i] = -1 if total is None else min(total, cells + 1)


def answer_batch(
    p: TrackedPosition,
    marks,
    mines,
    trust: cython.bint,
    first: cython.Py_ssize_t,
    past: cython.Py_ssize_t,
    probabilities,
    know,
    ln_solutions,
    statuses,
):
    """Answer positions first..past of one board, side by side in *marks*, without the GIL.

    Returns *past*, or the position at which a pool of p.general must grow; its status is noted then.
    """
    m: cython.const[cython.int][::1] = marks
    count: cython.const[cython.int][::1] = mines
    out_probabilities: cython.double[::1] = probabilities
    out_know: cython.uchar[::1] = know
    out_ln: cython.double[::1] = ln_solutions
    out_status: cython.int[::1] = statuses
    f: cython.Py_ssize_t
    base: cython.Py_ssize_t
    status: cython.int
    with cython.nogil:
        for f in range(first, past):
            base = f * p.cells
            # After a pool has grown, the same position goes on where it stopped.
            status = OK if p.going_on and f == first else read_marks(p, m, base, count[f], trust)
            if status == OK:
                status = answer(p)
            out_status[f] = status
            if status >= GROW:
                past = f
                break
            if status == OK:
                write_arrays(p, out_probabilities, out_know, base)
                out_ln[f] = p.ln_solutions
    return past
