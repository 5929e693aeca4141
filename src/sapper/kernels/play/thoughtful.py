"""The guess of `thoughtful`: the end game, then two moves ahead with an eye on fifty-fifties.

S            the chance that a cell is free
living       a cell that may show several numbers, as far as single hints say: of its unknown
             neighbours some are left when those are taken away that a hint has all to itself
influence    the chance that revealing the cell settles a fifty-fifty (see `fifty`)
candidate    the cells that are weighed, with bound (the score at most), score (-1: not weighed to
             the end), sure (the chance that a certain living cell follows) and second (the sum
             of P(v) s2(v) below)
reason       why the cell was chosen: one of the codes, REASONS in words
wins, rows   of an end game: how many of how many placements are won
p            the position that the what-ifs are asked of; p.odds and p.know are those of the frame

The score of a cell is

    sum over v of P(v) (blend s1(v) + (1 - blend) s2(v))
    x (1 + influence_weight influence / S) x (1 + progress sure)

where s1 and s2 are the best and second best S of living cells once the cell shows v.
Research behind it: `docs/design/170-how-to-guess-well.md`.
All that one guess weighs reads the same thought and position, which makes the file long.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log
    from cython.cimports.sapper.kernels.codes import (
        APART,
        BEST_FOUND,
        BLANK,
        CERTAIN,
        COIN_TOSS,
        FREE,
        GROW,
        LEAST_ODDS,
        MINE,
        OK,
        OPEN,
        SAFER_NOW,
        SCORE,
        SOLVED,
        UNKNOWN,
    )
    from cython.cimports.sapper.kernels.odds.asking import answer, odds_of, what_if, write_odds
    from cython.cimports.sapper.kernels.odds.cells import read, take_back
    from cython.cimports.sapper.kernels.odds.position import Position
    from cython.cimports.sapper.kernels.play.endgame import Ending, ask, restart, search
    from cython.cimports.sapper.kernels.play.fifty import (
        coin_toss_of,
        influence_of,
        weigh_shapes,
    )
    from cython.cimports.sapper.kernels.play.listing import Listing, find_parts, list_parts
else:
    from math import exp, log

    from sapper.kernels.codes import (
        APART,
        BEST_FOUND,
        BLANK,
        CERTAIN,
        COIN_TOSS,
        FREE,
        GROW,
        LEAST_ODDS,
        MINE,
        OK,
        OPEN,
        SAFER_NOW,
        SCORE,
        SOLVED,
        UNKNOWN,
    )
    from sapper.kernels.odds.asking import answer, odds_of, what_if, write_odds
    from sapper.kernels.odds.cells import read, take_back
    from sapper.kernels.odds.position import Position
    from sapper.kernels.play.endgame import Ending, ask, restart, search
    from sapper.kernels.play.fifty import coin_toss_of, influence_of, weigh_shapes
    from sapper.kernels.play.listing import Listing, find_parts, list_parts

TIE = cython.declare(cython.double, 1e-9)


# For wrappers; the names above are C constants once compiled.
REASONS = (
    "certain",
    "end game",
    "end game of a part",
    "coin toss",
    "two moves ahead",
    "safer now",
    "least odds",
    "best of an unfinished end game",
    "learned",
)


class Thought:
    """One thread's memory for guesses on one board; its maker sets arrays and settings."""


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def think(
    t: Thought, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Choose a cell to reveal in a frame with its mine count: t.chosen, t.reason.

    OK, or a status of the engine: from GROW on enlarge t.p.general and call again; any other says
    that the engine has no answer, and then nothing is chosen.
    """
    status: cython.int
    t.chosen = -1
    t.candidates = 0
    t.rows = 0
    t.mines = mines
    status = read(t.p, marks, 0, mines, trust)
    if status == OK:
        status = answer(t.p)
    if status:
        return status
    write_odds(t.p)
    t.ln_placements = t.p.ln_placements
    if take_certain(t):
        return OK
    if finish(t):
        return OK
    if not t.look_ahead:
        t.chosen = _least_odds(t, t.p)
        t.reason = LEAST_ODDS
        return OK
    _look_around(t, t.p)
    status = _weigh_fifties(t, t.p)
    if status:
        return status
    if t.coin_tosses and _toss(t, t.p):
        return OK
    return look_two_ahead(t)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def look_two_ahead(t: Thought) -> cython.int:
    """Choose by two moves ahead, where nothing exact decides; OK, or a status of the engine."""
    status: cython.int
    _gather(t, t.p)
    status = _compare(t, t.p)
    if status:
        return status
    _trust_unfinished(t, t.ending)
    if t.chosen < 0:
        t.chosen = _least_odds(t, t.p)
        t.reason = LEAST_ODDS
    return OK


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def hesitates(t: Thought, p: Position) -> cython.bint:
    """Whether the guess may be thought over: several candidates, nothing exact, and an interior
    of fewer than t.most_interior cells."""
    c: cython.int
    inner: cython.int = 0
    if t.candidates < 2 or t.reason == COIN_TOSS:
        return False
    for c in range(p.cells):
        inner += p.know[c] == UNKNOWN and not t.near_hint[c]
    return inner < t.most_interior


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def foresee(
    t: Thought,
    marks: cython.const[cython.int][::1],
    mines: cython.int,
    cells: cython.const[cython.int][::1],
    count: cython.int,
) -> cython.int:
    """The influence of every unknown cell, and t.follow and t.sure of cells[:count].

    t.follow is the first factor of the score: what two moves ahead promise, influence apart.
    For others that want these numbers of cells of their own choice; OK, or a status of the engine.
    """
    i: cython.int
    c: cython.int
    status: cython.int
    t.mines = mines
    status = read(t.p, marks, 0, mines, True)
    if status == OK:
        status = answer(t.p)
    if status:
        return status
    write_odds(t.p)
    t.ln_placements = t.p.ln_placements
    status = _weigh_fifties(t, t.p)
    for i in range(count):
        if status:
            break
        c = cells[i]
        status = _weigh(t, t.p, c, -1.0)
        t.follow[c] = t.score[c] / (
            (1.0 + t.influence_weight * t.influence[c] / (1.0 - t.p.odds[c]))
            * (1.0 + t.progress * t.sure[c])
        )
    return status


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def take_certain(t: Thought) -> cython.bint:
    """Choose a certain cell, the lowest, if there is any."""
    c: cython.int
    for c in range(t.p.cells):
        if t.p.know[c] == FREE:
            t.chosen = c
            t.reason = CERTAIN
            return True
    return False


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def finish(t: Thought) -> cython.bint:
    """Choose a cell by the end game, in a position whose odds are written out: whether it did."""
    return _finish(t, t.listing, t.ending)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _finish(t: Thought, s: Listing, e: Ending) -> cython.bint:
    """Play perfectly where the end game can be searched: whether a cell was chosen.

    First parts that can be played apart, then all the rest together if it has few placements:
    few_placements, or more where few of the blanks are free (thin_placements / d**3).
    """
    c: cython.int
    i: cython.int
    part: cython.int
    mines: cython.int
    fixed: cython.int
    status: cython.int
    inner: cython.bint
    free: cython.double
    ln_rest: cython.double = t.ln_placements
    if t.few_placements <= 0:
        return False
    find_parts(s, t.p.offsets, t.p.neighbours, t.p.marks, t.p.know)
    for part in range(s.part_count):
        s.taken[part] = 0
    for part in range(s.part_count):
        inner = not t.apart
        for i in range(s.part_start[part], s.part_start[part + 1]):
            inner |= s.inside[s.queue[i]]
        if inner or s.part_count == 1:
            continue
        s.taken[part] = 1
        s.most_rows = cython.cast(cython.int, t.few_placements)
        s.most_steps = 64 * s.most_rows
        restart(e)
        status = list_parts(s, e, t.p.offsets, t.p.neighbours, t.p.know, -1)
        s.taken[part] = 0
        if status == OK and e.rows > 1 and not s.counts_differ and _solve(t, t.ending):
            t.reason = APART
            return True
    free = 0.0
    fixed = 0
    for c in range(t.p.cells):
        if t.p.know[c] == UNKNOWN:
            free += 1.0 - t.p.odds[c]
            fixed += 1
    free /= fixed
    if ln_rest > log(t.few_placements) and (
        t.thin_placements <= 0 or ln_rest + 3.0 * log(free) > log(t.thin_placements)
    ):
        return False
    mines = t.mines
    for c in range(t.p.cells):
        mines -= t.p.know[c] == MINE
    for part in range(s.part_count):
        s.taken[part] = 1
    s.most_rows = e.room
    s.most_steps = 64 * cython.cast(cython.longlong, s.most_rows)
    restart(e)
    if list_parts(s, e, t.p.offsets, t.p.neighbours, t.p.know, mines):
        return False
    if _solve(t, t.ending):
        t.reason = SOLVED
        return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _solve(t: Thought, e: Ending) -> cython.bint:
    """Search the placements at hand: whether a cell was chosen; t.rows stays where it was not."""
    i: cython.int
    j: cython.int
    free: cython.int
    most: cython.int = -1
    t.rows = e.rows
    e.most_nodes = t.most_nodes
    e.most_work = t.most_work
    ask(e, 0, e.rows, 0)
    if search(e):
        return False
    t.wins = e.answer
    if e.searched:
        t.chosen = t.listing.column_cell[e.best_column[1]]
        return True
    # All cells are dead: take the one that is free most often, the lowest of equals.
    for j in range(e.columns):
        free = 0
        for i in range(e.rows):
            free += e.seen[cython.cast(cython.Py_ssize_t, i) * e.stride + j] >> 15 == 0
        if free > most or (free == most and t.listing.column_cell[j] < t.chosen):
            most = free
            t.chosen = t.listing.column_cell[j]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _trust_unfinished(t: Thought, e: Ending) -> cython.void:
    """Where the search of the end game was not finished, take its best cell so far after all,
    if the chosen one was tried by it and found worse, or cannot win as much."""
    j: cython.int
    column: cython.int
    if not t.rows or not e.searched or e.depth == 0 or t.chosen < 0 or e.best_column[1] < 0:
        return
    column = t.listing.column_of[t.chosen]
    if column < 0 or column == e.best_column[1] or column == e.column[1]:
        return
    for j in range(e.living_count[1]):
        if e.living[e.columns + j] == column:
            if e.free[e.columns + j] > e.best[1]:
                return
            t.chosen = t.listing.column_cell[e.best_column[1]]
            t.reason = BEST_FOUND
            return


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_around(t: Thought, p: Position) -> cython.void:
    """Of each unknown cell: is it living, is a hint next to it, how large is its region."""
    c: cython.int
    d: cython.int
    k: cython.int
    start: cython.int
    read_at: cython.int
    end: cython.int
    for c in range(p.cells):
        t.living[c] = 0
        t.near_hint[c] = 0
        t.region[c] = 0
        if p.know[c] != UNKNOWN:
            continue
        for k in range(p.offsets[c], p.offsets[c + 1]):
            if p.marks[p.neighbours[k]] >= 0:
                t.near_hint[c] = 1
        t.living[c] = _is_living(t, t.p, c, True)
    for c in range(p.cells):
        if p.know[c] != UNKNOWN or t.region[c]:
            continue
        t.queue[0] = c
        t.region[c] = 1
        read_at = 0
        end = 1
        while read_at < end:
            start = t.queue[read_at]
            read_at += 1
            for k in range(p.offsets[start], p.offsets[start + 1]):
                d = p.neighbours[k]
                if p.know[d] == UNKNOWN and not t.region[d]:
                    t.region[d] = 1
                    t.queue[end] = d
                    end += 1
        for k in range(end):
            t.region[t.queue[k]] = end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _unsure(t: Thought, p: Position, c: cython.int, base: cython.bint) -> cython.bint:
    """Whether a cell may be a mine and may be free: in the frame, or in the what-if at hand."""
    b: cython.int
    if base:
        return p.know[c] == UNKNOWN
    if p.marks[c] != BLANK:
        return False
    if p.by_general:
        return p.general.know[c] == UNKNOWN
    b = p.box_of[c]
    return (p.box_known[b] if b >= 0 else p.interior_known) == UNKNOWN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_living(t: Thought, p: Position, c: cython.int, base: cython.bint) -> cython.bint:
    """Whether the unsure neighbours of c are more than what single hints have to themselves."""
    b: cython.int
    d: cython.int
    h: cython.int
    i: cython.int
    j: cython.int
    k: cython.int
    left: cython.int = 0
    whole: cython.bint
    t.stamp += 1
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if _unsure(t, t.p, d, base):
            t.stamped[d] = t.stamp
            left += 1
    if left == 0:
        return False
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if t.stamped[d] != t.stamp:
            continue
        whole = False
        for i in range(p.offsets[d], p.offsets[d + 1]):
            h = p.neighbours[i]
            if p.marks[h] < 0:
                continue
            whole = True
            for j in range(p.offsets[h], p.offsets[h + 1]):
                b = p.neighbours[j]
                if b != c and t.stamped[b] != t.stamp and _unsure(t, t.p, b, base):
                    whole = False
                    break
            if whole:
                for j in range(p.offsets[h], p.offsets[h + 1]):
                    b = p.neighbours[j]
                    if t.stamped[b] == t.stamp:
                        t.stamped[b] = 0
                        left -= 1
                break
        if not whole:
            return True
    return left > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh_fifties(t: Thought, p: Position) -> cython.int:
    """The influence of every unknown cell; OK, or a status of the engine."""
    c: cython.int
    status: cython.int
    free: cython.double
    worth: cython.double
    for c in range(p.cells):
        t.influence[c] = 0.0
    if not t.fifty:
        return OK
    status = weigh_shapes(t.shapes, p, p.know)
    if status:
        return status
    for c in range(p.cells):
        if p.know[c] == UNKNOWN:
            free = 1.0 - p.odds[c]
            worth = influence_of(t.shapes, c, t.enabler_from, t.scratch)
            if worth > free:
                worth = free
            if worth > p.odds[c]:
                worth = p.odds[c]
            t.influence[c] = worth
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _toss(t: Thought, p: Position) -> cython.bint:
    """Take a coin toss that cannot be avoided: a cell that is a mine in a fifty-fifty or never."""
    c: cython.int
    if not t.fifty:
        return False
    for c in range(p.cells):
        if p.know[c] == UNKNOWN and coin_toss_of(t.shapes, c) >= p.odds[c] * (1.0 - TIE):
            t.chosen = c
            t.reason = COIN_TOSS
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gather(t: Thought, p: Position) -> cython.void:
    """The candidates, by falling bound; those in small regions only if there are no others."""
    c: cython.int
    inner: cython.int = 0
    turn: cython.int
    most: cython.double = 0.0
    free: cython.double
    for c in range(p.cells):
        if p.know[c] == UNKNOWN:
            inner += not t.near_hint[c]
            if t.living[c] and 1.0 - p.odds[c] > most:
                most = 1.0 - p.odds[c]
    for turn in range(2):
        for c in range(p.cells):
            if p.know[c] != UNKNOWN or not t.living[c]:
                continue
            if (t.region[c] < t.small_region) != (turn == 1):
                continue
            free = 1.0 - p.odds[c]
            if t.near_hint[c]:
                if free < t.ratio * most and free + t.influence[c] <= t.ratio * most:
                    continue
            elif free <= t.inner_ratio * most or (
                inner >= t.few_inner and not _stands_out(t, t.p, c)
            ):
                continue
            t.candidate[t.candidates] = c
            t.bound[c] = (free + t.influence_weight * t.influence[c]) * (1.0 + t.progress)
            t.score[c] = -1.0
            t.candidates += 1
        if t.candidates:
            break
    _sort(t)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stands_out(t: Thought, p: Position, c: cython.int) -> cython.bint:
    """Whether an interior cell is two cells straight away from a hint, or has few unknown ones
    around it."""
    k: cython.int
    around: cython.int = 0
    for k in range(p.offsets[c], p.offsets[c + 1]):
        around += p.know[p.neighbours[k]] == UNKNOWN
    if 2 <= around <= t.few_around:
        return True
    for k in range(t.straight_start[c], t.straight_start[c + 1]):
        if p.marks[t.straight[k]] >= 0:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort(t: Thought) -> cython.void:
    """Sort the candidates by falling bound; equal ones keep the order of cells."""
    i: cython.int
    j: cython.int
    c: cython.int
    for i in range(1, t.candidates):
        c = t.candidate[i]
        j = i
        while j and t.bound[t.candidate[j - 1]] < t.bound[c]:
            t.candidate[j] = t.candidate[j - 1]
            j -= 1
        t.candidate[j] = c


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _compare(t: Thought, p: Position) -> cython.int:
    """Weigh the candidates and choose the best; OK, or a status of the engine."""
    i: cython.int
    c: cython.int
    follower: cython.int = -1
    status: cython.int
    best: cython.double = 0.0
    for i in range(t.candidates):
        c = t.candidate[i]
        if t.bound[c] <= best:
            break
        status = _weigh(t, t.p, c, best)
        if status:
            return status
        if t.score[c] > best * (1.0 + TIE):
            best = t.score[c]
            t.chosen = c
            t.reason = SCORE
            follower = t.best_cell
    if t.domination and follower >= 0 and p.odds[follower] < p.odds[t.chosen]:
        t.second_choice = t.chosen
        t.chosen = follower
        t.reason = SAFER_NOW
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _weigh(t: Thought, p: Position, c: cython.int, best: cython.double) -> cython.int:
    """The score of a candidate, unless it cannot exceed *best*; OK, or a status of the engine.

    t.best_cell is then the cell that is safest after every number, if there is one.
    """
    v: cython.int
    status: cython.int
    first: cython.int = p.flags[c]
    past: cython.int = p.flags[c] + p.blanks[c] + 1
    follower: cython.int = -1
    chance: cython.double
    left: cython.double = 1.0 - p.odds[c]
    factor: cython.double = 1.0 + t.influence_weight * t.influence[c] / left
    total: cython.double = 0.0
    second: cython.double = 0.0
    sure: cython.double = 0.0
    for v in range(first, past):
        t.trail_start = p.trail_count
        status = what_if(p, c, v)
        if status == OK:
            chance = exp(p.ln_placements - t.ln_placements)
            _look_ahead(t, t.p)
            total += chance * (t.blend * t.first_best + (1.0 - t.blend) * t.second_best)
            second += chance * t.second_best
            left -= chance
            if t.sure_living:
                sure += chance
            if follower == -1:
                follower = t.best_cell
            elif follower != t.best_cell:
                follower = -2
        take_back(p)
        if status >= GROW:
            return status
        if (total + left) * factor * (1.0 + t.progress) <= best:
            return OK
    t.best_cell = follower if follower >= 0 else -2
    t.sure[c] = sure
    t.second[c] = second
    t.score[c] = total * factor * (1.0 + t.progress * sure)
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_ahead(t: Thought, p: Position) -> cython.void:
    """The best and second best S of living cells in the what-if at hand, and the best cell.

    best_cell is -2 where two are equally good. Where no cell is living, all count; where all is
    decided, nothing can go wrong any more.
    """
    b: cython.int
    c: cython.int
    f: cython.int
    i: cython.int
    k: cython.int
    t.first_best = -1.0
    t.second_best = -1.0
    t.best_cell = -2
    t.sure_living = 0
    for i in range(t.trail_start, p.trail_count):
        c = p.trail_cell[i]
        if p.marks[c] == OPEN and _is_living(t, t.p, c, False):
            _note(t, 1.0, c)
    if p.by_general:
        for c in range(p.cells):
            if p.marks[c] == BLANK and 1.0 - p.general.odds[c] > t.second_best:
                if _is_living(t, t.p, c, False):
                    _note(t, 1.0 - p.general.odds[c], c)
    else:
        for k in range(p.live_count):
            f = p.live[k]
            for b in range(p.front_box[f], p.front_past_box[f]):
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    if 1.0 - p.box_odds[b] <= t.second_best:
                        break
                    if _is_living(t, t.p, p.member[i], False):
                        _note(t, 1.0 - p.box_odds[b], p.member[i])
        if p.interior and 1.0 - p.interior_odds > t.second_best:
            # Of one interior cell nobody says which it is; two of them are as good as each other.
            _note(t, 1.0 - p.interior_odds, -2)
            if p.interior > 1:
                _note(t, 1.0 - p.interior_odds, -2)
    if t.first_best < 0.0:
        _look_at_dead(t, p)
    if t.first_best < 0.0:
        t.first_best = 1.0
    if t.second_best < 0.0:
        t.second_best = t.first_best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_at_dead(t: Thought, p: Position) -> cython.void:
    """The best and second best S of unsure cells, where none of them is living."""
    c: cython.int
    for c in range(p.cells):
        if _unsure(t, p, c, False):
            _note(t, 1.0 - odds_of(p, c), -2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _note(t: Thought, free: cython.double, c: cython.int) -> cython.void:
    """Take a cell's S into account; a certain mine has none."""
    if free <= 0.0:
        return
    if free >= 1.0:
        t.sure_living = 1
    if free > t.first_best:
        t.second_best = t.first_best
        t.first_best = free
        t.best_cell = c
    elif free > t.second_best:
        t.second_best = free
    if t.first_best <= t.second_best * (1.0 + TIE):
        t.best_cell = -2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _least_odds(t: Thought, p: Position) -> cython.int:
    """The cell of least odds; ties: fewest neighbours, then perimeter, then lowest index."""
    c: cython.int
    k: cython.int
    best: cython.int = -1
    least: cython.double = 2.0
    order: cython.int
    best_order: cython.int = 0
    for c in range(p.cells):
        if p.know[c] == UNKNOWN and p.odds[c] < least:
            least = p.odds[c]
    for c in range(p.cells):
        if p.know[c] == UNKNOWN and p.odds[c] <= least * (1.0 + TIE):
            order = 2 * (p.offsets[c + 1] - p.offsets[c]) + 1
            for k in range(p.offsets[c], p.offsets[c + 1]):
                if p.marks[p.neighbours[k]] >= 0:
                    order -= 1
                    break
            if best < 0 or order < best_order:
                best = c
                best_order = order
    return best


def run(t: Thought, marks, mines: cython.int, trust: cython.bint):
    """`think` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = think(t, m, mines, trust)
    return status
