"""The door to a position: read a frame or follow a game, ask, ask what if, take back.

    read(p, marks, 0, mines, trust)   any frame of the board; fronts that still hold are kept
    look_again(p, mines)              the marks, which another kernel shares, have changed
    follow(p, cell, mark)             a cell shows a hint, or is a mine (FLAG) or free (OPEN)
    answer(p)                         OK: ln_placements, least, second, free_cells, interior_odds
                                      and the odds of every box hold
    odds_of(p, cell)                  the odds of one cell, after an answer
    write_odds(p)                     the odds of all cells to p.odds, what is known to p.know
    what_if(p, cell, mark)            save, follow and answer in one
    take_back(p)                      undo the last what-if or `save`, to any depth

After `take_back` the position has no answer until it is asked again; p.odds stays as written.
All of it runs without the GIL and allocates nothing. An answer may be NO_PLACEMENT or WRONG_COUNT
(nothing satisfies the frame), or a status of the general engine, which is asked where a front is
too wide for a chain: from GROW on, enlarge the pool of p.general and ask again.
"""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import (
        BLANK,
        CANCELLED,
        FLAG,
        FREE,
        GROW,
        IMPRECISE,
        MINE,
        OK,
        SHOWN,
        TOO_WIDE,
    )
    from cython.cimports.sapper.kernels.odds.cells import follow, read, save
    from cython.cimports.sapper.kernels.odds.chains import catch_up
    from cython.cimports.sapper.kernels.odds.position import Position
    from cython.cimports.sapper.kernels.odds.stages import analyse, go_on
    from cython.cimports.sapper.kernels.odds.totals import pass_back, spread, weigh
