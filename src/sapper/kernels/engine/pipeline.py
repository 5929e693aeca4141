"""From a position to its probabilities: the stages in order.

1. `components`: apply the rules of single numbers; group the rest into numbers, boxes, components.
2. `plan`: choose the order in which the numbers of each component are eliminated.
3. `joins`: count the solutions of each component by number of mines, and multiply the components.
4. `weigh_interior`: weigh each number of mines on the frontier by the ways to place the others.
5. `adjoints`: differentiate in reverse, which gives the weight of each number of mines in each box.
6. `write_probabilities`: the mean number of mines in a box divided by its size.

`resume` continues after a pool of the workspace was too small and has been enlarged.
"""

import cython
from cython.cimports.libc.math import lgamma, log
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, ConstInts, Doubles, Ints
from cython.cimports.sapper.kernels.engine.adjoints import backward
from cython.cimports.sapper.kernels.engine.components import (
    make_boxes,
    make_components,
    read_position,
)
from cython.cimports.sapper.kernels.engine.joins import forward, start_leaves
from cython.cimports.sapper.kernels.engine.plan import plan
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.native import now
from cython.cimports.sapper.kernels.ties import clamp

TINY = cython.declare(cython.double, 1e-300)


def prepare(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    marks: ConstInts,
    base: cython.Py_ssize_t,
    mines: cython.int,
) -> cython.int:
    """Read the position marks[base:base + cells] into numbers, boxes and components."""
    # Tested here too, because a batch may have many small positions, which never reach the joins.
    if ws.cancel[0]:
        return codes.CANCELLED
    ws.started = now() if ws.seconds < 1e8 else 0.0
    ws.work = 0
    ws.board_cells = cython.cast(cython.int, offsets.shape[0] - 1)
    status = read_position(ws, offsets, neighbours, marks, base, mines)
    if status:
        return status
    status = make_boxes(ws, offsets, neighbours)
    if status:
        return status
    make_components(ws)
    _choose_tilt(ws)
    return codes.OK


@cython.cfunc
@cython.nogil
def _choose_tilt(ws: Workspace) -> cython.void:
    """Set the tilt to mines per safe cell: likely numbers of mines have the largest weights."""
    covered: cython.double = ws.unknown_left
    mines: cython.double = ws.mines_left
    frontier: cython.double = ws.unknown_left - ws.interior
    ln_tilt: cython.double = 0.0
    ws.tilt = 1.0
    if ws.has_mine_count:
        if mines <= 0.001 * covered:
            ws.tilt = 0.001
        elif mines >= 0.999 * covered:
            ws.tilt = 1000.0
        else:
            ws.tilt = mines / (covered - mines)
        ln_tilt = log(ws.tilt)
    ws.rescaling = frontier * (0.7 + (ln_tilt if ln_tilt > 0 else -ln_tilt)) > ws.max_ln_range


def weigh_interior(ws: Workspace) -> cython.int:
    """Weigh each number of mines on the frontier by the ways to place the others in the interior.

    Call it after the last join. Set ln_solutions, the probability of the interior, and the adjoint
    of the last node. Weights are relative to that of *peak* mines, about the largest.
    """
    n: cython.int = ws.interior
    low: cython.int = 0
    length: cython.int = 1
    term: cython.longlong = -1
    total: cython.double = 0.0
    mean: cython.double = 0.0
    any_mine: cython.bint = False
    any_safe: cython.bint = False
    ws.interior_probability = ws.nan
    ws.interior_state = codes.UNKNOWN
    if ws.nodes:
        s = ws.first_state[ws.nodes - 1]
        low = ws.lowest[s]
        length = ws.length[s]
        term = ws.term[s]
    if not ws.has_mine_count:
        if term >= 0:
            total = ws.value[term]
            ws.adjoint[term] = 1.0
        else:
            total = 1.0
        ws.ln_frontier = log(total) + ws.ln_scale
        ws.ln_solutions = ws.ln_frontier
        return codes.OK
    # t mines on the frontier leave mines_left - t for the n cells of the interior.
    first = ws.mines_left - n
    stop = ws.mines_left + 1
    if first < low:
        first = low
    if stop > low + length:
        stop = low + length
    if first >= stop:
        return codes.WRONG_COUNT
    value = (ws.mines_left - ws.tilt * (n - ws.mines_left + 1)) / (1.0 + ws.tilt)
    peak = first
    if value > first:
        peak = stop - 1
        if value < peak:
            peak = cython.cast(cython.int, value)
    if term < 0:
        any_mine = ws.mines_left > 0
        any_safe = ws.mines_left < n
        total = 1.0
        mean = ws.mines_left
    else:
        for x in range(length):
            ws.adjoint[term + x] = 0.0
        weight = 1.0
        for t in range(peak, stop):
            ws.adjoint[term + t - low] = weight
            weight *= (ws.mines_left - t) / ((n - ws.mines_left + t + 1) * ws.tilt)
            if weight < TINY:
                weight = TINY
        weight = 1.0
        for x in range(peak - first):
            t = peak - 1 - x
            weight *= (n - ws.mines_left + t + 1) * ws.tilt / (ws.mines_left - t)
            if weight < TINY:
                weight = TINY
            ws.adjoint[term + t - low] = weight
        if ws.adjoint[term + first - low] < 1e-30 or ws.adjoint[term + stop - 1 - low] < 1e-30:
            ws.rescaling = True
        for t in range(first, stop):
            value = ws.value[term + t - low]
            if value <= 0.0:
                continue
            value *= ws.adjoint[term + t - low]
            total += value if value > TINY else TINY
            mean += value * (ws.mines_left - t)
            if t < ws.mines_left:
                any_mine = True
            if ws.mines_left - t < n:
                any_safe = True
        if total == 0.0:
            return codes.WRONG_COUNT
    ws.reference = peak
    ws.ln_frontier = log(total) + ws.ln_scale - peak * log(ws.tilt)
    ws.ln_solutions = (
        ws.ln_frontier
        + lgamma(n + 1.0)
        - lgamma(ws.mines_left - peak + 1.0)
        - lgamma(n - ws.mines_left + peak + 1.0)
    )
    if n:
        if not any_mine:
            ws.interior_state = codes.SAFE
            ws.interior_probability = 0.0
        elif not any_safe:
            ws.interior_state = codes.MINE
            ws.interior_probability = 1.0
        else:
            ws.interior_probability = clamp(mean / (total * n))
    return codes.OK


