"""Whole games without a step of Python between the moves.

Moves are made in rounds, so that their order follows from the position alone: all that strategies
1 and 2 find, or else all that strategies 1 to 7 find, or else all that the engine finds; in each
round flags first, then reveals, both in cell order. When nothing finds a move, the player guesses.
`sapper.players` makes the same moves, one by one and with their reasons.

Games may also continue from a position on given layouts. Their guesses depend on the position
alone, and such games often reach the same positions, so guesses are kept in a memo.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.board import cell_key, count_numbers, random_below
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.games.game_state import (
    GameState,
    deduce,
    least_risk,
    make_certain_moves,
    query_engine,
    reset_game,
    reveal,
    start_game,
)
from cython.cimports.sapper.kernels.solvers.human import load_marks

# The columns of GameState.out.
FIELDS = ("won", "guesses", "reveals", "analyses", "blunders")


@cython.cfunc
@cython.nogil
def _continue_game(g: GameState) -> cython.void:
    """Start at start_marks on the layout of this game, and make the first move if any."""
    for c in range(g.cells):
        g.marks[c] = g.start_marks[c]
        g.mines[c] = g.layouts[g.game_index, c]
        g.numbers[c] = 0
    count_numbers(g.offsets, g.neighbours, g.mines, g.numbers)
    load_marks(g.solver)
    reset_game(g)
    for c in range(g.cells):
        if g.marks[c] >= 0:
            g.safe_left -= 1
    if g.safe_left == 0:
        g.outcome = codes.WON
    elif g.first >= 0:
        reveal(g, g.first)
    g.phase = codes.MOVING


@cython.cfunc
@cython.nogil
def _look_up_guess(g: GameState) -> cython.int:
    """Return the guess of an earlier game in this position, or -1.

    Set g.position_key, and g.memo_index to the index where it belongs.
    """
    key: cython.ulonglong = 1
    for c in range(g.cells):
        if g.marks[c] >= 0:
            key ^= cell_key(c, g.marks[c])
    mask = cython.cast(cython.int, g.memo_key.shape[0]) - 1
    i = cython.cast(cython.int, key & mask)
    while g.memo_key[i] != 0 and g.memo_key[i] != key:
        i = (i + 1) & mask
    g.memo_index = i
    g.position_key = key
    return g.memo_cell[i] if g.memo_key[i] == key else -1


@cython.cfunc
@cython.nogil
def _store_guess(g: GameState, cell: cython.int) -> cython.void:
    """Store the guess of the position that was looked up last, unless the memo is 3/4 full."""
    if g.memo_count < g.memo_key.shape[0] // 4 * 3:
        g.memo_count += 1
        g.memo_key[g.memo_index] = g.position_key
        g.memo_cell[g.memo_index] = cell


@cython.cfunc
@cython.nogil
def _random_covered_cell(g: GameState) -> cython.int:
    """Return a covered cell drawn from the player's random stream."""
    count: cython.int = 0
    for c in range(g.cells):
        if g.marks[c] == codes.COVERED:
            count += 1
    count = cython.cast(cython.int, random_below(g.guess_stream, count))
    for c in range(g.cells):
        if g.marks[c] == codes.COVERED:
            if count == 0:
                return c
            count -= 1
    return -1


@cython.cfunc
@cython.nogil
def _guess(g: GameState, cell: cython.int) -> cython.void:
    g.guesses += 1
    reveal(g, cell)
    if g.outcome == codes.LOST and g.check_losses:
        g.phase = codes.CHECKING_LOSS


