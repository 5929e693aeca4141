"""Games that go on from a given position on given layouts.

Guesses follow from the position, and games from one position often meet again: the guess of each
position that was reached is remembered by its key.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.board import cell_key, count_numbers
from cython.cimports.sapper.kernels.games.game_state import GameState, reset_game, reveal
from cython.cimports.sapper.kernels.solvers.human import load_marks


def continue_game(g: GameState) -> cython.void:
    """Start at the given position on the layout of this game, and make the first move if any."""
    for c in range(g.cells):
        g.marks[c] = g.start_marks[c]
        g.mines[c] = g.layouts[g.at, c]
        g.numbers[c] = 0
    count_numbers(g.offsets, g.neighbours, g.mines, g.numbers)
    load_marks(g.solver)
    reset_game(g)
    for c in range(g.cells):
        if g.marks[c] >= 0:
            g.left -= 1
    if g.left == 0:
        g.outcome = codes.WON
    elif g.first >= 0:
        reveal(g, g.first)
    g.phase = codes.MOVING


def remembered_guess(g: GameState) -> cython.int:
    """Return the guess of an earlier game in this position, or -1; note where its key belongs."""
    key: cython.ulonglong = 1
    for c in range(g.cells):
        if g.marks[c] >= 0:
            key ^= cell_key(c, g.marks[c])
    mask = cython.cast(cython.int, g.memo_key.shape[0]) - 1
    i = cython.cast(cython.int, key & mask)
    while g.memo_key[i] != 0 and g.memo_key[i] != key:
        i = (i + 1) & mask
    g.memo_at = i
    g.position_key = key
    return g.memo_cell[i] if g.memo_key[i] == key else -1


def remember_guess(g: GameState, cell: cython.int) -> cython.void:
    """Remember the guess of the position that was looked up last, unless the memo is 3/4 full."""
    if g.memo_count < g.memo_key.shape[0] // 4 * 3:
        g.memo_count += 1
        g.memo_key[g.memo_at] = g.position_key
        g.memo_cell[g.memo_at] = cell
