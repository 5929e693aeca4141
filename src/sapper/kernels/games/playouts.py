"""Training data: games in which the candidates of every guess are tried on the true layout.

At each guess of a game, some candidates are played out to the end on the layout of the game, always
by the same player, and the outcome of each is recorded with what a network sees of it. All
candidates of a position are tried on the same layout, so that luck mostly cancels out of their
differences. The module is long because the game and the playout share one state.

a, b       the game, and the playout that branches off it; they share mines and numbers
ours       chooses candidates for the game; inner plays in the playouts
learned    whether the player of the playouts follows the network, else the least probability
shares     percentages of the guesses that the game leaves to `thoughtful` and to chance; the
           others are those of the player of the playouts
huge       positions with an interior of at least this size are recorded in huge_share per cent
top, most  the best `top` candidates are always tried, and random others up to `most` in all
extras     whether influence and promise are recorded: 0 neither, 1 influence, 2 both
memo       values of playouts by the key of what is revealed: a player that is stuck in the same
           position of the same layout always does the same
shard      the records: of each candidate what a network sees of it (patch, scalar), whether it was
           a mine (hit), its probability and value; of each position (position_*) the index of its
           first record, its interior, the seed of its game
value      1 for a win, 0 for a loss; a playout ends with the exact value of its end game
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.board import random_below, seed_state
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.games.game_state import (
    GameState,
    ask_engine,
    deduce,
    least_risk,
    reveal,
    start_game,
    use_answer,
)
from cython.cimports.sapper.kernels.players.features import Features, fixed_point
from cython.cimports.sapper.kernels.players.learned import (
    CandidateValues,
    LearnedState,
    choose_end_game,
    evaluate_candidates,
    value_of,
)
from cython.cimports.sapper.kernels.players.thoughtful import (
    ThoughtfulState,
    choose_thoughtful,
    score_cells,
)
from cython.cimports.sapper.kernels.solvers.human import load_marks
from cython.cimports.sapper.kernels.tracked.queries import write_probabilities

from sapper.kernels import view
from sapper.kernels.players.end_game_search import random_words

SALT = cython.declare(cython.ulonglong, 0x706C61796F757473)


class RecordBuffer:
    """Records of positions and their candidates, with a fixed capacity."""

    def __init__(self, positions: cython.int, most: cython.int, slots: cython.int):
        records = positions * most
        self.patch = view(np.zeros(records * slots, np.uint8))
        self.hit = view(np.zeros(records, np.uint8))
        self.scalar = view(np.zeros(records * codes.SCALARS, np.int16))
        self.probabilities = view(np.zeros(records))
        self.value = view(np.zeros(records))
        self.position_start = view(np.zeros(positions + 1, np.int32))
        self.position_interior = view(np.zeros(positions, np.int32))
        self.position_seed = view(np.zeros(positions, np.uint64))
        self.empty()

    def empty(self) -> None:
        """Remove all records."""
        self.positions = self.records = self.failed = 0


class Playouts:
    """What one thread needs to record games on one board."""

    def __init__(
        self,
        shard: RecordBuffer,
        a: GameState,
        b: GameState,
        ours: LearnedState,
        inner: LearnedState,
        thoughtful: ThoughtfulState,
        *,
        learned: cython.bint,
        thoughtful_share: cython.int,
        random_share: cython.int,
        huge: cython.int,
        huge_share: cython.int,
        top: cython.int,
        most: cython.int,
        extras: cython.int,
        memo: cython.int,
    ):
        """Share the tracked positions of *a* and *b*; *memo* is a power of 2."""
        n = a.cells
        self.shard = shard
        self.a = a
        self.b = b
        b.mines = a.mines
        b.numbers = a.numbers
        self.ours = ours
        self.inner = inner
        self.thoughtful = thoughtful
        self.learned = learned
        self.thoughtful_share = thoughtful_share
        self.random_share = random_share
        self.huge = huge
        self.huge_share = huge_share
        self.top = top
        self.most = most
        self.extras = extras
        self.word = view(random_words(n))
        self.memo_key = view(np.zeros(memo, np.uint64))
        self.memo_value = view(np.zeros(memo))
        self.memo_age = view(np.zeros(memo, np.int32))
        self.memo_mask = memo - 1
        self.path = view(np.zeros(n + 1, np.uint64))
        self.stream = view(np.zeros(4, np.uint64))
        self.pick = view(np.zeros(most + 1, np.int32))


@cython.cfunc
@cython.nogil
@cython.locals(status=cython.int)
def _to_guess(a: GameState, ws: Workspace) -> cython.int:
    """Make all certain moves until the game is over or stuck; return OK or a status."""
    while a.outcome == codes.PLAYING:
        if deduce(a):
            continue
        a.phase = codes.ASKING
        status = ask_engine(a, ws, False)
        a.phase = codes.MOVING
        if status:
            return status
        if not use_answer(a, ws):
            write_probabilities(a.tracked)
            return codes.OK
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(status=cython.int)
def _play(w: Playouts, a: GameState, ws: Workspace) -> cython.int:
    """Play one game and record its guesses; return OK or a status of the engine."""
    start_game(a)
    w.age += 1
    seed_state((a.seed + cython.cast(cython.ulonglong, a.at)) ^ SALT, w.stream)
    while True:
        status = _to_guess(a, ws)
        if status or a.outcome != codes.PLAYING:
            return status
        if choose_end_game(w.ours, a.mine_count):
            # From here on perfect play is known: nothing is left to record.
            if w.ours.reason == codes.SOLVED:
                return codes.OK
            reveal(a, w.ours.chosen)
            continue
        status = _guess(w, a, ws, w.ours.values.features)
        if status:
            return status
        reveal(a, w.next)


@cython.cfunc
@cython.nogil
@cython.locals(best=cython.int, status=cython.int)
def _guess(w: Playouts, a: GameState, ws: Workspace, s: Features) -> cython.int:
    """Evaluate a position, record it unless it is left out, and choose the move of the game."""
    turn: cython.int = cython.cast(cython.int, random_below(w.stream, 100))
    wanted: cython.int = -1
    best = evaluate_candidates(w.ours.values, a.mine_count)
    if not w.learned:
        best = least_risk(a, a.tracked, ws)
    w.next = best
    if turn < w.thoughtful_share:
        status = choose_thoughtful(w.thoughtful, a.marks, a.mine_count, True)
        if status >= codes.GROW:
            return status
        if status == codes.OK:
            w.next = w.thoughtful.chosen
            wanted = w.next
    _pick(w, w.ours.values, s, best, wanted)
    if turn >= 100 - w.random_share:
        w.next = w.pick[cython.cast(cython.int, random_below(w.stream, w.picked))]
    if s.interior >= w.huge and w.huge_share <= cython.cast(
        cython.int, random_below(w.stream, 100)
    ):
        return codes.OK
    return _record(w, w.shard, a, ws, s, w.thoughtful)


@cython.cfunc
@cython.nogil
@cython.locals(j=cython.int, c=cython.int, at=cython.int)
def _pick(
    w: Playouts, v: CandidateValues, s: Features, best: cython.int, wanted: cython.int
) -> cython.void:
    """Choose the candidates to try: the given ones, the best `top`, then random others."""
    w.picked = 0
    _add(w, best)
    if wanted >= 0:
        _add(w, wanted)
    _add(w, s.candidate[0])
    for _ in range(w.top):
        at = -1
        for j in range(s.count):
            # By value if the network is used, else in the order of their probabilities.
            if not _has(w, s.candidate[j]) and (at < 0 or (w.learned and v.value[j] > v.value[at])):
                at = j
        if at >= 0:
            _add(w, s.candidate[at])
    for _ in range(4 * w.most):
        if w.picked >= w.most or w.picked >= s.count:
            return
        c = s.candidate[cython.cast(cython.int, random_below(w.stream, s.count))]
        _add(w, c)


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int)
def _has(w: Playouts, c: cython.int) -> cython.bint:
    for i in range(w.picked):
        if w.pick[i] == c:
            return True
    return False


@cython.cfunc
@cython.nogil
def _add(w: Playouts, c: cython.int) -> cython.void:
    if w.picked < w.most and not _has(w, c):
        w.pick[w.picked] = c
        w.picked += 1


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, i=cython.int, k=cython.int, status=cython.int, r=cython.Py_ssize_t)
def _record(
    w: Playouts, out: RecordBuffer, a: GameState, ws: Workspace, s: Features, t: ThoughtfulState
) -> cython.int:
    """Play out the picked candidates and record them; return OK or a status."""
    row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, s.most) * codes.SCALARS
    at: cython.int = out.records
    if w.extras:
        status = score_cells(t, a.marks, a.mine_count, w.pick, w.picked if w.extras > 1 else 0)
        if status:
            return status
    for i in range(w.picked):
        c = w.pick[i]
        r = at + i
        # The value itself is not needed: its scalars are.
        value_of(w.ours.values, c)
        for k in range(codes.SCALARS):
            out.scalar[r * codes.SCALARS + k] = s.scalar[row + k]
        if w.extras:
            out.scalar[r * codes.SCALARS + codes.INFLUENCE] = fixed_point(t.influence[c])
        if w.extras > 1:
            out.scalar[r * codes.SCALARS + codes.INFLUENCE + 1] = fixed_point(t.promise[c])
            out.scalar[r * codes.SCALARS + codes.INFLUENCE + 2] = fixed_point(t.certain_next[c])
        for k in range(s.slots):
            status = s.table[cython.cast(cython.Py_ssize_t, c) * s.slots + k]
            out.patch[r * s.slots + k] = s.plane[status] if status >= 0 else 0
        out.hit[r] = a.mines[c]
        out.probabilities[r] = a.tracked.probabilities[c]
    for i in range(w.picked):
        r = at + i
        out.value[r] = 0.0
        if not out.hit[r]:
            status = _play_out(w, a, w.b, ws, w.pick[i], r)
            if status:
                return status
    out.position_start[out.positions] = at
    out.position_interior[out.positions] = s.interior
    out.position_seed[out.positions] = a.seed + cython.cast(cython.ulonglong, a.at)
    out.positions += 1
    out.records += w.picked
    out.position_start[out.positions] = out.records
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, i=cython.int, status=cython.int, key=cython.ulonglong)
def _play_out(
    w: Playouts, a: GameState, b: GameState, ws: Workspace, cell: cython.int, r: cython.Py_ssize_t
) -> cython.int:
    """Reveal a cell in a copy of the game and play to the end: the value of record r."""
    value: cython.double = -1.0
    for c in range(a.cells):
        b.marks[c] = a.marks[c]
    load_marks(b.solver)
    b.left = a.left
    b.outcome = codes.PLAYING
    w.path_count = 0
    reveal(b, cell)
    while value < 0.0:
        status = _to_guess(b, ws)
        if status:
            return status
        if b.outcome != codes.PLAYING:
            value = b.outcome == codes.WON
            break
        key = _key(w, b.marks)
        i = _find(w, key)
        if w.memo_age[i] == w.age:
            value = w.memo_value[i]
            break
        w.path[w.path_count] = key
        w.path_count += 1
        if choose_end_game(w.inner, b.mine_count):
            if w.inner.reason == codes.SOLVED:
                value = cython.cast(cython.double, w.inner.wins) / w.inner.rows
                break
            reveal(b, w.inner.chosen)
        elif w.learned:
            reveal(b, evaluate_candidates(w.inner.values, b.mine_count))
        else:
            reveal(b, least_risk(b, b.tracked, ws))
    for c in range(w.path_count):
        i = _find(w, w.path[c])
        w.memo_key[i] = w.path[c]
        w.memo_age[i] = w.age
        w.memo_value[i] = value
    w.shard.value[r] = value
    return codes.OK


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.Py_ssize_t)
def _key(w: Playouts, marks: cython.int[::1]) -> cython.ulonglong:
    """Return the key of the revealed cells."""
    key: cython.ulonglong = 0
    for c in range(marks.shape[0]):
        if marks[c] >= 0:
            key ^= w.word[c]
    return key


@cython.cfunc
@cython.nogil
def _find(w: Playouts, key: cython.ulonglong) -> cython.int:
    """Return the index of a key in the memo, or where it belongs.

    After a few steps an old entry is overwritten: then its playout is repeated once more.
    """
    i: cython.int = cython.cast(cython.int, key & w.memo_mask)
    for _ in range(8):
        if w.memo_age[i] != w.age or w.memo_key[i] == key:
            return i
        i = (i + 1) & w.memo_mask
    w.memo_age[i] = 0
    return i


@cython.locals(positions=cython.int, records=cython.int)
def run(w: Playouts, ws: Workspace, past: cython.Py_ssize_t, spare: cython.int):
    """Play games until w.a.at is *past* or fewer than *spare* positions fit, without the GIL.

    Return OK or a status of the engine: from GROW on, enlarge its pool and call again; after any
    other the game is given up and counted. The records of an unfinished game are dropped.
    """
    status: cython.int = codes.OK
    a: GameState = w.a
    out: RecordBuffer = w.shard
    w.a.tracked.general = ws
    w.b.tracked.general = ws
    with cython.nogil:
        while a.at < past and out.positions + spare < out.position_interior.shape[0]:
            positions = out.positions
            records = out.records
            status = _play(w, a, ws)
            if status:
                out.positions = positions
                out.records = records
                if status >= codes.GROW:
                    break
                out.failed += 1
                status = codes.OK
            a.at += 1
    return status
