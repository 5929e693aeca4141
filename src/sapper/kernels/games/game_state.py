"""The state of one game, and the moves on it.

The mines and numbers of covered cells are part of the state, and one function reads them:
`reveal`, at the cell that it reveals and at those that its opening floods.

allowed_cells  the cells that the rule allows to hold a mine, ascending; shuffled_cells: a copy that
               `place_mines` shuffles
layout_stream  the random stream of the layout
guess_stream   the random stream of random guesses, seeded by the game's seed XOR SALT
continues      whether games continue from start_marks on `layouts`, a row each; else they are new
memo           where they continue: the guess of each position that was reached, by its key
order          the revealed cells in the order in which they were revealed
log            the moves of the game if they are logged: c for a reveal of c, -1 - c for a flag
deduction      what moves are deduced from: NO_DEDUCTION to WITH_MINE_COUNT
guess          how the player guesses; with OWN_GUESS, guesser chooses the cell
safe_left      the number of safe cells that are not revealed yet
check_losses   whether a loss after a guess is checked: it is a blunder if a safe cell was certain
game_index     the index of the game; out has a row for each game: won, guesses, reveals, analyses
               by the engine, blunders

g is the state of the game, ws the workspace of the engine, p the tracked position.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts, Ints
from cython.cimports.sapper.kernels.board import count_numbers, place_mines, seed_state
from cython.cimports.sapper.kernels.engine.pipeline import analyse, resume
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    reset_solver,
    run_single_strategies,
    run_strategies,
    set_mark,
    set_number,
)
from cython.cimports.sapper.kernels.ties import at_most
from cython.cimports.sapper.kernels.tracked.queries import answer, marks_changed
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view
from sapper.kernels.declarations import allocate

SALT = cython.declare(cython.ulonglong, 0x706C61796572)

# The capacity of the memo, a power of 2.
MEMO_CAPACITY = cython.declare(cython.int, 1 << 16)

# The same as SALT, for Python.
GUESS_SALT = 0x706C61796572


class GameState:
    """One game of one thread, with the states of its solver and of the engine."""

    def __init__(
        self,
        offsets: ConstInts,
        neighbours: ConstInts,
        marks: Ints,
        solver: HumanState,
        tracked: TrackedPosition,
        allowed_cells: ConstInts,
        mine_count: cython.int,
        first: cython.int,
    ):
        """Take a *solver* that reads the same marks; `log_moves` turns the log on."""
        n: cython.int = cython.cast(cython.int, marks.shape[0])
        self.offsets = offsets
        self.neighbours = neighbours
        self.marks = marks
        self.solver = solver
        self.tracked = tracked
        self.allowed_cells = allowed_cells
        self.mine_count = mine_count
        self.first = first
        self.cells = n
        self.shuffled_cells = view(np.array(allowed_cells, dtype=np.int32))
        allocate(self, "numbers flood order mines", n)
        allocate(self, "layout_stream guess_stream", 4)
        allocate(self, "log start_marks", 1)
        allocate(self, "layouts", (1, 1))
        # The tracked position reads the marks and counts of the solver.
        tracked.marks = solver.marks
        tracked.covered = solver.covered
        tracked.flags = solver.flags

    def continue_from(self, marks: ConstInts, layouts: cython.const[cython.uchar][:, ::1]) -> None:
        """Play game i from *marks* on row i of *layouts*; its first move is `first` unless -1."""
        self.start_marks = marks
        self.layouts = layouts
        if not self.continues:
            allocate(self, "memo_key memo_cell", MEMO_CAPACITY)
        self.continues = 1

    def log_moves(self, log: Ints) -> None:
        """Write the moves of each game to *log*, from its beginning."""
        self.log = log
        self.log_enabled = 1


def start_game(g: GameState) -> cython.void:
    """Generate the layout of this game's seed and make the first click."""
    seed_state(g.seed + cython.cast(cython.ulonglong, g.game_index), g.layout_stream)
    for c in range(g.shuffled_cells.shape[0]):
        g.shuffled_cells[c] = g.allowed_cells[c]
    for c in range(g.cells):
        g.mines[c] = 0
        g.numbers[c] = 0
    place_mines(g.layout_stream, g.shuffled_cells, g.mine_count, g.mines)
    count_numbers(g.offsets, g.neighbours, g.mines, g.numbers)
    reset_solver(g.solver)
    reset_game(g)
    reveal(g, g.first)
    g.phase = codes.MOVING