def write_probabilities(ws: Workspace) -> cython.void:
    """Compute the probability of every box and cell, and what is known, from the adjoints."""
    for b in range(ws.boxes):
        total = 0.0
        mean = 0.0
        size = ws.box_size[b]
        low = size
        high = 0
        first = ws.first_state[b]
        for s in range(first, ws.state_stop[b]):
            if ws.adjoint[s] <= 0.0:
                continue
            k = ws.box_low[b] + s - first
            value = ws.value[s] * ws.adjoint[s]
            total += value
            mean += k * value
            if k < low:
                low = k
            if k > high:
                high = k
        if high == 0:
            ws.box_probability[b] = 0.0
            ws.box_state[b] = codes.SAFE
        elif low == size:
            ws.box_probability[b] = 1.0
            ws.box_state[b] = codes.MINE
        else:
            ws.box_probability[b] = clamp(mean / (total * size))
            ws.box_state[b] = codes.UNKNOWN
    for c in range(ws.board_cells):
        known = ws.known[c]
        if known == codes.UNKNOWN:
            b = ws.box_of[c]
            if b >= 0:
                ws.probabilities[c] = ws.box_probability[b]
                ws.known[c] = ws.box_state[b]
            else:
                ws.probabilities[c] = ws.interior_probability
                ws.known[c] = ws.interior_state
        elif known == codes.MINE:
            ws.probabilities[c] = 1.0
        elif known == codes.SAFE:
            ws.probabilities[c] = 0.0
        else:
            ws.probabilities[c] = ws.nan


def analyse(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    marks: ConstInts,
    base: cython.Py_ssize_t,
    mines: cython.int,
) -> cython.int:
    """Run all stages; the results are ws.probabilities, ws.known and ws.ln_solutions.

    A status from GROW on means: enlarge a pool (`Workspace.grow`) and call `resume`.
    With ws.count_only it stops at ln_solutions.
    """
    ws.stage = codes.READING
    return resume(ws, offsets, neighbours, marks, base, mines)


def resume(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    marks: ConstInts,
    base: cython.Py_ssize_t,
    mines: cython.int,
) -> cython.int:
    """Continue in the stage in which a pool was too small."""
    if ws.stage == codes.READING:
        status = prepare(ws, offsets, neighbours, marks, base, mines)
        if status:
            return status
        ws.stage = codes.PLANNING
    if ws.stage == codes.PLANNING:
        status = plan(ws)
        if status:
            return status
        ws.stage = codes.STARTING
    if ws.stage == codes.STARTING:
        status = start_leaves(ws)
        if status:
            return status
        ws.stage = codes.JOINING
    status = forward(ws)
    if status:
        return status
    status = weigh_interior(ws)
    if status or ws.count_only:
        return status
    status = backward(ws)
    if status:
        return status
    write_probabilities(ws)
    return codes.OK


def run(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    marks: ConstInts,
    mines: cython.int,
    resuming: cython.bint,
):
    """Call `analyse`, or `resume` if *resuming*, without the GIL."""
    with cython.nogil:
        if resuming:
            status = resume(ws, offsets, neighbours, marks, 0, mines)
        else:
            status = analyse(ws, offsets, neighbours, marks, 0, mines)
    return status


def run_batch(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    marks: ConstInts,
    mines: ConstInts,
    first: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    probabilities: Doubles,
    known: Bytes,
    ln_solutions: Doubles,
    statuses: Ints,
):
    """Analyse positions first..stop of one board, side by side in *marks*, without the GIL.

    Return *stop*, or the position at which a pool must grow, with its status in *statuses*.
    """
    cells: cython.Py_ssize_t = offsets.shape[0] - 1
    with cython.nogil:
        for i in range(first, stop):
            base = i * cells
            status = analyse(ws, offsets, neighbours, marks, base, mines[i])
            statuses[i] = status
            if status >= codes.GROW:
                stop = i
                break
            if status == codes.OK:
                for c in range(cells):
                    probabilities[base + c] = ws.probabilities[c]
                    known[base + c] = ws.known[c]
                ln_solutions[i] = ws.ln_solutions
    return stop
