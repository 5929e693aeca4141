"""Roll-outs: a candidate is revealed on a sampled solution, and a quick player plays on.

position        the position at which a player hesitates; flags in it are mines
sample       a solution of the position, drawn with the same chance as any other; every candidate
             meets the same samples, so that luck which all of them share cancels out
inner        the quick player that plays on: CAREFUL, THOUGHTFUL or LEARNED
stuck        a position on the way in which nothing is certain
value        what a roll-out is worth. With few solutions left the exact chance of winning by
             perfect play; else 1 or 0 for won or lost, and corrected for the luck of its guesses:
             a guess at probabilities p adds worth (1 - p) when it hits and takes worth p away when it
             does not, worth being about what survival is worth. That adds nothing on average,
             whatever worth is, because samples are exact; but it takes most of the noise away.
hit          whether the candidate itself was a mine; its own probabilities are known, so the caller
             averages the values of those samples in which it is free
key          of a stuck position, the XOR of a word for each revealed cell and its number
memo         of a stuck position, its exact value; of a stuck position on a sample (key XOR the key of
             the sample), what the rest of the roll-out was worth: two candidates that come to the
             same position on the same sample share the rest. All of it is forgotten with the position.

Nothing looks at the sample but `sapper.kernels.games.whole_games`, at the cells that it reveals.
Samples, roll-outs and what is remembered of them share one memory, which makes the file long.
"""

import cython
import numpy as np
from cython.cimports.libc.math import log
from cython.cimports.sapper.kernels.board import count_numbers, next_random, seed_state
from cython.cimports.sapper.kernels.codes import (
    CAREFUL,
    LEARNED,
    LOST,
    OK,
    PLAYING,
    THOUGHTFUL,
    WON,
)
from cython.cimports.sapper.kernels.games.whole_games import (
    Arena,
    _deduce,
    _least_risk,
    _reveal,
    _use_answer,
)
from cython.cimports.sapper.kernels.players.end_game_search import EndGameSearch, ask, search
from cython.cimports.sapper.kernels.players.guessing import EndGameSolver, list_all_parts
from cython.cimports.sapper.kernels.players.learned import LearnedState, evaluate_candidates
from cython.cimports.sapper.kernels.players.solution_lists import SolutionLister, find_parts
from cython.cimports.sapper.kernels.players.thoughtful import ThoughtfulState, choose_thoughtful
from cython.cimports.sapper.kernels.solvers.human import load_marks
from cython.cimports.sapper.kernels.tracked.marks import read_marks, remove_components
from cython.cimports.sapper.kernels.tracked.queries import (
    answer,
    marks_changed,
    write_probabilities,
)
from cython.cimports.sapper.kernels.tracked.sampling import draw_solution, list_interior
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view

MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
GAMMA = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


class RolloutState:
    """One thread's memory for roll-outs on one board."""

    def __init__(
        self,
        tracked: TrackedPosition,
        arena: Arena,
        end_game: EndGameSolver,
        thoughtful_state: ThoughtfulState | None,
        learned_state: LearnedState | None,
        worth: cython.double,
        memo: cython.int,
    ):
        """Samples are drawn from *position*; at *arena* the thought or the learner plays on, or
        `careful` where there is neither. *memo* stuck positions are remembered, a power of two."""
        n = tracked.cells
        self.p = tracked
        self.p.allocate_lists()
        self.arena = arena
        self.general = arena.tracked.general
        self.end_game = end_game
        self.thoughtful_state = thoughtful_state
        self.learned_state = learned_state
        self.inner = THOUGHTFUL if thoughtful_state is not None else CAREFUL
        if learned_state is not None:
            self.inner = LEARNED
        self.worth = worth
        self.marks = view(np.zeros(n, np.int32))
        self.sample = view(np.zeros(n, np.uint8))
        self.state = view(np.zeros(4, np.uint64))
        self.path_key = view(np.zeros(n + 1, np.uint64))
        self.path_correction = view(np.zeros(n + 1))
        self.memo_key = view(np.zeros(memo, np.uint64))
        self.memo_value = view(np.zeros(memo))
        self.memo_age = view(np.zeros(memo, np.int32))
        self.memo_capacity = memo


@cython.cfunc
@cython.nogil
def _word(cell: cython.ulonglong, number: cython.ulonglong) -> cython.ulonglong:
    """The word of a revealed cell: one step of SplitMix64 from both numbers."""
    z: cython.ulonglong = (((cell << 20) + number + 1) * GAMMA) & MASK
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


