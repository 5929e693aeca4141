"""Plan the joins that eliminate the numbers of each component; nothing here is numeric.

This is variable elimination: eliminating a number joins all nodes that contain it, and the order of
elimination decides how many numbers are open at once, on which the cost depends exponentially.
`orders` has the orders, `workspace` describes the arrays.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.engine.orders import (
    add_to_bucket,
    clear_buckets,
    join_size,
    remove_from_bucket,
    sort_by_size,
    write_sequence,
)
from cython.cimports.sapper.kernels.engine.workspace import Workspace, check_limits

ONE = cython.declare(cython.ulonglong, 1)


def plan(ws: Workspace) -> cython.int:
    """Plan the joins of every component, and the bits of each number in a key.

    For most components any order is fast, and breadth-first order is already there. Where it is
    expected to cost more than planning, numbers are eliminated in the order of fewest open numbers;
    where that is still expensive, all orders are planned and the cheapest is taken.
    """
    total: cython.double = 0.0
    status = _make_leaves(ws)
    if status:
        return status
    ws.words = 1
    ws.root_count = 0
    ws.widest = 0
    ws.widest_component = 0
    for f in range(ws.components):
        nodes = ws.nodes
        scope_end = ws.scope_end
        best = codes.AS_LISTED if ws.policy < 0 else ws.policy
        status = _plan_component(ws, f, best)
        cost = ws.cost
        order = codes.MIN_DEGREE
        while (
            status == codes.OK
            and ws.policy < 0
            and order < codes.ORDERS
            and cost > (ws.accept_below if order == codes.MIN_DEGREE else ws.portfolio_from)
        ):
            _discard(ws, nodes, scope_end)
            status = _plan_component(ws, f, order)
            if ws.cost < cost or order == codes.MIN_DEGREE:
                cost = ws.cost
                best = order
            order += 1
        if status == codes.OK and ws.policy < 0 and order > codes.MIN_DEGREE and best != order - 1:
            _discard(ws, nodes, scope_end)
            status = _plan_component(ws, f, best)
        if status == codes.OK:
            status = place_fields(ws, f, nodes)
        if status:
            return status
        total += ws.cost
    ws.cost = total
    return _plan_product(ws)


@cython.cfunc
@cython.nogil
def _discard(ws: Workspace, nodes: cython.int, scope_end: cython.longlong) -> cython.void:
    """Discard the plan of the last component."""
    ws.nodes = nodes
    ws.scope_end = scope_end
    ws.root_count -= 1


@cython.cfunc
@cython.nogil
def _make_leaves(ws: Workspace) -> cython.int:
    """Make a node of every box; numbers all of whose cells are in the box are closed in it."""
    end: cython.longlong = 0
    if 2 * ws.boxes + 2 > ws.nodes_capacity:
        ws.requested = 2 * ws.boxes + 2
        return codes.GROW_NODES
    if ws.boxes and ws.box_start[ws.boxes] > ws.scopes_capacity:
        ws.requested = 8 * cython.cast(cython.longlong, ws.box_start[ws.boxes])
        return codes.GROW_SCOPES
    for b in range(ws.boxes):
        ws.scope_start[b] = end
        last = end + ws.box_start[b + 1] - ws.box_start[b]
        ws.scope_all[b] = cython.cast(cython.int, last - end)
        ws.scope_open[b] = 0
        for k in range(ws.box_start[b], ws.box_start[b + 1]):
            h = ws.box_number[k]
            if ws.number_size[h] > ws.box_size[b]:
                ws.scope_number[end] = h
                ws.scope_in[end] = ws.box_size[b]
                ws.scope_open[b] += 1
                end += 1
            else:
                last -= 1
                ws.scope_number[last] = h
                ws.scope_in[last] = ws.box_size[b]
        end = ws.scope_start[b] + ws.scope_all[b]
        ws.expected_size[b] = ws.box_high[b] - ws.box_low[b] + 1
    ws.nodes = ws.boxes
    ws.scope_end = end
    return codes.OK


@cython.cfunc
@cython.nogil
def _plan_component(ws: Workspace, f: cython.int, order: cython.int) -> cython.int:
    """Append the joins of component f to the plan, and set ws.cost to the expected pairs of states.

    Orders: AS_LISTED takes the numbers as they are, MIN_DEGREE the one whose join has the fewest
    open numbers, MIN_WEIGHT the one whose join has the fewest combinations, BY_CELL goes
    through the cells in order, BREADTH_FIRST goes outward from an end of the component.
    """
    lowest: cython.int = 0
    first: cython.int = ws.component_start[f]
    stop: cython.int = ws.component_start[f + 1]
    dynamic: cython.bint = order == codes.MIN_DEGREE or order == codes.MIN_WEIGHT
    ws.cost = 0.0
    joined = ws.number_box[ws.number_start[ws.component_number[first]]]
    for i in range(first, stop):
        h = ws.component_number[i]
        ws.mark[h] = -1
        start = ws.number_start[h]
        nodes = ws.number_start[h + 1] - start
        ws.number_nodes[h] = nodes
        ws.eliminated[h] = nodes == 1
        for j in range(start, start + nodes):
            b = ws.number_box[j]
            ws.number_node[j] = b
            ws.parent[b] = -1
    if dynamic:
        for i in range(first, stop):
            h = ws.component_number[i]
            if not ws.eliminated[h]:
                add_to_bucket(ws, h, join_size(ws, h, order))
    else:
        write_sequence(ws, first, stop, order)

    i = first
    while True:
        if dynamic:
            while lowest < codes.BUCKETS and ws.bucket_heads[lowest] < 0:
                lowest += 1
            if lowest == codes.BUCKETS:
                break
            h = ws.bucket_heads[lowest]
            remove_from_bucket(ws, h)
        else:
            while i < stop and ws.eliminated[ws.sequence[i]]:
                i += 1
            if i == stop:
                break
            h = ws.sequence[i]
        start = ws.number_start[h]
        nodes = ws.number_nodes[h]
        sort_by_size(ws, start, nodes)
        joined = ws.number_node[start]
        for j in range(start + 1, start + nodes):
            b = ws.number_node[j]
            c = ws.nodes
            status = _join_scopes(ws, joined, b, c)
            if status == codes.OK:
                status = check_limits(ws, ws.scope_all[c])
            if status:
                clear_buckets(ws)
                return status
            ws.parent[joined] = c
            ws.parent[b] = c
            ws.parent[c] = -1
            ws.nodes = c + 1
            # Closed numbers are eliminated.
            for s in range(
                ws.scope_start[c] + ws.scope_open[c], ws.scope_start[c] + ws.scope_all[c]
            ):
                u = ws.scope_number[s]
                ws.eliminated[u] = 1
                if dynamic and u != h:
                    remove_from_bucket(ws, u)
            joined = c
        # Planning may be slow too: about one step for each number of each node.
        status = check_limits(
            ws, 16 + 8 * cython.cast(cython.longlong, ws.scope_open[joined]) * nodes
        )
        if status:
            clear_buckets(ws)
            return status
        for s in range(ws.scope_start[joined], ws.scope_start[joined] + ws.scope_open[joined]):
            u = ws.scope_number[s]
            start = ws.number_start[u]
            nodes = start
            for j in range(start, start + ws.number_nodes[u]):
                b = ws.number_node[j]
                if ws.parent[b] < 0 and b != joined:
                    ws.number_node[nodes] = b
                    nodes += 1
            ws.number_node[nodes] = joined
            ws.number_nodes[u] = nodes + 1 - start
        if dynamic:
            for s in range(ws.scope_start[joined], ws.scope_start[joined] + ws.scope_open[joined]):
                u = ws.scope_number[s]
                j = join_size(ws, u, order)
                if j != ws.bucket[u]:
                    remove_from_bucket(ws, u)
                    add_to_bucket(ws, u, j)
                    if j < lowest:
                        lowest = j
    ws.roots[ws.root_count] = joined
    ws.root_count += 1
    return codes.OK


@cython.cfunc
@cython.nogil
def _join_scopes(ws: Workspace, a: cython.int, b: cython.int, c: cython.int) -> cython.int:
    """Make node c the join of a and b: its scope, its expected size, its cost."""
    start: cython.longlong = ws.scope_end
    end: cython.longlong = start
    open_end: cython.longlong = start
    size: cython.double = 1.0
    if start + ws.scope_open[a] + ws.scope_open[b] > ws.scopes_capacity:
        return codes.GROW_SCOPES
    for i in range(ws.scope_start[a], ws.scope_start[a] + ws.scope_open[a]):
        u = ws.scope_number[i]
        ws.scope_number[end] = u
        ws.scope_in[end] = ws.scope_in[i]
        ws.place[u] = cython.cast(cython.int, end - start)
        end += 1
    for i in range(ws.scope_start[b], ws.scope_start[b] + ws.scope_open[b]):
        u = ws.scope_number[i]
        p = start + ws.place[u]
        # place is never cleared: it is valid if it points at u itself.
        if start <= p and p < end and ws.scope_number[p] == u:
            ws.scope_in[p] += ws.scope_in[i]
        else:
            ws.scope_number[end] = u
            ws.scope_in[end] = ws.scope_in[i]
            ws.place[u] = cython.cast(cython.int, end - start)
            end += 1
    for i in range(start, end):
        u = ws.scope_number[i]
        inside = ws.scope_in[i]
        if inside == ws.number_size[u]:
            continue
        high = ws.number_need[u] if ws.number_need[u] < inside else inside
        low = ws.number_need[u] - ws.number_size[u] + inside
        size *= high - (low if low > 0 else 0) + 1
        if i != open_end:
            ws.scope_number[i] = ws.scope_number[open_end]
            ws.scope_in[i] = ws.scope_in[open_end]
            ws.scope_number[open_end] = u
            ws.scope_in[open_end] = inside
        open_end += 1
    ws.scope_start[c] = start
    ws.scope_open[c] = cython.cast(cython.int, open_end - start)
    ws.scope_all[c] = cython.cast(cython.int, end - start)
    ws.scope_end = end
    ws.left[c] = a
    ws.right[c] = b
    ws.expected_size[c] = size if size < 1e100 else 1e100
    ws.cost += ws.expected_size[a] * ws.expected_size[b]
    return codes.OK


@cython.cfunc
@cython.nogil
def _plan_product(ws: Workspace) -> cython.int:
    """Multiply the components two by two, nearly balanced; the last node is the whole position."""
    read: cython.int = 0
    end: cython.int = ws.root_count
    ws.first_product = ws.nodes
    while read + 1 < end:
        c = ws.nodes
        ws.left[c] = ws.roots[read]
        ws.right[c] = ws.roots[read + 1]
        ws.scope_start[c] = ws.scope_end
        ws.scope_open[c] = 0
        ws.scope_all[c] = 0
        ws.nodes = c + 1
        ws.roots[end] = c
        end += 1
        read += 2
    return codes.OK


@cython.cfunc
@cython.nogil
def place_fields(ws: Workspace, f: cython.int, first_node: cython.int) -> cython.int:
    """Assign bits in a key to each number of component f: its mines, and a guard bit above them.

    Numbers that are never open at the same time may share bits. In reverse order of the joins, each
    number is placed in the join that closes it, beside the numbers that stay open there.
    """
    total: cython.int = 0
    for i in range(ws.component_start[f], ws.component_start[f + 1]):
        h = ws.component_number[i]
        need = ws.number_need[h]
        width = 1
        while need:
            need >>= 1
            width += 1
        ws.width[h] = width
        ws.word[h] = 0
        ws.shift[h] = total
        total += width
    if total <= ws.word_bits:
        if ws.component_start[f + 1] - ws.component_start[f] > ws.widest:
            _record_width(ws, f, first_node)
        return codes.OK
    _record_width(ws, f, first_node)
    for done in range(ws.nodes - first_node):
        c = ws.nodes - 1 - done
        start = ws.scope_start[c]
        for i in range(codes.MAX_WORDS):
            ws.scratch[i] = 0
        for s in range(start, start + ws.scope_open[c]):
            _mark_used(ws, ws.scope_number[s])
        for s in range(start + ws.scope_open[c], start + ws.scope_all[c]):
            h = ws.scope_number[s]
            if not _find_free_bits(ws, h):
                return codes.TOO_WIDE
            _mark_used(ws, h)
            if ws.word[h] >= ws.words:
                ws.words = ws.word[h] + 1
    return codes.OK


@cython.cfunc
@cython.nogil
def _record_width(ws: Workspace, f: cython.int, first_node: cython.int) -> cython.void:
    """Record the component with the most open numbers, for messages."""
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
    field: cython.ulonglong = (ONE << ws.width[h]) - 1
    for w in range(codes.MAX_WORDS):
        for shift in range(ws.word_bits - ws.width[h] + 1):
            if not (ws.scratch[w] >> shift) & field:
                ws.word[h] = w
                ws.shift[h] = shift
                return True
    return False
