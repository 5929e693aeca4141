"""What every guess begins with: the odds of the frame, a certain cell, the end game.

t             the guesser; g its end game, of a listing s and an ending e
p             the position that is asked; p.odds and p.know are those of the frame
chosen        the cell to reveal, -1 while none is; reason: why, one of the codes, REASONS in words
wins, rows    of an end game: how many of how many placements are won; rows stays where the search
              was not finished
ln_placements of the frame: what-ifs leave theirs in the position

`few_placements` and `thin_placements` say which end games are searched (see `_finish`), and
`apart` whether those of parts are.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.sapper.kernels.codes import APART, CERTAIN, FREE, MINE, OK, SOLVED, UNKNOWN
    from cython.cimports.sapper.kernels.odds.asking import answer, write_odds
    from cython.cimports.sapper.kernels.odds.cells import read
    from cython.cimports.sapper.kernels.odds.position import Position
    from cython.cimports.sapper.kernels.play.endgame import Ending, ask, restart, search
    from cython.cimports.sapper.kernels.play.listing import Listing, find_parts, list_parts
else:
    from math import log

    from sapper.kernels.codes import APART, CERTAIN, FREE, MINE, OK, SOLVED, UNKNOWN
    from sapper.kernels.odds.asking import answer, write_odds
    from sapper.kernels.odds.cells import read
    from sapper.kernels.odds.position import Position
    from sapper.kernels.play.endgame import Ending, ask, restart, search
    from sapper.kernels.play.listing import Listing, find_parts, list_parts

# Steps that a listing may take, for each placement that it has room for.
STEPS = cython.declare(cython.int, 64)

# For wrappers; the codes are C constants once compiled.
REASONS = (
    "certain",
    "end game",
    "end game of a part",
    "coin toss",
    "two moves ahead",
    "safer now",
    "least odds",
    "best of an unfinished end game",
    "learned",
)


class EndGame:
    """Room for the placements of an end game and for a search over them, with its limits."""

    def __init__(
        self,
        cells: cython.int,
        rows: cython.int,
        memo: cython.int,
        *,
        few_placements: cython.double,
        thin_placements: cython.double,
        apart: cython.bint,
        most_nodes: cython.longlong,
        most_work: cython.longlong,
    ):
        """A board of so many cells, so many placements and sets; *memo* is a power of two."""
        self.listing = Listing(cells, rows, STEPS * rows)
        self.ending = Ending(cells, rows, memo)
        self.ending.most_nodes = most_nodes
        self.ending.most_work = most_work
        self.few_placements = min(few_placements, rows)
        self.thin_placements = thin_placements
        self.apart = apart


class Guesser:
    """One thread's memory for guesses on one board."""

    def __init__(self, position: Position, end_game: EndGame):
        self.p = position
        self.end_game = end_game
        self.chosen = -1


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def open_frame(
    t: Guesser, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Take in a frame with its mine count and write its odds out; OK, or a status of the engine.

    From GROW on enlarge t.p.general and call again; any other says that the engine has no answer.
    """
    status: cython.int
    begin_guess(t, mines)
    status = read(t.p, marks, 0, mines, trust)
    if status == OK:
        status = answer(t.p)
    if status == OK:
        write_odds(t.p)
        t.ln_placements = t.p.ln_placements
    return status


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def begin_guess(t: Guesser, mines: cython.int) -> cython.void:
    """Nothing is chosen yet."""
    t.chosen = -1
    t.rows = 0
    t.mines = mines


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def choose_exactly(
    t: Guesser, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Take in a frame, and choose where a cell is certain or the end game can be searched.

    Statuses as those of `open_frame`; with OK and t.chosen at -1 something else must decide.
    """
    status: cython.int = open_frame(t, marks, mines, trust)
    if status == OK and not _take_certain(t):
        finish(t)
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _take_certain(t: Guesser) -> cython.bint:
    """Choose a certain cell, the lowest, if there is any."""
    c: cython.int
    for c in range(t.p.cells):
        if t.p.know[c] == FREE:
            t.chosen = c
            t.reason = CERTAIN
            return True
    return False


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def finish(t: Guesser) -> cython.bint:
    """Choose a cell by the end game, in a position whose odds are written out: whether it did."""
    return _finish(t, t.end_game, t.end_game.listing, t.end_game.ending)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _finish(t: Guesser, g: EndGame, s: Listing, e: Ending) -> cython.bint:
    """Play perfectly where the end game can be searched: whether a cell was chosen.

    First parts that can be played apart, then all the rest together if it has few placements:
    few_placements, or more where few of the blanks are free (thin_placements / d**3).
    """
    c: cython.int
    i: cython.int
    part: cython.int
    fixed: cython.int
    status: cython.int
    inner: cython.bint
    free: cython.double
    ln_rest: cython.double = t.p.ln_placements
    if g.few_placements <= 0:
        return False
    find_parts(s, t.p.offsets, t.p.neighbours, t.p.marks, t.p.know)
    for part in range(s.part_count):
        s.taken[part] = 0
    for part in range(s.part_count):
        inner = not g.apart
        for i in range(s.part_start[part], s.part_start[part + 1]):
            inner |= s.inside[s.queue[i]]
        if inner or s.part_count == 1:
            continue
        s.taken[part] = 1
        s.most_rows = cython.cast(cython.int, g.few_placements)
        s.most_steps = STEPS * s.most_rows
        restart(e)
        status = list_parts(s, e, t.p.offsets, t.p.neighbours, t.p.know, -1)
        s.taken[part] = 0
        if status == OK and e.rows > 1 and not s.counts_differ and _solve(t, s, e):
            t.reason = APART
            return True
    free = 0.0
    fixed = 0
    for c in range(t.p.cells):
        if t.p.know[c] == UNKNOWN:
            free += 1.0 - t.p.odds[c]
            fixed += 1
    free /= fixed
    if ln_rest > log(g.few_placements) and (
        g.thin_placements <= 0 or ln_rest + 3.0 * log(free) > log(g.thin_placements)
    ):
        return False
    if list_rest(s, e, t.p, t.mines) and _solve(t, s, e):
        t.reason = SOLVED
        return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_rest(s: Listing, e: Ending, p: Position, mines: cython.int) -> cython.bint:
    """List the placements of all parts together, with so many mines on the board: whether they
    have room. The parts are found already."""
    c: cython.int
    part: cython.int
    for c in range(p.cells):
        mines -= p.know[c] == MINE
    for part in range(s.part_count):
        s.taken[part] = 1
    s.most_rows = e.room
    s.most_steps = STEPS * cython.cast(cython.longlong, s.most_rows)
    restart(e)
    return list_parts(s, e, p.offsets, p.neighbours, p.know, mines) == OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _solve(t: Guesser, s: Listing, e: Ending) -> cython.bint:
    """Search the placements at hand: whether a cell was chosen; t.rows stays where it was not."""
    i: cython.int
    j: cython.int
    free: cython.int
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
        free = 0
        for i in range(e.rows):
            free += e.seen[cython.cast(cython.Py_ssize_t, i) * e.stride + j] >> 15 == 0
        if free > most or (free == most and s.column_cell[j] < t.chosen):
            most = free
            t.chosen = s.column_cell[j]
    return True
