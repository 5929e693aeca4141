"""The guess of `thoughtful`: the end game, then two moves ahead with an eye on fifty-fifties.

S            the chance that a cell is free
living       a cell that may show several numbers, as far as single numbers say: of its unknown
             neighbours some are left when those are taken away that a number has all to itself
influence    the chance that revealing the cell settles a fifty-fifty (see `fifty`)
candidate    the cells that are weighed, with bound (the score at most), score (-1: not weighed to
             the end), sure (the chance that a certain living cell follows) and second (the sum
             of P(v) s2(v) below)
straight     of each cell, those two steps away that share most neighbours with it:
             straight[straight_start[c]:straight_start[c + 1]]

The score of a cell is

    sum over v of P(v) (blend s1(v) + (1 - blend) s2(v))
    x (1 + influence_weight influence / S) x (1 + progress sure)

where s1 and s2 are the best and second best S of living cells once the cell shows v.
Research behind it: `docs/design/170-how-to-guess-well.md`.
What a thought shares with every guess stands in `guessing`.
All that one guess weighs reads the same thought and position, which makes the file long.
"""

import cython
import numpy as np
from cython.cimports.libc.math import exp
from cython.cimports.sapper.kernels.codes import (
    BEST_FOUND,
    COVERED,
    FORCED_GUESS,
    GROW,
    KNOWN_SAFE,
    LEAST_RISK,
    OK,
    SAFER_NOW,
    SCORE,
    UNKNOWN,
)
from cython.cimports.sapper.kernels.players.end_game_search import EndGameSearch
from cython.cimports.sapper.kernels.players.fifty_fifty import (
    FiftyFiftyShapes,
    compute_chances,
    forced_guess_chance,
    influence_of,
)
from cython.cimports.sapper.kernels.players.guessing import (
    EndGameSolver,
    GuesserState,
    choose_exactly,
    read_position,
)
from cython.cimports.sapper.kernels.players.solution_lists import SolutionLister
from cython.cimports.sapper.kernels.tracked.queries import probability_of, restore_state, what_if
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view

TIE = cython.declare(cython.double, 1e-9)


class ThoughtfulState(GuesserState):
    """One thread's memory for guesses on one board that look ahead."""

    def __init__(
        self,
        tracked: TrackedPosition,
        end_game: EndGameSolver,
        shapes: FiftyFiftyShapes,
        straight_start: cython.int[::1],
        straight: cython.int[::1],
        *,
        look_ahead: cython.bint,
        ratio: cython.double,
        inner_ratio: cython.double,
        few_inner: cython.int,
        few_around: cython.int,
        small_region: cython.int,
        blend: cython.double,
        progress: cython.double,
        influence_weight: cython.double,
        enabler_from: cython.double,
        coin_tosses: cython.bint,
        domination: cython.bint,
    ):
        """*influence_weight* 0 leaves fifty-fifties out; no guess hesitates until max_interior
        is set."""
        n = tracked.cells
        super().__init__(tracked, end_game)
        self.shapes = shapes
        self.straight_start = straight_start
        self.straight = straight
        self.look_ahead = look_ahead
        self.ratio = ratio
        self.inner_ratio = inner_ratio
        self.few_inner = few_inner
        self.few_around = few_around
        self.small_region = small_region
        self.blend = blend
        self.progress = progress
        self.influence_weight = influence_weight
        self.fifty = influence_weight > 0
        self.enabler_from = enabler_from
        self.coin_tosses = coin_tosses
        self.domination = domination
        for name in ("living", "near_number"):
            setattr(self, name, view(np.zeros(n, np.uint8)))
        for name in ("influence", "bound", "score", "sure", "follow", "second"):
            setattr(self, name, view(np.zeros(n)))
        for name in ("candidate", "stamped", "scratch", "region", "queue"):
            setattr(self, name, view(np.zeros(n, np.int32)))


