"""Where a game stands still: positions at which nothing easier than so many numbers gives a reveal.

A Walk is one game, played by the easiest moves and, where these end, by a lucky guess.

game         the ladder on which it is played: all that is known so far
look         the ladder on which a position is judged by itself, from its numbers alone
numbers, mines the layout: read for cells that are revealed, and to guess with luck
most         the number of numbers that the wanted moves take at once; 4 stands for any number
left         free cells that are not revealed yet
fresh        whether something was revealed since the last position that was looked at
queue        scratch: cells whose surroundings an opening still has to reveal
state        the random generator
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels.board.layout import random_below
from cython.cimports.sapper.kernels.codes import (
    COVERED,
    KNOWN_SAFE,
    PAIRS_CHANGED,
    SAFE,
    TRIPLES_CHANGED,
)
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    load_marks,
    reset_solver,
    run_single_strategies,
    set_number,
)
from cython.cimports.sapper.kernels.solvers.passes import (
    apply_verdicts,
    clear_verdicts,
    pass_one,
    pass_three,
    pass_two,
)

from sapper.kernels import view


@cython.cclass
class PuzzleGame:
    """Games on one board, one after the other; `start_game` starts each."""

    def __init__(
        self, game: HumanState, look: HumanState, state: cython.ulonglong[::1], most: cython.int
    ):
        """Two ladders of the same board; guesses come from the generator *state*."""
        self.game = game
        self.look = look
        self.state = state
        self.most = most
        self.queue = view(np.zeros(game.cells, dtype=np.int32))
        self.left = 0
        self.fresh = False


def start_game(
    s: PuzzleGame,
    numbers: cython.const[cython.int][::1],
    mines: cython.const[cython.uchar][::1],
    first: cython.int,
) -> None:
    """Begin a game on a layout with its first click, on a free cell."""
    c: cython.int
    s.numbers = numbers
    s.mines = mines
    s.left = 0
    for c in range(s.game.cells):
        s.left += mines[c] == 0
    reset_solver(s.game)
    clear_verdicts(s.game)
    _reveal(s, s.game, first)


@cython.ccall
@cython.nogil
def advance(s: PuzzleGame) -> cython.bint:
    """Play to the next position that fewer than `most` numbers tell nothing more to reveal of.

    False once the game is over.
    """
    numbers: cython.int
    moved: cython.bint
    while s.left:
        numbers = 1
        moved = False
        while not moved and numbers < s.most:
            moved = _make_moves(s, s.game, numbers)
            numbers += 1
        if moved:
            continue
        if s.fresh:
            s.fresh = False
            return True
        if s.most > 3 or not _make_moves(s, s.game, s.most):
            _guess(s, s.game)
    return False


@cython.ccall
@cython.nogil
def count_moves(s: PuzzleGame, flagged: cython.bint) -> cython.int:
    """How many moves the position at hand has that take `most` numbers, 1 to 3, and no fewer.

    0 where fewer numbers give a reveal; the mines that they give are flagged on `look`, where the
    moves are found. For single numbers nothing is easier: where *flagged*, the mines that they give
    are flagged until they give a reveal. With `most` 4: whether three numbers give no reveal.
    """
    return _count_moves(s, s.look, flagged)


@cython.cfunc
@cython.nogil
def _count_moves(s: PuzzleGame, w: HumanState, flagged: cython.bint) -> cython.int:
    c: cython.int
    for c in range(w.cells):
        w.marks[c] = s.game.marks[c] if s.game.marks[c] >= 0 else COVERED
    load_marks(w)
    clear_verdicts(w)
    if s.most == 1:
        pass_one(w)
        while flagged and w.found_count and not _finds_safe_cell(w):
            apply_verdicts(w, PAIRS_CHANGED)
            pass_one(w)
        return 0 if flagged and not _finds_safe_cell(w) else w.found_count
    while True:
        run_single_strategies(w)
        for c in range(w.found_count):
            if w.marks[w.found[c]] == KNOWN_SAFE:
                return 0
        w.found_count = 0
        pass_two(w)
        if s.most == 2:
            return w.found_count
        if w.found_count == 0:
            pass_three(w)
            if s.most == 3:
                return w.found_count
            if w.found_count == 0:
                return 1
        if _finds_safe_cell(w):
            return 0
        # Numbers around what is settled wait for both passes again, whichever found it.
        apply_verdicts(w, PAIRS_CHANGED)


@cython.cfunc
@cython.nogil
def _finds_safe_cell(w: HumanState) -> cython.bint:
    """Whether the last pass found a cell to reveal."""
    i: cython.int
    for i in range(w.found_count):
        if w.verdict[w.found[i]] == SAFE:
            return True
    return False


@cython.cfunc
@cython.nogil
def _make_moves(s: PuzzleGame, w: HumanState, numbers: cython.int) -> cython.bint:
    """Make the moves that so many numbers give, when fewer give none; whether there were any."""
    c: cython.int
    count: cython.int
    if numbers == 1:
        run_single_strategies(w)
    elif numbers == 2:
        pass_two(w)
    else:
        pass_three(w)
    count = w.found_count
    if numbers == 1:
        w.found_count = 0
    else:
        apply_verdicts(w, PAIRS_CHANGED if numbers == 2 else TRIPLES_CHANGED)
    for c in range(w.cells):
        if w.marks[c] == KNOWN_SAFE:
            _reveal(s, w, c)
    return count > 0


@cython.cfunc
@cython.nogil
def _reveal(s: PuzzleGame, w: HumanState, cell: cython.int) -> cython.void:
    """Reveal a free cell and what it opens."""
    k: cython.int
    c: cython.int
    d: cython.int
    count: cython.int = 1
    s.queue[0] = cell
    set_number(w, cell, s.numbers[cell])
    s.left -= 1
    s.fresh = True
    while count:
        count -= 1
        c = s.queue[count]
        if s.numbers[c]:
            continue
        for k in range(w.offsets[c], w.offsets[c + 1]):
            d = w.neighbours[k]
            if w.marks[d] == COVERED or w.marks[d] == KNOWN_SAFE:
                set_number(w, d, s.numbers[d])
                s.left -= 1
                s.queue[count] = d
                count += 1


@cython.cfunc
@cython.nogil
def _guess(s: PuzzleGame, w: HumanState) -> cython.void:
    """Reveal a free cell at random: three times out of four next to a revealed one, if it can be.

    Without guesses off the frontier no number on triangles that share a side would ever have three
    covered cells, and sets of three numbers would have nothing to say there.
    """
    c: cython.int
    k: cython.int
    near: cython.int = 0
    far: cython.int = 0
    for c in range(w.cells):
        if w.marks[c] == COVERED and s.mines[c] == 0:
            # Those in play stand at the component of the list, the others at its end.
            k = w.offsets[c]
            while k < w.offsets[c + 1] and w.marks[w.neighbours[k]] < 0:
                k += 1
            if k < w.offsets[c + 1]:
                s.queue[near] = c
                near += 1
            else:
                far += 1
                s.queue[w.cells - far] = c
    if far and (near == 0 or random_below(s.state, 4) == 0):
        _reveal(s, w, s.queue[w.cells - 1 - cython.cast(cython.int, random_below(s.state, far))])
    else:
        _reveal(s, w, s.queue[cython.cast(cython.int, random_below(s.state, near))])
