"""Training data: games in which the candidates of every guess are tried on the true layout.

At each guess of a game, some candidates are played out to the end on the layout of the game, always
by the same player, and the outcome of each is recorded with its inputs for a network. All
candidates of a position are tried on the same layout, so that luck mostly cancels out of their
differences. The module is long because the game and the playout share one state.

game, playout    the game, and the playout that branches off it; they share mines and numbers
game_player      chooses candidates for the game; playout_player plays in the playouts
learned          whether the player of the playouts follows the network, else the least probability
thoughtful_share, random_share
                 the percentages of the guesses of the game that are made by `thoughtful` and at
                 random; the others are made by the player of the playouts
large_interior   positions with an interior of at least this size are recorded in large_share per
                 cent of the cases
top, max_tried   the best `top` candidates are always tried, and random others up to max_tried
look_ahead       whether the results of looking ahead are recorded
memo             values of playouts by the key of the revealed cells: from the same position of the
                 same layout a player always plays the same moves
buffer           the records: for each candidate its network inputs (patch, scalar), whether it was
                 a mine (hit), its probability and value; for each position (position_*) the index
                 of its first record, its interior, the seed of its game
value            1 for a win, 0 for a loss; a playout ends with the exact value of its end game.
                 The luck of its guesses is subtracted: for each that was safe SURVIVAL_VALUE times
                 its risk; for the one that hit a mine the same times (1 - risk) is added. That
                 keeps the mean and removes half of the variance

stream           the random stream of the choices here, seeded by the seed of the game XOR SALT
word             a random word for each cell; the key is the XOR of the words of the revealed cells
path, path_luck  the keys of the positions of the current playout, and the luck of their guesses
pick             the cells that are tried in the current position, `picked` of them
next_cell        the next move of the game

w is the state of the playouts, s the features: the inputs of the network, v the values of
candidates, t the state of `thoughtful`, r the index of a record.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Ints
from cython.cimports.sapper.kernels.board import random_below, seed_state
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.games.game_state import (
    GameState,
    deduce,
    least_risk,
    make_certain_moves,
    query_engine,
    reveal,
    start_game,
)
from cython.cimports.sapper.kernels.players.features import Features
from cython.cimports.sapper.kernels.players.learned import (
    CandidateValues,
    LearnedState,
    choose_end_game,
    evaluate_candidates,
    value_of,
)
from cython.cimports.sapper.kernels.players.look_ahead import encode_look_ahead
from cython.cimports.sapper.kernels.players.thoughtful import (
    ThoughtfulState,
    choose_thoughtful,
    score_cells,
)
from cython.cimports.sapper.kernels.solvers.human import load_marks
from cython.cimports.sapper.kernels.tracked.queries import write_probabilities

from sapper.kernels import view
from sapper.kernels.declarations import allocate
from sapper.kernels.players.end_game_search import random_words

SALT = cython.declare(cython.ulonglong, 0x706C61796F757473)
# About the mean win rate after a guess that was safe; any value is right, and this is a good one.
SURVIVAL_VALUE = cython.declare(cython.double, 0.6)


class RecordBuffer:
    """Records of positions and their candidates, with a fixed capacity."""

    def __init__(self, positions: cython.int, max_tried: cython.int, slots: cython.int):
        records = positions * max_tried
        allocate(self, "patch", records * slots)
        allocate(self, "scalar", records * codes.SCALARS)
        allocate(self, "hit probabilities value", records)
        allocate(self, "position_interior position_seed", positions)
        allocate(self, "position_start", positions + 1)
        self.empty()

    def empty(self) -> None:
        """Remove all records."""
        self.positions = self.records = self.failed = 0


class Playouts:
    """The state to record games on one board, for use by one thread."""

    def __init__(
        self,
        buffer: RecordBuffer,
        game: GameState,
        playout: GameState,
        game_player: LearnedState,
        playout_player: LearnedState,
        thoughtful: ThoughtfulState,
        memo: cython.int,
        settings: dict,
    ):
        """Take two games with their own tracked positions; *memo* is a power of 2.

        Set the fields that have the names of *settings*.
        """
        n = game.cells
        self.buffer = buffer
        self.game = game
        self.playout = playout
        playout.mines = game.mines
        playout.numbers = game.numbers
        self.game_player = game_player
        self.playout_player = playout_player
        self.thoughtful = thoughtful
        for name, value in settings.items():
            setattr(self, name, value)
        self.word = view(random_words(n))
        allocate(self, "memo_key memo_value memo_age", memo)
        self.memo_mask = memo - 1
        allocate(self, "path path_luck", n + 1)
        allocate(self, "stream", 4)
        allocate(self, "pick", self.max_tried + 1)


@cython.cfunc
@cython.nogil
def _play_to_guess(game: GameState, ws: Workspace) -> cython.int:
    """Make all certain moves until the game is over or stuck; return OK or a status."""
    while game.outcome == codes.PLAYING:
        if deduce(game):
            continue
        game.phase = codes.ANALYSING
        status = query_engine(game, ws, False)
        game.phase = codes.MOVING
        if status:
            return status
        if not make_certain_moves(game, ws):
            write_probabilities(game.tracked)
            return codes.OK
    return codes.OK


@cython.cfunc
@cython.nogil
def _play(w: Playouts, game: GameState, ws: Workspace) -> cython.int:
    """Play one game and record its guesses; return OK or a status of the engine."""
    start_game(game)
    w.age += 1
    seed_state((game.seed + cython.cast(cython.ulonglong, game.game_index)) ^ SALT, w.stream)
    while True:
        status = _play_to_guess(game, ws)
        if status or game.outcome != codes.PLAYING:
            return status
        if choose_end_game(w.game_player, game.mine_count):
            # From here on perfect play is known: nothing is left to record.
            if w.game_player.reason == codes.SOLVED:
                return codes.OK
            reveal(game, w.game_player.chosen)
            continue
        status = _guess(w, game, ws, w.game_player.values.features)
        if status:
            return status
        reveal(game, w.next_cell)


@cython.cfunc
@cython.nogil
def _guess(w: Playouts, game: GameState, ws: Workspace, s: Features) -> cython.int:
    """Evaluate a position, record it unless it is left out, and choose the move of the game."""
    percent: cython.int = cython.cast(cython.int, random_below(w.stream, 100))
    second_pick: cython.int = -1
    best = evaluate_candidates(w.game_player.values, game.mine_count)
    if not w.learned:
        best = least_risk(game, game.tracked, ws)
    w.next_cell = best
    if percent < w.thoughtful_share:
        status = choose_thoughtful(w.thoughtful, game.marks, game.mine_count, True)
        if status >= codes.GROW:
            return status
        if status == codes.OK:
            w.next_cell = w.thoughtful.chosen
            second_pick = w.next_cell
    _pick_candidates(w, w.game_player.values, s, best, second_pick)
    if percent >= 100 - w.random_share:
        w.next_cell = w.pick[cython.cast(cython.int, random_below(w.stream, w.picked))]
    if s.interior >= w.large_interior and w.large_share <= cython.cast(
        cython.int, random_below(w.stream, 100)
    ):
        return codes.OK
    return _record(w, w.buffer, game, ws, s, w.thoughtful)


@cython.cfunc
@cython.nogil
def _pick_candidates(
    w: Playouts, v: CandidateValues, s: Features, best: cython.int, second_pick: cython.int
) -> cython.void:
    """Choose the candidates to try: the given ones, the best `top`, then random others."""
    w.picked = 0
    _pick_cell(w, best)
    if second_pick >= 0:
        _pick_cell(w, second_pick)
    _pick_cell(w, s.candidate[0])
    for _ in range(w.top):
        best_index = -1
        for j in range(s.count):
            # By value if the network is used, else in the order of their probabilities.
            if not _is_picked(w, s.candidate[j]) and (
                best_index < 0 or (w.learned and v.value[j] > v.value[best_index])
            ):
                best_index = j
        if best_index >= 0:
            _pick_cell(w, s.candidate[best_index])
    for _ in range(4 * w.max_tried):
        if w.picked >= w.max_tried or w.picked >= s.count:
            return
        c = s.candidate[cython.cast(cython.int, random_below(w.stream, s.count))]
        _pick_cell(w, c)


@cython.cfunc
@cython.nogil
def _is_picked(w: Playouts, c: cython.int) -> cython.bint:
    for i in range(w.picked):
        if w.pick[i] == c:
            return True
    return False


@cython.cfunc
@cython.nogil
def _pick_cell(w: Playouts, c: cython.int) -> cython.void:
    if w.picked < w.max_tried and not _is_picked(w, c):
        w.pick[w.picked] = c
        w.picked += 1


@cython.cfunc
@cython.nogil
@cython.locals(r=cython.Py_ssize_t)
def _record(
    w: Playouts, out: RecordBuffer, game: GameState, ws: Workspace, s: Features, t: ThoughtfulState
) -> cython.int:
    """Play out the picked candidates and record them; return OK or a status."""
    row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, s.max_candidates) * codes.SCALARS
    first_record: cython.int = out.records
    if w.look_ahead:
        status = score_cells(t, game.marks, game.mine_count, w.pick, w.picked)
        if status:
            return status
    for i in range(w.picked):
        c = w.pick[i]
        r = first_record + i
        # The value itself is not needed: its scalars are.
        value_of(w.game_player.values, c)
        if w.look_ahead:
            encode_look_ahead(t, s, c, row)
        for k in range(codes.SCALARS):
            out.scalar[r * codes.SCALARS + k] = s.scalar[row + k]
        for k in range(s.slots):
            cell = s.table[cython.cast(cython.Py_ssize_t, c) * s.slots + k]
            out.patch[r * s.slots + k] = s.cell_code[cell] if cell >= 0 else 0
        out.hit[r] = game.mines[c]
        out.probabilities[r] = game.tracked.probabilities[c]
    for i in range(w.picked):
        r = first_record + i
        out.value[r] = 0.0
        if not out.hit[r]:
            status = _play_out(w, game, w.playout, ws, w.pick[i], r)
            if status:
                return status
    out.position_start[out.positions] = first_record
    out.position_interior[out.positions] = s.interior
    out.position_seed[out.positions] = game.seed + cython.cast(cython.ulonglong, game.game_index)
    out.positions += 1
    out.records += w.picked
    out.position_start[out.positions] = out.records
    return codes.OK


@cython.cfunc
@cython.nogil
def _play_out(
    w: Playouts,
    game: GameState,
    playout: GameState,
    ws: Workspace,
    cell: cython.int,
    r: cython.Py_ssize_t,
) -> cython.int:
    """Reveal a cell in a copy of the game and play to the end: the value of record r."""
    value: cython.double
    for c in range(game.cells):
        playout.marks[c] = game.marks[c]
    load_marks(playout.solver)
    playout.safe_left = game.safe_left
    playout.outcome = codes.PLAYING
    w.path_count = 0
    reveal(playout, cell)
    while True:
        status = _play_to_guess(playout, ws)
        if status:
            return status
        if playout.outcome != codes.PLAYING:
            value = playout.outcome == codes.WON
            break
        key = _key(w, playout.marks)
        i = _find(w, key)
        if w.memo_age[i] == w.age:
            value = w.memo_value[i]
            break
        w.path[w.path_count] = key
        w.path_luck[w.path_count] = 0.0
        w.path_count += 1
        if choose_end_game(w.playout_player, playout.mine_count):
            if w.playout_player.reason == codes.SOLVED:
                value = cython.cast(cython.double, w.playout_player.wins) / w.playout_player.rows
                break
            guess = w.playout_player.chosen
        elif w.learned:
            guess = evaluate_candidates(w.playout_player.values, playout.mine_count)
        else:
            guess = least_risk(playout, playout.tracked, ws)
        w.path_luck[w.path_count - 1] = SURVIVAL_VALUE * (
            playout.tracked.probabilities[guess] - game.mines[guess]
        )
        reveal(playout, guess)
    for k in range(w.path_count - 1, -1, -1):
        value -= w.path_luck[k]
        i = _find(w, w.path[k])
        w.memo_key[i] = w.path[k]
        w.memo_age[i] = w.age
        w.memo_value[i] = value
    w.buffer.value[r] = value
    return codes.OK


@cython.cfunc
@cython.nogil
def _key(w: Playouts, marks: Ints) -> cython.ulonglong:
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


def run(w: Playouts, ws: Workspace, stop: cython.Py_ssize_t, spare: cython.int):
    """Play games until w.game.game_index is *stop* or fewer than *spare* positions fit.

    The GIL is released. Return OK or a status of the engine: from GROW on, enlarge its pool and
    call again; after any other the game counts as failed. The records of an unfinished game are
    dropped.
    """
    status: cython.int = codes.OK
    game: GameState = w.game
    out: RecordBuffer = w.buffer
    w.game.tracked.general = ws
    w.playout.tracked.general = ws
    with cython.nogil:
        while game.game_index < stop and out.positions + spare < out.position_interior.shape[0]:
            positions = out.positions
            records = out.records
            status = _play(w, game, ws)
            if status:
                out.positions = positions
                out.records = records
                if status >= codes.GROW:
                    break
                out.failed += 1
                status = codes.OK
            game.game_index += 1
    return status
