"""One-click boards: search all layouts of a small board, or grow random openings on any board.

On small boards a set of cells is one word, with bit c for cell c.

closed   closed[c]: the cell c and its neighbours
safe     the cells without a mine
opened   the cells that a click reveals
"""

import cython
from cython.cimports.sapper.kernels.arrays import Bytes, ConstInts, ConstWords, Ints, Words
from cython.cimports.sapper.kernels.board import random_below

ONE = cython.declare(cython.ulonglong, 1)


@cython.cfunc
@cython.nogil
def opened_by(closed: ConstWords, safe: cython.ulonglong, click: cython.int) -> cython.ulonglong:
    """Return the cells that a click on a zero reveals: a flood fill on one word."""
    size: cython.int = cython.cast(cython.int, closed.shape[0])
    before: cython.ulonglong = 0
    opened: cython.ulonglong = ONE << click
    flooded: cython.ulonglong = 0
    while opened != before:
        before = opened
        for c in range(size):
            if ((opened & ~flooded) >> c) & 1:
                flooded |= ONE << c
                if (closed[c] & safe) == closed[c]:
                    opened |= closed[c]
    return opened


@cython.cfunc
@cython.nogil
def winning_click(closed: ConstWords, safe: cython.ulonglong) -> cython.int:
    """Return the first cell whose click reveals every safe cell, or -1."""
    tried: cython.ulonglong = 0
    for c in range(closed.shape[0]):
        # A cell that a failed click revealed would reveal no more than that click did.
        if ((safe & ~tried) >> c) & 1:
            # Most clicks hit a number; testing for that here makes the search four times as fast.
            if closed[c] & ~safe:
                opened = ONE << c
            else:
                opened = opened_by(closed, safe, c)
            if opened == safe:
                return c
            tried |= opened
    return -1


@cython.ccall
@cython.nogil
def first_layout(closed: ConstWords, count: cython.int, out: Words) -> cython.int:
    """Try every set of *count* >= 1 safe cells with every click, sets in ascending order.

    Return the first click that wins, with its safe cells in out[0]; -1 if there is none.
    The board has fewer than 64 cells.
    """
    end: cython.ulonglong = ONE << closed.shape[0]
    safe: cython.ulonglong = (ONE << count) - 1
    while safe < end:
        click = winning_click(closed, safe)
        if click >= 0:
            out[0] = safe
            return click
        # Gosper's hack: the next word with the same number of set bits.
        low = safe & (~safe + 1)
        high = safe + low
        safe = high | (((high ^ safe) >> 2) // low)
    return -1


@cython.ccall
@cython.nogil
def grow_opening(
    offsets: ConstInts,
    neighbours: ConstInts,
    state: Words,
    start: cython.int,
    target: cython.int,
    newest_share: cython.int,
    queue: Ints,
    safe: Bytes,
) -> cython.int:
    """Grow a random opening from the zero *start* until it has *target* cells or cannot grow.

    Each step makes a random revealed cell another zero, unless that would open too many cells. In
    *newest_share* of 256 cases the cell is one of those revealed last: 0 gives compact shapes, 256
    long ones. *safe* must be all zeros and becomes the opening; *queue* needs space for every cell.
    Return the size of the opening, at most *target*.
    """
    size: cython.int = 1
    last_gain: cython.int = 1
    # queue[:ready] may become zeros; queue[ready:waiting] would open too many cells for now,
    # and may fit once others have opened some of those.
    ready: cython.int = 1
    waiting: cython.int = 1
    grown: cython.bint = True
    queue[0] = start
    safe[start] = 1
    while size < target:
        if ready == 0:
            if not grown or waiting == 0:
                return size
            grown = False
            ready = waiting
        if cython.cast(cython.int, random_below(state, 256)) >= newest_share:
            pick = cython.cast(cython.int, random_below(state, ready))
        else:
            pick = ready - 1 - cython.cast(cython.int, random_below(state, min(last_gain, ready)))
        cell = queue[pick]
        gain = 0
        for k in range(offsets[cell], offsets[cell + 1]):
            gain += not safe[neighbours[k]]
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
            last_gain = gain
        for k in range(offsets[cell], offsets[cell + 1]):
            other = neighbours[k]
            if not safe[other]:
                safe[other] = 1
                queue[waiting] = queue[ready]
                queue[ready] = other
                ready += 1
                waiting += 1
    return size
