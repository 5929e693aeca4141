"""Scores of candidates by looking two moves ahead, with their influence on fifty-fifties.

t, p          the state of the guesser, the tracked position
c, d, e, h    cells; h shows a number
b, f          a box, a component of the tracked position
S             the probability that a cell is safe
living        a cell that may show several numbers, as far as single numbers say: some of its
              unknown neighbours remain after removing the sets that one number sees alone
influence     the probability that revealing the cell decides a fifty-fifty (see `fifty_fifty`)
candidate     the cells that are compared, with bound (an upper bound of the score), score (-1 if
              it was not computed to the end), certain_next (the probability that a living cell
              becomes certain), expected_safety (the first factor of the score below),
              expected_second_safety (the sum of P(v) s2(v)) and information (the sum of
              -P(v) ln P(v))
two_away      of each cell, those two steps away that share most neighbours with it:
              two_away[two_away_start[c]:two_away_start[c + 1]]

stamped       scratch: a cell is in the current set if its item is equal to stamp

`sapper.players.thoughtful` describes the settings. The score of a cell is

    sum over v of P(v) (blend s1(v) + (1 - blend) s2(v))
    x (1 + influence_weight influence / S) x (1 + progress certain_next)

where s1 and s2 are the best and second best S of living cells once the cell shows v.
"""

import cython
from cython.cimports.libc.math import exp
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Ints
from cython.cimports.sapper.kernels.players.features import Features, fixed_point
from cython.cimports.sapper.kernels.players.fifty_fifty import (
    FiftyFiftyShapes,
    compute_chances,
    influence_of,
)
from cython.cimports.sapper.kernels.players.guessing import EndGameSolver, GuesserState
from cython.cimports.sapper.kernels.ties import at_most, quantise
from cython.cimports.sapper.kernels.tracked.queries import probability_of, restore_state, what_if
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels.declarations import allocate


class LookAheadState(GuesserState):
    """The state to score candidates on one board, for use by one thread."""

    def __init__(
        self,
        tracked: TrackedPosition,
        end_game: EndGameSolver,
        shapes: FiftyFiftyShapes,
        two_away_start: Ints,
        two_away: Ints,
        settings: dict,
    ):
        """Set the fields that have the names of *settings*.

        An influence_weight of 0 leaves fifty-fifties out; roll-outs are never needed until
        max_interior is set.
        """
        n: cython.int = tracked.cells
        super().__init__(tracked, end_game)
        self.shapes = shapes
        self.two_away_start = two_away_start
        self.two_away = two_away
        for name, value in settings.items():
            setattr(self, name, value)
        allocate(self, "living near_number influence bound score certain_next expected_safety", n)
        allocate(self, "expected_second_safety information", n)
        allocate(self, "candidate stamped scratch region queue", n)


def classify_cells(t: LookAheadState, p: TrackedPosition) -> cython.void:
    """Find which unknown cells are living or next to a number, and the sizes of their regions."""
    for c in range(p.cells):
        t.living[c] = 0
        t.near_number[c] = 0
        t.region[c] = 0
        if p.known[c] != codes.UNKNOWN:
            continue
        t.near_number[c] = _is_next_to_number(p, c)
        t.living[c] = _is_living(t, t.p, c, True)
    for c in range(p.cells):
        if p.known[c] != codes.UNKNOWN or t.region[c]:
            continue
        t.queue[0] = c
        t.region[c] = 1
        read = 0
        end = 1
        while read < end:
            start = t.queue[read]
            read += 1
            for k in range(p.offsets[start], p.offsets[start + 1]):
                d = p.neighbours[k]
                if p.known[d] == codes.UNKNOWN and not t.region[d]:
                    t.region[d] = 1
                    t.queue[end] = d
                    end += 1
        for k in range(end):
            t.region[t.queue[k]] = end


@cython.cfunc
@cython.nogil
def _is_next_to_number(p: TrackedPosition, c: cython.int) -> cython.bint:
    """Return whether a cell is next to a number."""
    for k in range(p.offsets[c], p.offsets[c + 1]):
        if p.marks[p.neighbours[k]] >= 0:
            return True
    return False


