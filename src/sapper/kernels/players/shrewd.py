"""The guess of `shrewd`: the end game, else the best cells of two players, weighed once more.

t              a thought, as `thoughtful` has it: what is found stands there, so that whoever reads
               a thought (words, roll-outs) reads this one too
first          the network that values all candidates
second         a larger one that sees two moves ahead
order          the places of the candidates in first.looks, by falling value
kept           the cells that are weighed once more: the choice of `thoughtful`, the next
               keep_ahead of its candidates by score, and the best keep of the first network
worth          of such a cell: first_weight times its value by the first network, second_weight
               times that by the second, ahead_weight times how safe the second safest cell is
               that follows, and influence_weight times its influence on fifty-fifties
margin         the choice of `thoughtful` stands unless another cell is worth so much more

All weights but the first may be 0, and then their part is left out. In t the score of the best is
1, that of another as much less as it is worth less; a candidate that was not kept has none.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels.codes import (
    BY_NETWORK,
    INFLUENCE,
    OK,
    SAFER_NOW,
    SCALARS,
    SCORE,
)
from cython.cimports.sapper.kernels.players.features import Features
from cython.cimports.sapper.kernels.players.guessing import choose_exactly
from cython.cimports.sapper.kernels.players.learned import (
    LearnedState,
    evaluate_candidates,
    value_of,
)
from cython.cimports.sapper.kernels.players.network import Network, evaluate
from cython.cimports.sapper.kernels.players.thoughtful import (
    ThoughtfulState,
    check_fifty_fifties,
    look_two_ahead,
    score_candidate,
)
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view


class ShrewdState:
    """One thread's memory for guesses on one board."""

    def __init__(
        self,
        t: ThoughtfulState,
        first: LearnedState,
        second: Network | None,
        *,
        keep: cython.int,
        keep_ahead: cython.int,
        first_weight: cython.double,
        second_weight: cython.double,
        ahead_weight: cython.double,
        influence_weight: cython.double,
        margin: cython.double,
    ):
        """*first* looks at the position of *t*; without a second network the first decides."""
        many = first.features.most
        self.t = t
        self.first = first
        self.second = second
        self.decides = second is not None
        # What two moves ahead promise counts by its weight, or where the second network sees it.
        self.ahead = ahead_weight > 0 or (second is not None and second.scalars > INFLUENCE + 1)
        self.keep = keep
        self.keep_ahead = min(keep_ahead, t.p.cells)
        self.first_weight = first_weight
        self.second_weight = second_weight
        self.ahead_weight = ahead_weight
        self.influence_weight = influence_weight
        self.margin = margin
        self.order = view(np.zeros(many + 1, np.int32))
        self.kept = view(np.zeros(1 + self.keep_ahead + many, np.int32))


