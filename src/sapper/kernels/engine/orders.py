"""Orders in which the numbers of a component are eliminated; `workspace` describes the arrays.

*order* is one of the orders in `codes`. The join of a number is the node that its elimination
makes. Greedy orders (MIN_DEGREE, MIN_WEIGHT) keep the numbers in buckets by the size of their
joins, as doubly linked lists; the other orders are fixed.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.engine.workspace import Workspace


def join_size(ws: Workspace, h: cython.int, order: cython.int) -> cython.int:
    """Return the bucket of number h: the size of its join if it were eliminated now."""
    total: cython.int = 0
    ws.mark[h] = h
    for j in range(ws.number_start[h], ws.number_start[h] + ws.number_nodes[h]):
        t = ws.number_node[j]
        for s in range(ws.scope_start[t], ws.scope_start[t] + ws.scope_open[t]):
            u = ws.scope_number[s]
            if ws.mark[u] != h:
                ws.mark[u] = h
                total += 1 if order == codes.MIN_DEGREE else _twice_log2(ws.number_need[u] + 1)
    ws.mark[h] = -1
    return total if total < codes.BUCKETS else codes.BUCKETS - 1


@cython.cfunc
@cython.nogil
def _twice_log2(n: cython.int) -> cython.int:
    """Return about 2 log2(n), for n >= 1."""
    bits: cython.int = 0
    while n >= 4:
        n >>= 1
        bits += 2
    return bits + (3 if n == 3 else 2 if n == 2 else 0)


def add_to_bucket(ws: Workspace, h: cython.int, bucket: cython.int) -> cython.void:
    """Add number h to a bucket."""
    head: cython.int = ws.bucket_heads[bucket]
    ws.bucket[h] = bucket
    ws.next_number[h] = head
    ws.previous_number[h] = -1
    if head >= 0:
        ws.previous_number[head] = h
    ws.bucket_heads[bucket] = h


def remove_from_bucket(ws: Workspace, h: cython.int) -> cython.void:
    """Remove number h from its bucket."""
    after: cython.int = ws.next_number[h]
    before: cython.int = ws.previous_number[h]
    if after >= 0:
        ws.previous_number[after] = before
    if before >= 0:
        ws.next_number[before] = after
    else:
        ws.bucket_heads[ws.bucket[h]] = after


def clear_buckets(ws: Workspace) -> cython.void:
    """Empty all buckets."""
    for k in range(codes.BUCKETS):
        ws.bucket_heads[k] = -1


def write_sequence(
    ws: Workspace, first: cython.int, stop: cython.int, order: cython.int
) -> cython.void:
    """Write a fixed order of the component's numbers to ws.sequence[first:stop]."""
    if order == codes.AS_LISTED:
        for i in range(first, stop):
            ws.sequence[i] = ws.component_number[i]
        return
    if order == codes.BY_CELL:
        # Shell sort: where this order is useful, breadth-first order is nearly cell order already.
        for i in range(first, stop):
            ws.sequence[i] = ws.component_number[i]
        gap = 1
        while gap < stop - first:
            gap = 3 * gap + 1
        while gap >= 1:
            for i in range(first + gap, stop):
                h = ws.sequence[i]
                j = i
                while j >= first + gap and ws.sequence[j - gap] > h:
                    ws.sequence[j] = ws.sequence[j - gap]
                    j -= gap
                ws.sequence[j] = h
            gap //= 3
        return
    # BREADTH_FIRST, from an end of the component: component_number is in breadth-first order from
    # an arbitrary number, so the last one is farthest from it. place marks the listed numbers.
    for i in range(first, stop):
        ws.place[ws.component_number[i]] = 0
    h = ws.component_number[stop - 1]
    ws.place[h] = 1
    ws.sequence[first] = h
    read = first
    end = first + 1
    while read < end:
        h = ws.sequence[read]
        read += 1
        for i in range(ws.number_start[h], ws.number_start[h + 1]):
            j = ws.number_box[i]
            for k in range(ws.box_start[j], ws.box_start[j + 1]):
                u = ws.box_number[k]
                if not ws.place[u]:
                    ws.place[u] = 1
                    ws.sequence[end] = u
                    end += 1


def sort_by_size(ws: Workspace, start: cython.int, nodes: cython.int) -> cython.void:
    """Sort the nodes of a number by their expected size, the largest first."""
    for i in range(start + 1, start + nodes):
        t = ws.number_node[i]
        j = i
        while j > start and ws.expected_size[ws.number_node[j - 1]] < ws.expected_size[t]:
            ws.number_node[j] = ws.number_node[j - 1]
            j -= 1
        ws.number_node[j] = t
