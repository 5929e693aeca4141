"""Draw random solutions of a tracked position, all with the same probability.

A draw chooses the mines of each component by the weight of the solutions that they leave, then
follows its chain backwards, link by link. Within a box, and in the interior, all choices of cells
are equally likely. Where the general engine answered, its joins are followed from the last to the
boxes.

state    of the random generator
at, next_at, t, u, k   as in `totals`
a, b, c, i, j, s, x, y   in `_draw_joins` and `_draw_pair`: as in `engine.workspace`
left     what is left of a random share of the total weight; the choice that uses it up is taken
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, Ints, Words
from cython.cimports.sapper.kernels.board import next_random, place_mines, random_below
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

UNIT = cython.declare(cython.double, 2.0**-53)


@cython.cfunc
@cython.nogil
def _uniform(state: Words) -> cython.double:
    """Return a random number from 0 to 1, excluding 1."""
    return (next_random(state) >> 11) * UNIT


def list_interior(p: TrackedPosition) -> cython.void:
    """After an answer: list the cells of the interior, once for many draws."""
    count: cython.int = 0
    for c in range(p.cells):
        if (
            p.marks[c] == codes.COVERED
            and (p.general.box_of[c] if p.used_general else p.box_of[c]) < 0
        ):
            p.interior_cells[count] = c
            count += 1
    p.interior_count = count


def draw_solution(
    p: TrackedPosition, state: Words, out: Bytes, base: cython.Py_ssize_t
) -> cython.void:
    """Write one solution to out[base:base + cells], 1 for a mine; call `list_interior` before.

    The position must be answered and have a mine count; without one the interior stays safe.
    """
    used: cython.int = 0
    for c in range(p.cells):
        out[base + c] = p.marks[c] == codes.FLAG
    if p.used_general:
        used = _draw_joins(p, p.general, state, out, base)
    else:
        for i in range(p.live_count):
            used += _draw_component(p, i, used, state, out, base)
        used = p.mines - p.flagged - used
    if p.has_mine_count:
        place_mines(state, p.interior_cells[: p.interior_count], used, out[base : base + p.cells])


@cython.cfunc
@cython.nogil
def _draw_component(
    p: TrackedPosition,
    i: cython.int,
    used: cython.int,
    state: Words,
    out: Bytes,
    base: cython.Py_ssize_t,
) -> cython.int:
    """Draw the i-th component, given the mines used in those before it; return its mines."""
    f: cython.int = p.live[i]
    k: cython.int = 0
    last: cython.int = p.component_box_stop[f] - 1
    at: cython.int = p.after_start[i] - p.low_before[i]
    next_at: cython.int = p.after_start[i + 1] - p.low_before[i + 1]
    chosen: cython.int = -1
    mines: cython.int = 0
    left: cython.double = _uniform(state) * p.after[at + used]
    # Rounding may leave a remainder after the last choice: then that choice is taken.
    for s in range(p.box_state[last], p.box_state_stop[last]):
        t = cython.cast(cython.int, p.key[s] >> codes.MINES_SHIFT)
        weight = p.ways[s] * p.after[next_at + used + t]
        if weight > 0.0:
            chosen = s
            mines = t
            left -= weight
            if left < 0.0:
                break
    for x in range(last + 1 - p.component_box[f]):
        b = last - x
        s = chosen
        left = _uniform(state) * p.ways[s]
        for link in range(p.first_link[s], p.first_link[s + 1]):
            chosen = p.link_from[link]
            k = p.link_mines[link]
            left -= p.ways[chosen] * p.binomial[p.box_size[b], k]
            if left < 0.0:
                break
        _fill(state, p.member, p.box_member[b], p.box_size[b], k, out, base)
    return mines


@cython.cfunc
@cython.nogil
def _fill(
    state: Words,
    cells: Ints,
    first: cython.int,
    size: cython.int,
    mines: cython.int,
    out: Bytes,
    base: cython.Py_ssize_t,
) -> cython.void:
    """Put mines on random cells of a box."""
    for i in range(size):
        if mines == 0:
            return
        if mines == size - i or cython.cast(cython.int, random_below(state, size - i)) < mines:
            out[base + cells[first + i]] = 1
            mines -= 1


@cython.cfunc
@cython.nogil
def _draw_joins(
    p: TrackedPosition, ws: Workspace, state: Words, out: Bytes, base: cython.Py_ssize_t
) -> cython.int:
    """Follow the joins of the general engine from the last; return the mines of the interior.

    Each step goes from a node with a chosen state and power to the pair of states that made it.
    """
    t: cython.int = 0
    chosen: cython.int = 0
    total: cython.double = 0.0
    if ws.nodes:
        c = ws.nodes - 1
        s = ws.first_state[c]
        n = ws.length[s]
        for x in range(n):
            total += ws.value[ws.term[s] + x] * ws.adjoint[ws.term[s] + x]
        left = _uniform(state) * total
        for x in range(n):
            if ws.value[ws.term[s] + x] * ws.adjoint[ws.term[s] + x] > 0.0:
                chosen = x
                left -= ws.value[ws.term[s] + x] * ws.adjoint[ws.term[s] + x]
                if left < 0.0:
                    break
        t = ws.lowest[s] + chosen
        p.chosen_state[c] = s
        p.chosen_mines[c] = t
    for x in range(ws.nodes - ws.boxes):
        _draw_pair(p, ws, ws.nodes - 1 - x, state)
    # Boxes have no lists of cells here: each cell gets one of its box's remaining mines or not.
    for b in range(ws.boxes):
        p.box_left[b] = ws.box_low[b] + p.chosen_state[b] - ws.first_state[b]
        p.cells_left[b] = ws.box_size[b]
    for c in range(p.cells):
        if p.marks[c] == codes.COVERED and ws.box_of[c] >= 0:
            b = ws.box_of[c]
            if cython.cast(cython.int, random_below(state, p.cells_left[b])) < p.box_left[b]:
                out[base + c] = 1
                p.box_left[b] -= 1
            p.cells_left[b] -= 1
    return ws.mines_left - t


@cython.cfunc
@cython.nogil
def _draw_pair(p: TrackedPosition, ws: Workspace, c: cython.int, state: Words) -> cython.void:
    """Choose the states of both nodes that c joins, and the mines in each."""
    a: cython.int = ws.left[c]
    b: cython.int = ws.right[c]
    s: cython.int = p.chosen_state[c]
    t: cython.int = p.chosen_mines[c]
    product: cython.bint = c >= ws.first_product
    first: cython.longlong = 0
    stop: cython.longlong = 1
    total: cython.double = 0.0
    # All weights are added first: a node may have been scaled after it was computed.
    for drawing in range(2):
        left = _uniform(state) * total if drawing else 0.0
        part = 0 if product else ws.part_start[c]
        for j in range(ws.first_state[b], ws.state_stop[b]):
            if not product:
                first = ws.part[part]
                stop = ws.part[part + 1]
                part += 1
            for link in range(first, stop):
                i = ws.first_state[a] if product else ws.link_from[link]
                if not product and ws.link_to[link] != s:
                    continue
                for y in range(ws.length[j]):
                    x = t - ws.lowest[j] - y - ws.lowest[i]
                    if x < 0 or x >= ws.length[i]:
                        continue
                    weight = ws.value[ws.term[i] + x] * ws.value[ws.term[j] + y]
                    if weight <= 0.0:
                        continue
                    if not drawing:
                        total += weight
                        continue
                    p.chosen_state[a] = i
                    p.chosen_mines[a] = ws.lowest[i] + x
                    p.chosen_state[b] = j
                    p.chosen_mines[b] = ws.lowest[j] + y
                    left -= weight
                    if left < 0.0:
                        return


def draw_solutions(p: TrackedPosition, state: Words, count: cython.Py_ssize_t, out: Bytes):
    """Draw *count* solutions of an answered position, one row each in *out*, without the GIL."""
    with cython.nogil:
        list_interior(p)
        for i in range(count):
            draw_solution(p, state, out, i * p.cells)
