"""The human-like algorithm (strategies 1 to 7) on flat arrays.

It finds the moves of `sapper.solvers.human`, the same algorithm in plain Python. `passes` applies
the strategies one step at a time.

w                     the state of the solver on one board, a HumanState
offsets, neighbours   the board: the neighbours of cell c are neighbours[offsets[c]:offsets[c + 1]]
marks                 a number, COVERED, FLAG (a known mine) or KNOWN_SAFE (safe, number not shown)
covered, flags        how many neighbours of each cell are COVERED, and FLAG
p, q                  two numbers; need_p, need_q are the mines that they still need among their
                      covered cells
shared[q]             how many covered cells q shares with the current number p, otherwise 0
partners              the numbers that share a covered cell with the current number
single_queue          numbers to examine on their own
pair_queue            numbers to examine in pairs with their partners
queued                which queues a number is in (IN_SINGLE_QUEUE, IN_PAIR_QUEUE), and whether it
                      changed since the last pass over pairs (PAIRS_CHANGED) and over sets of three
                      (TRIPLES_CHANGED)
of_p, of_both, of_q   the conclusion of a pair on the covered cells of p alone, of both, of q alone
verdict, region       what a pass has found about a cell; which numbers of a set touch it, as bits
least, greatest, size of each region of a set of numbers: fewest and most mines, number of cells

Pairs are examined only when no single number proves a move: they cost ten times as much, and
strategies 1 and 2 handle most changed numbers before that.

Nothing here reads a number that the caller has not set, except `play_out`, which reads the numbers
of cells that it has found to be safe. The file is long because the strategies and the marks that
they change are one loop, which the C compiler inlines.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts, Ints

# Integers of scratch memory that a state needs: for each cell of the board, and in addition.
SCRATCH_PER_CELL = 10
REGION_SCRATCH = 24


@cython.cclass
class HumanState:
    """The state of the solver on one board; made once, used for many games.

    found[:found_count] are the cells that got a mark, FLAG or KNOWN_SAFE, since the caller last set
    found_count to 0. tally[k] counts the cells that strategy k marked.
    """

    def __init__(
        self,
        offsets: ConstInts,
        neighbours: ConstInts,
        marks: Ints,
        scratch: Ints,
        tally: cython.longlong[::1],
    ):
        """Use *scratch*: SCRATCH_PER_CELL integers per cell and REGION_SCRATCH more; *tally*: 8."""
        n: cython.int = cython.cast(cython.int, marks.shape[0])
        self.offsets = offsets
        self.neighbours = neighbours
        self.marks = marks
        self.covered = scratch[:n]
        self.flags = scratch[n : 2 * n]
        self.shared = scratch[2 * n : 3 * n]
        self.partners = scratch[3 * n : 4 * n]
        self.single_queue = scratch[4 * n : 5 * n]
        self.queued = scratch[5 * n : 6 * n]
        self.found = scratch[6 * n : 7 * n]
        self.pair_queue = scratch[7 * n : 8 * n]
        self.verdict = scratch[8 * n : 9 * n]
        self.region = scratch[9 * n : 10 * n]
        self.least = scratch[10 * n : 10 * n + 8]
        self.greatest = scratch[10 * n + 8 : 10 * n + 16]
        self.size = scratch[10 * n + 16 : 10 * n + 24]
        self.tally = tally
        self.cells = n
        self.single_count = 0
        self.pair_count = 0
        self.found_count = 0
        self.of_p = self.of_both = self.of_q = 0

    def found_cells(self) -> tuple:
        """Return the cells that the last pass found, how many of them count, and all verdicts."""
        return self.found, self.found_count, self.verdict


def load_marks(w: HumanState) -> cython.void:
    """Start from the current marks: count what is around each cell and queue every number."""
    for c in range(w.cells):
        w.covered[c] = 0
        w.flags[c] = 0
        w.shared[c] = 0
        w.queued[c] = 0
    _clear_queues(w)
    for c in range(w.cells):
        if w.marks[c] >= 0:
            activate(w, c)
        elif w.marks[c] == codes.COVERED:
            for k in range(w.offsets[c], w.offsets[c + 1]):
                w.covered[w.neighbours[k]] += 1
        elif w.marks[c] == codes.FLAG:
            for k in range(w.offsets[c], w.offsets[c + 1]):
                w.flags[w.neighbours[k]] += 1


def reset_solver(w: HumanState) -> cython.void:
    """Cover every cell and start there: a faster `load_marks` for a new game."""
    for c in range(w.cells):
        w.marks[c] = codes.COVERED
        w.covered[c] = w.offsets[c + 1] - w.offsets[c]
        w.flags[c] = 0
        w.shared[c] = 0
        w.queued[c] = 0
    _clear_queues(w)


@cython.cfunc
@cython.nogil
def _clear_queues(w: HumanState) -> cython.void:
    """Empty the queues, the list of found cells and the tally."""
    w.single_count = 0
    w.pair_count = 0
    w.found_count = 0
    for k in range(8):
        w.tally[k] = 0


def set_number(w: HumanState, cell: cython.int, number: cython.int) -> cython.void:
    """Set the number of a cell that was covered or known to be safe."""
    if w.marks[cell] == codes.COVERED:
        set_mark(w, cell, codes.KNOWN_SAFE)
    w.marks[cell] = number
    activate(w, cell)


def run_strategies(w: HumanState) -> cython.int:
    """Apply all strategies until none finds a move; return OK or NO_SOLUTION."""
    status: cython.int = run_single_strategies(w)
    while w.pair_count and status == codes.OK:
        w.pair_count -= 1
        p = w.pair_queue[w.pair_count]
        w.queued[p] &= ~codes.IN_PAIR_QUEUE
        status = try_pairs(w, p)
        if status == codes.OK and w.single_count:
            status = run_single_strategies(w)
    return status


def run_single_strategies(w: HumanState) -> cython.int:
    """Apply strategies 1 and 2 until neither finds a move; return OK or NO_SOLUTION."""
    status: cython.int = codes.OK
    while w.single_count and status == codes.OK:
        w.single_count -= 1
        p = w.single_queue[w.single_count]
        w.queued[p] &= ~codes.IN_SINGLE_QUEUE
        status = try_single(w, p)
    return status


def play_out(w: HumanState, numbers: ConstInts, first: cython.int) -> cython.int:
    """Play from a click on a safe cell until stuck or won.

    Call `load_marks` or `reset_solver` before. Strategy 2 opens around each zero, so no flood fill
    is needed.
    """
    status: cython.int = codes.OK
    set_number(w, first, numbers[first])
    while status == codes.OK and (w.single_count or w.pair_count):
        status = run_single_strategies(w)
        if status == codes.OK and w.found_count == 0:
            status = run_strategies(w)
        for i in range(w.found_count):
            c = w.found[i]
            if w.marks[c] == codes.KNOWN_SAFE:
                set_number(w, c, numbers[c])
        w.found_count = 0
    return status


@cython.cfunc
@cython.nogil
def activate(w: HumanState, c: cython.int) -> cython.void:
    """Add a number to the queue of single numbers, unless it is there."""
    if not w.queued[c] & codes.IN_SINGLE_QUEUE:
        w.queued[c] |= codes.IN_SINGLE_QUEUE | codes.PAIRS_CHANGED | codes.TRIPLES_CHANGED
        w.single_queue[w.single_count] = c
        w.single_count += 1


@cython.locals(is_new=cython.int)
def set_mark(w: HumanState, c: cython.int, mark: cython.int) -> cython.void:
    """Turn a covered cell into FLAG or KNOWN_SAFE, and queue the numbers around it."""
    mine: cython.int = mark == codes.FLAG
    w.marks[c] = mark
    # Every neighbour is written to the queue and only some are kept: a branch would be
    # unpredictable. With the same in `apply_strategy` and `find_partners`, games are 1.25 times
    # as fast.
    for k in range(w.offsets[c], w.offsets[c + 1]):
        d = w.neighbours[k]
        w.covered[d] -= 1
        w.flags[d] += mine
        is_new = (w.marks[d] >= 0) & (w.queued[d] & codes.IN_SINGLE_QUEUE == 0)
        w.single_queue[w.single_count] = d
        w.single_count += is_new
        w.queued[d] |= is_new * (
            codes.IN_SINGLE_QUEUE | codes.PAIRS_CHANGED | codes.TRIPLES_CHANGED
        )


def are_neighbours(w: HumanState, c: cython.int, d: cython.int) -> cython.bint:
    """Return whether two cells are neighbours."""
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
    """Mark the covered cells around p that are next to q too (*inside*), or that are not.

    With q -1, mark all covered cells around p.
    """
    count: cython.int = 0
    if q < 0:
        # A single number has no partners, so their list serves as scratch.
        for k in range(w.offsets[p], w.offsets[p + 1]):
            c = w.neighbours[k]
            w.partners[count] = c
            count += w.marks[c] == codes.COVERED
        for k in range(count):
            _set_found(w, strategy, w.partners[k], mark)
        return
    for k in range(w.offsets[p], w.offsets[p + 1]):
        c = w.neighbours[k]
        if w.marks[c] != codes.COVERED:
            continue
        if are_neighbours(w, c, q) == inside:
            _set_found(w, strategy, c, mark)


@cython.cfunc
@cython.nogil
def _set_found(w: HumanState, strategy: cython.int, c: cython.int, mark: cython.int) -> cython.void:
    """Mark a covered cell and record which strategy did it."""
    set_mark(w, c, mark)
    w.found[w.found_count] = c
    w.found_count += 1
    w.tally[strategy] += 1


@cython.cfunc
@cython.nogil
def try_single(w: HumanState, p: cython.int) -> cython.int:
    """Apply strategies 1 and 2 to p; queue it for pairs where they find no move."""
    need: cython.int = w.marks[p] - w.flags[p]
    covered: cython.int = w.covered[p]
    if need < 0 or need > covered:
        return codes.NO_SOLUTION
    if covered == 0:
        return codes.OK
    if need == covered:
        apply_strategy(w, 1, p, -1, False, codes.FLAG)
    elif need == 0:
        apply_strategy(w, 2, p, -1, False, codes.KNOWN_SAFE)
    elif not w.queued[p] & codes.IN_PAIR_QUEUE:
        w.queued[p] |= codes.IN_PAIR_QUEUE
        w.pair_queue[w.pair_count] = p
        w.pair_count += 1
    return codes.OK


@cython.cfunc
@cython.nogil
def try_pairs(w: HumanState, p: cython.int) -> cython.int:
    """Apply strategies 3 to 7 to p with each number that shares a covered cell with it."""
    status: cython.int = codes.OK
    if w.covered[p] == 0:
        return codes.OK
    count = find_partners(w, p)
    for i in range(count):
        # After a move the shared counts are outdated. All changed numbers are queued again,
        # including p where that matters, so the remaining partners can be skipped.
        if status == codes.OK:
            status = apply_pair_strategies(w, p, w.partners[i])
        w.shared[w.partners[i]] = 0
    if status == codes.MOVED:
        activate(w, p)
        return codes.OK
    return status


@cython.locals(is_number=cython.int)
def find_partners(w: HumanState, p: cython.int) -> cython.int:
    """List the numbers that share a covered cell with p in `partners`, and how many in `shared`."""
    count: cython.int = 0
    for k in range(w.offsets[p], w.offsets[p + 1]):
        c = w.neighbours[k]
        if w.marks[c] != codes.COVERED:
            continue
        for j in range(w.offsets[c], w.offsets[c + 1]):
            q = w.neighbours[j]
            is_number = (w.marks[q] >= 0) & (q != p)
            w.partners[count] = q
            count += is_number & (w.shared[q] == 0)
            w.shared[q] += is_number
    return count


def pair_conclusions(w: HumanState, p: cython.int, q: cython.int) -> cython.int:
    """Set of_p, of_both and of_q by strategies 3 to 7; return OK (no move), MOVED or NO_SOLUTION.

    Reads shared[q]. Single numbers prove no move, so that each has covered cells.
    """
    both: cython.int = w.shared[q]
    need_p: cython.int = w.marks[p] - w.flags[p]
    need_q: cython.int = w.marks[q] - w.flags[q]
    only_p: cython.int = w.covered[p] - both
    only_q: cython.int = w.covered[q] - both
    most: cython.int = min(need_p, need_q, both)
    fewest: cython.int = max(0, need_p - only_p, need_q - only_q)
    w.of_p = codes.UNKNOWN
    w.of_both = codes.UNKNOWN
    w.of_q = codes.UNKNOWN
    if need_q < 0 or need_q > w.covered[q]:
        return codes.NO_SOLUTION
    if fewest > most:
        return codes.NO_SOLUTION
    if only_p and need_p - most == only_p:
        w.of_p = codes.MINE
    elif only_p and fewest == need_p:
        w.of_p = codes.SAFE
    if only_q and need_q - most == only_q:
        w.of_q = codes.MINE
    elif only_q and fewest == need_q:
        w.of_q = codes.SAFE
    if fewest == both:
        w.of_both = codes.MINE
    return codes.MOVED if w.of_p or w.of_both or w.of_q else codes.OK


@cython.cfunc
@cython.nogil
def apply_pair_strategies(w: HumanState, p: cython.int, q: cython.int) -> cython.int:
    """Apply strategies 3 to 7 to a pair; return OK (no move), MOVED or NO_SOLUTION."""
    status: cython.int = pair_conclusions(w, p, q)
    if status != codes.MOVED:
        return status
    # All conclusions are drawn before any is applied: they concern different cells.
    if w.of_p == codes.MINE:
        apply_strategy(w, 3, p, q, False, codes.FLAG)
    if w.of_q == codes.MINE:
        apply_strategy(w, 4, q, p, False, codes.FLAG)
    if w.of_both == codes.MINE:
        apply_strategy(w, 5, p, q, True, codes.FLAG)
    if w.of_p == codes.SAFE:
        apply_strategy(w, 6, p, q, False, codes.KNOWN_SAFE)
    if w.of_q == codes.SAFE:
        apply_strategy(w, 7, q, p, False, codes.KNOWN_SAFE)
    return codes.MOVED
