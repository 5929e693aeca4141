"""Roll-outs: reveal a candidate on a sampled solution, and continue with a fast player.

position        the position in which a player considers a guess; flags in it are mines
sample          a solution of the position, drawn uniformly; every candidate is tried on the same
                samples (common random numbers), which makes their differences less noisy
guesser         the choice of the fast player that plays on; without one, the least probability
stuck           a later position in which nothing is certain
value           of a roll-out: with few solutions left, the exact win chance of perfect play; else 1
                or 0 for won or lost
bad_luck        of a roll-out: the sum over its guesses of (1 if it hit a mine, else 0) minus its
                probability. Samples are uniform, so its mean is 0: it is a control variate, with
                which the caller removes most of the noise of the value
hit             whether the candidate itself was a mine; its probability is known, so the caller
                averages the values of the samples in which it is safe
key             of a stuck position: the Zobrist hash of its revealed cells and their numbers
memo            of a stuck position, its exact value (memo_cell is -1), or else the guess in it
                (memo_cell) with its probability (memo_value); of a stuck position on a sample (key
                XOR the key of the sample), the value and the bad luck of the rest of the roll-out:
                two candidates that reach the same position on the same sample share the rest. It is
                cleared with the position
in_guesser      whether the last status is that of the guesser's engine, and not of `general`

r is the state of the roll-outs, g the game that is played on, p a tracked position, h the solver of
end games with its solution lister s and its search e. Only `game_state` reads the sample, at the
cells that it reveals.
"""

import cython
from cython.cimports.libc.math import log
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, ConstBytes, ConstInts, Doubles
from cython.cimports.sapper.kernels.board import cell_key, count_numbers, next_random, seed_state
from cython.cimports.sapper.kernels.games.game_state import (
    GameState,
    deduce,
    least_risk,
    make_certain_moves,
    reveal,
)
from cython.cimports.sapper.kernels.players.end_game_search import EndGameSearch, search, set_root
from cython.cimports.sapper.kernels.players.guessing import (
    EndGameSolver,
    GuesserState,
    list_all_parts,
)
from cython.cimports.sapper.kernels.players.solution_lists import SolutionLister, find_parts
from cython.cimports.sapper.kernels.solvers.human import load_marks
from cython.cimports.sapper.kernels.ties import at_most
from cython.cimports.sapper.kernels.tracked.marks import read_marks, remove_components
from cython.cimports.sapper.kernels.tracked.queries import (
    answer,
    marks_changed,
    write_probabilities,
)
from cython.cimports.sapper.kernels.tracked.sampling import draw_solution, list_interior
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels.declarations import allocate


class RolloutState:
    """The state of roll-outs on one board, for use by one thread."""

    def __init__(
        self,
        tracked: TrackedPosition,
        game: GameState,
        end_game: EndGameSolver,
        guesser: GuesserState | None,
        memo_capacity: cython.int,
    ):
        """Draw samples from *tracked* and play on in *game*; *memo_capacity* is a power of two.

        *guesser* may share the tracked position of the game.
        """
        n = tracked.cells
        self.p = tracked
        self.p.allocate_lists()
        self.game = game
        self.general = game.tracked.general
        self.end_game = end_game
        self.guesser = guesser
        self.has_guesser = guesser is not None
        allocate(self, "marks sample", n)
        allocate(self, "path_key path_bad_luck", n + 1)
        allocate(self, "stream", 4)
        allocate(self, "memo_key memo_value memo_bad_luck memo_cell memo_age", memo_capacity)
        self.memo_capacity = memo_capacity


def begin_position(
    r: RolloutState, marks: ConstInts, mines: cython.int, seed: cython.ulonglong
) -> cython.int:
    """Start with another position; clear the memo and restart the samples.

    The samples depend only on the position and the seed. Return OK or a status of the engine:
    from GROW on, enlarge r.p.general and call again.
    """
    # Components kept from another position would change the order of the draws.
    r.p.position_known = False
    remove_components(r.p)
    status = read_marks(r.p, marks, 0, mines, True)
    if status == codes.OK:
        status = answer(r.p)
    if status:
        return status
    list_interior(r.p)
    r.mines = mines
    r.revealed = 0
    r.position_key = cell_key(cython.cast(cython.ulonglong, r.p.cells), mines)
    for c in range(r.p.cells):
        r.marks[c] = marks[c]
        if marks[c] >= 0:
            r.revealed += 1
            r.position_key ^= cell_key(c, marks[c])
    seed_state(r.position_key ^ seed, r.stream)
    r.age += 1
    r.memo_count = 0
    r.resuming = False
    r.guesses = 0
    return codes.OK


