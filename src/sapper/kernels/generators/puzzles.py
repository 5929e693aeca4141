"""Find positions of real games in which a safe cell needs a given number of numbers at once.

Each game is played by its easiest moves; where no move from that many numbers is left, a random
safe cell is revealed instead of a guess.

game_state      the solver that plays: everything deduced so far in the game
finder_state    the solver that finds the moves of one position, from its numbers alone
numbers, mines  the layout: read for revealed cells, and for guesses
numbers_needed  how many numbers the moves of a puzzle need at once; 4 means four or more
safe_left       safe cells that are not revealed yet
position_changed
                whether a cell was revealed since `advance` last returned
queue           scratch: cells around which an opening still has to be revealed
stream          the state of the random generator

s is the puzzle game, w one of its solvers.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstBytes, ConstInts, Words
from cython.cimports.sapper.kernels.board import random_below
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
    """Games on one board, one after the other, each played by its easiest moves and by guesses."""

    def __init__(
        self,
        game_state: HumanState,
        finder_state: HumanState,
        stream: Words,
        numbers_needed: cython.int,
    ):
        """Take two solver states of the same board; *stream* is the random stream of guesses."""
        self.game_state = game_state
        self.finder_state = finder_state
        self.stream = stream
        self.numbers_needed = numbers_needed
        self.queue = view(np.zeros(game_state.cells, dtype=np.int32))
        self.safe_left = 0
        self.position_changed = False


def start_game(s: PuzzleGame, numbers: ConstInts, mines: ConstBytes, first: cython.int) -> None:
    """Start a game on a layout with its first click, on a safe cell."""
    s.numbers = numbers
    s.mines = mines
    s.safe_left = 0
    for c in range(s.game_state.cells):
        s.safe_left += mines[c] == 0
    reset_solver(s.game_state)
    clear_verdicts(s.game_state)
    _reveal(s, s.game_state, first)


@cython.ccall
@cython.nogil
def advance(s: PuzzleGame) -> cython.bint:
    """Play to the next position in which fewer than `numbers_needed` numbers find no safe cell.

    Return False once the game is over.
    """
    while s.safe_left:
        size = 1
        moved = False
        while not moved and size < s.numbers_needed:
            moved = _make_moves(s, s.game_state, size)
            size += 1
        if moved:
            continue
        if s.position_changed:
            s.position_changed = False
            return True
        if s.numbers_needed > 3 or not _make_moves(s, s.game_state, s.numbers_needed):
            _guess(s, s.game_state)
    return False


@cython.ccall
@cython.nogil
def count_moves(s: PuzzleGame, flag_mines: cython.bint) -> cython.int:
    """Count the moves in the current position that need `numbers_needed` numbers, and no fewer.

    Return 0 if fewer numbers find a safe cell. The moves are found on `finder_state`, where the
    mines that fewer numbers find are flagged. With `numbers_needed` 1 and *flag_mines*, mines of
    single numbers are flagged until single numbers find a safe cell. With `numbers_needed` 4,
    return whether up to three numbers find no safe cell.
    """
    return _count_moves(s, s.finder_state, flag_mines)


@cython.cfunc
@cython.nogil
def _count_moves(s: PuzzleGame, w: HumanState, flag_mines: cython.bint) -> cython.int:
    for c in range(w.cells):
        w.marks[c] = s.game_state.marks[c] if s.game_state.marks[c] >= 0 else codes.COVERED
    load_marks(w)
    clear_verdicts(w)
    if s.numbers_needed == 1:
        pass_one(w)
        while flag_mines and w.found_count and not _finds_safe_cell(w):
            apply_verdicts(w, codes.PAIRS_CHANGED)
            pass_one(w)
        return 0 if flag_mines and not _finds_safe_cell(w) else w.found_count
    while True:
        run_single_strategies(w)
        for c in range(w.found_count):
            if w.marks[w.found[c]] == codes.KNOWN_SAFE:
                return 0
        w.found_count = 0
        pass_two(w)
        if s.numbers_needed == 2:
            return w.found_count
        if w.found_count == 0:
            pass_three(w)
            if s.numbers_needed == 3:
                return w.found_count
            if w.found_count == 0:
                return 1
        if _finds_safe_cell(w):
            return 0
        # Numbers next to a cell with a new mark count as changed for both passes.
        apply_verdicts(w, codes.PAIRS_CHANGED)


@cython.cfunc
@cython.nogil
def _finds_safe_cell(w: HumanState) -> cython.bint:
    """Return whether the last pass found a cell to reveal."""
    for i in range(w.found_count):
        if w.verdict[w.found[i]] == codes.SAFE:
            return True
    return False


@cython.cfunc
@cython.nogil
def _make_moves(s: PuzzleGame, w: HumanState, size: cython.int) -> cython.bint:
    """Make the moves from *size* numbers, when fewer find none; return whether any was made."""
    if size == 1:
        run_single_strategies(w)
    elif size == 2:
        pass_two(w)
    else:
        pass_three(w)
    count = w.found_count
    if size == 1:
        w.found_count = 0
    else:
        apply_verdicts(w, codes.PAIRS_CHANGED if size == 2 else codes.TRIPLES_CHANGED)
    for c in range(w.cells):
        if w.marks[c] == codes.KNOWN_SAFE:
            _reveal(s, w, c)
    return count > 0


@cython.cfunc
@cython.nogil
def _reveal(s: PuzzleGame, w: HumanState, cell: cython.int) -> cython.void:
    """Reveal a safe cell and its opening."""
    count: cython.int = 1
    s.queue[0] = cell
    set_number(w, cell, s.numbers[cell])
    s.safe_left -= 1
    s.position_changed = True
    while count:
        count -= 1
        c = s.queue[count]
        if s.numbers[c]:
            continue
        for k in range(w.offsets[c], w.offsets[c + 1]):
            d = w.neighbours[k]
            if w.marks[d] == codes.COVERED or w.marks[d] == codes.KNOWN_SAFE:
                set_number(w, d, s.numbers[d])
                s.safe_left -= 1
                s.queue[count] = d
                count += 1


@cython.cfunc
@cython.nogil
def _guess(s: PuzzleGame, w: HumanState) -> cython.void:
    """Reveal a random safe cell, three times out of four next to a revealed one where possible.

    With guesses on the frontier alone, no number on a triangular-edge board would ever have three
    covered neighbours, and sets of three numbers would find no moves there.
    """
    near: cython.int = 0
    far: cython.int = 0
    for c in range(w.cells):
        if w.marks[c] == codes.COVERED and s.mines[c] == 0:
            # Cells next to a number go to the start of the list, the others to its end.
            k = w.offsets[c]
            while k < w.offsets[c + 1] and w.marks[w.neighbours[k]] < 0:
                k += 1
            if k < w.offsets[c + 1]:
                s.queue[near] = c
                near += 1
            else:
                far += 1
                s.queue[w.cells - far] = c
    if far and (near == 0 or random_below(s.stream, 4) == 0):
        _reveal(s, w, s.queue[w.cells - 1 - cython.cast(cython.int, random_below(s.stream, far))])
    else:
        _reveal(s, w, s.queue[cython.cast(cython.int, random_below(s.stream, near))])