def reset_game(g: GameState) -> cython.void:
    """Reset the random guesses, the outcome and the counts, for a game without revealed cells."""
    seed_state((g.seed + cython.cast(cython.ulonglong, g.game_index)) ^ SALT, g.guess_stream)
    g.outcome = codes.PLAYING
    g.safe_left = g.cells - g.mine_count
    g.guesses = 0
    g.reveals = 0
    g.analyses = 0
    g.blunders = 0
    g.log_count = 0


def reveal(g: GameState, cell: cython.int) -> cython.void:
    """Reveal a cell, with its opening if it is a zero; or hit a mine."""
    count: cython.int = 0
    read: cython.int = 0
    g.reveals += 1
    if g.log_enabled:
        _log(g, cell)
    if g.mines[cell]:
        g.outcome = codes.LOST
        return
    show_number(g, cell)
    if g.numbers[cell] == 0:
        g.flood[0] = cell
        count = 1
    while read < count:
        c = g.flood[read]
        read += 1
        for k in range(g.offsets[c], g.offsets[c + 1]):
            d = g.neighbours[k]
            if g.marks[d] == codes.COVERED or g.marks[d] == codes.KNOWN_SAFE:
                show_number(g, d)
                if g.numbers[d] == 0:
                    g.flood[count] = d
                    count += 1
    if g.safe_left == 0:
        g.outcome = codes.WON


def show_number(g: GameState, cell: cython.int) -> cython.void:
    """Show the number of a safe cell."""
    set_number(g.solver, cell, g.numbers[cell])
    g.safe_left -= 1
    g.order[g.cells - g.mine_count - g.safe_left - 1] = cell


@cython.cfunc
@cython.nogil
def _log(g: GameState, move: cython.int) -> cython.void:
    g.log[g.log_count] = move
    g.log_count += 1


def deduce(g: GameState) -> cython.bint:
    """Make the moves of one round of the strategies; return whether there were any."""
    run_single_strategies(g.solver)
    if g.solver.found_count == 0:
        run_strategies(g.solver)
    if g.solver.found_count == 0:
        return False
    make_moves(g)
    return True


def make_moves(g: GameState) -> cython.void:
    """Make the moves that the solver found: its flags are set already, safe cells are revealed."""
    count: cython.int = g.solver.found_count
    g.solver.found_count = 0
    _sort(g.solver.found, count)
    if g.log_enabled:
        for i in range(count):
            if g.marks[g.solver.found[i]] == codes.FLAG:
                _log(g, -1 - g.solver.found[i])
    for i in range(count):
        c = g.solver.found[i]
        if g.marks[c] == codes.KNOWN_SAFE:
            reveal(g, c)
            if g.outcome != codes.PLAYING:
                return


@cython.cfunc
@cython.nogil
def _sort(cells: Ints, count: cython.int) -> cython.void:
    """Sort cells[:count] by Shell's method: mostly a handful, but an opening may find many."""
    gap: cython.int = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap >= 1:
        for i in range(gap, count):
            c = cells[i]
            j = i
            while j >= gap and cells[j - gap] > c:
                cells[j] = cells[j - gap]
                j -= gap
            cells[j] = c
        gap //= 3


def make_certain_moves(g: GameState, ws: Workspace) -> cython.bint:
    """Make the moves that the engine found certain; return whether a cell was revealed."""
    count: cython.int = _list_certain(g, g.tracked, ws, codes.MINE)
    for i in range(count):
        c = g.tracked.batch[i]
        set_mark(g.solver, c, codes.FLAG)
        if g.log_enabled:
            _log(g, -1 - c)
    count = _list_certain(g, g.tracked, ws, codes.SAFE)
    for i in range(count):
        c = g.tracked.batch[i]
        if g.marks[c] == codes.COVERED:
            reveal(g, c)
            if g.outcome != codes.PLAYING:
                break
    return count > 0


