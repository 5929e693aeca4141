"""The ladder on flat arrays: what is around each number, and the human-like algorithm on it.

The twin of `infer.slagle.human`. `passes` climbs the same ladder one step at a time.

offsets, neighbours   the board: the neighbours of cell c are neighbours[offsets[c]:offsets[c + 1]]
marks                 a number, COVERED, FLAG (a known mine) or KNOWN_SAFE (known to be free, number unseen)
covered cells, flags         how many neighbours of each cell are COVERED, and FLAG
p, q                  two numbers; m and n are a number's need and its number of covered cells
shared[q]             how many covered cells q shares with the number p that is looked at, 0 otherwise
active, later         stacks of numbers to look at: by themselves, and in pairs with their partners
waits                 in which of the two a number stands, IN_SINGLE_QUEUE + IN_PAIR_QUEUE; and whether it changed
                      since the last pass over pairs (PAIRS_CHANGED) and over sets of three (TRIPLES_CHANGED)
of_p, of_both, of_q   what a pair says of the covered cells of p alone, of both, of q alone
verdict, code         what a pass has found of a cell; which numbers of a set see it, as bits
least, greatest, size of each region of a set of numbers: its fewest and most mines, its cells

Pairs are looked at only when no single number moves: they cost ten times as much, and most numbers
that change are settled by strategies 1 and 2 before their turn comes.

Nothing here reads a number that the caller has not told, except `play_out`,
which reads the numbers of cells that it has found to be free.
The strategies and the marks that they change are one loop, hence the length.
"""

import cython
from cython.cimports.sapper.kernels.codes import (
    COVERED,
    FLAG,
    IN_PAIR_QUEUE,
    IN_SINGLE_QUEUE,
    KNOWN_SAFE,
    MINE,
    MOVED,
    NO_SOLUTION,
    OK,
    PAIRS_CHANGED,
    SAFE,
    TRIPLES_CHANGED,
    UNKNOWN,
)

# How many integers of scratch a ladder needs for each cell of the board, and beside them.
SCRATCH = 10
REGIONS = 24


@cython.cclass
class HumanState:
    """The state of one solver on one board; made once, used for many games.

    found[:found_count] are the cells settled since the caller last set found_count to 0,
    flagged or free as their marks say. tally[k] counts the cells that strategy k settled.
    """

    def __init__(
        self,
        offsets: cython.const[cython.int][::1],
        neighbours: cython.const[cython.int][::1],
        marks: cython.int[::1],
        scratch: cython.int[::1],
        tally: cython.longlong[::1],
    ):
        """*scratch* has SCRATCH integers a cell and REGIONS more, *tally* eight."""
        n: cython.int = cython.cast(cython.int, marks.shape[0])
        self.offsets = offsets
        self.neighbours = neighbours
        self.marks = marks
        self.covered = scratch[:n]
        self.flags = scratch[n : 2 * n]
        self.shared = scratch[2 * n : 3 * n]
        self.partners = scratch[3 * n : 4 * n]
        self.active = scratch[4 * n : 5 * n]
        self.waits = scratch[5 * n : 6 * n]
        self.found = scratch[6 * n : 7 * n]
        self.later = scratch[7 * n : 8 * n]
        self.verdict = scratch[8 * n : 9 * n]
        self.code = scratch[9 * n : 10 * n]
        self.least = scratch[10 * n : 10 * n + 8]
        self.greatest = scratch[10 * n + 8 : 10 * n + 16]
        self.size = scratch[10 * n + 16 : 10 * n + 24]
        self.tally = tally
        self.cells = n
        self.active_count = 0
        self.later_count = 0
        self.found_count = 0
        self.of_p = self.of_both = self.of_q = 0

    def found_cells(self) -> tuple:
        """What the last pass found: the cells in an array of which so many count, the verdicts."""
        return self.found, self.found_count, self.verdict


@cython.ccall
@cython.nogil
def load_marks(w: HumanState) -> cython.void:
    """Read the marks afresh: count what is around each cell and look at every number."""
    c: cython.int
    k: cython.int
    for c in range(w.cells):
        w.covered[c] = 0
        w.flags[c] = 0
        w.shared[c] = 0
        w.waits[c] = 0
    _clear_queues(w)
    for c in range(w.cells):
        if w.marks[c] >= 0:
            activate(w, c)
        elif w.marks[c] == COVERED:
            for k in range(w.offsets[c], w.offsets[c + 1]):
                w.covered[w.neighbours[k]] += 1
        elif w.marks[c] == FLAG:
            for k in range(w.offsets[c], w.offsets[c + 1]):
                w.flags[w.neighbours[k]] += 1


@cython.ccall
@cython.nogil
def reset_solver(w: HumanState) -> cython.void:
    """Make every cell covered cell and begin there: `load_marks` without its look around each cell."""
    c: cython.int
    for c in range(w.cells):
        w.marks[c] = COVERED
        w.covered[c] = w.offsets[c + 1] - w.offsets[c]
        w.flags[c] = 0
        w.shared[c] = 0
        w.waits[c] = 0
    _clear_queues(w)


