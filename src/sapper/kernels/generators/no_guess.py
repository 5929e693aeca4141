"""Layouts that need no guess: drawn until one is, or mended mine by mine.

A Search is a layout at hand in an Arena, whose game is played by certain moves alone and stops
where it would have to guess. What it opens does not depend on the order of the moves: a move that
is certain stays so when more is revealed.

reach        the hardest that the player may use: ONE number, TWO numbers, all NUMBERS, the COUNT too
allowed      of the arena: the cells that the rule lets hold a mine, those that do first
opened       the cells that were revealed
kept_...     the same of the layout that the next one is compared with
moved        mines of the kept layout that were moved: moved_from, moved_to are places in allowed
touched      the cells that see a moved mine, where it was or where it is: 1
near         scratch: the free cells around a mine: 1
stuck        scratch: places in allowed of the mines that the kept layout's player did not find

Moving mines leaves every position as it was until a touched cell is revealed; so the game goes on
from the kept layout's, just before that.
(Long for a module because the compiler wants a line for each variable.)
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels.board import count_numbers, place_mines, random_below
from cython.cimports.sapper.kernels.codes import (
    ASKING,
    CAREFUL,
    COVERED,
    FOUND,
    HYBRID,
    MOVING,
    NOT_FOUND,
    PLAYING,
    WON,
)
from cython.cimports.sapper.kernels.engine.workspace import Workspace
from cython.cimports.sapper.kernels.games.whole_games import (
    Arena,
    _ask,
    _deduce,
    _learn,
    _make_moves,
    _reveal,
    _use_answer,
)
from cython.cimports.sapper.kernels.solvers.human import reset_solver, run_single_strategies

from sapper.kernels import view

ONE = cython.declare(cython.int, 1)
NUMBERS = cython.declare(cython.int, 3)
COUNT = cython.declare(cython.int, 4)

# What a search does: draw layouts until one needs no guess; move mines so that the player opens
# no less until there is no need to guess; move mines while there is none.
DRAW = cython.declare(cython.int, 0)
CLIMB = cython.declare(cython.int, 1)
CHAIN = cython.declare(cython.int, 2)

# Mines that a chain moves at once.
MAX_MOVED = cython.declare(cython.int, 8)

NEXT = cython.declare(cython.int, 0)
CLEARING = cython.declare(cython.int, 1)

# For wrappers, by the names of the difficulties and of the methods.
REACHES = {"one": 1, "two": 2, "four": 3, "count": 4}
METHODS = {"rejection": 0, "swaps": 1, "chain": 2}


class NoGuessSearch:
    """One thread's search; `run` goes on with it."""

    def __init__(self, arena: Arena, state: cython.ulonglong[::1], reach: cython.int):
        """Layouts come from the generator *state*."""
        n: cython.int = arena.cells
        self.arena = arena
        self.state = state
        self.reach = reach
        self.kept_order = view(np.zeros(n, dtype=np.int32))
        self.kept_marks = view(np.zeros(n, dtype=np.int32))
        self.stuck = view(np.zeros(n, dtype=np.int32))
        self.moved_from = view(np.zeros(MAX_MOVED, dtype=np.int32))
        self.moved_to = view(np.zeros(MAX_MOVED, dtype=np.int32))
        self.touched = view(np.zeros(n, dtype=np.uint8))
        self.near = view(np.zeros(n, dtype=np.uint8))
        self.method = self.stage = self.opened = self.kept_opened = self.moved = 0
        self.tries = self.most = 0


@cython.cfunc
@cython.nogil
def _draw(s: NoGuessSearch, a: Arena) -> cython.void:
    """Deal a layout afresh."""
    c: cython.int
    for c in range(a.allowed.shape[0]):
        a.allowed[c] = a.may_hold[c]
    for c in range(a.cells):
        a.mines[c] = 0
        a.numbers[c] = 0
    place_mines(s.state, a.allowed, a.mine_count, a.mines)
    count_numbers(a.offsets, a.neighbours, a.mines, a.numbers)


@cython.cfunc
@cython.nogil
def _begin(s: NoGuessSearch, a: Arena) -> cython.void:
    """The game from its first click."""
    reset_solver(a.solver)
    a.outcome = PLAYING
    a.left = a.cells - a.mine_count
    a.phase = MOVING
    a.player = CAREFUL if s.reach == COUNT else HYBRID
    _reveal(a, a.first)