def roll_out(r: RolloutState, cell: cython.int) -> cython.int:
    """Reveal a cell of the position on the current sample: r.hit, r.value, r.bad_luck.

    Return OK or a status of the engine: from GROW on, enlarge the engine (that of the guesser if
    r.in_guesser, else r.general) and call again.
    """
    r.hit = r.sample[cell]
    r.value = 0.0
    r.bad_luck = 0.0
    if r.hit:
        return codes.OK
    _prepare(r, r.game)
    reveal(r.game, cell)
    return _play_to_end(r, r.game)


@cython.cfunc
@cython.nogil
def _prepare(r: RolloutState, g: GameState) -> cython.void:
    """Set up the game with the position and the sample."""
    for c in range(g.cells):
        g.marks[c] = r.marks[c]
        g.mines[c] = r.sample[c]
        g.numbers[c] = 0
    count_numbers(g.offsets, g.neighbours, g.mines, g.numbers)
    load_marks(g.solver)
    g.mine_count = r.mines
    g.safe_left = g.cells - r.mines - r.revealed
    g.outcome = codes.PLAYING


@cython.cfunc
@cython.nogil
def _play_to_end(r: RolloutState, g: GameState) -> cython.int:
    """Play to the end, or to a position of known value; return OK or a status."""
    revealed: cython.int = r.revealed
    stuck: cython.int = 0
    key: cython.ulonglong = r.position_key
    bad_luck: cython.double = 0.0
    while g.outcome == codes.PLAYING:
        if deduce(g):
            continue
        for i in range(revealed, g.cells - g.mine_count - g.safe_left):
            key ^= cell_key(g.order[i], g.numbers[g.order[i]])
        revealed = g.cells - g.mine_count - g.safe_left
        # The memo has stuck positions only, and so the engine need not be asked for certain moves.
        if _look_up(r, key ^ r.sample_key):
            bad_luck += r.bad_luck
            break
        if not _look_up(r, key):
            marks_changed(g.tracked, g.mine_count)
            r.in_guesser = False
            status = answer(g.tracked)
            if status:
                return status
            if make_certain_moves(g, r.general):
                continue
            r.guess = -1
            if not _solve(r, g.tracked, r.end_game, r.end_game.lister, r.end_game.search):
                status = _choose(r, g, g.tracked)
                if status:
                    return status
            _store(r, key, r.value if r.guess < 0 else r.probability, 0.0, r.guess)
        if r.guess < 0:
            break
        r.path_key[stuck] = key ^ r.sample_key
        r.path_bad_luck[stuck] = bad_luck
        stuck += 1
        r.guesses += 1
        bad_luck += (1.0 if g.mines[r.guess] else 0.0) - r.probability
        reveal(g, r.guess)
    if g.outcome == codes.WON:
        r.value = 1.0
    elif g.outcome == codes.LOST:
        r.value = 0.0
    r.bad_luck = bad_luck
    for i in range(stuck):
        _store(r, r.path_key[i], r.value, bad_luck - r.path_bad_luck[i], -1)
    return codes.OK


@cython.cfunc
@cython.nogil
def _choose(r: RolloutState, g: GameState, p: TrackedPosition) -> cython.int:
    """Choose the guess of the fast player: r.guess, r.probability. Return OK or a status."""
    if not r.has_guesser:
        r.guess = least_risk(g, p, r.general)
        r.probability = p.least
        return codes.OK
    r.in_guesser = True
    status = r.guesser.choose_in_game(g.marks, g.mine_count, True)
    if status:
        return status
    r.guess = r.guesser.chosen
    r.probability = r.guesser.p.probabilities[r.guess]
    return codes.OK


