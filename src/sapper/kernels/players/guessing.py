"""What every guess begins with: the probabilities of the position, a certain cell, the end game.

t             the guesser; g its end game, of a listing s and an ending e
p             the position that is asked; p.probabilities and p.known are those of the position
chosen        the cell to reveal, -1 while none is; reason: why, one of the codes, REASONS in words
wins, rows    of an end game: how many of how many solutions are won; rows stays where the search
              was not finished
ln_solutions of the position: what-ifs leave theirs in the position

`max_solutions` and `max_sparse_solutions` say which end games are searched (see `_choose_by_end_game`), and
`apart` whether those of parts are.
"""

import cython
from cython.cimports.libc.math import log
from cython.cimports.sapper.kernels.codes import APART, CERTAIN, MINE, OK, SAFE, SOLVED, UNKNOWN
from cython.cimports.sapper.kernels.players.end_game_search import (
    EndGameSearch,
    ask,
    restart,
    search,
)
from cython.cimports.sapper.kernels.players.solution_lists import (
    SolutionLister,
    find_parts,
    list_parts,
)
from cython.cimports.sapper.kernels.tracked.marks import read_marks
from cython.cimports.sapper.kernels.tracked.queries import answer, write_probabilities
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

# Steps that a listing may take, for each solution that it has room for.
STEPS = cython.declare(cython.int, 64)

# For wrappers; the codes are C constants once compiled.
REASONS = (
    "certain",
    "end game",
    "end game of a part",
    "coin toss",
    "two moves ahead",
    "safer now",
    "least probability",
    "best of an unfinished end game",
    "learned",
)


class EndGameSolver:
    """Room for the solutions of an end game and for a search over them, with its limits."""

    def __init__(
        self,
        cells: cython.int,
        rows: cython.int,
        memo: cython.int,
        *,
        max_solutions: cython.double,
        max_sparse_solutions: cython.double,
        apart: cython.bint,
        max_nodes: cython.longlong,
        max_work: cython.longlong,
    ):
        """A board of so many cells, so many solutions and sets; *memo* is a power of two."""
        self.listing = SolutionLister(cells, rows, STEPS * rows)
        self.ending = EndGameSearch(cells, rows, memo)
        self.ending.max_nodes = max_nodes
        self.ending.max_work = max_work
        self.max_solutions = min(max_solutions, rows)
        self.max_sparse_solutions = max_sparse_solutions
        self.apart = apart


class GuesserState:
    """One thread's memory for guesses on one board."""

    def __init__(self, tracked: TrackedPosition, end_game: EndGameSolver):
        self.p = tracked
        self.end_game = end_game
        self.chosen = -1


