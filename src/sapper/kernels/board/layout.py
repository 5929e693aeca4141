"""Count the numbers of a layout, reveal openings and label connected regions.

offsets, neighbours   the board: the neighbours of cell c are neighbours[offsets[c]:offsets[c + 1]]
mines                 1 for a mine, else 0
numbers               mines around each cell, also for cells that are mines
marks                 what the user sees: a number, COVERED or FLAG
"""

import cython
from cython.cimports.sapper.kernels.codes import COVERED


@cython.ccall
@cython.nogil
def count_numbers(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    mines: cython.const[cython.uchar][::1],
    numbers: cython.int[::1],
) -> cython.void:
    """Set numbers[c] to the number of mines around c, for every cell.

    *numbers* must be all zeros.
    """
    c: cython.Py_ssize_t
    k: cython.int
    for c in range(mines.shape[0]):
        if mines[c]:
            for k in range(offsets[c], offsets[c + 1]):
                numbers[neighbours[k]] += 1


@cython.ccall
@cython.nogil
def reveal(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    numbers: cython.const[cython.int][::1],
    start: cython.int,
    marks: cython.int[::1],
    out: cython.int[::1],
) -> cython.int:
    """Reveal *start*, a covered safe cell, and flood from every zero; flags stay.

    Return the number of revealed cells; out[:number] are these cells in the order of the flood.
    *out* needs space for every cell.
    """
    c: cython.int
    d: cython.int
    k: cython.int
    read: cython.int = 0
    count: cython.int = 1
    marks[start] = numbers[start]
    out[0] = start
    while read < count:
        c = out[read]
        read += 1
        if numbers[c]:
            continue
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if marks[d] == COVERED:
                marks[d] = numbers[d]
                out[count] = d
                count += 1
    return count


@cython.ccall
@cython.nogil
def label_regions(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    member: cython.const[cython.uchar][::1],
    labels: cython.int[::1],
    queue: cython.int[::1],
) -> cython.int:
    """Label the connected regions of the member cells with 1, 2, ...; return their number.

    *labels* must be all zeros; *queue* needs space for every cell.
    """
    s: cython.Py_ssize_t
    c: cython.int
    d: cython.int
    k: cython.int
    read: cython.int
    end: cython.int
    count: cython.int = 0
    for s in range(member.shape[0]):
        if not member[s] or labels[s]:
            continue
        count += 1
        labels[s] = count
        queue[0] = cython.cast(cython.int, s)
        read = 0
        end = 1
        while read < end:
            c = queue[read]
            read += 1
            for k in range(offsets[c], offsets[c + 1]):
                d = neighbours[k]
                if member[d] and not labels[d]:
                    labels[d] = count
                    queue[end] = d
                    end += 1
    return count