@cython.ccall
@cython.nogil
@cython.locals(c=cython.int, status=cython.int)
def begin_position(
    r: RolloutState,
    marks: cython.const[cython.int][::1],
    mines: cython.int,
    seed: cython.ulonglong,
) -> cython.int:
    """Make this the position, forget what belonged to another, and let samples begin.

    The samples follow from the position and the seed alone. OK, or a status of the engine: from GROW
    on enlarge r.p.general and call again.
    """
    # Components that were kept from another position would come in another order, and so would the draws.
    r.p.position_known = False
    remove_components(r.p)
    status = read_marks(r.p, marks, 0, mines, True)
    if status == OK:
        status = answer(r.p)
    if status:
        return status
    list_interior(r.p)
    r.mines = mines
    r.shown = 0
    r.position_key = _word(cython.cast(cython.ulonglong, r.p.cells), mines)
    for c in range(r.p.cells):
        r.marks[c] = marks[c]
        if marks[c] >= 0:
            r.shown += 1
            r.position_key ^= _word(c, marks[c])
    seed_state(r.position_key ^ seed, r.state)
    r.age += 1
    r.memo_count = 0
    r.resuming = False
    r.guesses = r.rolled = r.exact = 0
    return OK


@cython.ccall
@cython.nogil
def next_sample(r: RolloutState) -> cython.void:
    """Draw the next solution of the position."""
    r.sample_key = next_random(r.state)
    draw_solution(r.p, r.state, r.sample, 0)


@cython.ccall
@cython.nogil
def take_sample(r: RolloutState, solution: cython.const[cython.uchar][::1]) -> cython.void:
    """Take a given solution of the position instead of drawing one."""
    c: cython.int
    r.sample_key = next_random(r.state)
    for c in range(r.p.cells):
        r.sample[c] = solution[c]


@cython.ccall
@cython.nogil
def roll(r: RolloutState, cell: cython.int) -> cython.int:
    """Reveal a cell of the position on the sample at hand and play on: r.hit, r.value.

    OK, or a status of the engine: from GROW on enlarge the engine of the inner player
    (r.thought's where r.thinking, else r.general) and call again.
    """
    r.rolled += 1
    r.hit = r.sample[cell]
    r.value = 0.0
    if r.hit:
        return OK
    _prepare(r, r.arena)
    _reveal(r.arena, cell)
    return _play_to_end(r, r.arena)


@cython.cfunc
@cython.nogil
def _prepare(r: RolloutState, a: Arena) -> cython.void:
    """Put the position and the sample before the inner player."""
    c: cython.int
    for c in range(a.cells):
        a.marks[c] = r.marks[c]
        a.mines[c] = r.sample[c]
        a.numbers[c] = 0
    count_numbers(a.offsets, a.neighbours, a.mines, a.numbers)
    load_marks(a.solver)
    a.mine_count = r.mines
    a.left = a.cells - r.mines - r.shown
    a.outcome = PLAYING


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, status=cython.int)
def _play_to_end(r: RolloutState, a: Arena) -> cython.int:
    """Play to the end, or to a position whose value is known; OK, or a status of the engine."""
    shown: cython.int = r.shown
    stuck: cython.int = 0
    key: cython.ulonglong = r.position_key
    correction: cython.double = 0.0
    value: cython.double = 0.0
    while a.outcome == PLAYING:
        if _deduce(a):
            continue
        marks_changed(a.tracked, a.mine_count)
        r.thinking = False
        status = answer(a.tracked)
        if status:
            return status
        if _use_answer(a, r.general):
            continue
        for i in range(shown, a.cells - a.mine_count - a.left):
            key ^= _word(a.order[i], a.numbers[a.order[i]])
        shown = a.cells - a.mine_count - a.left
        if _known(r, key) or _known(r, key ^ r.sample_key):
            value = r.value
            break
        if _solve(r, a.tracked, r.end_game, r.end_game.listing, r.end_game.ending):
            r.exact += 1
            value = r.value
            _note(r, key, value)
            break
        r.path_key[stuck] = key ^ r.sample_key
        r.path_correction[stuck] = correction
        stuck += 1
        status = _choose(r, a, a.tracked)
        if status:
            return status
        r.guesses += 1
        correction += r.worth * ((1.0 if a.mines[r.guess] else 0.0) - r.probabilities)
        _reveal(a, r.guess)
    if a.outcome == WON:
        value = 1.0
    elif a.outcome == LOST:
        value = 0.0
    r.value = value + correction
    for i in range(stuck):
        _note(r, r.path_key[i], r.value - r.path_correction[i])
    return OK