@cython.cfunc
@cython.nogil
def _is_undecided(
    t: LookAheadState, p: TrackedPosition, c: cython.int, base: cython.bint
) -> cython.bint:
    """Return whether a cell is undecided: in the position (*base*), or in the current what-if."""
    if base:
        return p.known[c] == codes.UNKNOWN
    if p.marks[c] != codes.COVERED:
        return False
    if p.used_general:
        return p.general.known[c] == codes.UNKNOWN
    b = p.box_of[c]
    return (p.box_known[b] if b >= 0 else p.interior_known) == codes.UNKNOWN


@cython.cfunc
@cython.nogil
def _is_living(
    t: LookAheadState, p: TrackedPosition, c: cython.int, base: cython.bint
) -> cython.bint:
    """Return whether undecided neighbours of c remain outside those that one number owns."""
    left: cython.int = 0
    t.stamp += 1
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if _is_undecided(t, t.p, d, base):
            t.stamped[d] = t.stamp
            left += 1
    if left == 0:
        return False
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if t.stamped[d] != t.stamp:
            continue
        owned = False
        for i in range(p.offsets[d], p.offsets[d + 1]):
            h = p.neighbours[i]
            if p.marks[h] < 0:
                continue
            owned = True
            for j in range(p.offsets[h], p.offsets[h + 1]):
                e = p.neighbours[j]
                if e != c and t.stamped[e] != t.stamp and _is_undecided(t, t.p, e, base):
                    owned = False
                    break
            if owned:
                for j in range(p.offsets[h], p.offsets[h + 1]):
                    e = p.neighbours[j]
                    if t.stamped[e] == t.stamp:
                        t.stamped[e] = 0
                        left -= 1
                break
        if not owned:
            return True
    return left > 0


def compute_influence(t: LookAheadState, p: TrackedPosition) -> cython.int:
    """Compute the influence of every unknown cell; return OK or a status of the engine."""
    for c in range(p.cells):
        t.influence[c] = 0.0
    if t.influence_weight <= 0:
        return codes.OK
    status = compute_chances(t.shapes, p, p.known)
    if status:
        return status
    for c in range(p.cells):
        if p.known[c] == codes.UNKNOWN:
            safe = 1.0 - p.probabilities[c]
            influence = influence_of(t.shapes, c, t.min_enabler_chance, t.scratch)
            if influence > safe:
                influence = safe
            if influence > p.probabilities[c]:
                influence = p.probabilities[c]
            t.influence[c] = influence
    return codes.OK


def score_candidate(
    t: LookAheadState, p: TrackedPosition, c: cython.int, best: cython.double
) -> cython.int:
    """Compute the score of a candidate, unless it cannot exceed *best* when both are quantised.

    Set t.best_cell to the cell that is safest after every number, if there is one. Return OK or
    a status of the engine.
    """
    first: cython.int = p.flags[c]
    stop: cython.int = p.flags[c] + p.covered[c] + 1
    best_next: cython.int = -1
    left: cython.double = 1.0 - p.probabilities[c]
    factor: cython.double = 1.0 + t.influence_weight * t.influence[c] / left
    total: cython.double = 0.0
    second: cython.double = 0.0
    certain: cython.double = 0.0
    information: cython.double = 0.0
    for v in range(first, stop):
        t.trail_start = p.trail_count
        status = what_if(p, c, v)
        if status == codes.OK:
            chance = exp(p.ln_solutions - t.ln_solutions)
            _look_ahead(t, t.p)
            total += chance * (t.blend * t.first_best + (1.0 - t.blend) * t.second_best)
            second += chance * t.second_best
            information += chance * (t.ln_solutions - p.ln_solutions)
            left -= chance
            if t.certain_living:
                certain += chance
            if best_next == -1:
                best_next = t.best_cell
            elif best_next != t.best_cell:
                best_next = -2
        restore_state(p)
        if status >= codes.GROW:
            return status
        if quantise((total + left) * factor * (1.0 + t.progress)) <= best:
            return codes.OK
    t.best_cell = best_next if best_next >= 0 else -2
    t.certain_next[c] = certain
    t.expected_second_safety[c] = second
    t.information[c] = information
    t.score[c] = total * factor * (1.0 + t.progress * certain)
    return codes.OK