@cython.cfunc
@cython.nogil
def _move_mines(s: NoGuessSearch, a: Arena) -> cython.void:
    """Move mines to free cells.

    A climb moves one, three times out of four one that its player did not find. A chain moves one
    in most cases and sometimes more, so that no layout is beyond reach: by single moves alone the
    93 solvable layouts of torus 4x4/4 from a corner fall into two parts.
    """
    s.moved = 0
    _move_one(s, a)
    if s.method == CHAIN:
        while s.moved < MAX_MOVED and random_below(s.state, 4) == 0:
            _move_one(s, a)


@cython.cfunc
@cython.nogil
def _move_one(s: NoGuessSearch, a: Arena) -> cython.void:
    i: cython.int
    chosen: cython.int = -1
    count: cython.int = 0
    safe: cython.int = cython.cast(cython.int, a.allowed.shape[0]) - a.mine_count
    if s.method == CLIMB and random_below(s.state, 4) < 3:
        for i in range(a.mine_count):
            if s.kept_marks[a.allowed[i]] == COVERED:
                s.stuck[count] = i
                count += 1
        if count:
            chosen = s.stuck[cython.cast(cython.int, random_below(s.state, count))]
    if chosen < 0:
        chosen = cython.cast(cython.int, random_below(s.state, a.mine_count))
    s.moved_from[s.moved] = chosen
    s.moved_to[s.moved] = a.mine_count + cython.cast(cython.int, random_below(s.state, safe))
    s.moved += 1
    _swap(s, a, s.moved - 1)


@cython.cfunc
@cython.nogil
def _swap(s: NoGuessSearch, a: Arena, i: cython.int) -> cython.void:
    """Exchange mine and free cell of move i; done twice, nothing has changed."""
    k: cython.int
    mine: cython.int = a.allowed[s.moved_from[i]]
    safe: cython.int = a.allowed[s.moved_to[i]]
    a.allowed[s.moved_from[i]] = safe
    a.allowed[s.moved_to[i]] = mine
    a.mines[mine] = 0
    a.mines[safe] = 1
    for k in range(a.offsets[mine], a.offsets[mine + 1]):
        a.numbers[a.neighbours[k]] -= 1
    for k in range(a.offsets[safe], a.offsets[safe + 1]):
        a.numbers[a.neighbours[k]] += 1


@cython.cfunc
@cython.nogil
def _move_back(s: NoGuessSearch, a: Arena) -> cython.void:
    """The kept layout again."""
    while s.moved:
        s.moved -= 1
        _swap(s, a, s.moved)


@cython.cfunc
@cython.nogil
def _touch(s: NoGuessSearch, a: Arena, c: cython.int, value: cython.int) -> cython.void:
    """Mark a cell and all around it."""
    k: cython.int
    s.touched[c] = value
    for k in range(a.offsets[c], a.offsets[c + 1]):
        s.touched[a.neighbours[k]] = value


@cython.cfunc
@cython.nogil
def _go_back(s: NoGuessSearch, a: Arena) -> cython.void:
    """The kept layout's game, up to the first cell that is touched."""
    i: cython.int
    count: cython.int = 0
    for i in range(s.moved):
        _touch(s, a, a.allowed[s.moved_from[i]], 1)
        _touch(s, a, a.allowed[s.moved_to[i]], 1)
    while count < s.kept_opened and not s.touched[s.kept_order[count]]:
        count += 1
    for i in range(s.moved):
        _touch(s, a, a.allowed[s.moved_from[i]], 0)
        _touch(s, a, a.allowed[s.moved_to[i]], 0)
    if count == 0:
        _begin(s, a)
        return
    reset_solver(a.solver)
    a.outcome = PLAYING
    a.left = a.cells - a.mine_count
    a.phase = MOVING
    for i in range(count):
        _learn(a, s.kept_order[i])
    if a.left == 0:
        a.outcome = WON


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, k=cython.int, mine=cython.int, seen=cython.int, witness=cython.int)
def _is_hopeless(s: NoGuessSearch, a: Arena) -> cython.bint:
    """Whether a mine and a free cell could change places and no other free cell would see it.

    Then nothing ever tells them apart, and the layout needs no play to be refused: that spares
    most of the work where few layouts are solvable.
    """
    found: cython.bint = False
    lonely: cython.bint = False
    for i in range(a.mine_count):
        mine = a.allowed[i]
        seen = 0
        witness = -1
        for k in range(a.offsets[mine], a.offsets[mine + 1]):
            if not a.mines[a.neighbours[k]]:
                witness = a.neighbours[k]
                s.near[witness] = 1
                seen += 1
        if seen == 0:
            lonely = True
        else:
            # A cell that all free neighbours of the mine see is the witness, or next to it.
            found = _is_twin(s, a, witness, seen)
            for k in range(a.offsets[witness], a.offsets[witness + 1]):
                if found:
                    break
                if not a.mines[a.neighbours[k]]:
                    found = _is_twin(s, a, a.neighbours[k], seen)
        for k in range(a.offsets[mine], a.offsets[mine + 1]):
            s.near[a.neighbours[k]] = 0
        if found:
            return True
    return lonely and _has_island(a)


