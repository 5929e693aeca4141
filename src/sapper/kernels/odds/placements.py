"""All placements of a small position, one after another, by trying cell by cell."""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import FLAG
    from cython.cimports.sapper.kernels.odds.position import Position
else:
    from sapper.kernels.codes import FLAG
    from sapper.kernels.odds.position import Position

BLANK = cython.declare(cython.int, -1)
FREE_FIRST = cython.declare(cython.int, -1)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def list_placements(p: Position, most: cython.int, out: cython.uchar[::1]) -> cython.int:
    """Write every satisfactory placement to out, a row of all cells each, 1 for a mine.

    After an answer; exp(p.ln_placements) says beforehand how many there are. Answers with their
    number, or -1 where there are more than *most*, or fronts too wide for chains.
    Without a mine count the interior stays free.
    """
    c: cython.int
    i: cython.int
    depth: cython.int = 0
    cells: cython.int = 0
    found: cython.int = 0
    left: cython.int = p.mines - p.flagged
    if p.by_general:
        return -1
    # Blanks in play first, along the fronts; then the interior.
    for i in range(p.live_count):
        for c in range(p.front_box[p.live[i]], p.front_past_box[p.live[i]]):
            for depth in range(p.box_member[c], p.box_member[c] + p.box_size[c]):
                p.order[cells] = p.member[depth]
                cells += 1
    if p.mines >= 0:
        for c in range(p.cells):
            if p.marks[c] == BLANK and p.box_of[c] < 0:
                p.order[cells] = c
                cells += 1
    for c in range(p.cells):
        p.lacking[c] = p.marks[c] - p.flags[c]
        p.open_around[c] = p.blanks[c]
    depth = 0
    p.tried[0] = FREE_FIRST
    while depth >= 0:
        if depth == cells:
            if found == most:
                return -1
            for c in range(p.cells):
                out[found * p.cells + c] = p.marks[c] == FLAG
            for i in range(cells):
                out[found * p.cells + p.order[i]] = p.tried[i]
            found += 1
            depth -= 1
            continue
        if p.tried[depth] >= 0:
            left += p.tried[depth]
            _put(p, p.order[depth], -p.tried[depth], 1)
        p.tried[depth] += 1
        if p.tried[depth] == 2:
            depth -= 1
            continue
        left -= p.tried[depth]
        _put(p, p.order[depth], p.tried[depth], -1)
        if _fits(p, p.order[depth]) and (p.mines < 0 or (left >= 0 and left <= cells - depth - 1)):
            depth += 1
            if depth < cells:
                p.tried[depth] = FREE_FIRST
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put(p: Position, c: cython.int, mine: cython.int, blank: cython.int) -> cython.void:
    """A cell is tried, or taken back: the hints around it lack fewer mines, or more."""
    k: cython.int
    d: cython.int
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        p.lacking[d] -= mine
        p.open_around[d] += blank


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fits(p: Position, c: cython.int) -> cython.bint:
    """Whether every hint around c can still be met."""
    k: cython.int
    d: cython.int
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if p.marks[d] >= 0 and (p.lacking[d] < 0 or p.lacking[d] > p.open_around[d]):
            return False
    return True