@cython.ccall
@cython.nogil
def choose_thoughtful(
    t: ThoughtfulState, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Choose a cell to reveal in a position with its mine count: t.chosen, t.reason.

    OK, or a status of the engine: from GROW on enlarge t.p.general and call again; any other says
    that the engine has no answer, and then nothing is chosen.
    """
    status: cython.int
    t.candidates = 0
    status = choose_exactly(t, marks, mines, trust)
    if status or t.chosen >= 0:
        return status
    if not t.look_ahead:
        t.chosen = _least_risk(t, t.p)
        t.reason = LEAST_RISK
        return OK
    status = check_fifty_fifties(t)
    if status or t.chosen >= 0:
        return status
    return look_two_ahead(t)


@cython.ccall
@cython.nogil
def check_fifty_fifties(t: ThoughtfulState) -> cython.int:
    """Look around, weigh the fifty-fifties, and choose a coin toss that cannot be avoided.

    OK, or a status of the engine.
    """
    status: cython.int
    _survey(t, t.p)
    status = _compute_influence(t, t.p)
    if status == OK and t.coin_tosses:
        _take_forced_guess(t, t.p)
    return status


@cython.ccall
@cython.nogil
def look_two_ahead(t: ThoughtfulState) -> cython.int:
    """Choose by two moves ahead, where nothing exact decides; OK, or a status of the engine."""
    status: cython.int
    _gather(t, t.p)
    status = _compare(t, t.p)
    if status:
        return status
    _use_unfinished_search(t, t.end_game.listing, t.end_game.ending)
    if t.chosen < 0:
        t.chosen = _least_risk(t, t.p)
        t.reason = LEAST_RISK
    return OK


@cython.ccall
@cython.nogil
def needs_rollouts(t: ThoughtfulState, p: TrackedPosition) -> cython.bint:
    """Whether the guess may be thought over: several candidates, nothing exact, and an interior
    of fewer than t.max_interior cells."""
    c: cython.int
    inner: cython.int = 0
    if t.candidates < 2 or t.reason == FORCED_GUESS:
        return False
    for c in range(p.cells):
        inner += p.known[c] == UNKNOWN and not t.near_number[c]
    return inner < t.max_interior


@cython.ccall
@cython.nogil
@cython.locals(i=cython.int, c=cython.int)
def score_cells(
    t: ThoughtfulState,
    marks: cython.const[cython.int][::1],
    mines: cython.int,
    cells: cython.const[cython.int][::1],
    count: cython.int,
) -> cython.int:
    """The influence of every unknown cell, and t.follow and t.sure of cells[:count].

    t.follow is the first factor of the score: what two moves ahead promise, influence apart.
    For others that want these numbers of cells of their own choice; OK, or a status of the engine.
    """
    status: cython.int = read_position(t, marks, mines, True)
    if status:
        return status
    status = _compute_influence(t, t.p)
    for i in range(count):
        if status:
            break
        c = cells[i]
        status = score_candidate(t, t.p, c, -1.0)
        t.follow[c] = t.score[c] / (
            (1.0 + t.influence_weight * t.influence[c] / (1.0 - t.p.probabilities[c]))
            * (1.0 + t.progress * t.sure[c])
        )
    return status


@cython.cfunc
@cython.nogil
@cython.locals(j=cython.int, column=cython.int)
def _use_unfinished_search(t: ThoughtfulState, s: SolutionLister, e: EndGameSearch) -> cython.void:
    """Where the search of the end game was not finished, take its best cell so far after all,
    if the chosen one was tried by it and found worse, or cannot win as much."""
    if not t.rows or not e.searched or e.depth == 0 or t.chosen < 0 or e.best_column[1] < 0:
        return
    column = s.column_of[t.chosen]
    if column < 0 or column == e.best_column[1] or column == e.column[1]:
        return
    for j in range(e.living_count[1]):
        if e.living[e.columns + j] == column:
            if e.safe[e.columns + j] > e.best[1]:
                return
            t.chosen = s.column_cell[e.best_column[1]]
            t.reason = BEST_FOUND
            return


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, d=cython.int, k=cython.int, start=cython.int, read_at=cython.int)
@cython.locals(end=cython.int)
def _survey(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """Of each unknown cell: is it living, is a number next to it, how large is its region."""
    for c in range(p.cells):
        t.living[c] = 0
        t.near_number[c] = 0
        t.region[c] = 0
        if p.known[c] != UNKNOWN:
            continue
        for k in range(p.offsets[c], p.offsets[c + 1]):
            if p.marks[p.neighbours[k]] >= 0:
                t.near_number[c] = 1
        t.living[c] = _is_living(t, t.p, c, True)
    for c in range(p.cells):
        if p.known[c] != UNKNOWN or t.region[c]:
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
                if p.known[d] == UNKNOWN and not t.region[d]:
                    t.region[d] = 1
                    t.queue[end] = d
                    end += 1
        for k in range(end):
            t.region[t.queue[k]] = end


@cython.cfunc
@cython.nogil
def _unsure(
    t: ThoughtfulState, p: TrackedPosition, c: cython.int, base: cython.bint
) -> cython.bint:
    """Whether a cell may be a mine and may be free: in the position, or in the what-if at hand."""
    b: cython.int
    if base:
        return p.known[c] == UNKNOWN
    if p.marks[c] != COVERED:
        return False
    if p.by_general:
        return p.general.known[c] == UNKNOWN
    b = p.box_of[c]
    return (p.box_known[b] if b >= 0 else p.interior_known) == UNKNOWN


@cython.cfunc
@cython.nogil
@cython.locals(b=cython.int, d=cython.int, h=cython.int, i=cython.int, j=cython.int, k=cython.int)
@cython.locals(whole=cython.bint)
def _is_living(
    t: ThoughtfulState, p: TrackedPosition, c: cython.int, base: cython.bint
) -> cython.bint:
    """Whether the unsure neighbours of c are more than what single numbers have to themselves."""
    left: cython.int = 0
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
@cython.locals(c=cython.int, status=cython.int, safe=cython.double, worth=cython.double)
def _compute_influence(t: ThoughtfulState, p: TrackedPosition) -> cython.int:
    """The influence of every unknown cell; OK, or a status of the engine."""
    for c in range(p.cells):
        t.influence[c] = 0.0
    if not t.fifty:
        return OK
    status = compute_chances(t.shapes, p, p.known)
    if status:
        return status
    for c in range(p.cells):
        if p.known[c] == UNKNOWN:
            safe = 1.0 - p.probabilities[c]
            worth = influence_of(t.shapes, c, t.enabler_from, t.scratch)
            if worth > safe:
                worth = safe
            if worth > p.probabilities[c]:
                worth = p.probabilities[c]
            t.influence[c] = worth
    return OK


@cython.cfunc
@cython.nogil
def _take_forced_guess(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """Take a coin toss that cannot be avoided: a cell that is a mine in a fifty-fifty or never."""
    c: cython.int
    if not t.fifty:
        return
    for c in range(p.cells):
        if p.known[c] == UNKNOWN and forced_guess_chance(t.shapes, c) >= p.probabilities[c] * (
            1.0 - TIE
        ):
            t.chosen = c
            t.reason = FORCED_GUESS
            return


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, turn=cython.int, safe=cython.double)
def _gather(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """The candidates, by falling bound; those in small regions only if there are no others."""
    inner: cython.int = 0
    most: cython.double = 0.0
    for c in range(p.cells):
        if p.known[c] == UNKNOWN:
            inner += not t.near_number[c]
            if t.living[c] and 1.0 - p.probabilities[c] > most:
                most = 1.0 - p.probabilities[c]
    for turn in range(2):
        for c in range(p.cells):
            if p.known[c] != UNKNOWN or not t.living[c]:
                continue
            if (t.region[c] < t.small_region) != (turn == 1):
                continue
            safe = 1.0 - p.probabilities[c]
            if t.near_number[c]:
                if safe < t.ratio * most and safe + t.influence[c] <= t.ratio * most:
                    continue
            elif safe <= t.inner_ratio * most or (
                inner >= t.few_inner and not _stands_out(t, t.p, c)
            ):
                continue
            t.candidate[t.candidates] = c
            t.bound[c] = (safe + t.influence_weight * t.influence[c]) * (1.0 + t.progress)
            t.score[c] = -1.0
            t.candidates += 1
        if t.candidates:
            break
    _sort(t)


@cython.cfunc
@cython.nogil
def _stands_out(t: ThoughtfulState, p: TrackedPosition, c: cython.int) -> cython.bint:
    """Whether an interior cell is two cells straight away from a number, or has few unknown ones
    around it."""
    k: cython.int
    around: cython.int = 0
    for k in range(p.offsets[c], p.offsets[c + 1]):
        around += p.known[p.neighbours[k]] == UNKNOWN
    if 2 <= around <= t.few_around:
        return True
    for k in range(t.straight_start[c], t.straight_start[c + 1]):
        if p.marks[t.straight[k]] >= 0:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, j=cython.int, c=cython.int)
def _sort(t: ThoughtfulState) -> cython.void:
    """Sort the candidates by falling bound; equal ones keep the order of cells."""
    for i in range(1, t.candidates):
        c = t.candidate[i]
        j = i
        while j and t.bound[t.candidate[j - 1]] < t.bound[c]:
            t.candidate[j] = t.candidate[j - 1]
            j -= 1
        t.candidate[j] = c


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, c=cython.int, status=cython.int)
def _compare(t: ThoughtfulState, p: TrackedPosition) -> cython.int:
    """Weigh the candidates and choose the best; OK, or a status of the engine."""
    follower: cython.int = -1
    best: cython.double = 0.0
    for i in range(t.candidates):
        c = t.candidate[i]
        if t.bound[c] <= best:
            break
        status = score_candidate(t, t.p, c, best)
        if status:
            return status
        if t.score[c] > best * (1.0 + TIE):
            best = t.score[c]
            t.chosen = c
            t.reason = SCORE
            follower = t.best_cell
    if t.domination and follower >= 0 and p.probabilities[follower] < p.probabilities[t.chosen]:
        t.second_choice = t.chosen
        t.chosen = follower
        t.reason = SAFER_NOW
    return OK


@cython.cfunc
@cython.nogil
@cython.locals(v=cython.int, status=cython.int, chance=cython.double)
def score_candidate(
    t: ThoughtfulState, p: TrackedPosition, c: cython.int, best: cython.double
) -> cython.int:
    """The score of a candidate, unless it cannot exceed *best*; OK, or a status of the engine.

    t.best_cell is then the cell that is safest after every number, if there is one.
    """
    first: cython.int = p.flags[c]
    past: cython.int = p.flags[c] + p.covered[c] + 1
    follower: cython.int = -1
    left: cython.double = 1.0 - p.probabilities[c]
    factor: cython.double = 1.0 + t.influence_weight * t.influence[c] / left
    total: cython.double = 0.0
    second: cython.double = 0.0
    sure: cython.double = 0.0
    for v in range(first, past):
        t.trail_start = p.trail_count
        status = what_if(p, c, v)
        if status == OK:
            chance = exp(p.ln_solutions - t.ln_solutions)
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
        restore_state(p)
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
@cython.locals(b=cython.int, c=cython.int, f=cython.int, i=cython.int, k=cython.int)
def _look_ahead(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """The best and second best S of living cells in the what-if at hand, and the best cell.

    best_cell is -2 where two are equally good. Where no cell is living, all count; where all is
    decided, nothing can go wrong any more.
    """
    t.first_best = -1.0
    t.second_best = -1.0
    t.best_cell = -2
    t.sure_living = 0
    for i in range(t.trail_start, p.trail_count):
        c = p.trail_cell[i]
        if p.marks[c] == KNOWN_SAFE and _is_living(t, t.p, c, False):
            _note(t, 1.0, c)
    if p.by_general:
        for c in range(p.cells):
            if p.marks[c] == COVERED and 1.0 - p.general.probabilities[c] > t.second_best:
                if _is_living(t, t.p, c, False):
                    _note(t, 1.0 - p.general.probabilities[c], c)
    else:
        for k in range(p.live_count):
            f = p.live[k]
            for b in range(p.component_box[f], p.component_past_box[f]):
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    if 1.0 - p.box_probability[b] <= t.second_best:
                        break
                    if _is_living(t, t.p, p.member[i], False):
                        _note(t, 1.0 - p.box_probability[b], p.member[i])
        if p.interior and 1.0 - p.interior_probability > t.second_best:
            # Of one interior cell nobody says which it is; two of them are as good as each other.
            _note(t, 1.0 - p.interior_probability, -2)
            if p.interior > 1:
                _note(t, 1.0 - p.interior_probability, -2)
    if t.first_best < 0.0:
        _look_ahead_dead(t, p)
    if t.first_best < 0.0:
        t.first_best = 1.0
    if t.second_best < 0.0:
        t.second_best = t.first_best


@cython.cfunc
@cython.nogil
def _look_ahead_dead(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """The best and second best S of unsure cells, where none of them is living."""
    c: cython.int
    for c in range(p.cells):
        if _unsure(t, p, c, False):
            _note(t, 1.0 - probability_of(p, c), -2)


@cython.cfunc
@cython.nogil
def _note(t: ThoughtfulState, safe: cython.double, c: cython.int) -> cython.void:
    """Take a cell's S into account; a certain mine has none."""
    if safe <= 0.0:
        return
    if safe >= 1.0:
        t.sure_living = 1
    if safe > t.first_best:
        t.second_best = t.first_best
        t.first_best = safe
        t.best_cell = c
    elif safe > t.second_best:
        t.second_best = safe
    if t.first_best <= t.second_best * (1.0 + TIE):
        t.best_cell = -2


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, k=cython.int, order=cython.int)
def _least_risk(t: ThoughtfulState, p: TrackedPosition) -> cython.int:
    """The cell of least probability; ties: fewest neighbours, then frontier, then lowest index."""
    best: cython.int = -1
    least: cython.double = 2.0
    best_order: cython.int = 0
    for c in range(p.cells):
        if p.known[c] == UNKNOWN and p.probabilities[c] < least:
            least = p.probabilities[c]
    for c in range(p.cells):
        if p.known[c] == UNKNOWN and p.probabilities[c] <= least * (1.0 + TIE):
            order = 2 * (p.offsets[c + 1] - p.offsets[c]) + 1
            for k in range(p.offsets[c], p.offsets[c + 1]):
                if p.marks[p.neighbours[k]] >= 0:
                    order -= 1
                    break
            if best < 0 or order < best_order:
                best = c
                best_order = order
    return best


def run(t: ThoughtfulState, marks, mines: cython.int, trust: cython.bint):
    """`choose_thoughtful` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = choose_thoughtful(t, m, mines, trust)
    return status
