"""The state of a guesser, and the steps that every guess begins with.

A guess begins with the probabilities of the position, then takes a certain cell if there is one,
then searches the end game if it is small enough. What comes next is up to the subclasses of
GuesserState, which override `choose`.

t             the guesser's state; g its end game, with a lister s and a search e
p             the tracked position; p.probabilities and p.known are filled in by `read_position`
chosen        the cell to reveal, -1 while there is none; reason: one of the codes
wins, rows    of an end game: the number of solutions that are won, and of all; rows keeps its
              value if the search was not finished
ln_solutions  of the position: what-ifs overwrite the value in p

`max_solutions` and `max_sparse_solutions` limit the end games that are searched (see
`_choose_by_end_game`); `separate_parts` turns on the separate search of independent parts.
"""

import cython
from cython.cimports.libc.math import log
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts
from cython.cimports.sapper.kernels.players.end_game_search import (
    EndGameSearch,
    restart,
    search,
    set_root,
)
from cython.cimports.sapper.kernels.players.solution_lists import (
    SolutionLister,
    find_parts,
    list_parts,
)
from cython.cimports.sapper.kernels.ties import at_most
from cython.cimports.sapper.kernels.tracked.marks import read_marks
from cython.cimports.sapper.kernels.tracked.queries import answer, write_probabilities
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

# Steps that a lister may take for each solution of its capacity.
STEPS_PER_SOLUTION = cython.declare(cython.int, 64)


class EndGameSolver:
    """The solutions of an end game and the search over them, with its limits."""

    def __init__(
        self,
        offsets: ConstInts,
        neighbours: ConstInts,
        solution_capacity: cython.int,
        memo_capacity: cython.int,
        *,
        max_solutions: cython.double,
        max_sparse_solutions: cython.double,
        separate_parts: cython.bint,
        max_nodes: cython.longlong,
        max_work: cython.longlong,
    ):
        """Allocate; *memo_capacity* is the number of sets of solutions, a power of two."""
        steps = STEPS_PER_SOLUTION * solution_capacity
        self.lister = SolutionLister(offsets, neighbours, solution_capacity, steps)
        self.search = EndGameSearch(len(offsets) - 1, solution_capacity, memo_capacity)
        self.search.max_nodes = max_nodes
        self.search.max_work = max_work
        self.max_solutions = min(max_solutions, solution_capacity)
        self.max_sparse_solutions = max_sparse_solutions
        self.separate_parts = separate_parts


class GuesserState:
    """The state of a guesser on one board, for use by one thread."""

    def __init__(self, tracked: TrackedPosition, end_game: EndGameSolver):
        self.p = tracked
        self.end_game = end_game
        self.chosen = -1

    def choose(self, marks: ConstInts, mines: cython.int, trust_flags: cython.bint) -> cython.int:
        """Choose a cell to reveal in a position with its mine count: self.chosen, self.reason.

        Return OK or a status of the engine: from GROW on, enlarge self.p.general and call again;
        after any other status nothing is chosen, because the engine has no answer.
        """
        return choose_certain_or_solved(self, marks, mines, trust_flags)

    def choose_in_game(
        self, marks: ConstInts, mines: cython.int, tracked: cython.bint
    ) -> cython.int:
        """Choose in a game in which nothing is certain; return a status as `choose` does.

        A guesser that shares its tracked position with the game may use the answer in it, unless
        *tracked* is false: then another engine has answered.
        """
        return self.choose(marks, mines, True)

    def needs_rollouts(self) -> cython.bint:
        """Return whether roll-outs should confirm the cell that was just chosen."""
        return False


def read_position(
    t: GuesserState, marks: ConstInts, mines: cython.int, trust_flags: cython.bint
) -> cython.int:
    """Read a position with its mine count and write out its probabilities.

    Return OK or a status of the engine, as `GuesserState.choose` does.
    """
    begin_guess(t, mines)
    status = read_marks(t.p, marks, 0, mines, trust_flags)
    if status == codes.OK:
        status = answer(t.p)
    if status == codes.OK:
        write_probabilities(t.p)
        t.ln_solutions = t.p.ln_solutions
    return status


def begin_guess(t: GuesserState, mines: cython.int) -> cython.void:
    """Clear the previous choice and store the mine count."""
    t.chosen = -1
    t.rows = 0
    t.mines = mines


def choose_certain_or_solved(
    t: GuesserState, marks: ConstInts, mines: cython.int, trust_flags: cython.bint
) -> cython.int:
    """Read a position, and choose if a cell is certain or the end game can be searched.

    Return a status as `read_position` does. After OK, t.chosen is -1 if neither is the case.
    """
    status: cython.int = read_position(t, marks, mines, trust_flags)
    if status == codes.OK and not _choose_certain(t):
        choose_by_end_game(t)
    return status


