"""Roll-outs: a candidate is revealed on a sampled placement, and a quick player plays on.

frame        the position at which a player hesitates; flags in it are mines
sample       a placement of the frame, drawn with the same chance as any other; every candidate
             meets the same samples, so that luck which all of them share cancels out
inner        the quick player that plays on: CAREFUL, THOUGHTFUL or LEARNED
stuck        a frame on the way in which nothing is certain
value        what a roll-out is worth. With few placements left the exact chance of winning by
             perfect play; else 1 or 0 for won or lost, and corrected for the luck of its guesses:
             a guess at odds p adds worth (1 - p) when it hits and takes worth p away when it
             does not, worth being about what survival is worth. That adds nothing on average,
             whatever worth is, because samples are exact; but it takes most of the noise away.
hit          whether the candidate itself was a mine; its own odds are known, so the caller
             averages the values of those samples in which it is free
key          of a stuck frame, the XOR of a word for each revealed cell and its hint
memo         of a stuck frame, its exact value; of a stuck frame on a sample (key XOR the key of
             the sample), what the rest of the roll-out was worth: two candidates that come to the
             same frame on the same sample share the rest. All of it is forgotten with the frame.

Nothing looks at the sample but `sapper.kernels.play.games`, at the cells that it reveals.
Samples, roll-outs and what is remembered of them share one memory, which makes the file long.
"""

import cython
import numpy as np

from sapper.kernels import view

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.sapper.kernels.boards.deal import count_hints, next_word, seed_state
    from cython.cimports.sapper.kernels.codes import (
        CAREFUL,
        LEARNED,
        LOST,
        OK,
        PLAYING,
        THOUGHTFUL,
        WON,
    )
    from cython.cimports.sapper.kernels.ladder.human import begin
    from cython.cimports.sapper.kernels.odds.asking import answer, look_again, write_odds
    from cython.cimports.sapper.kernels.odds.cells import forget, read
    from cython.cimports.sapper.kernels.odds.position import Position
    from cython.cimports.sapper.kernels.odds.samples import draw, list_interior
    from cython.cimports.sapper.kernels.play.endgame import Ending, ask, search
    from cython.cimports.sapper.kernels.play.games import (
        Arena,
        _deduce,
        _least_odds,
        _reveal,
        _use_answer,
    )
    from cython.cimports.sapper.kernels.play.guessing import EndGame, list_rest
    from cython.cimports.sapper.kernels.play.learned import Learner, weigh
    from cython.cimports.sapper.kernels.play.listing import Listing, find_parts
    from cython.cimports.sapper.kernels.play.thoughtful import Thought, think
else:
    from math import log

    from sapper.kernels.boards.deal import count_hints, next_word, seed_state
    from sapper.kernels.codes import CAREFUL, LEARNED, LOST, OK, PLAYING, THOUGHTFUL, WON
    from sapper.kernels.ladder.human import begin
    from sapper.kernels.odds.asking import answer, look_again, write_odds
    from sapper.kernels.odds.cells import forget, read
    from sapper.kernels.odds.position import Position
    from sapper.kernels.odds.samples import draw, list_interior
    from sapper.kernels.play.endgame import Ending, ask, search
    from sapper.kernels.play.games import (
        Arena,
        _deduce,
        _least_odds,
        _reveal,
        _use_answer,
    )
    from sapper.kernels.play.guessing import EndGame, list_rest
    from sapper.kernels.play.learned import Learner, weigh
    from sapper.kernels.play.listing import Listing, find_parts
    from sapper.kernels.play.thoughtful import Thought, think

MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
GAMMA = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


