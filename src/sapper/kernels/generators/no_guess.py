"""Layouts that need no guess: drawn until one is found, or made by moving mines.

A search has a current layout in a GameState. Its game is played by certain moves alone and stops
where it would have to guess. The revealed cells do not depend on the order of the moves: a certain
move stays certain when more is revealed. The module is long because all methods share one state.

max_difficulty
             of the moves that may be used: by ONE number, by two, by all NUMBERS, or with the mine
             COUNT
allowed      of the game: the cells that the rule allows to hold a mine, those that hold one first
opened       the number of revealed cells
kept_...     the order, marks and opened cells of the layout that the next one is compared with
moved        the number of moved mines of the kept layout: moved_from, moved_to index allowed
touched      1 for the cells next to a moved mine, before or after the move
near         scratch: 1 for the safe cells around a mine
undeduced    scratch: indices in allowed of the mines that were not deduced in the kept layout

Moving mines changes no position until a touched cell is revealed, so the game continues from that
of the kept layout, just before that point. s is the search, g its game.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Words
from cython.cimports.sapper.kernels.board import count_numbers, place_mines, random_below
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.games.game_state import (
    GameState,
    deduce,
    make_certain_moves,
    make_moves,
    query_engine,
    reveal,
    show_number,
)
from cython.cimports.sapper.kernels.solvers.human import reset_solver, run_single_strategies

from sapper.kernels.declarations import allocate

ONE = cython.declare(cython.int, 1)
NUMBERS = cython.declare(cython.int, 3)
COUNT = cython.declare(cython.int, 4)

# Methods, in the order of NO_GUESS_METHODS: REJECTION draws layouts until one needs no guess; SWAPS
# moves mines such that certain moves reveal no fewer cells, until no guess is needed; CHAIN moves
# mines while none is needed.
REJECTION = cython.declare(cython.int, 0)
SWAPS = cython.declare(cython.int, 1)
CHAIN = cython.declare(cython.int, 2)

# The maximum number of mines that a chain moves at once.
MAX_MOVED = cython.declare(cython.int, 8)

# Stages of a search: before the next layout, or in the middle of its game.
NEXT_LAYOUT = cython.declare(cython.int, 0)
PLAYING_LAYOUT = cython.declare(cython.int, 1)

# The codes of difficulties, for Python.
DIFFICULTY_CODES = {"one": 1, "two": 2, "four": 3, "count": 4}


class NoGuessSearch:
    """One thread's search for a layout; `run` continues it."""

    def __init__(self, game: GameState, stream: Words, max_difficulty: cython.int):
        """Draw layouts from the random stream *stream*."""
        n: cython.int = game.cells
        self.game = game
        self.stream = stream
        self.max_difficulty = max_difficulty
        allocate(self, "kept_order kept_marks undeduced touched near", n)
        allocate(self, "moved_from moved_to", MAX_MOVED)


@cython.cfunc
@cython.nogil
def _draw(s: NoGuessSearch, g: GameState) -> cython.void:
    """Draw another layout."""
    for c in range(g.shuffled_cells.shape[0]):
        g.shuffled_cells[c] = g.allowed_cells[c]
    for c in range(g.cells):
        g.mines[c] = 0
        g.numbers[c] = 0
    place_mines(s.stream, g.shuffled_cells, g.mine_count, g.mines)
    count_numbers(g.offsets, g.neighbours, g.mines, g.numbers)


@cython.cfunc
@cython.nogil
def _start_game(s: NoGuessSearch, g: GameState) -> cython.void:
    """Start the game with its first click."""
    reset_solver(g.solver)
    g.outcome = codes.PLAYING
    g.safe_left = g.cells - g.mine_count
    g.phase = codes.MOVING
    g.deduction = codes.WITH_MINE_COUNT if s.max_difficulty == COUNT else codes.WITHOUT_MINE_COUNT
    reveal(g, g.first)


@cython.cfunc
@cython.nogil
def _move_mines(s: NoGuessSearch, g: GameState) -> cython.void:
    """Move mines to safe cells.

    SWAPS moves one, in three of four cases one that was not deduced. CHAIN mostly moves one and
    sometimes more, so that every layout can be reached: with single moves alone, the 93 no-guess
    layouts of torus 4x4/4 from a corner fall into two sets.
    """
    s.moved = 0
    _move_one(s, g)
    if s.method == CHAIN:
        while s.moved < MAX_MOVED and random_below(s.stream, 4) == 0:
            _move_one(s, g)