@cython.ccall
@cython.nogil
def choose_shrewd(
    s: ShrewdState, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Choose a cell to reveal in a position with its mine count: s.t.chosen, s.t.reason.

    OK, or a status of the engine: from GROW on enlarge s.t.p.general and call again; any other
    says that the engine has no answer, and then nothing is chosen.
    """
    status: cython.int
    s.t.candidates = 0
    s.first.features.count = 0
    status = choose_exactly(s.t, marks, mines, trust)
    if status or s.t.chosen >= 0:
        return status
    status = check_fifty_fifties(s.t)
    if status or s.t.chosen >= 0:
        return status
    _forget_scores(s.t)
    status = look_two_ahead(s.t)
    if status or (s.t.reason != SCORE and s.t.reason != SAFER_NOW):
        return status
    _come_back(s.t, s.t.p)
    evaluate_candidates(s.first, mines)
    _sort(s, s.first)
    _keep(s, s.t, s.first.features)
    return _decide(s, s.t, s.first, s.first.features)


@cython.cfunc
@cython.nogil
def _forget_scores(t: ThoughtfulState) -> cython.void:
    """No cell has a score in this position yet."""
    c: cython.int
    for c in range(t.p.cells):
        t.score[c] = -1.0


@cython.cfunc
@cython.nogil
def _come_back(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """Let the position have the solutions of the position again: what-ifs leave theirs behind."""
    p.ln_solutions = t.ln_solutions


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, j=cython.int)
def _sort(s: ShrewdState, v: LearnedState) -> cython.void:
    """Order the candidates by falling value; equal ones stay as they are, the safest first."""
    for i in range(v.features.count):
        j = i
        while j and v.value[s.order[j - 1]] < v.value[i]:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = i


@cython.cfunc
@cython.nogil
@cython.locals(i=cython.int, c=cython.int, best=cython.int)
def _keep(s: ShrewdState, t: ThoughtfulState, features: Features) -> cython.void:
    """List the cells that are weighed once more."""
    s.kept_count = 0
    _add(s, t.chosen)
    for _ in range(s.keep_ahead):
        best = -1
        for i in range(t.candidates):
            c = t.candidate[i]
            if t.score[c] >= 0.0 and not _has(s, c) and (best < 0 or t.score[c] > t.score[best]):
                best = c
        if best >= 0:
            _add(s, best)
    for i in range(min(s.keep, features.count)):
        _add(s, features.candidate[s.order[i]])


@cython.cfunc
@cython.nogil
def _has(s: ShrewdState, c: cython.int) -> cython.bint:
    """Whether a cell is kept already."""
    i: cython.int
    for i in range(s.kept_count):
        if s.kept[i] == c:
            return True
    return False


@cython.cfunc
@cython.nogil
def _add(s: ShrewdState, c: cython.int) -> cython.void:
    if not _has(s, c):
        s.kept[s.kept_count] = c
        s.kept_count += 1


@cython.cfunc
@cython.nogil
@cython.locals(c=cython.int, i=cython.int, status=cython.int)
def _decide(s: ShrewdState, t: ThoughtfulState, v: LearnedState, features: Features) -> cython.int:
    """Weigh the kept cells once more and choose; OK, or a status of the engine."""
    best: cython.double = 0.0
    for i in range(s.kept_count):
        c = s.kept[i]
        status = _look_ahead_from(s, t, c)
        if status:
            return status
        _come_back(t, t.p)
        t.bound[c] = _worth(s, t, v, features, c)
        # The first is the choice of `thoughtful`.
        if i == 0:
            t.bound[c] += s.margin
        if i == 0 or t.bound[c] > best:
            best = t.bound[c]
            t.chosen = c
    t.reason = BY_NETWORK
    t.candidates = s.kept_count
    for i in range(s.kept_count):
        c = s.kept[i]
        t.candidate[i] = c
        t.score[c] = 1.0 + (t.bound[c] - best)
        if t.score[c] < 0.0:
            t.score[c] = 0.0
    for i in range(features.count):
        c = features.candidate[s.order[i]]
        if not _has(s, c):
            t.candidate[t.candidates] = c
            t.candidates += 1
            t.bound[c] = v.value[s.order[i]]
            t.score[c] = -1.0
    return OK


@cython.cfunc
@cython.nogil
def _look_ahead_from(s: ShrewdState, t: ThoughtfulState, c: cython.int) -> cython.int:
    """What two moves ahead promise, t.follow and t.sure, where that counts; OK, or a status."""
    status: cython.int = OK
    if not s.ahead:
        t.follow[c] = 0.0
        t.second[c] = 0.0
        t.sure[c] = 0.0
        return OK
    # A cell that `thoughtful` weighed to the end has its score.
    if t.score[c] < 0.0:
        status = score_candidate(t, t.p, c, -1.0)
    t.follow[c] = t.score[c] / (
        (1.0 + t.influence_weight * t.influence[c] / (1.0 - t.p.probabilities[c]))
        * (1.0 + t.progress * t.sure[c])
    )
    return status


@cython.cfunc
@cython.nogil
def _worth(
    s: ShrewdState, t: ThoughtfulState, v: LearnedState, features: Features, c: cython.int
) -> cython.double:
    """What a cell is worth, all things weighed."""
    # There `value_of` writes what the network sees of a cell, candidate or not.
    at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, features.most) * SCALARS
    worth: cython.double = s.first_weight * value_of(v, c)
    worth += s.ahead_weight * t.second[c] + s.influence_weight * t.influence[c]
    if s.decides:
        features.scalar[at + INFLUENCE] = cython.cast(cython.int, t.influence[c] * 4096.0 + 0.5)
        features.scalar[at + INFLUENCE + 1] = cython.cast(cython.int, t.follow[c] * 4096.0 + 0.5)
        features.scalar[at + INFLUENCE + 2] = cython.cast(cython.int, t.sure[c] * 4096.0 + 0.5)
        worth += s.second_weight * evaluate(
            s.second,
            features.plane,
            features.table,
            cython.cast(cython.Py_ssize_t, c) * features.slots,
            features.scalar,
            at,
        )
    return worth


def run(s: ShrewdState, marks, mines: cython.int, trust: cython.bint):
    """`choose_shrewd` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = choose_shrewd(s, m, mines, trust)
    return status
