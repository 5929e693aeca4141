"""Whole games without a step of Python between the moves.

Moves are made in rounds, so that their order follows from the position alone: all that strategies
1 and 2 find, or else all that strategies 1 to 7 find, or else all that the engine finds; in each
round flags first, then reveals, both in cell order. When nothing finds a move, the player guesses.
`sapper.players` makes the same moves, one by one and with their reasons.
"""

import cython
from cython.cimports.sapper.kernels.board import random_below
from cython.cimports.sapper.kernels.codes import (
    ANSWERED,
    ASKING,
    CHECKING,
    COVERED,
    FRESH,
    GROW,
    LEAST_RISK_GUESS,
    LOST,
    MOVING,
    NEEDS_ROLLOUTS,
    NO_DEDUCTION,
    OK,
    PLAYING,
    RANDOM_GUESS,
    SAFE,
    STRATEGIES,
    THINKING,
    WON,
)
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.games.game_state import (
    GameState,
    ask_engine,
    continue_game,
    deduce,
    least_risk,
    remember_guess,
    remembered_guess,
    reveal,
    start_game,
    use_answer,
)

# The columns of GameState.out.
FIELDS = ("won", "guesses", "reveals", "asked", "blunders")


@cython.cfunc
@cython.nogil
def _random_covered_cell(g: GameState) -> cython.int:
    """Return a covered cell drawn from the player's random stream."""
    c: cython.int
    count: cython.int = 0
    for c in range(g.cells):
        if g.marks[c] == COVERED:
            count += 1
    count = cython.cast(cython.int, random_below(g.guess_stream, count))
    for c in range(g.cells):
        if g.marks[c] == COVERED:
            if count == 0:
                return c
            count -= 1
    return -1


@cython.cfunc
@cython.nogil
def _guess(g: GameState, cell: cython.int) -> cython.void:
    g.guesses += 1
    reveal(g, cell)
    if g.outcome == LOST and g.checked:
        g.phase = CHECKING


@cython.cfunc
@cython.nogil
def _move(g: GameState, ws: Workspace) -> cython.int:
    """Make the moves of one round, or a guess; return OK or a status: then call again."""
    status: cython.int
    again: cython.bint = g.phase == ASKING
    tracked: cython.bint = g.phase & ANSWERED == 0
    if g.phase == MOVING:
        if g.deduction > NO_DEDUCTION and deduce(g):
            return OK
        if g.deduction > STRATEGIES:
            g.phase = ASKING
            g.asked += 1
    if g.phase == ASKING:
        status = ask_engine(g, ws, again)
        if status:
            return status
    if g.phase & ~ANSWERED == ASKING:
        g.phase = MOVING
        if use_answer(g, ws):
            return OK
    if g.guess == RANDOM_GUESS:
        _guess(g, _random_covered_cell(g))
    elif g.guess == LEAST_RISK_GUESS:
        _guess(g, least_risk(g, g.tracked, ws))
    else:
        return _own_guess(g, ws, tracked)
    return OK


@cython.cfunc
@cython.nogil
def _own_guess(g: GameState, ws: Workspace, tracked: cython.bint) -> cython.int:
    """Make the guess of the guesser; return OK or a status: then call again.

    *tracked* says whether the answer of the engine is in the tracked position.
    """
    status: cython.int = OK
    cell: cython.int
    if g.given and g.phase == MOVING:
        cell = remembered_guess(g)
        if cell >= 0:
            _guess(g, cell)
            return OK
    if not g.phase & ANSWERED:
        g.phase = THINKING
        status = g.guesser.choose_in_game(g.marks, g.mine_count, tracked)
        if status >= GROW:
            return status
        if status == OK and g.guesser.needs_rollouts():
            return NEEDS_ROLLOUTS
    g.phase = MOVING
    # If the engine of the guesser has no answer, that of the game has probabilities.
    cell = least_risk(g, g.tracked, ws) if status else g.guesser.chosen
    if g.given:
        remember_guess(g, cell)
    _guess(g, cell)
    return OK


@cython.cfunc
@cython.nogil
def _check_loss(g: GameState, ws: Workspace, again: cython.bint) -> cython.int:
    """Count a loss as a blunder if a certain reveal existed; return OK or a status."""
    c: cython.int
    status: cython.int
    if g.phase == CHECKING:
        status = ask_engine(g, ws, again)
        if status:
            return status
    for c in range(g.cells):
        if ws.known[c] == SAFE:
            g.blunders = 1
            break
    return OK


@cython.cfunc
@cython.nogil
def _play(g: GameState, ws: Workspace) -> cython.int:
    """Play the game to its end; return OK or a status of the engine: then call again."""
    status: cython.int
    again: cython.bint = g.phase == CHECKING
    if g.phase == FRESH:
        if g.given:
            continue_game(g)
        else:
            start_game(g)
    while g.outcome == PLAYING:
        status = _move(g, ws)
        if status:
            return status
    if g.phase & ~ANSWERED == CHECKING:
        return _check_loss(g, ws, again)
    return OK


def run(g: GameState, ws: Workspace, past: cython.Py_ssize_t):
    """Play games until g.at is *past*, without the GIL; game i fills row i of g.out, from 0.

    Return OK or a status that the caller must handle before it calls again: enlarge a pool (of
    the guesser's engine if g.phase is THINKING), or write an answer into ws.known and
    ws.probabilities and add ANSWERED to g.phase (ASKING if a move depends on the answer, else
    CHECKING a loss). After NEEDS_ROLLOUTS the caller may change g.guesser.chosen, and adds
    ANSWERED.
    """
    status: cython.int = OK
    row: cython.Py_ssize_t = g.out.shape[0] - (past - g.at)
    g.tracked.general = ws
    with cython.nogil:
        while g.at < past:
            status = _play(g, ws)
            if status:
                break
            g.out[row, 0] = g.outcome == WON
            g.out[row, 1] = g.guesses
            g.out[row, 2] = g.reveals
            g.out[row, 3] = g.asked
            g.out[row, 4] = g.blunders
            row += 1
            g.at += 1
            g.phase = FRESH
    return status