@cython.cfunc
@cython.nogil
def _move_one(s: NoGuessSearch, g: GameState) -> cython.void:
    chosen: cython.int = -1
    count: cython.int = 0
    safe: cython.int = cython.cast(cython.int, g.shuffled_cells.shape[0]) - g.mine_count
    if s.method == SWAPS and random_below(s.stream, 4) < 3:
        for i in range(g.mine_count):
            if s.kept_marks[g.shuffled_cells[i]] == codes.COVERED:
                s.undeduced[count] = i
                count += 1
        if count:
            chosen = s.undeduced[cython.cast(cython.int, random_below(s.stream, count))]
    if chosen < 0:
        chosen = cython.cast(cython.int, random_below(s.stream, g.mine_count))
    s.moved_from[s.moved] = chosen
    s.moved_to[s.moved] = g.mine_count + cython.cast(cython.int, random_below(s.stream, safe))
    s.moved += 1
    _swap(s, g, s.moved - 1)


@cython.cfunc
@cython.nogil
def _swap(s: NoGuessSearch, g: GameState, i: cython.int) -> cython.void:
    """Exchange the mine and the safe cell of move i; doing it twice restores the layout."""
    mine: cython.int = g.shuffled_cells[s.moved_from[i]]
    safe: cython.int = g.shuffled_cells[s.moved_to[i]]
    g.shuffled_cells[s.moved_from[i]] = safe
    g.shuffled_cells[s.moved_to[i]] = mine
    g.mines[mine] = 0
    g.mines[safe] = 1
    for k in range(g.offsets[mine], g.offsets[mine + 1]):
        g.numbers[g.neighbours[k]] -= 1
    for k in range(g.offsets[safe], g.offsets[safe + 1]):
        g.numbers[g.neighbours[k]] += 1


@cython.cfunc
@cython.nogil
def _undo_moves(s: NoGuessSearch, g: GameState) -> cython.void:
    """Restore the kept layout."""
    while s.moved:
        s.moved -= 1
        _swap(s, g, s.moved)


@cython.cfunc
@cython.nogil
def _set_touched(s: NoGuessSearch, g: GameState, c: cython.int, value: cython.int) -> cython.void:
    """Set `touched` of a cell and of its neighbours."""
    s.touched[c] = value
    for k in range(g.offsets[c], g.offsets[c + 1]):
        s.touched[g.neighbours[k]] = value


@cython.cfunc
@cython.nogil
def _replay_unchanged(s: NoGuessSearch, g: GameState) -> cython.void:
    """Restore the game of the kept layout, up to the first touched cell."""
    count: cython.int = 0
    for i in range(s.moved):
        _set_touched(s, g, g.shuffled_cells[s.moved_from[i]], 1)
        _set_touched(s, g, g.shuffled_cells[s.moved_to[i]], 1)
    while count < s.kept_opened and not s.touched[s.kept_order[count]]:
        count += 1
    for i in range(s.moved):
        _set_touched(s, g, g.shuffled_cells[s.moved_from[i]], 0)
        _set_touched(s, g, g.shuffled_cells[s.moved_to[i]], 0)
    if count == 0:
        _start_game(s, g)
        return
    reset_solver(g.solver)
    g.outcome = codes.PLAYING
    g.safe_left = g.cells - g.mine_count
    g.phase = codes.MOVING
    for i in range(count):
        show_number(g, s.kept_order[i])
    if g.safe_left == 0:
        g.outcome = codes.WON


@cython.cfunc
@cython.nogil
def _has_indistinguishable_pair(s: NoGuessSearch, g: GameState) -> cython.bint:
    """Return whether a mine could change places with a safe cell without changing any number.

    Then nothing ever tells them apart, and the layout can be rejected without playing it. That
    saves most of the work where few layouts need no guess.
    """
    found: cython.bint = False
    isolated: cython.bint = False
    for i in range(g.mine_count):
        mine = g.shuffled_cells[i]
        safe_count = 0
        safe_neighbour = -1
        for k in range(g.offsets[mine], g.offsets[mine + 1]):
            if not g.mines[g.neighbours[k]]:
                safe_neighbour = g.neighbours[k]
                s.near[safe_neighbour] = 1
                safe_count += 1
        if safe_count == 0:
            isolated = True
        else:
            # A cell next to all safe neighbours of the mine is safe_neighbour, or next to it.
            found = _is_indistinguishable(s, g, safe_neighbour, safe_count)
            for k in range(g.offsets[safe_neighbour], g.offsets[safe_neighbour + 1]):
                if found:
                    break
                if not g.mines[g.neighbours[k]]:
                    found = _is_indistinguishable(s, g, g.neighbours[k], safe_count)
        for k in range(g.offsets[mine], g.offsets[mine + 1]):
            s.near[g.neighbours[k]] = 0
        if found:
            return True
    return isolated and _has_enclosed_safe_cell(g)


