"""Whole games without a step of Python between the moves: deal, reveal, deduce, ask, guess.

An Arena is the memory of one thread: a board, the game at hand and the rules of `human`.
The mines and numbers of cells that are not revealed lie beside it, and one function looks at them:
`_reveal`, at the cell that it reveals and at what the opening floods.

Moves come in rounds, so that their order follows from the position alone:
all that strategies 1 and 2 find, or else all that strategies 1 to 7 find, or else all that
the engine finds; in each round flags first, then reveals, both in cell order.
When none of them finds a move, the player guesses.
`sapper.players.registry` makes the same moves, one by one and with their reasons.
(Long for a module because the compiler wants a line for each variable.)

may_hold   the cells that the rule lets hold a mine, ascending
state      the generator of the deal
luck       the generator of random guesses, seeded by the game's seed XOR SALT
order      the revealed cells in the order in which they showed their numbers
log        the moves of the game where they are asked for: c for a reveal of c, -1 - c for a flag
out        a row for each game: won, guesses, reveals, asked (the engine), blunders
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels.board import (
    count_numbers,
    place_mines,
    random_below,
    seed_state,
)
from cython.cimports.sapper.kernels.codes import (
    ANSWERED,
    ASKING,
    CHECKING,
    COVERED,
    FLAG,
    FRESH,
    GROW,
    HUMAN,
    HYBRID,
    KNOWN_SAFE,
    LEARNED,
    LOST,
    MINE,
    MOVING,
    NEEDS_ROLLOUTS,
    OK,
    PATIENT,
    PLAYING,
    RANDOM,
    SAFE,
    SHREWD,
    THINKING,
    THOUGHTFUL,
    WON,
)
from cython.cimports.sapper.kernels.engine.pipeline import analyse, resume
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.players.learned import guess_learned
from cython.cimports.sapper.kernels.players.shrewd import choose_shrewd
from cython.cimports.sapper.kernels.players.thoughtful import choose_thoughtful, needs_rollouts
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    reset_solver,
    run_single_strategies,
    run_strategies,
    set_mark,
    set_number,
)
from cython.cimports.sapper.kernels.tracked.queries import (
    answer,
    marks_changed,
    write_probabilities,
)
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view

SALT = cython.declare(cython.ulonglong, 0x706C61796572)
# Probabilities that differ by less than this share of themselves are equal: they were summed in another
# order. Different probabilities of one position are never that near each other in practice.
TIE = cython.declare(cython.double, 1e-9)

# For wrappers.
FIELDS = ("won", "guesses", "reveals", "asked", "blunders")
LUCK_SALT = 0x706C61796572


class Arena:
    """One thread's memory; `run` plays games in it."""

    def __init__(
        self,
        offsets: cython.const[cython.int][::1],
        neighbours: cython.const[cython.int][::1],
        marks: cython.int[::1],
        solver: HumanState,
        tracked: TrackedPosition,
        may_hold: cython.const[cython.int][::1],
        mine_count: cython.int,
        first: cython.int,
    ):
        """*ladder* has these marks; games are not logged until `log_moves` is called."""
        n: cython.int = cython.cast(cython.int, marks.shape[0])
        self.offsets = offsets
        self.neighbours = neighbours
        self.marks = marks
        self.solver = solver
        self.tracked = tracked
        self.may_hold = may_hold
        self.mine_count = mine_count
        self.first = first
        self.cells = n
        self.allowed = view(np.array(may_hold, dtype=np.int32))
        self.numbers = view(np.zeros(n, dtype=np.int32))
        self.flood = view(np.zeros(n, dtype=np.int32))
        self.order = view(np.zeros(n, dtype=np.int32))
        self.mines = view(np.zeros(n, dtype=np.uint8))
        self.state = view(np.zeros(4, dtype=np.uint64))
        self.luck = view(np.zeros(4, dtype=np.uint64))
        self.log = view(np.zeros(1, dtype=np.int32))
        self.logged = self.log_count = 0
        self.by_network = False
        self.player = self.checked = self.phase = self.reveals = 0
        # The position looks at the marks of the ladder.
        tracked.marks = solver.marks
        tracked.covered = solver.covered
        tracked.flags = solver.flags

    def log_moves(self, log: cython.int[::1]) -> None:
        """Write the moves of each game there, from the component."""
        self.log = log
        self.logged = 1