@cython.cfunc
@cython.nogil
@cython.locals(k=cython.int, d=cython.int)
def _is_twin(s: NoGuessSearch, a: Arena, safe: cython.int, seen: cython.int) -> cython.bint:
    """Whether the free cells that see this one are those that see the mine at hand."""
    if safe == a.first:
        return False
    if s.near[safe]:
        seen -= 1
    for k in range(a.offsets[safe], a.offsets[safe + 1]):
        d = a.neighbours[k]
        if not a.mines[d]:
            if not s.near[d]:
                return False
            seen -= 1
    return seen == 0


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, k=cython.int)
def _has_island(a: Arena) -> cython.bint:
    """Whether a free cell, not clicked first, has mines alone around it."""
    for c in range(a.cells):
        if a.mines[c] or c == a.first:
            continue
        k = a.offsets[c]
        while k < a.offsets[c + 1] and a.mines[a.neighbours[k]]:
            k += 1
        if k == a.offsets[c + 1]:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.locals(status=cython.int, again=cython.bint)
def _clear(s: NoGuessSearch, a: Arena, ws: Workspace) -> cython.int:
    """Make certain moves until none is left. OK, or a status of the engine: then call again."""
    while a.outcome == PLAYING:
        again = a.phase == ASKING
        if a.phase == MOVING:
            if s.reach == ONE:
                run_single_strategies(a.solver)
                if a.solver.found_count == 0:
                    return 0
                _make_moves(a)
                continue
            if _deduce(a):
                continue
            if s.reach < NUMBERS:
                return 0
            a.phase = ASKING
        if a.phase == ASKING:
            status = _ask(a, ws, again)
            if status:
                return status
        a.phase = MOVING
        if not _use_answer(a, ws):
            return 0
    return 0


@cython.cfunc
@cython.nogil
def _keep(s: NoGuessSearch, a: Arena) -> cython.void:
    """The layout at hand is the one to compare with."""
    c: cython.int
    for c in range(s.opened):
        s.kept_order[c] = a.order[c]
    for c in range(a.cells):
        s.kept_marks[c] = a.marks[c]
    s.kept_opened = s.opened


@cython.cfunc
@cython.nogil
def _judge(s: NoGuessSearch, a: Arena) -> cython.int:
    """What becomes of the layout at hand: FOUND, NOT_FOUND, or 0 to go on."""
    won: cython.bint = a.outcome == WON
    s.tries += 1
    if s.method == CHAIN:
        if won:
            _keep(s, a)
        else:
            _move_back(s, a)
        return FOUND if s.tries >= s.most else 0
    if s.method == CLIMB:
        if s.opened >= s.kept_opened:
            _keep(s, a)
        else:
            _move_back(s, a)
    elif won:
        _keep(s, a)
    if won:
        return FOUND
    return NOT_FOUND if s.tries >= s.most else 0


def run(s: NoGuessSearch, ws: Workspace):
    """Go on until a layout is found or the tries are over, without the GIL.

    Answers with FOUND, NOT_FOUND, or a status of the engine that the caller must help with
    before it calls again, as in `games.run`.
    """
    a: Arena = s.arena
    status: cython.int = 0
    a.tracked.general = ws
    with cython.nogil:
        while status == 0:
            if s.stage == NEXT:
                if s.method == DRAW:
                    _draw(s, a)
                else:
                    _move_mines(s, a)
                if s.method != CLIMB and _is_hopeless(s, a):
                    a.outcome = PLAYING
                    status = _judge(s, a)
                    continue
                if s.method == DRAW:
                    _begin(s, a)
                else:
                    _go_back(s, a)
                s.stage = CLEARING
            status = _clear(s, a, ws)
            if status:
                break
            s.stage = NEXT
            s.opened = a.cells - a.mine_count - a.left
            status = _judge(s, a)
    return status


def clear(s: NoGuessSearch, ws: Workspace, again: cython.bint):
    """Play the layout at hand from its first click; s.opened is what certain moves reveal of it.

    Answers with 0 or a status of the engine: then help, and call *again*.
    """
    a: Arena = s.arena
    status: cython.int = 0
    a.tracked.general = ws
    with cython.nogil:
        if not again:
            _begin(s, a)
        status = _clear(s, a, ws)
        s.opened = a.cells - a.mine_count - a.left
        if status == 0:
            _keep(s, a)
    return status