@cython.cfunc
@cython.nogil
def _list_certain(g: GameState, p: TrackedPosition, ws: Workspace, known: cython.int) -> cython.int:
    """List the covered cells of this knowledge in tracked.batch, ascending; return how many."""
    count: cython.int = 0
    if p.used_general:
        for c in range(g.cells):
            if g.marks[c] == codes.COVERED and ws.known[c] == known:
                p.batch[count] = c
                count += 1
        return count
    for k in range(p.live_count):
        for b in range(p.component_box[p.live[k]], p.component_box_stop[p.live[k]]):
            if p.box_known[b] == known:
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    p.batch[count] = p.member[i]
                    count += 1
    if p.interior and p.interior_known == known:
        for c in range(g.cells):
            if g.marks[c] == codes.COVERED and p.box_of[c] < 0:
                p.batch[count] = c
                count += 1
    _sort(p.batch, count)
    return count


def query_engine(g: GameState, ws: Workspace, resuming: cython.bint) -> cython.int:
    """Query the engine for the current position; return OK or a status of the engine.

    Flags are trusted, because the player deduced them. The papers' hybrid does not use the mine
    count. The check of a loss trusts no flags.
    """
    if g.phase == codes.ANALYSING:
        if not resuming:
            marks_changed(
                g.tracked, -1 if g.deduction == codes.WITHOUT_MINE_COUNT else g.mine_count
            )
        return answer(g.tracked)
    ws.trust_flags = False
    if resuming:
        return resume(ws, g.offsets, g.neighbours, g.marks, 0, g.mine_count)
    return analyse(ws, g.offsets, g.neighbours, g.marks, 0, g.mine_count)


def least_risk(g: GameState, p: TrackedPosition, ws: Workspace) -> cython.int:
    """Return the covered cell of least probability.

    Ties go to the cell with the fewest neighbours, then to the frontier, then to the lowest index.
    """
    best: cython.int = -1
    if p.used_general:
        return _least_risk_general(g, ws)
    for k in range(p.live_count):
        for b in range(p.component_box[p.live[k]], p.component_box_stop[p.live[k]]):
            if at_most(p.box_probability[b], p.least):
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    best = _fewer_neighbours(g, best, p.member[i])
    if p.interior and at_most(p.interior_probability, p.least):
        # Cells of fewest neighbours first, so the first covered cell is the best of the interior.
        i = 0
        while g.marks[p.by_neighbours[i]] != codes.COVERED or p.box_of[p.by_neighbours[i]] >= 0:
            i += 1
        c = p.by_neighbours[i]
        if best < 0 or g.offsets[c + 1] - g.offsets[c] < g.offsets[best + 1] - g.offsets[best]:
            best = c
    return best


@cython.cfunc
@cython.nogil
def _fewer_neighbours(g: GameState, best: cython.int, c: cython.int) -> cython.int:
    """Return the cell with fewer neighbours, or of lower index."""
    neighbour_count: cython.int = g.offsets[c + 1] - g.offsets[c]
    if best < 0:
        return c
    best_count = g.offsets[best + 1] - g.offsets[best]
    return (
        c if neighbour_count < best_count or (neighbour_count == best_count and c < best) else best
    )


@cython.cfunc
@cython.nogil
def _least_risk_general(g: GameState, ws: Workspace) -> cython.int:
    """Return the same cell by the probabilities that the general engine wrote."""
    frontier_cell: cython.int = -1
    interior_cell: cython.int = -1
    least: cython.double = 2.0
    for c in range(g.cells):
        if g.marks[c] == codes.COVERED and ws.probabilities[c] < least:
            least = ws.probabilities[c]
    for c in range(g.cells):
        if g.marks[c] == codes.COVERED and at_most(ws.probabilities[c], least):
            if _is_next_to_number(g, c):
                frontier_cell = _fewer_neighbours(g, frontier_cell, c)
            else:
                interior_cell = _fewer_neighbours(g, interior_cell, c)
    if frontier_cell < 0 or interior_cell < 0:
        return interior_cell if frontier_cell < 0 else frontier_cell
    return (
        interior_cell
        if g.offsets[interior_cell + 1] - g.offsets[interior_cell]
        < g.offsets[frontier_cell + 1] - g.offsets[frontier_cell]
        else frontier_cell
    )


@cython.cfunc
@cython.nogil
def _is_next_to_number(g: GameState, c: cython.int) -> cython.bint:
    """Return whether a revealed cell is next to c."""
    for k in range(g.offsets[c], g.offsets[c + 1]):
        if g.marks[g.neighbours[k]] >= 0:
            return True
    return False