@cython.cfunc
@cython.nogil
def _is_indistinguishable(
    s: NoGuessSearch, g: GameState, safe: cython.int, safe_count: cython.int
) -> cython.bint:
    """Return whether the safe cells next to this cell are exactly those next to the mine.

    near marks the safe cells next to the mine, safe_count of them.
    """
    if safe == g.first:
        return False
    if s.near[safe]:
        safe_count -= 1
    for k in range(g.offsets[safe], g.offsets[safe + 1]):
        d = g.neighbours[k]
        if not g.mines[d]:
            if not s.near[d]:
                return False
            safe_count -= 1
    return safe_count == 0


@cython.cfunc
@cython.nogil
def _has_enclosed_safe_cell(g: GameState) -> cython.bint:
    """Return whether a safe cell other than the first click has only mines around it."""
    for c in range(g.cells):
        if g.mines[c] or c == g.first:
            continue
        k = g.offsets[c]
        while k < g.offsets[c + 1] and g.mines[g.neighbours[k]]:
            k += 1
        if k == g.offsets[c + 1]:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.locals(resuming=cython.bint)
def _play(s: NoGuessSearch, g: GameState, ws: Workspace) -> cython.int:
    """Make certain moves until none is left; return 0 or a status of the engine."""
    while g.outcome == codes.PLAYING:
        resuming = g.phase == codes.ANALYSING
        if g.phase == codes.MOVING:
            if s.max_difficulty == ONE:
                run_single_strategies(g.solver)
                if g.solver.found_count == 0:
                    return 0
                make_moves(g)
                continue
            if deduce(g):
                continue
            if s.max_difficulty < NUMBERS:
                return 0
            g.phase = codes.ANALYSING
        if g.phase == codes.ANALYSING:
            status = query_engine(g, ws, resuming)
            if status:
                return status
        g.phase = codes.MOVING
        if not make_certain_moves(g, ws):
            return 0
    return 0


@cython.cfunc
@cython.nogil
def _keep(s: NoGuessSearch, g: GameState) -> cython.void:
    """Keep the current layout as the one to compare with."""
    for c in range(s.opened):
        s.kept_order[c] = g.order[c]
    for c in range(g.cells):
        s.kept_marks[c] = g.marks[c]
    s.kept_opened = s.opened


@cython.cfunc
@cython.nogil
def _accept_or_undo(s: NoGuessSearch, g: GameState) -> cython.int:
    """Return FOUND, NOT_FOUND, or 0 to go on with the search."""
    won: cython.bint = g.outcome == codes.WON
    s.tries += 1
    if s.method == CHAIN:
        if won:
            _keep(s, g)
        else:
            _undo_moves(s, g)
        return codes.FOUND if s.tries >= s.max_tries else 0
    if s.method == SWAPS:
        if s.opened >= s.kept_opened:
            _keep(s, g)
        else:
            _undo_moves(s, g)
    elif won:
        _keep(s, g)
    if won:
        return codes.FOUND
    return codes.NOT_FOUND if s.tries >= s.max_tries else 0


def run(s: NoGuessSearch, ws: Workspace):
    """Search until a layout is found or the tries are used up, without the GIL.

    Return FOUND, NOT_FOUND, or a status of the engine that the caller must handle before it calls
    again, as in `whole_games.run`.
    """
    g: GameState = s.game
    status: cython.int = 0
    g.tracked.general = ws
    with cython.nogil:
        while status == 0:
            if s.stage == NEXT_LAYOUT:
                if s.method == REJECTION:
                    _draw(s, g)
                else:
                    _move_mines(s, g)
                if s.method != SWAPS and _has_indistinguishable_pair(s, g):
                    g.outcome = codes.PLAYING
                    status = _accept_or_undo(s, g)
                    continue
                if s.method == REJECTION:
                    _start_game(s, g)
                else:
                    _replay_unchanged(s, g)
                s.stage = PLAYING_LAYOUT
            status = _play(s, g, ws)
            if status:
                break
            s.stage = NEXT_LAYOUT
            s.opened = g.cells - g.mine_count - g.safe_left
            status = _accept_or_undo(s, g)
    return status


def play_layout(s: NoGuessSearch, ws: Workspace, resuming: cython.bint):
    """Play the current layout from its first click; s.opened counts what certain moves reveal.

    Return 0 or a status of the engine: handle it, and call with *resuming*.
    """
    g: GameState = s.game
    status: cython.int = 0
    g.tracked.general = ws
    with cython.nogil:
        if not resuming:
            _start_game(s, g)
        status = _play(s, g, ws)
        s.opened = g.cells - g.mine_count - g.safe_left
        if status == 0:
            _keep(s, g)
    return status