@cython.cfunc
@cython.nogil
def _clear_queues(w: HumanState) -> cython.void:
    """Nothing is found and nothing waits."""
    k: cython.int
    w.active_count = 0
    w.later_count = 0
    w.found_count = 0
    for k in range(8):
        w.tally[k] = 0


@cython.ccall
@cython.nogil
def set_number(w: HumanState, cell: cython.int, number: cython.int) -> cython.void:
    """Take note of the number of a cell that was covered cell or known to be free."""
    if w.marks[cell] == COVERED:
        set_mark(w, cell, KNOWN_SAFE)
    w.marks[cell] = number
    activate(w, cell)


@cython.ccall
@cython.nogil
def run_strategies(w: HumanState) -> cython.int:
    """Go on until nothing moves. OK, or NO_SOLUTION where one number, or two, cannot be met."""
    p: cython.int
    status: cython.int = run_single_strategies(w)
    while w.later_count and status == OK:
        w.later_count -= 1
        p = w.later[w.later_count]
        w.waits[p] &= ~IN_PAIR_QUEUE
        status = try_pairs(w, p)
        if status == OK and w.active_count:
            status = run_single_strategies(w)
    return status


@cython.ccall
@cython.nogil
def run_single_strategies(w: HumanState) -> cython.int:
    """Go on until strategies 1 and 2 find nothing more.

    OK, or NO_SOLUTION where a number cannot be met.
    """
    status: cython.int = OK
    p: cython.int
    while w.active_count and status == OK:
        w.active_count -= 1
        p = w.active[w.active_count]
        w.waits[p] &= ~IN_SINGLE_QUEUE
        status = try_single(w, p)
    return status


@cython.ccall
@cython.nogil
def play_out(
    w: HumanState, numbers: cython.const[cython.int][::1], first: cython.int
) -> cython.int:
    """Play from a click on a free cell until stuck or won; marks come in as after `load_marks`.

    Openings need no flood: strategy 2 opens around each zero.
    """
    status: cython.int = OK
    i: cython.int
    c: cython.int
    set_number(w, first, numbers[first])
    while status == OK and (w.active_count or w.later_count):
        status = run_single_strategies(w)
        if status == OK and w.found_count == 0:
            status = run_strategies(w)
        for i in range(w.found_count):
            c = w.found[i]
            if w.marks[c] == KNOWN_SAFE:
                set_number(w, c, numbers[c])
        w.found_count = 0
    return status


@cython.cfunc
@cython.nogil
def activate(w: HumanState, c: cython.int) -> cython.void:
    """Make a number active unless it is already."""
    if not w.waits[c] & IN_SINGLE_QUEUE:
        w.waits[c] |= IN_SINGLE_QUEUE | PAIRS_CHANGED | TRIPLES_CHANGED
        w.active[w.active_count] = c
        w.active_count += 1


@cython.ccall
@cython.nogil
def set_mark(w: HumanState, c: cython.int, mark: cython.int) -> cython.void:
    """Turn a covered cell into FLAG or KNOWN_SAFE; the numbers around it become active."""
    k: cython.int
    d: cython.int
    mine: cython.int = mark == FLAG
    fresh: cython.int
    w.marks[c] = mark
    # Every neighbour is written to the stack and only some are kept: which ones, the processor
    # could not foresee. With `apply_strategy` and `find_partners` done likewise, games are 1.25 times as fast.
    for k in range(w.offsets[c], w.offsets[c + 1]):
        d = w.neighbours[k]
        w.covered[d] -= 1
        w.flags[d] += mine
        fresh = (w.marks[d] >= 0) & (w.waits[d] & IN_SINGLE_QUEUE == 0)
        w.active[w.active_count] = d
        w.active_count += fresh
        w.waits[d] |= fresh * (IN_SINGLE_QUEUE | PAIRS_CHANGED | TRIPLES_CHANGED)


@cython.cfunc
@cython.nogil
def are_neighbours(w: HumanState, c: cython.int, d: cython.int) -> cython.bint:
    """Whether two cells are neighbours."""
    k: cython.int
    for k in range(w.offsets[c], w.offsets[c + 1]):
        if w.neighbours[k] == d:
            return True
    return False


@cython.cfunc
@cython.nogil
def apply_strategy(
    w: HumanState,
    strategy: cython.int,
    p: cython.int,
    q: cython.int,
    inside: cython.bint,
    mark: cython.int,
) -> cython.void:
    """Settle the covered cells around p that are around q too (inside), or are not."""
    k: cython.int
    c: cython.int
    count: cython.int = 0
    if q < 0:
        # One number alone: no pair is looked at, so the list of partners is free.
        for k in range(w.offsets[p], w.offsets[p + 1]):
            c = w.neighbours[k]
            w.partners[count] = c
            count += w.marks[c] == COVERED
        for k in range(count):
            _set_found(w, strategy, w.partners[k], mark)
        return
    for k in range(w.offsets[p], w.offsets[p + 1]):
        c = w.neighbours[k]
        if w.marks[c] != COVERED:
            continue
        if are_neighbours(w, c, q) == inside:
            _set_found(w, strategy, c, mark)