else:
    from sapper.kernels.codes import (
        BLANK,
        CANCELLED,
        FLAG,
        FREE,
        GROW,
        IMPRECISE,
        MINE,
        OK,
        SHOWN,
        TOO_WIDE,
    )
    from sapper.kernels.odds.cells import follow, read, save
    from sapper.kernels.odds.chains import catch_up
    from sapper.kernels.odds.position import Position
    from sapper.kernels.odds.stages import analyse, go_on
    from sapper.kernels.odds.totals import pass_back, spread, weigh


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def look_again(p: Position, mines: cython.int) -> cython.void:
    """Someone else, who shares marks, blanks and flags with the position, has changed them."""
    p.mines = mines
    p.scan = True
    p.frame_known = False
    p.answered = False
    p.going_on = False


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def answer(p: Position) -> cython.int:
    """Bring the fronts up to date and find the odds; quick where nothing has changed."""
    status: cython.int
    if p.answered:
        return OK
    # Asked here too: small frames, of which a batch may have many, never come to the joins.
    if p.general.cancel[0]:
        return CANCELLED
    if p.going_on:
        return _ask_general(p)
    p.by_general = False
    p.counted = p.mines >= 0
    status = catch_up(p)
    if status == OK:
        status = weigh(p)
    if status == OK:
        pass_back(p)
        p.answered = True
    elif status == TOO_WIDE or status == IMPRECISE:
        return _ask_general(p)
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _ask_general(p: Position) -> cython.int:
    """Let the general engine answer; what is known counts as trusted."""
    status: cython.int
    c: cython.int
    p.general.trust = True
    if p.going_on:
        status = go_on(p.general, p.offsets, p.neighbours, p.marks, 0, p.mines)
    else:
        status = analyse(p.general, p.offsets, p.neighbours, p.marks, 0, p.mines)
    p.going_on = status != OK
    if status:
        return status
    p.by_general = True
    p.answered = True
    p.ln_placements = p.general.ln_placements
    p.interior_odds = p.general.interior_odds
    p.interior = p.general.interior
    p.least = 2.0
    p.second = 2.0
    p.free_cells = 0
    for c in range(p.cells):
        if p.marks[c] == BLANK:
            if p.general.know[c] == FREE:
                p.free_cells += 1
            if p.general.odds[c] < p.least:
                p.second = p.least
                p.least = p.general.odds[c]
            elif p.general.odds[c] < p.second:
                p.second = p.general.odds[c]
        elif p.marks[c] < 0 and p.marks[c] != FLAG:
            p.free_cells += 1
    return OK


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def odds_of(p: Position, cell: cython.int) -> cython.double:
    """The odds of one cell, after an answer; nan where it shows a hint."""
    mark: cython.int = p.marks[cell]
    if mark != BLANK:
        return p.nan if mark >= 0 else 1.0 if mark == FLAG else 0.0
    if p.by_general:
        return p.general.odds[cell]
    return p.box_odds[p.box_of[cell]] if p.box_of[cell] >= 0 else p.interior_odds


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def write_odds(p: Position) -> cython.void:
    """Write the answer out: p.odds, and p.know (UNKNOWN, MINE, FREE or SHOWN)."""
    write_out(p, p.odds, p.know, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_out(
    p: Position, odds: cython.double[::1], know: cython.uchar[::1], base: cython.Py_ssize_t
) -> cython.void:
    """Write the answer to odds[base:] and know[base:]."""
    c: cython.int
    m: cython.int
    if not p.by_general:
        spread(p, odds, know, base)
        return
    for c in range(p.cells):
        m = p.marks[c]
        odds[base + c] = odds_of(p, c)
        know[base + c] = (
            p.general.know[c] if m == BLANK else SHOWN if m >= 0 else MINE if m == FLAG else FREE
        )


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def what_if(p: Position, cell: cython.int, mark: cython.int) -> cython.int:
    """Suppose that a blank shows a hint, is a mine (FLAG) or is free (OPEN), and answer.

    Whatever the status, `take_back` undoes it. At most p.most_depth can be open at once.
    """
    status: cython.int
    if p.scan or p.seed_count:
        # A base that is too wide stays without fronts; so will what is asked of it.
        catch_up(p)
    save(p)
    status = follow(p, cell, mark)
    if status:
        return status
    return answer(p)


def ask(p: Position, marks, mines: cython.int, trust: cython.bint):
    """`read` and `answer` without the GIL, with the odds written out."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = read(p, m, 0, mines, trust)
        if status == OK:
            status = answer(p)
        if status == OK:
            write_odds(p)
    return status


def ask_again(p: Position):
    """`answer` without the GIL, with the odds written out."""
    status: cython.int
    with cython.nogil:
        status = answer(p)
        if status == OK:
            write_odds(p)
    return status


def gather(frames, cells: cython.Py_ssize_t, marks, mines):
    """Copy the marks of frames of one board side by side into *marks*, and their mine counts.

    An unknown count is -1, and one that no board could hold is one more than its cells.
    """
    out: cython.int[::1] = marks
    count: cython.int[::1] = mines
    one: cython.const[cython.int][::1]
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for i in range(len(frames)):
        frame = frames[i]
        one = frame.marks
        for c in range(cells):
            out[i * cells + c] = one[c]
        total = frame.mines
        count[i] = -1 if total is None else min(total, cells + 1)


def ask_batch(
    p: Position,
    marks,
    mines,
    trust: cython.bint,
    first: cython.Py_ssize_t,
    past: cython.Py_ssize_t,
    odds,
    know,
    ln_placements,
    statuses,
):
    """Answer frames first..past of one board, side by side in *marks*, without the GIL.

    Returns *past*, or the frame at which a pool of p.general must grow; its status is noted then.
    """
    m: cython.const[cython.int][::1] = marks
    count: cython.const[cython.int][::1] = mines
    out_odds: cython.double[::1] = odds
    out_know: cython.uchar[::1] = know
    out_ln: cython.double[::1] = ln_placements
    out_status: cython.int[::1] = statuses
    f: cython.Py_ssize_t
    base: cython.Py_ssize_t
    status: cython.int
    with cython.nogil:
        for f in range(first, past):
            base = f * p.cells
            # After a pool has grown, the same frame goes on where it stopped.
            status = OK if p.going_on and f == first else read(p, m, base, count[f], trust)
            if status == OK:
                status = answer(p)
            out_status[f] = status
            if status >= GROW:
                past = f
                break
            if status == OK:
                write_out(p, out_odds, out_know, base)
                out_ln[f] = p.ln_placements
    return past