def expected_safety_of(t: LookAheadState, c: cython.int) -> cython.double:
    """Return the expected safety of the next move after a candidate that was scored to the end."""
    return t.score[c] / (
        (1.0 + t.influence_weight * t.influence[c] / (1.0 - t.p.probabilities[c]))
        * (1.0 + t.progress * t.certain_next[c])
    )


def encode_look_ahead(
    t: LookAheadState, v: Features, c: cython.int, base: cython.Py_ssize_t
) -> cython.void:
    """Write the scalars of a cell that was scored to the end to v.scalar[base + INFLUENCE:]."""
    v.scalar[base + codes.INFLUENCE] = fixed_point(t.influence[c])
    v.scalar[base + codes.INFLUENCE + 1] = fixed_point(t.expected_safety[c])
    v.scalar[base + codes.INFLUENCE + 2] = fixed_point(t.certain_next[c])
    v.scalar[base + codes.INFLUENCE + 3] = fixed_point(t.expected_second_safety[c])
    v.scalar[base + codes.INFLUENCE + 4] = fixed_point(t.information[c])


@cython.cfunc
@cython.nogil
def _look_ahead(t: LookAheadState, p: TrackedPosition) -> cython.void:
    """Find the best and second best S of living cells in the current what-if, and the best cell.

    best_cell is -2 if two are equally good. If no cell is living, all count; if every cell is
    decided, S is 1.
    """
    t.first_best = -1.0
    t.second_best = -1.0
    t.best_cell = -2
    t.certain_living = 0
    for i in range(t.trail_start, p.trail_count):
        c = p.trail_cell[i]
        if p.marks[c] == codes.KNOWN_SAFE and _is_living(t, t.p, c, False):
            _record_safety(t, 1.0, c)
    if p.used_general:
        for c in range(p.cells):
            if p.marks[c] == codes.COVERED and 1.0 - p.general.probabilities[c] > t.second_best:
                if not _is_next_to_number(p, c):
                    _record_safety(t, 1.0 - p.general.probabilities[c], -2)
                elif _is_living(t, t.p, c, False):
                    _record_safety(t, 1.0 - p.general.probabilities[c], c)
    else:
        for k in range(p.live_count):
            f = p.live[k]
            for b in range(p.component_box[f], p.component_box_stop[f]):
                for i in range(p.box_member[b], p.box_member[b] + p.box_size[b]):
                    if 1.0 - p.box_probability[b] <= t.second_best:
                        break
                    if _is_living(t, t.p, p.member[i], False):
                        _record_safety(t, 1.0 - p.box_probability[b], p.member[i])
        if p.interior and 1.0 - p.interior_probability > t.second_best:
            # The cells of the interior are alike, so none of them is the best cell.
            _record_safety(t, 1.0 - p.interior_probability, -2)
            if p.interior > 1:
                _record_safety(t, 1.0 - p.interior_probability, -2)
    if t.first_best < 0.0:
        _look_ahead_dead(t, p)
    if t.first_best < 0.0:
        t.first_best = 1.0
    if t.second_best < 0.0:
        t.second_best = t.first_best


@cython.cfunc
@cython.nogil
def _look_ahead_dead(t: LookAheadState, p: TrackedPosition) -> cython.void:
    """Find the best and second best S of undecided cells, none of which is living."""
    for c in range(p.cells):
        if _is_undecided(t, p, c, False):
            _record_safety(t, 1.0 - probability_of(p, c), -2)


@cython.cfunc
@cython.nogil
def _record_safety(t: LookAheadState, safe: cython.double, c: cython.int) -> cython.void:
    """Take the S of a cell into account; a certain mine has none."""
    if safe <= 0.0:
        return
    if safe >= 1.0:
        t.certain_living = 1
    if safe > t.first_best:
        t.second_best = t.first_best
        t.first_best = safe
        t.best_cell = c
    elif safe > t.second_best:
        t.second_best = safe
    if at_most(t.first_best, t.second_best):
        t.best_cell = -2
