"""Where a game stands still: frames at which nothing easier than so many hints gives a reveal.

A Walk is one game, played by the easiest moves and, where these end, by a lucky guess.

game         the ladder on which it is played: all that is known so far
look         the ladder on which a frame is judged by itself, from its hints alone
hints, mines the layout: read for cells that are revealed, and to guess with luck
most         the number of hints that the wanted moves take at once; 4 stands for any number
left         free cells that are not revealed yet
fresh        whether something was revealed since the last frame that was looked at
queue        scratch: cells whose surroundings an opening still has to reveal
state        the random generator
"""

import cython
import numpy as np

from sapper.kernels import view

if cython.compiled:
    from cython.cimports.sapper.kernels.boards.deal import below
    from cython.cimports.sapper.kernels.codes import BLANK, FREE, OPEN, PAIRS, TRIPLES
    from cython.cimports.sapper.kernels.ladder.human import (
        Ladder,
        begin,
        begin_blank,
        learn,
        single_moves,
    )
    from cython.cimports.sapper.kernels.ladder.passes import (
        forget,
        make_moves,
        pass_one,
        pass_three,
        pass_two,
    )
else:
    from sapper.kernels.boards.deal import below
    from sapper.kernels.codes import BLANK, FREE, OPEN, PAIRS, TRIPLES
    from sapper.kernels.ladder.human import Ladder, begin, begin_blank, learn, single_moves
    from sapper.kernels.ladder.passes import forget, make_moves, pass_one, pass_three, pass_two


@cython.cclass
class Walk:
    """Games on one board, one after the other; `begin_game` starts each."""

    game: Ladder
    look: Ladder
    hints: cython.const[cython.int][::1]
    mines: cython.const[cython.uchar][::1]
    state: cython.ulonglong[::1]
    queue: cython.int[::1]
    most: cython.int
    left: cython.int
    fresh: cython.bint

    def __init__(self, game: Ladder, look: Ladder, state: cython.ulonglong[::1], most: cython.int):
        """Two ladders of the same board; guesses come from the generator *state*."""
        self.game = game
        self.look = look
        self.state = state
        self.most = most
        self.queue = view(np.zeros(game.cells, dtype=np.int32))
        self.left = 0
        self.fresh = False


def begin_game(
    s: Walk,
    hints: cython.const[cython.int][::1],
    mines: cython.const[cython.uchar][::1],
    first: cython.int,
) -> None:
    """Begin a game on a layout with its first click, on a free cell."""
    c: cython.int
    s.hints = hints
    s.mines = mines
    s.left = 0
    for c in range(s.game.cells):
        s.left += mines[c] == 0
    begin_blank(s.game)
    forget(s.game)
    _reveal(s, s.game, first)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def go_on(s: Walk) -> cython.bint:
    """Play to the next frame that fewer than `most` hints tell nothing more to reveal of.

    False once the game is over.
    """
    hints: cython.int
    moved: cython.bint
    while s.left:
        hints = 1
        moved = False
        while not moved and hints < s.most:
            moved = _make(s, s.game, hints)
            hints += 1
        if moved:
            continue
        if s.fresh:
            s.fresh = False
            return True
        if s.most > 3 or not _make(s, s.game, s.most):
            _guess(s, s.game)
    return False


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def judge(s: Walk, flagged: cython.bint) -> cython.int:
    """How many moves the frame at hand has that take `most` hints, 1 to 3, and no fewer.

    0 where fewer hints give a reveal; the mines that they give are flagged on `look`, where the
    moves are found. For single hints nothing is easier: where *flagged*, the mines that they give
    are flagged until they give a reveal. With `most` 4: whether three hints give no reveal.
    """
    return _judge(s, s.look, flagged)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _judge(s: Walk, w: Ladder, flagged: cython.bint) -> cython.int:
    c: cython.int
    for c in range(w.cells):
        w.marks[c] = s.game.marks[c] if s.game.marks[c] >= 0 else BLANK
    begin(w)
    forget(w)
    if s.most == 1:
        pass_one(w)
        while flagged and w.found_count and not _finds_free(w):
            make_moves(w, PAIRS)
            pass_one(w)
        return 0 if flagged and not _finds_free(w) else w.found_count
    while True:
        single_moves(w)
        for c in range(w.found_count):
            if w.marks[w.found[c]] == OPEN:
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
        if _finds_free(w):
            return 0
        # Hints around what is settled wait for both passes again, whichever found it.
        make_moves(w, PAIRS)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _finds_free(w: Ladder) -> cython.bint:
    """Whether the last pass found a cell to reveal."""
    i: cython.int
    for i in range(w.found_count):
        if w.verdict[w.found[i]] == FREE:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make(s: Walk, w: Ladder, hints: cython.int) -> cython.bint:
    """Make the moves that so many hints give, when fewer give none; whether there were any."""
    c: cython.int
    count: cython.int
    if hints == 1:
        single_moves(w)
    elif hints == 2:
        pass_two(w)
    else:
        pass_three(w)
    count = w.found_count
    if hints == 1:
        w.found_count = 0
    else:
        make_moves(w, PAIRS if hints == 2 else TRIPLES)
    for c in range(w.cells):
        if w.marks[c] == OPEN:
            _reveal(s, w, c)
    return count > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _reveal(s: Walk, w: Ladder, cell: cython.int) -> cython.void:
    """Reveal a free cell and what it opens."""
    k: cython.int
    c: cython.int
    d: cython.int
    count: cython.int = 1
    s.queue[0] = cell
    learn(w, cell, s.hints[cell])
    s.left -= 1
    s.fresh = True
    while count:
        count -= 1
        c = s.queue[count]
        if s.hints[c]:
            continue
        for k in range(w.offsets[c], w.offsets[c + 1]):
            d = w.neighbours[k]
            if w.marks[d] == BLANK or w.marks[d] == OPEN:
                learn(w, d, s.hints[d])
                s.left -= 1
                s.queue[count] = d
                count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _guess(s: Walk, w: Ladder) -> cython.void:
    """Reveal a free cell at random: three times out of four next to a revealed one, if it can be.

    Without guesses off the perimeter no hint on triangles that share a side would ever have three
    blanks, and sets of three hints would have nothing to say there.
    """
    c: cython.int
    k: cython.int
    near: cython.int = 0
    far: cython.int = 0
    for c in range(w.cells):
        if w.marks[c] == BLANK and s.mines[c] == 0:
            # Those in play stand at the front of the list, the others at its end.
            k = w.offsets[c]
            while k < w.offsets[c + 1] and w.marks[w.neighbours[k]] < 0:
                k += 1
            if k < w.offsets[c + 1]:
                s.queue[near] = c
                near += 1
            else:
                far += 1
                s.queue[w.cells - far] = c
    if far and (near == 0 or below(s.state, 4) == 0):
        _reveal(s, w, s.queue[w.cells - 1 - cython.cast(cython.int, below(s.state, far))])
    else:
        _reveal(s, w, s.queue[cython.cast(cython.int, below(s.state, near))])