@cython.cfunc
@cython.nogil
def _set_found(w: HumanState, strategy: cython.int, c: cython.int, mark: cython.int) -> cython.void:
    """Settle a covered cell and note which strategy did it."""
    set_mark(w, c, mark)
    w.found[w.found_count] = c
    w.found_count += 1
    w.tally[strategy] += 1


@cython.cfunc
@cython.nogil
def try_single(w: HumanState, p: cython.int) -> cython.int:
    """Apply strategies 1 and 2 to p, and keep it for its pairs where they say nothing."""
    m: cython.int = w.marks[p] - w.flags[p]
    n: cython.int = w.covered[p]
    if m < 0 or m > n:
        return NO_SOLUTION
    if n == 0:
        return OK
    if m == n:
        apply_strategy(w, 1, p, -1, False, FLAG)
    elif m == 0:
        apply_strategy(w, 2, p, -1, False, KNOWN_SAFE)
    elif not w.waits[p] & IN_PAIR_QUEUE:
        w.waits[p] |= IN_PAIR_QUEUE
        w.later[w.later_count] = p
        w.later_count += 1
    return OK


@cython.cfunc
@cython.nogil
def try_pairs(w: HumanState, p: cython.int) -> cython.int:
    """Apply strategies 3 to 7 to p with each number that shares a covered cell; single numbers are at rest."""
    status: cython.int = OK
    count: cython.int
    i: cython.int
    if w.covered[p] == 0:
        return OK
    count = find_partners(w, p)
    for i in range(count):
        # Once something moved, the shared counts are stale; whatever changed is active again,
        # p itself included where that matters, so the rest of this look can be cut short.
        if status == OK:
            status = apply_pair_strategies(w, p, w.partners[i])
        w.shared[w.partners[i]] = 0
    if status == MOVED:
        activate(w, p)
        return OK
    return status


@cython.cfunc
@cython.nogil
def find_partners(w: HumanState, p: cython.int) -> cython.int:
    """List the numbers that share a covered cell with p in partners, and how many covered cells in shared."""
    k: cython.int
    j: cython.int
    c: cython.int
    q: cython.int
    number: cython.int
    count: cython.int = 0
    for k in range(w.offsets[p], w.offsets[p + 1]):
        c = w.neighbours[k]
        if w.marks[c] != COVERED:
            continue
        for j in range(w.offsets[c], w.offsets[c + 1]):
            q = w.neighbours[j]
            number = (w.marks[q] >= 0) & (q != p)
            w.partners[count] = q
            count += number & (w.shared[q] == 0)
            w.shared[q] += number
    return count


@cython.cfunc
@cython.nogil
def pair_conclusions(w: HumanState, p: cython.int, q: cython.int) -> cython.int:
    """What strategies 3 to 7 say of a pair, into of_p, of_both and of_q. OK, MOVED or NO_SOLUTION.

    Reads shared[q]; single numbers must be at rest, and so cannot be out of covered cells.
    """
    both: cython.int = w.shared[q]
    m: cython.int = w.marks[p] - w.flags[p]
    k: cython.int = w.marks[q] - w.flags[q]
    only_p: cython.int = w.covered[p] - both
    only_q: cython.int = w.covered[q] - both
    most: cython.int = min(m, k, both)
    fewest: cython.int = max(0, m - only_p, k - only_q)
    w.of_p = UNKNOWN
    w.of_both = UNKNOWN
    w.of_q = UNKNOWN
    if k < 0 or k > w.covered[q]:
        return NO_SOLUTION
    if fewest > most:
        return NO_SOLUTION
    if only_p and m - most == only_p:
        w.of_p = MINE
    elif only_p and fewest == m:
        w.of_p = SAFE
    if only_q and k - most == only_q:
        w.of_q = MINE
    elif only_q and fewest == k:
        w.of_q = SAFE
    if fewest == both:
        w.of_both = MINE
    return MOVED if w.of_p or w.of_both or w.of_q else OK


@cython.cfunc
@cython.nogil
def apply_pair_strategies(w: HumanState, p: cython.int, q: cython.int) -> cython.int:
    """Do what strategies 3 to 7 say of a pair. OK, MOVED or NO_SOLUTION."""
    status: cython.int = pair_conclusions(w, p, q)
    if status != MOVED:
        return status
    # All are read before any acts: they settle different cells.
    if w.of_p == MINE:
        apply_strategy(w, 3, p, q, False, FLAG)
    if w.of_q == MINE:
        apply_strategy(w, 4, q, p, False, FLAG)
    if w.of_both == MINE:
        apply_strategy(w, 5, p, q, True, FLAG)
    if w.of_p == SAFE:
        apply_strategy(w, 6, p, q, False, KNOWN_SAFE)
    if w.of_q == SAFE:
        apply_strategy(w, 7, q, p, False, KNOWN_SAFE)
    return MOVED
