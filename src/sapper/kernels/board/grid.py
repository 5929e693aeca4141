"""The neighbours of every cell of a grid."""

import cython


@cython.ccall
@cython.nogil
def connect_cells(
    width: cython.int,
    height: cython.int,
    wraps: cython.bint,
    row_turns: cython.bint,
    column_turns: cython.bint,
    steps: cython.int[:, :, ::1],
    offsets: cython.int[::1],
    neighbours: cython.int[::1],
) -> cython.int:
    """Fill *offsets* and *neighbours*, the neighbours of each cell ascending; return their number.

    steps[p] lists (rows, columns) in reading order for cells of parity p; the row and the column
    count towards the parity where row_turns and column_turns are set.
    *neighbours* needs space for steps.shape[1] entries per cell.
    """
    row: cython.int
    column: cython.int
    r: cython.int
    c: cython.int
    k: cython.int
    j: cython.int
    parity: cython.int
    other: cython.int
    start: cython.int
    cell: cython.int = 0
    count: cython.int = 0
    for row in range(height):
        for column in range(width):
            parity = (row_turns * row + column_turns * column) & 1
            start = count
            for k in range(steps.shape[1]):
                r = row + steps[parity, k, 0]
                c = column + steps[parity, k, 1]
                if wraps:
                    r = (r + height) % height
                    c = (c + width) % width
                elif r < 0 or r >= height or c < 0 or c >= width:
                    continue
                other = r * width + c
                # Only wrapped neighbours come out of order; an insertion keeps them sorted.
                j = count
                while j > start and neighbours[j - 1] > other:
                    neighbours[j] = neighbours[j - 1]
                    j -= 1
                neighbours[j] = other
                count += 1
            cell += 1
            offsets[cell] = count
    return count
