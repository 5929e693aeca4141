"""Many games side by side, one move of each in a call, for vectorised environments.

A batch has a row for each game; the rows of an array are stored one after the other. A layout is
generated when the first cell is revealed, so that the rule of the first click holds. A move that
the mask does not allow changes nothing.
Numbers are counted when needed: most games end before most cells are revealed, and a row takes
three bytes per cell, so that thousands of rows fit into the cache. That is 1.5 times as fast as
counting all numbers of a new layout.

cells            of the board; actions: as many (reveal), or twice as many (then: flag, unflag)
marks            what the player sees, one byte per cell; environments return them unchanged
masks            1 for each action that is legal now
generated        whether the layout of the row exists
first_click_mask 1 for the cells that may be revealed first: with others the mines would not fit;
                 restricts_first: whether there are others
rule             the rule of the first click, one of RULES
seeds            of the layouts; streams: the generators of the seeds that follow
left             safe cells that are not revealed yet
hit              the mine that was revealed, or -1
weights          rewards of a won game, a lost game, a reveal, a revealed cell and a wasted move
max_steps        the moves after which an episode is truncated; 0 means never
auto_reset       whether a row whose episode ended starts its next game in the next step
allowed, flood,  scratch memory, a row for each worker thread
state
arrays           all arrays as numpy arrays that share their memory

Short names: b the batch; at, mask the offsets of a row in arrays of cells and of actions.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import (
    Bytes,
    ConstBytes,
    ConstDoubles,
    ConstInts,
    Ints,
    Words,
)
from cython.cimports.sapper.kernels.board import next_random, place_mines, seed_state

from sapper.kernels import view

# Rules of the first click: it is safe, or its neighbours are safe too.
RULE_SAFE = cython.declare(cython.int, 1)
RULE_ZERO = cython.declare(cython.int, 2)

# The indices of `weights`.
WIN = cython.declare(cython.int, 0)
LOSS = cython.declare(cython.int, 1)
REVEAL = cython.declare(cython.int, 2)
CELL = cython.declare(cython.int, 3)
WASTED = cython.declare(cython.int, 4)

SALT = cython.declare(cython.ulonglong, 0x657069736F646573)

# For Python: the names above are C constants once compiled.
RULES = {"any": 0, "safe": 1, "zero": 2}
EPISODES_SALT = 0x657069736F646573
# Seeds after the first are this many bits shorter than the generator's words: easier to write down.
SEED_SHIFT = 16


class EnvironmentBatch:
    """Games side by side; `start_game` and `start_next` start the rows."""

    def __init__(
        self,
        offsets: ConstInts,
        neighbours: ConstInts,
        first_click_mask: cython.const[cython.schar][::1],
        weights: ConstDoubles,
        rows: cython.Py_ssize_t,
        workers: cython.Py_ssize_t,
        *,
        flags: cython.bint,
        mine_count: cython.int,
        rule: cython.int,
        max_steps: cython.int,
        auto_reset: cython.bint,
    ):
        """Allocate the given numbers of games and threads, with or without flags."""
        n = len(first_click_mask)
        self.offsets = offsets
        self.neighbours = neighbours
        self.first_click_mask = first_click_mask
        self.weights = weights
        self.cells = n
        self.actions = 2 * n if flags else n
        self.mine_count = mine_count
        self.rule = rule
        self.restricts_first = not np.all(first_click_mask)
        self.max_steps = max_steps
        self.auto_reset = auto_reset
        self.arrays = {
            "marks": np.zeros((rows, n), np.int8),
            "masks": np.zeros((rows, self.actions), np.int8),
            "mines": np.zeros((rows, n), np.uint8),
            "hit": np.full(rows, -1, np.int32),
            **{name: np.zeros(rows, np.int32) for name in ("left", "steps")},
            **{
                name: np.zeros(rows, np.uint8)
                for name in ("generated", "over", "won", "terminated", "truncated")
            },
            "rewards": np.zeros(rows),
            "seeds": np.zeros(rows, np.uint64),
            "streams": np.zeros(4 * rows, np.uint64),
            **{name: np.zeros(workers * n, np.int32) for name in ("allowed", "flood")},
            "state": np.zeros(4 * workers, np.uint64),
        }
        for name, array in self.arrays.items():
            setattr(self, name, view(array.reshape(-1)))


# Arrays are filled by functions that take them as arguments: the compiler can then assume that they
# do not move, and vectorises the loops. Generating a layout and resetting a row take half as long.


@cython.cfunc
@cython.nogil
def _fill(values: cython.schar[::1], value: cython.schar) -> cython.void:
    for k in range(values.shape[0]):
        values[k] = value


@cython.cfunc
@cython.nogil
def _clear_mines(mines: Bytes) -> cython.void:
    for k in range(mines.shape[0]):
        mines[k] = 0


@cython.cfunc
@cython.nogil
def _write_cells(cells: Ints, first: cython.int) -> cython.void:
    """Fill *cells* with the cells from *first* on, in order."""
    for k in range(cython.cast(cython.int, cells.shape[0])):
        cells[k] = first + k


@cython.cfunc
@cython.nogil
def _reset(b: EnvironmentBatch, row: cython.Py_ssize_t) -> cython.void:
    """Reset the row to its state before the first move."""
    at: cython.Py_ssize_t = row * b.cells
    mask: cython.Py_ssize_t = row * b.actions
    _fill(b.marks[at : at + b.cells], codes.COVERED)
    _fill(b.masks[mask : mask + b.actions], 1)
    if b.restricts_first:
        for k in range(b.cells):
            b.masks[mask + k] = b.first_click_mask[k]
    b.left[row] = b.cells - b.mine_count
    b.generated[row] = 0
    b.over[row] = 0
    b.won[row] = 0
    b.steps[row] = 0
    b.hit[row] = -1


def start_game(b: EnvironmentBatch, row: cython.Py_ssize_t, seed: cython.ulonglong) -> cython.void:
    """Start a row with the game of this seed."""
    b.seeds[row] = seed
    seed_state(seed ^ SALT, b.streams[4 * row : 4 * row + 4])
    _reset(b, row)


def start_next(b: EnvironmentBatch, row: cython.Py_ssize_t) -> cython.void:
    """Start a row with the next seed of its stream."""
    b.seeds[row] = next_random(b.streams[4 * row : 4 * row + 4]) >> 16
    _reset(b, row)


@cython.cfunc
@cython.nogil
def _list_allowed(b: EnvironmentBatch, first: cython.int, allowed: Ints) -> cython.int:
    """List the cells that the rule allows to hold a mine, ascending; return how many."""
    size: cython.int = 0
    next_cell: cython.int = 0
    at: cython.int = b.offsets[first]
    end: cython.int = b.offsets[first + 1] if b.rule == RULE_ZERO else at
    first_pending: cython.bint = b.rule >= RULE_SAFE
    while first_pending or at < end:
        # The cells without mines in order: neighbours ascend, and *first* comes in among them.
        if first_pending and (at == end or b.neighbours[at] > first):
            safe = first
            first_pending = False
        else:
            safe = b.neighbours[at]
            at += 1
        _write_cells(allowed[size : size + safe - next_cell], next_cell)
        size += safe - next_cell
        next_cell = safe + 1
    _write_cells(allowed[size : size + b.cells - next_cell], next_cell)
    return size + b.cells - next_cell


@cython.cfunc
@cython.nogil
def _generate(
    b: EnvironmentBatch, row: cython.Py_ssize_t, first: cython.int, worker: cython.Py_ssize_t
) -> cython.void:
    """Place the mines of the row's seed for this first click, as `random_layout` does."""
    at: cython.Py_ssize_t = row * b.cells
    allowed: Ints = b.allowed[worker * b.cells : (worker + 1) * b.cells]
    state: Words = b.state[4 * worker : 4 * worker + 4]
    mines: Bytes = b.mines[at : at + b.cells]
    size: cython.int = _list_allowed(b, first, allowed)
    _clear_mines(mines)
    seed_state(b.seeds[row], state)
    place_mines(state, allowed[:size], b.mine_count, mines)
    b.generated[row] = 1