@cython.cfunc
@cython.nogil
def _start(a: Arena) -> cython.void:
    """Deal the game of this seed and make its first click."""
    c: cython.int
    seed: cython.ulonglong = a.seed + cython.cast(cython.ulonglong, a.at)
    seed_state(seed, a.state)
    seed_state(seed ^ SALT, a.luck)
    for c in range(a.allowed.shape[0]):
        a.allowed[c] = a.may_hold[c]
    for c in range(a.cells):
        a.mines[c] = 0
        a.numbers[c] = 0
    place_mines(a.state, a.allowed, a.mine_count, a.mines)
    count_numbers(a.offsets, a.neighbours, a.mines, a.numbers)
    reset_solver(a.solver)
    a.outcome = PLAYING
    a.left = a.cells - a.mine_count
    a.guesses = 0
    a.reveals = 0
    a.asked = 0
    a.blunders = 0
    a.log_count = 0
    _reveal(a, a.first)
    a.phase = MOVING


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, d=cython.int, k=cython.int)
def _reveal(a: Arena, cell: cython.int) -> cython.void:
    """Reveal a cell with its opening, and tell the rules; or hit a mine."""
    count: cython.int = 0
    read: cython.int = 0
    a.reveals += 1
    if a.logged:
        _note(a, cell)
    if a.mines[cell]:
        a.outcome = LOST
        return
    _learn(a, cell)
    if a.numbers[cell] == 0:
        a.flood[0] = cell
        count = 1
    while read < count:
        c = a.flood[read]
        read += 1
        for k in range(a.offsets[c], a.offsets[c + 1]):
            d = a.neighbours[k]
            if a.marks[d] == COVERED or a.marks[d] == KNOWN_SAFE:
                _learn(a, d)
                if a.numbers[d] == 0:
                    a.flood[count] = d
                    count += 1
    if a.left == 0:
        a.outcome = WON


@cython.cfunc
@cython.nogil
def _learn(a: Arena, cell: cython.int) -> cython.void:
    """A free cell shows its number."""
    set_number(a.solver, cell, a.numbers[cell])
    a.left -= 1
    a.order[a.cells - a.mine_count - a.left - 1] = cell


@cython.cfunc
@cython.nogil
def _note(a: Arena, move: cython.int) -> cython.void:
    a.log[a.log_count] = move
    a.log_count += 1


@cython.cfunc
@cython.nogil
def _deduce(a: Arena) -> cython.bint:
    """A round of the strategies: whether they moved."""
    run_single_strategies(a.solver)
    if a.solver.found_count == 0:
        run_strategies(a.solver)
    if a.solver.found_count == 0:
        return False
    _make_moves(a)
    return True


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, c=cython.int)
def _make_moves(a: Arena) -> cython.void:
    """Make the moves that were found: flags stand already, free cells are revealed."""
    count: cython.int = a.solver.found_count
    a.solver.found_count = 0
    _sort(a.solver.found, count)
    if a.logged:
        for i in range(count):
            if a.marks[a.solver.found[i]] == FLAG:
                _note(a, -1 - a.solver.found[i])
    for i in range(count):
        c = a.solver.found[i]
        if a.marks[c] == KNOWN_SAFE:
            _reveal(a, c)
            if a.outcome != PLAYING:
                return


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, j=cython.int, c=cython.int)
def _sort(cells: cython.int[::1], count: cython.int) -> cython.void:
    """Sort cells[:count] (by Shell's method: mostly a handful, but an opening may find many)."""
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


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, i=cython.int)
def _use_answer(a: Arena, ws: Workspace) -> cython.bint:
    """Settle what the engine found certain: whether a cell was revealed."""
    count: cython.int = _certain(a, a.tracked, ws, MINE)
    for i in range(count):
        c = a.tracked.batch[i]
        set_mark(a.solver, c, FLAG)
        if a.logged:
            _note(a, -1 - c)
    count = _certain(a, a.tracked, ws, SAFE)
    for i in range(count):
        c = a.tracked.batch[i]
        if a.marks[c] == COVERED:
            _reveal(a, c)
            if a.outcome != PLAYING:
                break
    return count > 0


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, c=cython.int, i=cython.int, k=cython.int)
def _certain(a: Arena, p: TrackedPosition, ws: Workspace, known: cython.int) -> cython.int:
    """List the covered cells of which this is known in position.batch, ascending; how many there are."""
    count: cython.int = 0
    if p.by_general:
        for c in range(a.cells):
            if a.marks[c] == COVERED and ws.known[c] == known:
                p.batch[count] = c
                count += 1
        return count
    for k in range(p.live_count):
        for b in range(p.component_box[p.live[k]], p.component_past_box[p.live[k]]):
            if p.box_known[b] == known:
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    p.batch[count] = p.member[i]
                    count += 1
    if p.interior and p.interior_known == known:
        for c in range(a.cells):
            if a.marks[c] == COVERED and p.box_of[c] < 0:
                p.batch[count] = c
                count += 1
    _sort(p.batch, count)
    return count


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, c=cython.int, i=cython.int, k=cython.int)
def _least_risk(a: Arena, p: TrackedPosition, ws: Workspace) -> cython.int:
    """The covered cell of least probability; ties: fewest neighbours, then frontier, then lowest index."""
    best: cython.int = -1
    limit: cython.double = p.least * (1.0 + TIE)
    if p.by_general:
        return _least_risk_general(a, ws)
    for k in range(p.live_count):
        for b in range(p.component_box[p.live[k]], p.component_past_box[p.live[k]]):
            if p.box_probability[b] <= limit:
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    best = _better(a, best, p.member[i])
    if p.interior and p.interior_probability <= limit:
        # Cells of fewest neighbours first, so the first covered cell is the best of the interior.
        i = 0
        while a.marks[p.by_neighbours[i]] != COVERED or p.box_of[p.by_neighbours[i]] >= 0:
            i += 1
        c = p.by_neighbours[i]
        if best < 0 or a.offsets[c + 1] - a.offsets[c] < a.offsets[best + 1] - a.offsets[best]:
            best = c
    return best