@cython.cfunc
@cython.nogil
def _choose_certain(t: GuesserState) -> cython.bint:
    """Choose the lowest safe cell; return whether there is one."""
    for c in range(t.p.cells):
        if t.p.known[c] == codes.SAFE:
            t.chosen = c
            t.reason = codes.CERTAIN
            return True
    return False


def choose_by_end_game(t: GuesserState) -> cython.bint:
    """Search the end game of a position already read; return whether a cell was chosen."""
    return _choose_by_end_game(t, t.end_game, t.end_game.lister, t.end_game.search)


@cython.cfunc
@cython.nogil
def _choose_by_end_game(
    t: GuesserState, g: EndGameSolver, s: SolutionLister, e: EndGameSearch
) -> cython.bint:
    """Choose by perfect play if the end game is small enough; return whether a cell was chosen.

    First search parts that are independent of the rest, then all the rest together if it has few
    solutions: max_solutions, or more if few of the covered cells are safe
    (max_sparse_solutions / d**3 with d the expected share of safe cells).
    """
    ln_rest: cython.double = t.p.ln_solutions
    if g.max_solutions <= 0:
        return False
    find_parts(s, t.p.marks, t.p.known)
    for part in range(s.part_count):
        s.selected[part] = 0
    for part in range(s.part_count):
        skip = not g.separate_parts
        for i in range(s.part_start[part], s.part_start[part + 1]):
            skip |= s.interior[s.queue[i]]
        if skip or s.part_count == 1:
            continue
        s.selected[part] = 1
        s.max_rows = cython.cast(cython.int, g.max_solutions)
        s.max_steps = STEPS_PER_SOLUTION * s.max_rows
        restart(e)
        status = list_parts(s, e, t.p.known, -1)
        s.selected[part] = 0
        if status == codes.OK and e.rows > 1 and not s.counts_differ and _solve(t, s, e):
            t.reason = codes.PART_SOLVED
            return True
    safe_share = 0.0
    unknown = 0
    for c in range(t.p.cells):
        if t.p.known[c] == codes.UNKNOWN:
            safe_share += 1.0 - t.p.probabilities[c]
            unknown += 1
    safe_share /= unknown
    if not at_most(ln_rest, log(g.max_solutions)) and (
        g.max_sparse_solutions <= 0
        or not at_most(ln_rest + 3.0 * log(safe_share), log(g.max_sparse_solutions))
    ):
        return False
    if list_all_parts(s, e, t.p, t.mines) and _solve(t, s, e):
        t.reason = codes.SOLVED
        return True
    return False


def list_all_parts(
    s: SolutionLister, e: EndGameSearch, p: TrackedPosition, mines: cython.int
) -> cython.bint:
    """List the solutions of all parts together; return whether they fit.

    *mines* is the mine count of the board. The parts have been found already.
    """
    for c in range(p.cells):
        mines -= p.known[c] == codes.MINE
    for part in range(s.part_count):
        s.selected[part] = 1
    s.max_rows = e.capacity
    s.max_steps = STEPS_PER_SOLUTION * cython.cast(cython.longlong, s.max_rows)
    restart(e)
    return list_parts(s, e, p.known, mines) == codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(safe=cython.int)
def _solve(t: GuesserState, s: SolutionLister, e: EndGameSearch) -> cython.bint:
    """Search the listed solutions; return whether a cell was chosen. t.rows is set in any case."""
    most: cython.int = -1
    t.rows = e.rows
    set_root(e, 0, e.rows, 0)
    if search(e):
        return False
    t.wins = e.answer
    if e.searched:
        t.chosen = s.column_cell[e.best_column[1]]
        return True
    # All cells are dead: choose the one that is safe most often, the lowest if several are.
    for j in range(e.columns):
        safe = 0
        for i in range(e.rows):
            safe += e.seen[cython.cast(cython.Py_ssize_t, i) * e.stride + j] >> 15 == 0
        if safe > most or (safe == most and s.column_cell[j] < t.chosen):
            most = safe
            t.chosen = s.column_cell[j]
    return True


def run(t: GuesserState, marks: ConstInts, mines: cython.int, trust_flags: cython.bint):
    """Call `choose` without the GIL."""
    with cython.nogil:
        status = t.choose(marks, mines, trust_flags)
    return status


def needs_rollouts(t: GuesserState):
    """Call the method `needs_rollouts`, which Python cannot call."""
    return t.needs_rollouts()