class Rollout:
    """One thread's memory for roll-outs on one board."""

    def __init__(
        self,
        position: Position,
        arena: Arena,
        end_game: EndGame,
        thought: Thought | None,
        learner: Learner | None,
        worth: cython.double,
        memo: cython.int,
    ):
        """Samples are drawn from *position*; at *arena* the thought or the learner plays on, or
        `careful` where there is neither. *memo* stuck frames are remembered, a power of two."""
        n = position.cells
        self.p = position
        self.p.make_room()
        self.arena = arena
        self.general = arena.position.general
        self.end_game = end_game
        self.thought = thought
        self.learner = learner
        self.inner = THOUGHTFUL if thought is not None else CAREFUL
        if learner is not None:
            self.inner = LEARNED
        self.worth = worth
        self.marks = view(np.zeros(n, np.int32))
        self.sample = view(np.zeros(n, np.uint8))
        self.state = view(np.zeros(4, np.uint64))
        self.way_key = view(np.zeros(n + 1, np.uint64))
        self.way_lift = view(np.zeros(n + 1))
        self.memo_key = view(np.zeros(memo, np.uint64))
        self.memo_value = view(np.zeros(memo))
        self.memo_age = view(np.zeros(memo, np.int32))
        self.memo_room = memo


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _word(cell: cython.ulonglong, hint: cython.ulonglong) -> cython.ulonglong:
    """The word of a revealed cell: one step of SplitMix64 from both numbers."""
    z: cython.ulonglong = (((cell << 20) + hint + 1) * GAMMA) & MASK
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def begin_frame(
    r: Rollout,
    marks: cython.const[cython.int][::1],
    mines: cython.int,
    seed: cython.ulonglong,
) -> cython.int:
    """Make this the frame, forget what belonged to another, and let samples begin.

    The samples follow from the frame and the seed alone. OK, or a status of the engine: from GROW
    on enlarge r.p.general and call again.
    """
    c: cython.int
    status: cython.int
    # Fronts that were kept from another frame would come in another order, and so would the draws.
    r.p.frame_known = False
    forget(r.p)
    status = read(r.p, marks, 0, mines, True)
    if status == OK:
        status = answer(r.p)
    if status:
        return status
    list_interior(r.p)
    r.mines = mines
    r.shown = 0
    r.frame_key = _word(cython.cast(cython.ulonglong, r.p.cells), mines)
    for c in range(r.p.cells):
        r.marks[c] = marks[c]
        if marks[c] >= 0:
            r.shown += 1
            r.frame_key ^= _word(c, marks[c])
    seed_state(r.frame_key ^ seed, r.state)
    r.age += 1
    r.memo_count = 0
    r.going_on = False
    r.guesses = r.rolled = r.exact = 0
    return OK


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def next_sample(r: Rollout) -> cython.void:
    """Draw the next placement of the frame."""
    r.sample_key = next_word(r.state)
    draw(r.p, r.state, r.sample, 0)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def take_sample(r: Rollout, placement: cython.const[cython.uchar][::1]) -> cython.void:
    """Take a given placement of the frame instead of drawing one."""
    c: cython.int
    r.sample_key = next_word(r.state)
    for c in range(r.p.cells):
        r.sample[c] = placement[c]


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def roll(r: Rollout, cell: cython.int) -> cython.int:
    """Reveal a cell of the frame on the sample at hand and play on: r.hit, r.value.

    OK, or a status of the engine: from GROW on enlarge the engine of the inner player
    (r.thought's where r.thinking, else r.general) and call again.
    """
    r.rolled += 1
    r.hit = r.sample[cell]
    r.value = 0.0
    if r.hit:
        return OK
    _set_up(r, r.arena)
    _reveal(r.arena, cell)
    return _play_on(r, r.arena)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _set_up(r: Rollout, a: Arena) -> cython.void:
    """Put the frame and the sample before the inner player."""
    c: cython.int
    for c in range(a.cells):
        a.marks[c] = r.marks[c]
        a.mines[c] = r.sample[c]
        a.hints[c] = 0
    count_hints(a.offsets, a.neighbours, a.mines, a.hints)
    begin(a.ladder)
    a.mine_count = r.mines
    a.left = a.cells - r.mines - r.shown
    a.outcome = PLAYING


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _play_on(r: Rollout, a: Arena) -> cython.int:
    """Play to the end, or to a frame whose value is known; OK, or a status of the engine."""
    i: cython.int
    status: cython.int
    shown: cython.int = r.shown
    stuck: cython.int = 0
    key: cython.ulonglong = r.frame_key
    lift: cython.double = 0.0
    value: cython.double = 0.0
    while a.outcome == PLAYING:
        if _deduce(a):
            continue
        look_again(a.position, a.mine_count)
        r.thinking = False
        status = answer(a.position)
        if status:
            return status
        if _use_answer(a, r.general):
            continue
        for i in range(shown, a.cells - a.mine_count - a.left):
            key ^= _word(a.order[i], a.hints[a.order[i]])
        shown = a.cells - a.mine_count - a.left
        if _known(r, key) or _known(r, key ^ r.sample_key):
            value = r.value
            break
        if _solve(r, a.position, r.end_game, r.end_game.listing, r.end_game.ending):
            r.exact += 1
            value = r.value
            _note(r, key, value)
            break
        r.way_key[stuck] = key ^ r.sample_key
        r.way_lift[stuck] = lift
        stuck += 1
        status = _choose(r, a, a.position)
        if status:
            return status
        r.guesses += 1
        lift += r.worth * ((1.0 if a.mines[r.guess] else 0.0) - r.odds)
        _reveal(a, r.guess)
    if a.outcome == WON:
        value = 1.0
    elif a.outcome == LOST:
        value = 0.0
    r.value = value + lift
    for i in range(stuck):
        _note(r, r.way_key[i], r.value - r.way_lift[i])
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _choose(r: Rollout, a: Arena, p: Position) -> cython.int:
    """The guess of the inner player, r.guess, and its odds, r.odds; OK, or a status."""
    status: cython.int
    if r.inner == THOUGHTFUL:
        r.thinking = True
        status = think(r.thought, a.marks, a.mine_count, True)
        if status:
            return status
        r.guess = r.thought.chosen
        r.odds = r.thought.p.odds[r.guess]
        return OK
    if r.inner == LEARNED:
        write_odds(p)
        r.guess = weigh(r.learner, a.mine_count)
        r.odds = p.odds[r.guess]
        return OK
    r.guess = _least_odds(a, p, r.general)
    r.odds = p.least
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _solve(r: Rollout, p: Position, g: EndGame, s: Listing, e: Ending) -> cython.bint:
    """Find the exact value of a stuck frame in r.value, where it has few placements."""
    if g.few_placements <= 0 or p.ln_placements > log(g.few_placements) + 1e-9:
        return False
    write_odds(p)
    find_parts(s, p.offsets, p.neighbours, p.marks, p.know)
    if not list_rest(s, e, p, r.mines):
        return False
    ask(e, 0, e.rows, 0)
    if search(e):
        return False
    r.value = cython.cast(cython.double, e.answer) / e.rows
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place(r: Rollout, key: cython.ulonglong) -> cython.int:
    """Where the memo has a key, or the empty place where it belongs."""
    mask: cython.ulonglong = r.memo_room - 1
    i: cython.int = cython.cast(cython.int, key & mask)
    while r.memo_age[i] == r.age and r.memo_key[i] != key:
        i = cython.cast(cython.int, (i + 1) & mask)
    return i


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _known(r: Rollout, key: cython.ulonglong) -> cython.bint:
    """Whether the memo has a key; then r.value is its value."""
    i: cython.int = _place(r, key)
    if r.memo_age[i] != r.age:
        return False
    r.value = r.memo_value[i]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _note(r: Rollout, key: cython.ulonglong, value: cython.double) -> cython.void:
    """Remember a value, unless three quarters of the memo are full."""
    i: cython.int
    if r.memo_count >= r.memo_room // 4 * 3:
        return
    i = _place(r, key)
    if r.memo_age[i] != r.age:
        r.memo_age[i] = r.age
        r.memo_key[i] = key
        r.memo_count += 1
    r.memo_value[i] = value


def run_begin(r: Rollout, marks, mines: cython.int, seed: cython.ulonglong):
    """`begin_frame` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = begin_frame(r, m, mines, seed)
    return status


def run_samples(r: Rollout, cells, at: cython.Py_ssize_t, values, hits):
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
            if at % count == 0 and not r.going_on:
                next_sample(r)
            status = roll(r, chosen[at % count])
            r.going_on = status != OK
            if status:
                break
            out_values[at] = r.value
            out_hits[at] = r.hit
            at += 1
    return status, at


def run_placement(r: Rollout, placement, cell: cython.int):
    """Play one candidate on a given placement: the status; then r.value and r.hit hold."""
    status: cython.int
    given: cython.const[cython.uchar][::1] = placement
    with cython.nogil:
        take_sample(r, given)
        status = roll(r, cell)
    return status