@cython.cfunc
@cython.nogil
def _better(a: Arena, best: cython.int, c: cython.int) -> cython.int:
    """The cell with fewer neighbours, or of lower index."""
    here: cython.int = a.offsets[c + 1] - a.offsets[c]
    there: cython.int
    if best < 0:
        return c
    there = a.offsets[best + 1] - a.offsets[best]
    return c if here < there or (here == there and c < best) else best


@cython.cfunc
@cython.nogil
def _least_risk_general(a: Arena, ws: Workspace) -> cython.int:
    """The same choice from the probabilities that the general engine wrote for every cell."""
    c: cython.int
    near: cython.int = -1
    far: cython.int = -1
    limit: cython.double = 2.0
    for c in range(a.cells):
        if a.marks[c] == COVERED and ws.probabilities[c] < limit:
            limit = ws.probabilities[c]
    limit *= 1.0 + TIE
    for c in range(a.cells):
        if a.marks[c] == COVERED and ws.probabilities[c] <= limit:
            if _in_play(a, c):
                near = _better(a, near, c)
            else:
                far = _better(a, far, c)
    if near < 0 or far < 0:
        return far if near < 0 else near
    return (
        far if a.offsets[far + 1] - a.offsets[far] < a.offsets[near + 1] - a.offsets[near] else near
    )


@cython.cfunc
@cython.nogil
def _in_play(a: Arena, c: cython.int) -> cython.bint:
    """Whether a revealed cell is next to c."""
    k: cython.int
    for k in range(a.offsets[c], a.offsets[c + 1]):
        if a.marks[a.neighbours[k]] >= 0:
            return True
    return False


@cython.cfunc
@cython.nogil
def _random_covered_cell(a: Arena) -> cython.int:
    """A covered cell drawn by the player's own generator."""
    c: cython.int
    count: cython.int = 0
    for c in range(a.cells):
        if a.marks[c] == COVERED:
            count += 1
    count = cython.cast(cython.int, random_below(a.luck, count))
    for c in range(a.cells):
        if a.marks[c] == COVERED:
            if count == 0:
                return c
            count -= 1
    return -1


@cython.cfunc
@cython.nogil
def _guess(a: Arena, cell: cython.int) -> cython.void:
    a.guesses += 1
    _reveal(a, cell)
    if a.outcome == LOST and a.checked:
        a.phase = CHECKING