@cython.cfunc
@cython.nogil
def _choose(r: RolloutState, a: Arena, p: TrackedPosition) -> cython.int:
    """The guess of the inner player, r.guess, and its probabilities, r.probabilities; OK, or a status."""
    status: cython.int
    if r.inner == THOUGHTFUL:
        r.thinking = True
        status = choose_thoughtful(r.thoughtful_state, a.marks, a.mine_count, True)
        if status:
            return status
        r.guess = r.thoughtful_state.chosen
        r.probabilities = r.thoughtful_state.p.probabilities[r.guess]
        return OK
    if r.inner == LEARNED:
        write_probabilities(p)
        r.guess = evaluate_candidates(r.learned_state, a.mine_count)
        r.probabilities = p.probabilities[r.guess]
        return OK
    r.guess = _least_risk(a, p, r.general)
    r.probabilities = p.least
    return OK


@cython.cfunc
@cython.nogil
def _solve(
    r: RolloutState, p: TrackedPosition, g: EndGameSolver, s: SolutionLister, e: EndGameSearch
) -> cython.bint:
    """Find the exact value of a stuck position in r.value, where it has few solutions."""
    if g.max_solutions <= 0 or p.ln_solutions > log(g.max_solutions) + 1e-9:
        return False
    write_probabilities(p)
    find_parts(s, p.offsets, p.neighbours, p.marks, p.known)
    if not list_all_parts(s, e, p, r.mines):
        return False
    ask(e, 0, e.rows, 0)
    if search(e):
        return False
    r.value = cython.cast(cython.double, e.answer) / e.rows
    return True


@cython.cfunc
@cython.nogil
def _place(r: RolloutState, key: cython.ulonglong) -> cython.int:
    """Where the memo has a key, or the empty place where it belongs."""
    mask: cython.ulonglong = r.memo_capacity - 1
    i: cython.int = cython.cast(cython.int, key & mask)
    while r.memo_age[i] == r.age and r.memo_key[i] != key:
        i = cython.cast(cython.int, (i + 1) & mask)
    return i


@cython.cfunc
@cython.nogil
def _known(r: RolloutState, key: cython.ulonglong) -> cython.bint:
    """Whether the memo has a key; then r.value is its value."""
    i: cython.int = _place(r, key)
    if r.memo_age[i] != r.age:
        return False
    r.value = r.memo_value[i]
    return True


@cython.cfunc
@cython.nogil
def _note(r: RolloutState, key: cython.ulonglong, value: cython.double) -> cython.void:
    """Remember a value, unless three quarters of the memo are full."""
    i: cython.int
    if r.memo_count >= r.memo_capacity // 4 * 3:
        return
    i = _place(r, key)
    if r.memo_age[i] != r.age:
        r.memo_age[i] = r.age
        r.memo_key[i] = key
        r.memo_count += 1
    r.memo_value[i] = value


def run_begin(r: RolloutState, marks, mines: cython.int, seed: cython.ulonglong):
    """`begin_position` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = begin_position(r, m, mines, seed)
    return status


def run_samples(r: RolloutState, cells, at: cython.Py_ssize_t, values, hits):
    """Play the candidates *cells* on sample after sample until *values* is full, without the GIL.

    The value of the i-th cell on the k-th sample goes to place k * len(cells) + i of *values* and
    *hits*, from place *at* on. Answers with the status and the place that comes next; after help
    call again from there, and the sample at hand goes on.
    """
    status: cython.int = OK
    chosen: cython.const[cython.int][::1] = cells
    out_values: cython.double[::1] = values
    out_hits: cython.uchar[::1] = hits
    count: cython.Py_ssize_t = chosen.shape[0]
    past: cython.Py_ssize_t = out_values.shape[0]
    with cython.nogil:
        while at < past:
            if at % count == 0 and not r.resuming:
                next_sample(r)
            status = roll(r, chosen[at % count])
            r.resuming = status != OK
            if status:
                break
            out_values[at] = r.value
            out_hits[at] = r.hit
            at += 1
    return status, at


def run_solution(r: RolloutState, solution, cell: cython.int):
    """Play one candidate on a given solution: the status; then r.value and r.hit hold."""
    status: cython.int
    given: cython.const[cython.uchar][::1] = solution
    with cython.nogil:
        take_sample(r, given)
        status = roll(r, cell)
    return status
