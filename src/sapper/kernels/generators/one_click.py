"""One-click boards: every layout of a small board tried, and random openings grown on any board.

On small boards a set of cells is one word: bit c stands for cell c.

closed   closed[c]: the cell c and its neighbours
free     the cells without a mine
opened   the cells that a click reveals
"""

import cython
from cython.cimports.sapper.kernels.board.layout import random_below

ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.nogil
def opened_by(
    closed: cython.const[cython.ulonglong][::1], free: cython.ulonglong, click: cython.int
) -> cython.ulonglong:
    """The cells that a click on a zero reveals: the flood fill, on one word."""
    c: cython.int
    size: cython.int = cython.cast(cython.int, closed.shape[0])
    before: cython.ulonglong = 0
    opened: cython.ulonglong = ONE << click
    flooded: cython.ulonglong = 0
    while opened != before:
        before = opened
        for c in range(size):
            if ((opened & ~flooded) >> c) & 1:
                flooded |= ONE << c
                if (closed[c] & free) == closed[c]:
                    opened |= closed[c]
    return opened


@cython.cfunc
@cython.nogil
def winning_click(
    closed: cython.const[cython.ulonglong][::1], free: cython.ulonglong
) -> cython.int:
    """The first cell whose click reveals every free cell, or -1."""
    c: cython.int
    tried: cython.ulonglong = 0
    opened: cython.ulonglong
    for c in range(closed.shape[0]):
        # A cell that a failed click revealed would reveal no more than that click did.
        if ((free & ~tried) >> c) & 1:
            # Most clicks hit a number; seeing that here makes a count four times as fast.
            if closed[c] & ~free:
                opened = ONE << c
            else:
                opened = opened_by(closed, free, c)
            if opened == free:
                return c
            tried |= opened
    return -1


@cython.ccall
@cython.nogil
def first_layout(
    closed: cython.const[cython.ulonglong][::1], count: cython.int, out: cython.ulonglong[::1]
) -> cython.int:
    """Try every set of *count* >= 1 free cells with every click, sets in ascending order.

    Returns the first click that wins, out[0] being its free cells; -1 when none does.
    The board has fewer than 64 cells.
    """
    click: cython.int
    low: cython.ulonglong
    high: cython.ulonglong
    end: cython.ulonglong = ONE << closed.shape[0]
    free: cython.ulonglong = (ONE << count) - 1
    while free < end:
        click = winning_click(closed, free)
        if click >= 0:
            out[0] = free
            return click
        # Gosper's step to the next word with as many bits set.
        low = free & (~free + 1)
        high = free + low
        free = high | (((high ^ free) >> 2) // low)
    return -1


@cython.ccall
@cython.nogil
def count_layouts(
    closed: cython.const[cython.ulonglong][::1], out: cython.longlong[::1]
) -> cython.void:
    """Add to out[m] the number of layouts of m mines that one click wins, for every m.

    Tries all 2 ** n layouts: 25 cells take two or three seconds compiled.
    """
    mines: cython.int
    rest: cython.ulonglong
    everything: cython.ulonglong = (ONE << closed.shape[0]) - 1
    free: cython.ulonglong = 1
    while free <= everything:
        if winning_click(closed, free) >= 0:
            mines = 0
            rest = everything & ~free
            while rest:
                rest &= rest - 1
                mines += 1
            out[mines] += 1
        free += 1


@cython.ccall
@cython.nogil
def grow_opening(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    state: cython.ulonglong[::1],
    start: cython.int,
    target: cython.int,
    newest: cython.int,
    queue: cython.int[::1],
    free: cython.uchar[::1],
) -> cython.int:
    """Grow a random opening from the zero *start* until it has *target* cells or is stuck.

    Each step makes a random revealed cell another zero, unless that would open too many cells;
    in *newest* of 256 cases it is one of those revealed last, so that 0 grows blobs, 256 snakes.
    *free* comes in as zeros and goes out as the opening; *queue* needs room for every cell.
    Returns the size of the opening, which is target or less.
    """
    k: cython.int
    pick: cython.int
    cell: cython.int
    other: cython.int
    gain: cython.int
    size: cython.int = 1
    fresh: cython.int = 1
    # queue[:ready] may become zeros; queue[ready:waiting] would open too many cells for now,
    # and may fit once others have opened some of those.
    ready: cython.int = 1
    waiting: cython.int = 1
    grown: cython.bint = True
    queue[0] = start
    free[start] = 1
    while size < target:
        if ready == 0:
            if not grown or waiting == 0:
                return size
            grown = False
            ready = waiting
        if cython.cast(cython.int, random_below(state, 256)) >= newest:
            pick = cython.cast(cython.int, random_below(state, ready))
        else:
            pick = ready - 1 - cython.cast(cython.int, random_below(state, min(fresh, ready)))
        cell = queue[pick]
        gain = 0
        for k in range(offsets[cell], offsets[cell + 1]):
            gain += not free[neighbours[k]]
        ready -= 1
        queue[pick] = queue[ready]
        queue[ready] = cell
        if size + gain > target:
            continue
        # The cell is a zero now: it leaves the queue, and its neighbours join it.
        waiting -= 1
        queue[ready] = queue[waiting]
        grown = True
        size += gain
        if gain:
            fresh = gain
        for k in range(offsets[cell], offsets[cell + 1]):
            other = neighbours[k]
            if not free[other]:
                free[other] = 1
                queue[waiting] = queue[ready]
                queue[ready] = other
                ready += 1
                waiting += 1
    return size