@cython.cfunc
@cython.nogil
def _count_mines(
    offsets: ConstInts, neighbours: ConstInts, mines: ConstBytes, cell: cython.int
) -> cython.int:
    number: cython.int = 0
    for k in range(offsets[cell], offsets[cell + 1]):
        number += mines[neighbours[k]]
    return number


@cython.cfunc
@cython.nogil
def _flood(
    offsets: ConstInts,
    neighbours: ConstInts,
    mines: ConstBytes,
    start: cython.int,
    marks: cython.schar[::1],
    out: Ints,
) -> cython.int:
    """Reveal as `sapper.kernels.board.reveal` does, counting the numbers on the way."""
    read: cython.int = 0
    count: cython.int = 1
    marks[start] = _count_mines(offsets, neighbours, mines, start)
    out[0] = start
    while read < count:
        c = out[read]
        read += 1
        if marks[c]:
            continue
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if marks[d] == codes.COVERED:
                marks[d] = _count_mines(offsets, neighbours, mines, d)
                out[count] = d
                count += 1
    return count


@cython.cfunc
@cython.nogil
def _reveal(
    b: EnvironmentBatch, row: cython.Py_ssize_t, cell: cython.int, worker: cython.Py_ssize_t
) -> cython.double:
    """Reveal a cell that the mask allows; return the reward."""
    at: cython.Py_ssize_t = row * b.cells
    mask: cython.Py_ssize_t = row * b.actions
    flood: Ints = b.flood[worker * b.cells : (worker + 1) * b.cells]
    masks: cython.schar[::1] = b.masks[mask : mask + b.actions]
    marks: cython.schar[::1] = b.marks[at : at + b.cells]
    mines: ConstBytes = b.mines[at : at + b.cells]
    if not b.generated[row]:
        _generate(b, row, cell, worker)
    if mines[cell]:
        b.hit[row] = cell
        _end(b, row)
        return b.weights[LOSS]
    if b.restricts_first and b.left[row] == b.cells - b.mine_count:
        for c in range(b.cells):
            masks[c] = marks[c] == codes.COVERED
    count = _flood(b.offsets, b.neighbours, mines, cell, marks, flood)
    for k in range(count):
        masks[flood[k]] = 0
        if b.actions > b.cells:
            masks[b.cells + flood[k]] = 0
    b.left[row] -= count
    if b.left[row] == 0:
        b.won[row] = 1
        _end(b, row)
        return b.weights[REVEAL] + b.weights[CELL] * count + b.weights[WIN]
    return b.weights[REVEAL] + b.weights[CELL] * count