@cython.cfunc
@cython.nogil
def _ask(a: Arena, ws: Workspace, again: cython.bint) -> cython.int:
    """Ask the engine about the position; flags are trusted, because the player deduced them.

    The papers' hybrid does not use the mine count. The check of a loss trusts nothing.
    """
    if a.phase == ASKING:
        if not again:
            marks_changed(a.tracked, -1 if a.player == HYBRID else a.mine_count)
        return answer(a.tracked)
    ws.trust = False
    if again:
        return resume(ws, a.offsets, a.neighbours, a.marks, 0, a.mine_count)
    return analyse(ws, a.offsets, a.neighbours, a.marks, 0, a.mine_count)


@cython.cfunc
@cython.nogil
def _move(a: Arena, ws: Workspace) -> cython.int:
    """Make the moves of one round, or a guess. OK, or a status of the engine: then call again."""
    status: cython.int = OK
    again: cython.bint = a.phase == ASKING
    given: cython.bint = a.phase & ANSWERED != 0
    if a.phase == MOVING:
        if a.player == RANDOM:
            _guess(a, _random_covered_cell(a))
            return OK
        if _deduce(a):
            return OK
        if a.player == HUMAN:
            _guess(a, _random_covered_cell(a))
            return OK
        a.phase = ASKING
        a.asked += 1
    if a.phase == ASKING:
        status = _ask(a, ws, again)
        if status:
            return status
    if a.phase & ~ANSWERED != THINKING:
        a.phase = MOVING
        if _use_answer(a, ws):
            return OK
    if a.player == HYBRID:
        _guess(a, _random_covered_cell(a))
    elif a.player == THOUGHTFUL or a.player == SHREWD or a.player == PATIENT:
        if not a.phase & ANSWERED:
            a.phase = THINKING
            if a.by_network:
                status = choose_shrewd(a.shrewd, a.marks, a.mine_count, True)
            else:
                status = choose_thoughtful(a.thoughtful_state, a.marks, a.mine_count, True)
            if status >= GROW:
                return status
            if (
                a.player == PATIENT
                and not status
                and needs_rollouts(a.thoughtful_state, a.thoughtful_state.p)
            ):
                return NEEDS_ROLLOUTS
        a.phase = MOVING
        # Where its own engine has no answer, the one that answered before has probabilities.
        _guess(a, _least_risk(a, a.tracked, ws) if status else a.thoughtful_state.chosen)
    elif a.player == LEARNED and not given:
        write_probabilities(a.tracked)
        guess_learned(a.learned_state, a.mine_count)
        _guess(a, a.learned_state.t.chosen)
    else:
        _guess(a, _least_risk(a, a.tracked, ws))
    return OK


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, status=cython.int)
def _check_loss(a: Arena, ws: Workspace, again: cython.bint) -> cython.int:
    """Count a loss as a blunder where a certain reveal existed."""
    if a.phase == CHECKING:
        status = _ask(a, ws, again)
        if status:
            return status
    for c in range(a.cells):
        if ws.known[c] == SAFE:
            a.blunders = 1
            break
    return OK


@cython.cfunc
@cython.nogil
def _play(a: Arena, ws: Workspace) -> cython.int:
    """Play the game at hand to its end; OK, or a status of the engine: then call again."""
    status: cython.int
    again: cython.bint = a.phase == CHECKING
    if a.phase == FRESH:
        _start(a)
    while a.outcome == PLAYING:
        status = _move(a, ws)
        if status:
            return status
    if a.phase & ~ANSWERED == CHECKING:
        return _check_loss(a, ws, again)
    return OK


def run(a: Arena, ws: Workspace, past: cython.Py_ssize_t):
    """Play games until a.at is *past*, without the GIL; game i fills the row i of a.out, from 0.

    Answers with OK or a status of the engine that the caller must help with before it calls again:
    enlarge a pool, or write an answer into ws.known and ws.probabilities and add ANSWERED to a.phase (which
    is ASKING where a move hangs on the answer, and else asks about a loss).
    After NEEDS_ROLLOUTS the caller may choose otherwise in a.thought.chosen, and adds ANSWERED.
    """
    status: cython.int = OK
    row: cython.Py_ssize_t = a.out.shape[0] - (past - a.at)
    a.tracked.general = ws
    with cython.nogil:
        while a.at < past:
            status = _play(a, ws)
            if status:
                break
            a.out[row, 0] = a.outcome == WON
            a.out[row, 1] = a.guesses
            a.out[row, 2] = a.reveals
            a.out[row, 3] = a.asked
            a.out[row, 4] = a.blunders
            row += 1
            a.at += 1
            a.phase = FRESH
    return status