@cython.ccall
@cython.nogil
def read_position(
    t: GuesserState, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Take in a position with its mine count and write its probabilities out; OK, or a status of the engine.

    From GROW on enlarge t.p.general and call again; any other says that the engine has no answer.
    """
    status: cython.int
    begin_guess(t, mines)
    status = read_marks(t.p, marks, 0, mines, trust)
    if status == OK:
        status = answer(t.p)
    if status == OK:
        write_probabilities(t.p)
        t.ln_solutions = t.p.ln_solutions
    return status


@cython.ccall
@cython.nogil
def begin_guess(t: GuesserState, mines: cython.int) -> cython.void:
    """Nothing is chosen yet."""
    t.chosen = -1
    t.rows = 0
    t.mines = mines


@cython.ccall
@cython.nogil
def choose_exactly(
    t: GuesserState, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Take in a position, and choose where a cell is certain or the end game can be searched.

    Statuses as those of `read_position`; with OK and t.chosen at -1 something else must decide.
    """
    status: cython.int = read_position(t, marks, mines, trust)
    if status == OK and not _choose_certain(t):
        choose_by_end_game(t)
    return status


@cython.cfunc
@cython.nogil
def _choose_certain(t: GuesserState) -> cython.bint:
    """Choose a certain cell, the lowest, if there is any."""
    c: cython.int
    for c in range(t.p.cells):
        if t.p.known[c] == SAFE:
            t.chosen = c
            t.reason = CERTAIN
            return True
    return False


@cython.ccall
@cython.nogil
def choose_by_end_game(t: GuesserState) -> cython.bint:
    """Choose a cell by the end game, in a position whose probabilities are written out: whether it did."""
    return _choose_by_end_game(t, t.end_game, t.end_game.listing, t.end_game.ending)


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, i=cython.int, part=cython.int, fixed=cython.int, status=cython.int)
@cython.locals(inner=cython.bint, safe=cython.double)
def _choose_by_end_game(
    t: GuesserState, g: EndGameSolver, s: SolutionLister, e: EndGameSearch
) -> cython.bint:
    """Play perfectly where the end game can be searched: whether a cell was chosen.

    First parts that can be played apart, then all the rest together if it has few solutions:
    max_solutions, or more where few of the covered cells are free (max_sparse_solutions / d**3).
    """
    ln_rest: cython.double = t.p.ln_solutions
    if g.max_solutions <= 0:
        return False
    find_parts(s, t.p.offsets, t.p.neighbours, t.p.marks, t.p.known)
    for part in range(s.part_count):
        s.taken[part] = 0
    for part in range(s.part_count):
        inner = not g.apart
        for i in range(s.part_start[part], s.part_start[part + 1]):
            inner |= s.inside[s.queue[i]]
        if inner or s.part_count == 1:
            continue
        s.taken[part] = 1
        s.max_rows = cython.cast(cython.int, g.max_solutions)
        s.max_steps = STEPS * s.max_rows
        restart(e)
        status = list_parts(s, e, t.p.offsets, t.p.neighbours, t.p.known, -1)
        s.taken[part] = 0
        if status == OK and e.rows > 1 and not s.counts_differ and _solve(t, s, e):
            t.reason = APART
            return True
    safe = 0.0
    fixed = 0
    for c in range(t.p.cells):
        if t.p.known[c] == UNKNOWN:
            safe += 1.0 - t.p.probabilities[c]
            fixed += 1
    safe /= fixed
    if ln_rest > log(g.max_solutions) and (
        g.max_sparse_solutions <= 0 or ln_rest + 3.0 * log(safe) > log(g.max_sparse_solutions)
    ):
        return False
    if list_all_parts(s, e, t.p, t.mines) and _solve(t, s, e):
        t.reason = SOLVED
        return True
    return False


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, part=cython.int)
def list_all_parts(
    s: SolutionLister, e: EndGameSearch, p: TrackedPosition, mines: cython.int
) -> cython.bint:
    """List the solutions of all parts together, with so many mines on the board: whether they
    have room. The parts are found already."""
    for c in range(p.cells):
        mines -= p.known[c] == MINE
    for part in range(s.part_count):
        s.taken[part] = 1
    s.max_rows = e.capacity
    s.max_steps = STEPS * cython.cast(cython.longlong, s.max_rows)
    restart(e)
    return list_parts(s, e, p.offsets, p.neighbours, p.known, mines) == OK


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, j=cython.int, safe=cython.int)
def _solve(t: GuesserState, s: SolutionLister, e: EndGameSearch) -> cython.bint:
    """Search the solutions at hand: whether a cell was chosen; t.rows stays where it was not."""
    most: cython.int = -1
    t.rows = e.rows
    ask(e, 0, e.rows, 0)
    if search(e):
        return False
    t.wins = e.answer
    if e.searched:
        t.chosen = s.column_cell[e.best_column[1]]
        return True
    # All cells are dead: take the one that is free most often, the lowest of equals.
    for j in range(e.columns):
        safe = 0
        for i in range(e.rows):
            safe += e.seen[cython.cast(cython.Py_ssize_t, i) * e.stride + j] >> 15 == 0
        if safe > most or (safe == most and s.column_cell[j] < t.chosen):
            most = safe
            t.chosen = s.column_cell[j]
    return True
