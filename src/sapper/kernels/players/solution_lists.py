"""All solutions of a part of a position, written into the memory of an `EndGameSearch`.

Covered cells belong to one part if the number of one may depend on the other, or a number touches
both; so parts depend on each other only by the mine count. A part that holds the same number of
mines in all its solutions is played separately: the win chances are multiplied.
`_enumerate` decides one cell after the other, first safe and then a mine, and goes back where a
number or the mine count cannot be met any more.

known      of each cell, what the engine found: UNKNOWN, MINE, SAFE (not yet revealed), REVEALED
need, left of a revealed cell: missing mines, and unknown covered cells that are not yet decided
queue      the relevant covered cells by part: part p is queue[part_start[p]:part_start[p + 1]],
           in breadth-first order; safe cells are included if they are next to an unknown one
selected   1 for the parts that `list_parts` lists together
interior   1 for a covered cell that is next to no number
column_of  of each cell, its column in the search, or -1; column_cell: of each column, its cell
mined      of each column, the current decision: 0 safe, 1 a mine, 2 not tried yet

s is the lister, e the search that it fills.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstBytes, ConstInts
from cython.cimports.sapper.kernels.players.end_game_search import EndGameSearch, index_values

from sapper.kernels.declarations import allocate


class SolutionLister:
    """The parts of a position of one board, and scratch memory."""

    def __init__(
        self,
        offsets: ConstInts,
        neighbours: ConstInts,
        max_rows: cython.int,
        max_steps: cython.longlong,
    ):
        cells = len(offsets) - 1
        self.offsets = offsets
        self.neighbours = neighbours
        self.cells = cells
        self.max_rows = max_rows
        self.max_steps = max_steps
        allocate(self, "part_of queue part_start need left column_of column_cell", cells + 1)
        allocate(self, "around interior mined selected", cells + 1)


def find_parts(s: SolutionLister, marks: ConstInts, known: ConstBytes) -> cython.void:
    """Read the needs of all numbers and gather the covered cells that matter into parts."""
    end: cython.int = 0
    s.part_count = 0
    for c in range(s.cells):
        s.part_of[c] = -1
        s.interior[c] = known[c] == codes.UNKNOWN
        s.need[c] = marks[c]
        s.left[c] = 0
        for k in range(s.offsets[c], s.offsets[c + 1]):
            d = s.neighbours[k]
            s.need[c] -= known[d] == codes.MINE
            s.left[c] += known[d] == codes.UNKNOWN
            if known[d] == codes.REVEALED and marks[d] >= 0:
                s.interior[c] = 0
    for c in range(s.cells):
        if s.part_of[c] >= 0 or known[c] != codes.UNKNOWN:
            continue
        start = end
        end = _flood(s, marks, known, c, start)
        s.part_start[s.part_count] = start
        s.part_count += 1
    s.part_start[s.part_count] = end


@cython.cfunc
@cython.nogil
def _flood(
    s: SolutionLister, marks: ConstInts, known: ConstBytes, seed: cython.int, start: cython.int
) -> cython.int:
    """Put the part of a covered cell into the queue from *start* on; return where it ends."""
    read: cython.int = start
    end: cython.int = start + 1
    s.queue[start] = seed
    s.part_of[seed] = s.part_count
    while read < end:
        c = s.queue[read]
        read += 1
        for k in range(s.offsets[c], s.offsets[c + 1]):
            d = s.neighbours[k]
            if known[d] == codes.UNKNOWN or (known[d] == codes.SAFE and known[c] == codes.UNKNOWN):
                if s.part_of[d] < 0:
                    s.part_of[d] = s.part_count
                    s.queue[end] = d
                    end += 1
            elif known[d] == codes.REVEALED and marks[d] >= 0 and known[c] == codes.UNKNOWN:
                for j in range(s.offsets[d], s.offsets[d + 1]):
                    f = s.neighbours[j]
                    if known[f] == codes.UNKNOWN and s.part_of[f] < 0:
                        s.part_of[f] = s.part_count
                        s.queue[end] = f
                        end += 1
    return end


@cython.locals(around=cython.int)
def list_parts(
    s: SolutionLister, e: EndGameSearch, known: ConstBytes, mines: cython.int
) -> cython.int:
    """Fill e with the solutions of the selected parts, with *mines* mines unless it is -1.

    Return OK, TOO_MANY (rows or steps) or TOO_WIDE (a cell may show more numbers than the rows
    can distinguish). s.counts_differ says whether two of the solutions hold different numbers of
    mines; s.listed_mines is that of the last one.
    """
    unknown: cython.int = 0
    columns: cython.int = 0
    for c in range(s.cells):
        s.column_of[c] = -1
    # The frontier comes first: once it is complete, any way to fill the interior is valid.
    for turn in range(3):
        if turn == 2:
            unknown = columns
        for i in range(s.part_start[s.part_count]):
            c = s.queue[i]
            if s.selected[s.part_of[c]] and turn == (
                2 if known[c] == codes.SAFE else s.interior[c]
            ):
                s.column_of[c] = columns
                s.column_cell[columns] = c
                columns += 1
    for i in range(columns):
        c = s.column_cell[i]
        around = 0
        for k in range(s.offsets[c], s.offsets[c + 1]):
            around += known[s.neighbours[k]] == codes.UNKNOWN
        if around + 1 >= codes.SHOWS_MINE:
            return codes.TOO_WIDE
    e.columns = columns
    e.rows = 0
    status: cython.int = _enumerate(s, e, known, unknown, mines)
    if status == codes.OK and not index_values(e):
        return codes.TOO_WIDE
    return status


@cython.cfunc
@cython.nogil
def _enumerate(
    s: SolutionLister, e: EndGameSearch, known: ConstBytes, unknown: cython.int, mines: cython.int
) -> cython.int:
    """Search depth first over the columns: safe, then a mine, if numbers and count allow it."""
    i: cython.int = 0
    used: cython.int = 0
    s.steps = 0
    s.counts_differ = False
    s.listed_mines = -1
    if unknown:
        s.mined[0] = 2
    while i >= 0:
        if i == unknown:
            if mines < 0 or used == mines:
                if e.rows >= s.max_rows:
                    return _undo_all(s, i)
                _write_row(s, e, unknown)
                if s.listed_mines >= 0 and s.listed_mines != used:
                    s.counts_differ = True
                s.listed_mines = used
            i -= 1
            continue
        s.steps += 1
        if s.steps > s.max_steps:
            return _undo_all(s, i + 1)
        tried = s.mined[i]
        if tried != 2:
            _undo(s, s.column_cell[i], tried)
            used -= tried
            if tried == 1:
                i -= 1
                continue
        tried = 0 if tried == 2 else 1
        s.mined[i] = tried
        used += tried
        if _decide(s, known, s.column_cell[i], tried) and (
            mines < 0 or used <= mines <= used + unknown - i - 1
        ):
            i += 1
            if i < unknown:
                s.mined[i] = 2
    return codes.OK


@cython.cfunc
@cython.nogil
def _decide(s: SolutionLister, known: ConstBytes, c: cython.int, mine: cython.int) -> cython.bint:
    """Assume a covered cell safe or a mine; return whether all numbers around can still hold."""
    possible: cython.bint = True
    for k in range(s.offsets[c], s.offsets[c + 1]):
        d = s.neighbours[k]
        s.need[d] -= mine
        s.left[d] -= 1
        if known[d] == codes.REVEALED and (s.need[d] < 0 or s.need[d] > s.left[d]):
            possible = False
    return possible


@cython.cfunc
@cython.nogil
def _undo(s: SolutionLister, c: cython.int, mine: cython.int) -> cython.void:
    """Undo `_decide`."""
    for k in range(s.offsets[c], s.offsets[c + 1]):
        d = s.neighbours[k]
        s.need[d] += mine
        s.left[d] += 1


@cython.cfunc
@cython.nogil
def _undo_all(s: SolutionLister, stop: cython.int) -> cython.int:
    """Undo the columns before *stop*, so that other parts can be listed."""
    for i in range(stop):
        if s.mined[i] != 2:
            _undo(s, s.column_cell[i], s.mined[i])
    return codes.TOO_MANY


@cython.cfunc
@cython.nogil
def _write_row(s: SolutionLister, e: EndGameSearch, unknown: cython.int) -> cython.void:
    """Add the current solution: what each column shows in it."""
    capacity: cython.Py_ssize_t = e.capacity
    for i in range(e.columns):
        s.around[i] = 0
    for i in range(unknown):
        if s.mined[i] == 1:
            c = s.column_cell[i]
            for k in range(s.offsets[c], s.offsets[c + 1]):
                j = s.column_of[s.neighbours[k]]
                if j >= 0:
                    s.around[j] += 1
    for i in range(e.columns):
        e.shown[i * capacity + e.rows] = (
            codes.SHOWS_MINE if i < unknown and s.mined[i] == 1 else s.around[i]
        )
    e.order[e.rows] = e.rows
    e.rows += 1


def run(s: SolutionLister, e: EndGameSearch, known: ConstBytes, mines: cython.int):
    """Call `list_parts` without the GIL."""
    with cython.nogil:
        status = list_parts(s, e, known, mines)
    return status
