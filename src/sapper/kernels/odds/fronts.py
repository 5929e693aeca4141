"""From a frame to hints, boxes and fronts. The arrays are described in `workspace`."""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import (
        FLAG,
        FREE,
        MINE,
        NO_PLACEMENT,
        OK,
        OPEN,
        SHOWN,
        UNKNOWN,
        WRONG_COUNT,
    )
    from cython.cimports.sapper.kernels.odds.workspace import Workspace
else:
    from sapper.kernels.codes import (
        FLAG,
        FREE,
        MINE,
        NO_PLACEMENT,
        OK,
        OPEN,
        SHOWN,
        UNKNOWN,
        WRONG_COUNT,
    )
    from sapper.kernels.odds.workspace import Workspace


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def read_frame(
    ws: Workspace,
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    marks: cython.const[cython.int][::1],
    base: cython.Py_ssize_t,
    mines: cython.int,
) -> cython.int:
    """Read marks[base:], apply the single-hint rules until they rest, and number the live hints.

    Needs ws.board_cells and ws.trust. *mines* is -1 where the count is unknown.
    """
    c: cython.int
    d: cython.int
    k: cython.int
    m: cython.int
    need: cython.int
    blanks: cython.int
    unknown: cython.int = 0
    known_mines: cython.int = 0
    fringe: cython.int = 0
    deciding: cython.int = 0
    top: cython.int = 0
    decided: cython.int
    n: cython.int = ws.board_cells
    for c in range(n):
        m = marks[base + c]
        ws.box_of[c] = -1
        ws.hint_of[c] = -1
        if m >= 0 or m == OPEN:
            ws.know[c] = SHOWN
        elif m == FLAG and ws.trust:
            ws.know[c] = MINE
            known_mines += 1
        else:
            ws.know[c] = UNKNOWN
            unknown += 1

    for c in range(n):
        need = marks[base + c]
        if need < 0:
            continue
        blanks = 0
        for k in range(offsets[c], offsets[c + 1]):
            # Added up without branches, which the processor could not foresee.
            d = ws.know[neighbours[k]]
            blanks += d == UNKNOWN
            need -= d == MINE
        if need < 0 or need > blanks:
            ws.bad_hint = c
            return NO_PLACEMENT
        if blanks:
            ws.need[c] = need
            ws.unknown[c] = blanks
            ws.hint_cell[fringe] = c
            # A provisional mark: this revealed cell takes part in the rules.
            ws.hint_of[c] = 0
            fringe += 1
            if need == 0 or need == blanks:
                ws.sequence[deciding] = c
                deciding += 1

    for m in range(deciding):
        c = ws.sequence[m]
        decided = MINE if ws.need[c] else FREE
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if ws.know[d] == UNKNOWN:
                ws.know[d] = decided
                ws.stack[top] = d
                top += 1
    # need and unknown count a decided cell only once it has left the stack; should two hints
    # disagree about it, the second one runs short then.
    while top:
        top -= 1
        d = ws.stack[top]
        decided = ws.know[d]
        unknown -= 1
        if decided == MINE:
            known_mines += 1
        for k in range(offsets[d], offsets[d + 1]):
            c = neighbours[k]
            if ws.hint_of[c] < 0:
                continue
            ws.unknown[c] -= 1
            if decided == MINE:
                ws.need[c] -= 1
            need = ws.need[c]
            if need < 0 or need > ws.unknown[c]:
                ws.bad_hint = c
                return NO_PLACEMENT
            if ws.unknown[c] and (need == 0 or need == ws.unknown[c]):
                top = _decide_around(ws, offsets, neighbours, c, MINE if need else FREE, top)

    ws.hints = 0
    for m in range(fringe):
        c = ws.hint_cell[m]
        if ws.unknown[c] == 0:
            ws.hint_of[c] = -1
            continue
        k = ws.hints
        ws.hint_of[c] = k
        ws.hint_cell[k] = c
        ws.hint_need[k] = ws.need[c]
        ws.hint_cap[k] = ws.unknown[c]
        ws.hints = k + 1
    ws.unknown_left = unknown
    ws.counted = mines >= 0
    ws.mines_left = mines - known_mines
    if ws.counted and not 0 <= ws.mines_left <= unknown:
        return WRONG_COUNT
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _decide_around(
    ws: Workspace,
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    c: cython.int,
    decided: cython.int,
    top: cython.int,
) -> cython.int:
    """Decide every unknown cell around c and stack it; the new height of the stack."""
    k: cython.int
    d: cython.int
    for k in range(offsets[c], offsets[c + 1]):
        d = neighbours[k]
        if ws.know[d] == UNKNOWN:
            ws.know[d] = decided
            ws.stack[top] = d
            top += 1
    return top


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def make_boxes(
    ws: Workspace,
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
) -> cython.int:
    """Gather unknown blanks with the same hints into boxes, and list the boxes of each hint.

    Hints are numbered in cell order, so a blank's list of hints comes out sorted,
    and only boxes that begin with the same hint can be the same box.
    """
    h: cython.int
    x: cython.int
    b: cython.int
    i: cython.int
    j: cython.int
    k: cython.int
    u: cython.int
    start: cython.int
    end: cython.int
    size: cython.int
    boxes: cython.int = 0
    covered: cython.int = 0
    end = 0
    for h in range(ws.hints):
        ws.box_first[h] = -1
        ws.hint_nodes[h] = 0
    ws.box_start[0] = 0
    for h in range(ws.hints):
        u = ws.hint_cell[h]
        for j in range(offsets[u], offsets[u + 1]):
            x = neighbours[j]
            if ws.know[x] != UNKNOWN or ws.box_of[x] >= 0:
                continue
            covered += 1
            start = ws.box_start[boxes]
            end = start
            for k in range(offsets[x], offsets[x + 1]):
                i = ws.hint_of[neighbours[k]]
                if i >= 0:
                    ws.box_hint[end] = i
                    end += 1
            b = ws.box_first[h]
            while b >= 0:
                i = ws.box_start[b]
                if ws.box_start[b + 1] - i == end - start:
                    k = start
                    while k < end and ws.box_hint[i] == ws.box_hint[k]:
                        i += 1
                        k += 1
                    if k == end:
                        break
                b = ws.box_next[b]
            if b < 0:
                b = boxes
                boxes += 1
                ws.box_next[b] = ws.box_first[h]
                ws.box_first[h] = b
                ws.box_size[b] = 0
                ws.box_start[boxes] = end
                for k in range(start, end):
                    ws.hint_nodes[ws.box_hint[k]] += 1
            ws.box_size[b] += 1
            ws.box_of[x] = b
    ws.boxes = boxes
    ws.interior = ws.unknown_left - covered

    ws.hint_start[0] = 0
    for h in range(ws.hints):
        ws.hint_start[h + 1] = ws.hint_start[h] + ws.hint_nodes[h]
        ws.hint_nodes[h] = 0
    for b in range(boxes):
        size = ws.box_size[b]
        i = 0
        j = size
        for k in range(ws.box_start[b], ws.box_start[b + 1]):
            h = ws.box_hint[k]
            ws.hint_box[ws.hint_start[h] + ws.hint_nodes[h]] = b
            ws.hint_nodes[h] += 1
            if ws.hint_need[h] < j:
                j = ws.hint_need[h]
            if ws.hint_need[h] - ws.hint_cap[h] + size > i:
                i = ws.hint_need[h] - ws.hint_cap[h] + size
        ws.box_low[b] = i
        ws.box_high[b] = j
        if i > j:
            ws.bad_hint = ws.hint_cell[ws.box_hint[ws.box_start[b]]]
            return NO_PLACEMENT
    return OK


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def make_fronts(ws: Workspace) -> cython.void:
    """Group the hints into fronts, each in the order of a wave from its first hint."""
    s: cython.int
    h: cython.int
    u: cython.int
    b: cython.int
    j: cython.int
    k: cython.int
    read: cython.int = 0
    end: cython.int = 0
    ws.fronts = 0
    for h in range(ws.hints):
        ws.mark[h] = 0
    for b in range(ws.boxes):
        ws.box_state[b] = 0
    for s in range(ws.hints):
        if ws.mark[s]:
            continue
        ws.front_start[ws.fronts] = end
        ws.fronts += 1
        ws.mark[s] = 1
        ws.front_hint[end] = s
        end += 1
        while read < end:
            h = ws.front_hint[read]
            read += 1
            for j in range(ws.hint_start[h], ws.hint_start[h + 1]):
                b = ws.hint_box[j]
                if ws.box_state[b]:
                    continue
                ws.box_state[b] = 1
                for k in range(ws.box_start[b], ws.box_start[b + 1]):
                    u = ws.box_hint[k]
                    if not ws.mark[u]:
                        ws.mark[u] = 1
                        ws.front_hint[end] = u
                        end += 1
    ws.front_start[ws.fronts] = end