@cython.cfunc
@cython.nogil
def _move(g: GameState, ws: Workspace) -> cython.int:
    """Make the moves of one round, or a guess; return OK or a status: then call again."""
    resuming: cython.bint = g.phase == codes.ANALYSING
    tracked: cython.bint = g.phase & codes.ANSWERED == 0
    if g.phase == codes.MOVING:
        if g.deduction > codes.NO_DEDUCTION and deduce(g):
            return codes.OK
        if g.deduction > codes.STRATEGIES:
            g.phase = codes.ANALYSING
            g.analyses += 1
    if g.phase == codes.ANALYSING:
        status = query_engine(g, ws, resuming)
        if status:
            return status
    if g.phase & ~codes.ANSWERED == codes.ANALYSING:
        g.phase = codes.MOVING
        if make_certain_moves(g, ws):
            return codes.OK
    if g.guess == codes.RANDOM_GUESS:
        _guess(g, _random_covered_cell(g))
    elif g.guess == codes.LEAST_RISK_GUESS:
        _guess(g, least_risk(g, g.tracked, ws))
    else:
        return _own_guess(g, ws, tracked)
    return codes.OK


@cython.cfunc
@cython.nogil
def _own_guess(g: GameState, ws: Workspace, tracked: cython.bint) -> cython.int:
    """Make the guess of the guesser; return OK or a status: then call again.

    *tracked* says whether the answer of the engine is in the tracked position.
    """
    status: cython.int = codes.OK
    if g.continues and g.phase == codes.MOVING:
        cell = _look_up_guess(g)
        if cell >= 0:
            _guess(g, cell)
            return codes.OK
    if not g.phase & codes.ANSWERED:
        g.phase = codes.GUESSING
        status = g.guesser.choose_in_game(g.marks, g.mine_count, tracked)
        if status >= codes.GROW:
            return status
        if status == codes.OK and g.guesser.needs_rollouts():
            return codes.NEEDS_ROLLOUTS
    g.phase = codes.MOVING
    # If the engine of the guesser has no answer, that of the game has probabilities.
    cell = least_risk(g, g.tracked, ws) if status else g.guesser.chosen
    if g.continues:
        _store_guess(g, cell)
    _guess(g, cell)
    return codes.OK


@cython.cfunc
@cython.nogil
def _check_loss(g: GameState, ws: Workspace, resuming: cython.bint) -> cython.int:
    """Count a loss as a blunder if a certain reveal existed; return OK or a status."""
    if g.phase == codes.CHECKING_LOSS:
        status = query_engine(g, ws, resuming)
        if status:
            return status
    for c in range(g.cells):
        if ws.known[c] == codes.SAFE:
            g.blunders = 1
            break
    return codes.OK


@cython.cfunc
@cython.nogil
def _play(g: GameState, ws: Workspace) -> cython.int:
    """Play the game to its end; return OK or a status of the engine: then call again."""
    resuming: cython.bint = g.phase == codes.CHECKING_LOSS
    if g.phase == codes.NOT_STARTED:
        if g.continues:
            _continue_game(g)
        else:
            start_game(g)
    while g.outcome == codes.PLAYING:
        status = _move(g, ws)
        if status:
            return status
    if g.phase & ~codes.ANSWERED == codes.CHECKING_LOSS:
        return _check_loss(g, ws, resuming)
    return codes.OK


def run(g: GameState, ws: Workspace, stop: cython.Py_ssize_t):
    """Play games until g.game_index is *stop*, without the GIL; game i fills row i of g.out.

    Return OK or a status that the caller must handle before it calls again: enlarge a pool (of
    the guesser's engine if g.phase is GUESSING), or write an answer into ws.known and
    ws.probabilities and add ANSWERED to g.phase (ANALYSING if a move depends on the answer, else
    CHECKING_LOSS a loss). After NEEDS_ROLLOUTS the caller may change g.guesser.chosen, and adds
    ANSWERED.
    """
    status: cython.int = codes.OK
    row: cython.Py_ssize_t = g.out.shape[0] - (stop - g.game_index)
    g.tracked.general = ws
    with cython.nogil:
        while g.game_index < stop:
            status = _play(g, ws)
            if status:
                break
            # In the order of FIELDS.
            g.out[row, 0] = g.outcome == codes.WON
            g.out[row, 1] = g.guesses
            g.out[row, 2] = g.reveals
            g.out[row, 3] = g.analyses
            g.out[row, 4] = g.blunders
            row += 1
            g.game_index += 1
            g.phase = codes.NOT_STARTED
    return status
