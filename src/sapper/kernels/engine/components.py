"""Split a position into numbers, boxes and components; `workspace` describes the arrays.

`read_position` decides every cell that a single number decides, until none decides more. The
unknown cells that remain are grouped by the numbers that they touch (`make_boxes`), and numbers
that share boxes into components (`make_components`).
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts
from cython.cimports.sapper.kernels.engine.workspace import Workspace


@cython.locals(need=cython.int, covered=cython.int)
def read_position(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    marks: ConstInts,
    base: cython.Py_ssize_t,
    mines: cython.int,
) -> cython.int:
    """Read marks[base:], apply the rules of single numbers, and index the numbers that remain.

    Needs ws.board_cells and ws.trust_flags. *mines* is -1 where the count is unknown.
    Return OK, WRONG_COUNT, or NO_SOLUTION with the contradictory number in ws.bad_number.
    """
    unknown: cython.int = 0
    known_mines: cython.int = 0
    frontier_numbers: cython.int = 0
    deciding_numbers: cython.int = 0
    top: cython.int = 0
    n: cython.int = ws.board_cells
    for c in range(n):
        mark = marks[base + c]
        ws.box_of[c] = -1
        ws.number_of[c] = -1
        if mark >= 0 or mark == codes.KNOWN_SAFE:
            ws.known[c] = codes.REVEALED
        elif mark == codes.FLAG and ws.trust_flags:
            ws.known[c] = codes.MINE
            known_mines += 1
        else:
            ws.known[c] = codes.UNKNOWN
            unknown += 1

    for c in range(n):
        need = marks[base + c]
        if need < 0:
            continue
        covered = 0
        for k in range(offsets[c], offsets[c + 1]):
            # Sums instead of branches, which would be unpredictable.
            known = ws.known[neighbours[k]]
            covered += known == codes.UNKNOWN
            need -= known == codes.MINE
        if need < 0 or need > covered:
            ws.bad_number = c
            return codes.NO_SOLUTION
        if covered:
            ws.need[c] = need
            ws.unknown[c] = covered
            ws.number_cell[frontier_numbers] = c
            # Provisional: this revealed cell takes part in the rules.
            ws.number_of[c] = 0
            frontier_numbers += 1
            if need == 0 or need == covered:
                ws.sequence[deciding_numbers] = c
                deciding_numbers += 1

    for i in range(deciding_numbers):
        c = ws.sequence[i]
        decided = codes.MINE if ws.need[c] else codes.SAFE
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if ws.known[d] == codes.UNKNOWN:
                ws.known[d] = decided
                ws.stack[top] = d
                top += 1
    # need and unknown are updated when a decided cell is popped; where two numbers contradict each
    # other about it, the second one cannot be satisfied then.
    while top:
        top -= 1
        d = ws.stack[top]
        decided = ws.known[d]
        unknown -= 1
        if decided == codes.MINE:
            known_mines += 1
        for k in range(offsets[d], offsets[d + 1]):
            c = neighbours[k]
            if ws.number_of[c] < 0:
                continue
            ws.unknown[c] -= 1
            if decided == codes.MINE:
                ws.need[c] -= 1
            need = ws.need[c]
            if need < 0 or need > ws.unknown[c]:
                ws.bad_number = c
                return codes.NO_SOLUTION
            if ws.unknown[c] and (need == 0 or need == ws.unknown[c]):
                top = _decide_around(
                    ws, offsets, neighbours, c, codes.MINE if need else codes.SAFE, top
                )

    ws.numbers = 0
    for i in range(frontier_numbers):
        c = ws.number_cell[i]
        if ws.unknown[c] == 0:
            ws.number_of[c] = -1
            continue
        k = ws.numbers
        ws.number_of[c] = k
        ws.number_cell[k] = c
        ws.number_need[k] = ws.need[c]
        ws.number_size[k] = ws.unknown[c]
        ws.numbers = k + 1
    ws.unknown_left = unknown
    ws.has_mine_count = mines >= 0
    ws.mines_left = mines - known_mines
    if ws.has_mine_count and not 0 <= ws.mines_left <= unknown:
        return codes.WRONG_COUNT
    return codes.OK


@cython.cfunc
@cython.nogil
def _decide_around(
    ws: Workspace,
    offsets: ConstInts,
    neighbours: ConstInts,
    c: cython.int,
    decided: cython.int,
    top: cython.int,
) -> cython.int:
    """Decide every unknown cell around c and push it; return the new height of the stack."""
    for k in range(offsets[c], offsets[c + 1]):
        d = neighbours[k]
        if ws.known[d] == codes.UNKNOWN:
            ws.known[d] = decided
            ws.stack[top] = d
            top += 1
    return top


def make_boxes(ws: Workspace, offsets: ConstInts, neighbours: ConstInts) -> cython.int:
    """Gather unknown cells with the same numbers into boxes, and list the boxes of each number.

    Numbers are indexed in cell order, so the numbers of a cell are sorted, and only boxes with the
    same first number can be equal.
    """
    boxes: cython.int = 0
    covered: cython.int = 0
    end = 0
    for h in range(ws.numbers):
        ws.box_first[h] = -1
        ws.number_nodes[h] = 0
    ws.box_start[0] = 0
    for h in range(ws.numbers):
        c = ws.number_cell[h]
        for j in range(offsets[c], offsets[c + 1]):
            d = neighbours[j]
            if ws.known[d] != codes.UNKNOWN or ws.box_of[d] >= 0:
                continue
            covered += 1
            start = ws.box_start[boxes]
            end = start
            for k in range(offsets[d], offsets[d + 1]):
                i = ws.number_of[neighbours[k]]
                if i >= 0:
                    ws.box_number[end] = i
                    end += 1
            b = ws.box_first[h]
            while b >= 0:
                i = ws.box_start[b]
                if ws.box_start[b + 1] - i == end - start:
                    k = start
                    while k < end and ws.box_number[i] == ws.box_number[k]:
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
                    ws.number_nodes[ws.box_number[k]] += 1
            ws.box_size[b] += 1
            ws.box_of[d] = b
    ws.boxes = boxes
    ws.interior = ws.unknown_left - covered

    ws.number_start[0] = 0
    for h in range(ws.numbers):
        ws.number_start[h + 1] = ws.number_start[h] + ws.number_nodes[h]
        ws.number_nodes[h] = 0
    for b in range(boxes):
        size = ws.box_size[b]
        low = 0
        high = size
        for k in range(ws.box_start[b], ws.box_start[b + 1]):
            h = ws.box_number[k]
            ws.number_box[ws.number_start[h] + ws.number_nodes[h]] = b
            ws.number_nodes[h] += 1
            if ws.number_need[h] < high:
                high = ws.number_need[h]
            if ws.number_need[h] - ws.number_size[h] + size > low:
                low = ws.number_need[h] - ws.number_size[h] + size
        ws.box_low[b] = low
        ws.box_high[b] = high
        if low > high:
            ws.bad_number = ws.number_cell[ws.box_number[ws.box_start[b]]]
            return codes.NO_SOLUTION
    return codes.OK


def make_components(ws: Workspace) -> cython.void:
    """Group the numbers into components, each in breadth-first order from its first number."""
    read: cython.int = 0
    end: cython.int = 0
    ws.components = 0
    for h in range(ws.numbers):
        ws.mark[h] = 0
    for b in range(ws.boxes):
        ws.box_state[b] = 0
    for s in range(ws.numbers):
        if ws.mark[s]:
            continue
        ws.component_start[ws.components] = end
        ws.components += 1
        ws.mark[s] = 1
        ws.component_number[end] = s
        end += 1
        while read < end:
            h = ws.component_number[read]
            read += 1
            for j in range(ws.number_start[h], ws.number_start[h + 1]):
                b = ws.number_box[j]
                if ws.box_state[b]:
                    continue
                ws.box_state[b] = 1
                for k in range(ws.box_start[b], ws.box_start[b + 1]):
                    u = ws.box_number[k]
                    if not ws.mark[u]:
                        ws.mark[u] = 1
                        ws.component_number[end] = u
                        end += 1
    ws.component_start[ws.components] = end
