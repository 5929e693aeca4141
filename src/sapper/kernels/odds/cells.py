"""The marks of a position: read from a frame, changed by a move, put back after a what-if.

Single-hint rules are applied until they rest, so that chains see only what is undecided.
A front is dissolved as soon as a blank next to one of its hints changes; its hints are noted as
seeds, from which `chains` makes new fronts. The arrays are described in `position`.
Every change of a mark and the way back from it stand together, which makes the file long.
"""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import BLANK, FLAG, NO_PLACEMENT, OK, OPEN
    from cython.cimports.sapper.kernels.odds.position import Position
else:
    from sapper.kernels.codes import BLANK, FLAG, NO_PLACEMENT, OK, OPEN
    from sapper.kernels.odds.position import Position


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def read(
    p: Position,
    marks: cython.const[cython.int][::1],
    base: cython.Py_ssize_t,
    mines: cython.int,
    trust: cython.bint,
) -> cython.int:
    """Take over the frame marks[base:]; fronts that it shares with the frame before are kept.

    *mines* is -1 where the count is unknown. OK, or NO_PLACEMENT where a hint cannot be met.
    """
    c: cython.int
    status: cython.int
    if p.depth:
        p.depth = 0
        p.trail_count = 0
        p.frame_known = False
        forget(p)
    p.mines = mines
    p.answered = False
    p.going_on = False
    if p.frame_known and p.trusted == trust:
        c = _changed(p, marks, base)
        if c >= 0:
            status = _follow_all(p, c)
            p.frame_known = status == OK
            if status == OK:
                return OK
    p.trusted = trust
    status = _read_all(p, marks, base)
    p.frame_known = status == OK
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _changed(
    p: Position, marks: cython.const[cython.int][::1], base: cython.Py_ssize_t
) -> cython.int:
    """List the cells in p.batch that show a hint since the frame before; how many there are.

    Or -1, where they are so many that reading all is quicker, or where something else changed.
    """
    c: cython.Py_ssize_t
    m: cython.int
    other: cython.int
    blank: cython.int = BLANK if p.trusted else FLAG
    changed: cython.int = 0
    wrong: cython.int = 0
    for c in range(p.cells):
        m = marks[base + c]
        m = BLANK if m == blank else m
        other = m != p.frame[c]
        changed += other
        wrong |= other & ((p.frame[c] != BLANK) | (m < 0))
    if wrong or 8 * changed > p.cells:
        return -1
    changed = 0
    for c in range(p.cells):
        m = marks[base + c]
        p.batch[changed] = cython.cast(cython.int, c)
        changed += (m >= 0) & (m != p.frame[c])
    for c in range(changed):
        p.batch_box[c] = marks[base + p.batch[c]]
    return changed


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _follow_all(p: Position, count: cython.int) -> cython.int:
    """The cells p.batch[:count] show the hints p.batch_box[:count]; as `follow` for each."""
    i: cython.int
    c: cython.int
    for i in range(count):
        c = p.batch[i]
        if p.marks[c] == FLAG:
            return NO_PLACEMENT
        p.frame[c] = p.batch_box[i]
        _change(p, c, p.batch_box[i])
        p.seeds[p.seed_count] = c
        p.seed_count += 1
    for i in range(count):
        _wait(p, p.batch[i])
    return _apply_rules(p, False)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_all(
    p: Position, marks: cython.const[cython.int][::1], base: cython.Py_ssize_t
) -> cython.int:
    """Take over all marks of a frame, count what is around each cell, and apply the rules."""
    c: cython.int
    m: cython.int
    need: cython.int
    i: cython.int
    k: cython.int
    d: cython.int
    flagged: cython.int = 0
    blank: cython.int = BLANK if p.trusted else FLAG
    p.scan = True
    while p.waiting_count:
        p.waiting_count -= 1
        p.waits[p.waiting[p.waiting_count]] = 0
    for c in range(p.cells):
        m = marks[base + c]
        m = BLANK if m == blank else m
        p.marks[c] = m
        p.frame[c] = m
    for c in range(p.cells):
        flagged += p.marks[c] == FLAG
        p.flags[c] = 0
    for c in range(p.cells):
        p.place[c] = p.marks[c] == BLANK
        p.blanks[c] = 0
    # A processor adds several cells of a range at once: 0.5 us for an Expert board instead of 3.
    # The few cells of another pattern get nonsense first and their own count afterwards.
    for k in range(p.step_count):
        _add_range(p.blanks, p.place, p.first_alike, p.past_alike, p.steps[k])
    for i in range(p.unlike_count):
        c = p.unlike[i]
        d = 0
        for k in range(p.offsets[c], p.offsets[c + 1]):
            d += p.place[p.neighbours[k]]
        p.blanks[c] = d
    if flagged:
        for c in range(p.cells):
            if p.marks[c] == FLAG:
                for k in range(p.offsets[c], p.offsets[c + 1]):
                    p.flags[p.neighbours[k]] += 1
    for c in range(p.cells):
        need = p.marks[c] - p.flags[c]
        k = p.blanks[c]
        # Without branches, which the processor could not foresee: a hint that decides or clashes.
        if (p.marks[c] >= 0) & ((need <= 0) | (need >= k)) & ((k > 0) | (need != 0)):
            _wait(p, c)
    return _apply_rules(p, True)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
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
@cython.exceptval(check=False)
def _wait(p: Position, c: cython.int) -> cython.void:
    """Let the hint at c be looked at."""
    if not p.waits[c]:
        p.waits[c] = 1
        p.waiting[p.waiting_count] = c
        p.waiting_count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _apply_rules(p: Position, reading: cython.bint) -> cython.int:
    """Single hints that decide all their blanks do so, until no more do."""
    c: cython.int
    d: cython.int
    k: cython.int
    need: cython.int
    while p.waiting_count:
        p.waiting_count -= 1
        c = p.waiting[p.waiting_count]
        p.waits[c] = 0
        need = p.marks[c] - p.flags[c]
        if need < 0 or need > p.blanks[c]:
            p.clash = c
            while p.waiting_count:
                p.waiting_count -= 1
                p.waits[p.waiting[p.waiting_count]] = 0
            return NO_PLACEMENT
        if p.blanks[c] and (need == 0 or need == p.blanks[c]):
            for k in range(p.offsets[c], p.offsets[c + 1]):
                d = p.neighbours[k]
                if p.marks[d] == BLANK:
                    if reading:
                        _settle(p, d, FLAG if need else OPEN)
                    else:
                        _change(p, d, FLAG if need else OPEN)
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _settle(p: Position, c: cython.int, mark: cython.int) -> cython.void:
    """Turn a blank into FLAG or OPEN while a frame is read; fronts are compared afterwards."""
    k: cython.int
    d: cython.int
    mine: cython.int = mark == FLAG
    need: cython.int
    fresh: cython.int
    p.marks[c] = mark
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.blanks[d] -= 1
        p.flags[d] += mine
        need = p.marks[d] - p.flags[d]
        fresh = (p.marks[d] >= 0) & ((need <= 0) | (need >= p.blanks[d])) & (p.waits[d] == 0)
        p.waiting[p.waiting_count] = d
        p.waiting_count += fresh
        p.waits[d] |= fresh


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _change(p: Position, c: cython.int, mark: cython.int) -> cython.void:
    """Give a cell another mark; fronts around it dissolve and hints around it are looked at."""
    k: cython.int
    d: cython.int
    old: cython.int = p.marks[c]
    blank: cython.int = (mark == BLANK) - (old == BLANK)
    mine: cython.int = (mark == FLAG) - (old == FLAG)
    need: cython.int
    fresh: cython.int
    if p.depth:
        p.trail_cell[p.trail_count] = c
        p.trail_mark[p.trail_count] = old
        p.trail_count += 1
    p.marks[c] = mark
    p.unknown += blank
    p.flagged += mine
    p.open_cells += (mark == OPEN) - (old == OPEN)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.blanks[d] += blank
        p.flags[d] += mine
        if p.front_of[d] >= 0:
            dissolve(p, p.front_of[d])
        need = p.marks[d] - p.flags[d]
        fresh = (p.marks[d] >= 0) & ((need <= 0) | (need >= p.blanks[d])) & (p.waits[d] == 0)
        p.waiting[p.waiting_count] = d
        p.waiting_count += fresh
        p.waits[d] |= fresh


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def dissolve(p: Position, f: cython.int) -> cython.void:
    """Take a front out of the frame; its hints become seeds of new ones."""
    i: cython.int
    first: cython.int = p.box_member[p.front_box[f]]
    for i in range(first, first + p.front_cells[f]):
        p.box_of[p.member[i]] = -1
    for i in range(p.front_hint[f], p.front_past_hint[f]):
        p.front_of[p.hint_cell[i]] = -1
        p.seeds[p.seed_count] = p.hint_cell[i]
        p.seed_count += 1
    p.perimeter -= p.front_cells[f]
    i = 0
    while p.live[i] != f:
        i += 1
    p.live_count -= 1
    p.live[i] = p.live[p.live_count]


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def forget(p: Position) -> cython.void:
    """Drop all fronts; the next answer makes them anew."""
    while p.live_count:
        dissolve(p, p.live[p.live_count - 1])
    p.seed_count = 0
    p.scan = True
    if p.depth == 0:
        _empty_pools(p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _empty_pools(p: Position) -> cython.void:
    p.front_end = 0
    p.hint_end = 0
    p.box_end = 0
    p.cover_end = 0
    p.member_end = 0
    p.state_end = 0
    p.link_end = 0


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def follow(p: Position, cell: cython.int, mark: cython.int) -> cython.int:
    """A cell without a hint shows one, or is known to be a mine (FLAG) or free (OPEN).

    OK, or NO_PLACEMENT where single hints refute it at once; fronts follow when asked for.
    """
    p.answered = False
    p.going_on = False
    if p.marks[cell] == mark:
        return OK
    # A mine cannot show a hint or be free, nor a free cell be a mine.
    if (p.marks[cell] == FLAG) or (p.marks[cell] == OPEN and mark == FLAG):
        p.clash = cell
        return NO_PLACEMENT
    if p.depth == 0:
        p.frame_known = False
    _change(p, cell, mark)
    if mark >= 0:
        p.seeds[p.seed_count] = cell
        p.seed_count += 1
        _wait(p, cell)
    return _apply_rules(p, False)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def save(p: Position) -> cython.void:
    """Note where everything stands, to be taken back."""
    i: cython.int
    d: cython.int = p.depth
    p.saved[d, 0] = p.trail_count
    p.saved[d, 1] = p.live_count
    p.saved[d, 2] = p.front_end
    p.saved[d, 3] = p.hint_end
    p.saved[d, 4] = p.box_end
    p.saved[d, 5] = p.cover_end
    p.saved[d, 6] = p.member_end
    p.saved[d, 7] = p.state_end
    p.saved[d, 8] = p.link_end
    p.saved[d, 9] = p.perimeter
    p.saved[d, 10] = p.scan
    for i in range(p.live_count):
        p.saved_live[d, i] = p.live[i]
    p.depth = d + 1


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def take_back(p: Position) -> cython.void:
    """Undo all since the last `save`: marks, and the fronts that stood then."""
    b: cython.int
    c: cython.int
    f: cython.int
    i: cython.int
    k: cython.int
    d: cython.int = p.depth - 1
    fronts: cython.int = p.live_count
    for i in range(fronts):
        k = fronts - 1 - i
        if p.live[k] >= p.saved[d, 2]:
            dissolve(p, p.live[k])
    p.seed_count = 0
    # The marks are put back quietly: the rules rested on them before.
    while p.trail_count > p.saved[d, 0]:
        p.trail_count -= 1
        _put_back(p, p.trail_cell[p.trail_count], p.trail_mark[p.trail_count])
    p.live_count = p.saved[d, 1]
    p.front_end = p.saved[d, 2]
    p.hint_end = p.saved[d, 3]
    p.box_end = p.saved[d, 4]
    p.cover_end = p.saved[d, 5]
    p.member_end = p.saved[d, 6]
    p.state_end = p.saved[d, 7]
    p.link_end = p.saved[d, 8]
    p.perimeter = p.saved[d, 9]
    p.scan = p.saved[d, 10]
    for k in range(p.live_count):
        f = p.saved_live[d, k]
        p.live[k] = f
        if p.front_of[p.hint_cell[p.front_hint[f]]] == f:
            continue
        for i in range(p.front_hint[f], p.front_past_hint[f]):
            p.front_of[p.hint_cell[i]] = f
        for b in range(p.front_box[f], p.front_past_box[f]):
            for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                c = p.member[i]
                p.box_of[c] = b
    p.depth = d
    p.answered = False
    p.going_on = False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put_back(p: Position, c: cython.int, mark: cython.int) -> cython.void:
    k: cython.int
    d: cython.int
    old: cython.int = p.marks[c]
    blank: cython.int = (mark == BLANK) - (old == BLANK)
    mine: cython.int = (mark == FLAG) - (old == FLAG)
    p.marks[c] = mark
    p.unknown += blank
    p.flagged += mine
    p.open_cells += (mark == OPEN) - (old == OPEN)
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.blanks[d] += blank
        p.flags[d] += mine