@cython.cfunc
@cython.nogil
def _solve(
    r: RolloutState, p: TrackedPosition, h: EndGameSolver, s: SolutionLister, e: EndGameSearch
) -> cython.bint:
    """Find the exact value of a stuck position, r.value, if it has few solutions."""
    if h.max_solutions <= 0 or not at_most(p.ln_solutions, log(h.max_solutions)):
        return False
    write_probabilities(p)
    find_parts(s, p.marks, p.known)
    if not list_all_parts(s, e, p, r.mines):
        return False
    set_root(e, 0, e.rows, 0)
    if search(e):
        return False
    r.value = cython.cast(cython.double, e.answer) / e.rows
    return True


@cython.cfunc
@cython.nogil
def _memo_index(r: RolloutState, key: cython.ulonglong) -> cython.int:
    """Return the index of a key in the memo, or of the empty entry where it belongs."""
    mask: cython.ulonglong = r.memo_capacity - 1
    i: cython.int = cython.cast(cython.int, key & mask)
    while r.memo_age[i] == r.age and r.memo_key[i] != key:
        i = cython.cast(cython.int, (i + 1) & mask)
    return i


@cython.cfunc
@cython.nogil
def _look_up(r: RolloutState, key: cython.ulonglong) -> cython.bint:
    """Return whether the memo has a key; if so, set r.guess and what it has of the roll-out."""
    i: cython.int = _memo_index(r, key)
    if r.memo_age[i] != r.age:
        return False
    r.guess = r.memo_cell[i]
    if r.guess >= 0:
        r.probability = r.memo_value[i]
    else:
        r.value = r.memo_value[i]
        r.bad_luck = r.memo_bad_luck[i]
    return True


@cython.cfunc
@cython.nogil
def _store(
    r: RolloutState,
    key: cython.ulonglong,
    value: cython.double,
    bad_luck: cython.double,
    guess: cython.int,
) -> cython.void:
    """Store an entry in the memo, unless three quarters of it are full."""
    if r.memo_count >= r.memo_capacity // 4 * 3:
        return
    i = _memo_index(r, key)
    if r.memo_age[i] != r.age:
        r.memo_age[i] = r.age
        r.memo_key[i] = key
        r.memo_count += 1
    r.memo_value[i] = value
    r.memo_bad_luck[i] = bad_luck
    r.memo_cell[i] = guess


def run_begin(r: RolloutState, marks: ConstInts, mines: cython.int, seed: cython.ulonglong):
    """Call `begin_position` without the GIL."""
    with cython.nogil:
        status = begin_position(r, marks, mines, seed)
    return status


def run_samples(
    r: RolloutState,
    cells: ConstInts,
    index: cython.Py_ssize_t,
    values: Doubles,
    bad_luck: Doubles,
    hits: Bytes,
):
    """Roll the candidates *cells* out on sample after sample until *values* is full.

    Runs without the GIL. The result of the i-th cell on the k-th sample goes to index
    k * len(cells) + i of *values*, *bad_luck* and *hits*, starting at *index*. Return the status
    and the next index; after an engine was enlarged, call again from there to continue the current
    sample.
    """
    status: cython.int = codes.OK
    count: cython.Py_ssize_t = cells.shape[0]
    stop: cython.Py_ssize_t = values.shape[0]
    with cython.nogil:
        while index < stop:
            if index % count == 0 and not r.resuming:
                r.sample_key = next_random(r.stream)
                draw_solution(r.p, r.stream, r.sample, 0)
            status = roll_out(r, cells[index % count])
            r.resuming = status != codes.OK
            if status:
                break
            values[index] = r.value
            bad_luck[index] = r.bad_luck
            hits[index] = r.hit
            index += 1
    return status, index


def run_solution(r: RolloutState, solution: ConstBytes, cell: cython.int):
    """Roll one candidate out on a given solution: r.value, r.bad_luck, r.hit. Return the status."""
    with cython.nogil:
        r.sample_key = next_random(r.stream)
        for c in range(r.p.cells):
            r.sample[c] = solution[c]
        status = roll_out(r, cell)
    return status