@cython.cfunc
@cython.nogil
def _toggle_flag(b: EnvironmentBatch, row: cython.Py_ssize_t, cell: cython.int) -> cython.void:
    """Flag a covered cell, or remove its flag."""
    at: cython.Py_ssize_t = row * b.cells + cell
    reveals: cython.Py_ssize_t = row * b.actions + cell
    if b.marks[at] == codes.COVERED:
        b.marks[at] = codes.FLAG
        b.masks[reveals] = 0
    else:
        b.marks[at] = codes.COVERED
        b.masks[reveals] = 1
        if b.left[row] == b.cells - b.mine_count:
            b.masks[reveals] = b.first_click_mask[cell]


@cython.cfunc
@cython.nogil
def _end(b: EnvironmentBatch, row: cython.Py_ssize_t) -> cython.void:
    b.over[row] = 1
    _fill(b.masks[row * b.actions : (row + 1) * b.actions], 0)


@cython.cfunc
@cython.nogil
def _move(
    b: EnvironmentBatch, row: cython.Py_ssize_t, action: cython.longlong, worker: cython.Py_ssize_t
) -> cython.void:
    """Make one move of one game; write its reward and whether the episode ended."""
    reward: cython.double = 0.0
    b.steps[row] += 1
    if not b.masks[row * b.actions + action]:
        reward = b.weights[WASTED]
    elif action < b.cells:
        reward = _reveal(b, row, cython.cast(cython.int, action), worker)
    else:
        _toggle_flag(b, row, cython.cast(cython.int, action - b.cells))
    b.rewards[row] = reward
    b.terminated[row] = b.over[row]
    b.truncated[row] = b.max_steps > 0 and b.steps[row] >= b.max_steps


def step(
    b: EnvironmentBatch,
    actions: cython.const[cython.longlong][::1],
    worker: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
):
    """Make one move in each row from *start* to before *stop*, without the GIL.

    With `auto_reset`, a row whose episode ended in the last step starts its next game instead.
    """
    with cython.nogil:
        for row in range(start, stop):
            if b.auto_reset and (b.terminated[row] or b.truncated[row]):
                start_next(b, row)
                b.rewards[row] = 0.0
                b.terminated[row] = 0
                b.truncated[row] = 0
            else:
                _move(b, row, actions[row], worker)


def start_next_rows(b: EnvironmentBatch, rows: cython.const[cython.longlong][::1]):
    """Start the next game in each of these rows, without the GIL."""
    with cython.nogil:
        for k in range(rows.shape[0]):
            start_next(b, rows[k])
