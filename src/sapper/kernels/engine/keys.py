"""The bits of each number in a key; `workspace` describes the arrays."""

import cython
from cython.cimports.sapper.kernels.codes import MAX_WORDS, OK, TOO_WIDE
from cython.cimports.sapper.kernels.engine.workspace import Workspace

ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.nogil
def place_fields(ws: Workspace, f: cython.int, first_node: cython.int) -> cython.int:
    """Assign bits in a key to each number of component f: its mines, and a guard bit above them.

    Numbers that are never open at the same time may share bits. In reverse order of the joins, each
    number is placed in the join that closes it, beside the numbers that stay open there.
    """
    i: cython.int
    h: cython.int
    w: cython.int
    c: cython.int
    t: cython.int
    need: cython.int
    total: cython.int = 0
    s: cython.longlong
    start: cython.longlong
    for i in range(ws.component_start[f], ws.component_start[f + 1]):
        h = ws.component_number[i]
        need = ws.number_need[h]
        w = 1
        while need:
            need >>= 1
            w += 1
        ws.width[h] = w
        ws.word[h] = 0
        ws.shift[h] = total
        total += w
    if total <= ws.word_bits:
        if ws.component_start[f + 1] - ws.component_start[f] > ws.widest:
            _record_width(ws, f, first_node)
        return OK
    _record_width(ws, f, first_node)
    for t in range(ws.nodes - first_node):
        c = ws.nodes - 1 - t
        start = ws.scope_start[c]
        for i in range(MAX_WORDS):
            ws.scratch[i] = 0
        for s in range(start, start + ws.scope_open[c]):
            _mark_used(ws, ws.scope_number[s])
        for s in range(start + ws.scope_open[c], start + ws.scope_all[c]):
            h = ws.scope_number[s]
            if not _find_free_bits(ws, h):
                return TOO_WIDE
            _mark_used(ws, h)
            if ws.word[h] >= ws.words:
                ws.words = ws.word[h] + 1
    return OK


@cython.cfunc
@cython.nogil
def _record_width(ws: Workspace, f: cython.int, first_node: cython.int) -> cython.void:
    """Record the component with the most open numbers, for messages."""
    c: cython.int
    for c in range(first_node, ws.nodes):
        if ws.scope_open[c] > ws.widest:
            ws.widest = ws.scope_open[c]
            ws.widest_component = f


@cython.cfunc
@cython.nogil
def _mark_used(ws: Workspace, h: cython.int) -> cython.void:
    """Mark the bits of number h as used in this join."""
    ws.scratch[ws.word[h]] |= ((ONE << ws.width[h]) - 1) << ws.shift[h]


@cython.cfunc
@cython.nogil
def _find_free_bits(ws: Workspace, h: cython.int) -> cython.bint:
    """Find bits for number h that no other open number uses; return whether there are any."""
    w: cython.int
    shift: cython.int
    field: cython.ulonglong = (ONE << ws.width[h]) - 1
    for w in range(MAX_WORDS):
        for shift in range(ws.word_bits - ws.width[h] + 1):
            if not (ws.scratch[w] >> shift) & field:
                ws.word[h] = w
                ws.shift[h] = shift
                return True
    return False
