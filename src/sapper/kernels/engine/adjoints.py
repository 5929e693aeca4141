"""The backward pass: from the weight of the whole position to the weight of each state of each box.

Each join of `joins` is differentiated in reverse. The adjoint of a coefficient is the derivative of
the weighted number of solutions with respect to it.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.engine.joins import scale
from cython.cimports.sapper.kernels.engine.workspace import Workspace, check_limits

TINY = cython.declare(cython.double, 1e-300)
# The smallest total: with maxima of 1, entries at TINY add less than 1e-20 to a sum of this size.
MIN_TOTAL = cython.declare(cython.double, 1e-270)


def backward(ws: Workspace) -> cython.int:
    """Compute the adjoints of all boxes from that of the last node.

    Return OK, IMPRECISE or the status of a limit.
    """
    for done in range(ws.nodes - ws.boxes):
        c = ws.nodes - 1 - done
        if c < ws.first_product:
            status = _reverse_join(ws, c)
        else:
            status = _reverse_product(ws, c)
        if status:
            return status
    return codes.OK


@cython.cfunc
@cython.nogil
def _reverse_join(ws: Workspace, c: cython.int) -> cython.int:
    """Reverse the join of node c: compute the adjoints of the two nodes that it joins."""
    a: cython.int = ws.left[c]
    b: cython.int = ws.right[c]
    part: cython.longlong = ws.part_start[c]
    _zero_adjoints(ws, a)
    for j in range(ws.first_state[b], ws.state_stop[b]):
        for y in range(ws.length[j]):
            factor = ws.value[ws.term[j] + y]
            total = 0.0
            if factor > 0.0:
                for link in range(ws.part[part], ws.part[part + 1]):
                    i = ws.link_from[link]
                    s = ws.link_to[link]
                    n = ws.length[i]
                    from_term = ws.term[i]
                    to_term = ws.term[s] + (ws.lowest[i] + ws.lowest[j] + y - ws.lowest[s])
                    if not ws.rescaling:
                        for x in range(n):
                            adjoint = ws.adjoint[to_term + x]
                            ws.adjoint[from_term + x] += factor * adjoint
                            total += ws.value[from_term + x] * adjoint
                    else:
                        for x in range(n):
                            adjoint = ws.adjoint[to_term + x]
                            if adjoint > 0.0:
                                product = factor * adjoint
                                ws.adjoint[from_term + x] += product if product > TINY else TINY
                                if ws.value[from_term + x] > 0.0:
                                    product = ws.value[from_term + x] * adjoint
                                    total += product if product > TINY else TINY
            ws.adjoint[ws.term[j] + y] = total
        part += 1
    if ws.rescaling:
        if _rescale_adjoints(ws, a) or _rescale_adjoints(ws, b):
            return codes.IMPRECISE
    return check_limits(ws, ws.part[part] - ws.part[ws.part_start[c]])


@cython.cfunc
@cython.nogil
def _zero_adjoints(ws: Workspace, a: cython.int) -> cython.void:
    """Set the adjoints of node a to zero."""
    s: cython.int = ws.state_stop[a] - 1
    for x in range(ws.term[ws.first_state[a]], ws.term[s] + ws.length[s]):
        ws.adjoint[x] = 0.0


@cython.cfunc
@cython.nogil
def _rescale_adjoints(ws: Workspace, a: cython.int) -> cython.bint:
    """Scale the adjoints of node a; return whether they are so small that TINY counts."""
    s: cython.int = ws.state_stop[a] - 1
    first: cython.longlong = ws.term[ws.first_state[a]]
    stop: cython.longlong = ws.term[s] + ws.length[s]
    total: cython.double = 0.0
    scale(ws.adjoint, first, stop)
    for x in range(first, stop):
        total += ws.value[x] * ws.adjoint[x]
    return total < MIN_TOTAL


@cython.cfunc
@cython.nogil
def _reverse_product(ws: Workspace, c: cython.int) -> cython.int:
    """Reverse the product of node c."""
    _reverse_factor(ws, ws.first_state[ws.left[c]], ws.first_state[ws.right[c]], ws.first_state[c])
    _reverse_factor(ws, ws.first_state[ws.right[c]], ws.first_state[ws.left[c]], ws.first_state[c])
    if ws.rescaling:
        if _rescale_adjoints(ws, ws.left[c]) or _rescale_adjoints(ws, ws.right[c]):
            return codes.IMPRECISE
    return check_limits(
        ws,
        cython.cast(cython.longlong, ws.length[ws.first_state[ws.left[c]]])
        * ws.length[ws.first_state[ws.right[c]]],
    )


@cython.cfunc
@cython.nogil
def _reverse_factor(ws: Workspace, i: cython.int, j: cython.int, s: cython.int) -> cython.void:
    """Compute the adjoint of factor i; j is the other factor and s their product."""
    other_term: cython.longlong = ws.term[j]
    product_term: cython.longlong = ws.term[s]
    for x in range(ws.length[i]):
        total = 0.0
        if not ws.rescaling:
            for y in range(ws.length[j]):
                total += ws.value[other_term + y] * ws.adjoint[product_term + x + y]
        else:
            for y in range(ws.length[j]):
                if ws.value[other_term + y] > 0.0 and ws.adjoint[product_term + x + y] > 0.0:
                    product = ws.value[other_term + y] * ws.adjoint[product_term + x + y]
                    total += product if product > TINY else TINY
        ws.adjoint[ws.term[i] + x] = total
