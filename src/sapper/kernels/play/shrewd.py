"""The guess of `shrewd`: the end game, else a network's best candidates, weighed once more.

t          a thought, as `thoughtful` has it: what is found stands there, so that whoever reads a
           thought (words, roll-outs) reads this one too
first      the network that values all candidates
second     a larger one that sees two moves ahead; it values the best `keep` of them
order      the places of the candidates in first.looks, by falling value
worth      of a kept candidate: first_weight times its value by the first network, second_weight
           times that by the second, ahead_weight times what two moves ahead promise, and
           influence_weight times its influence on fifty-fifties

All weights but the first may be 0, and then their part is left out. In t the score of the best is
1, that of another as much less as it is worth less; a candidate that was not kept has none.
"""

import cython

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import OK
    from cython.cimports.sapper.kernels.odds.asking import answer, write_odds
    from cython.cimports.sapper.kernels.odds.cells import read
    from cython.cimports.sapper.kernels.odds.position import Position
    from cython.cimports.sapper.kernels.play.features import Looks
    from cython.cimports.sapper.kernels.play.learned import Learner, weigh
    from cython.cimports.sapper.kernels.play.network import evaluate
    from cython.cimports.sapper.kernels.play.thoughtful import (
        Thought,
        _look_around,
        _toss,
        _weigh,
        _weigh_fifties,
        finish,
        take_certain,
    )
else:
    from sapper.kernels.codes import OK
    from sapper.kernels.odds.asking import answer, write_odds
    from sapper.kernels.odds.cells import read
    from sapper.kernels.odds.position import Position
    from sapper.kernels.play.features import Looks
    from sapper.kernels.play.learned import Learner, weigh
    from sapper.kernels.play.network import evaluate
    from sapper.kernels.play.thoughtful import (
        Thought,
        _look_around,
        _toss,
        _weigh,
        _weigh_fifties,
        finish,
        take_certain,
    )

STRIDE = cython.declare(cython.int, 24)
INFLUENCE = cython.declare(cython.int, 20)
LEARNED = cython.declare(cython.int, 8)


class Shrewd:
    """One thread's memory for guesses on one board; its maker sets the parts and the weights."""


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def judge(
    s: Shrewd, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Choose a cell to reveal in a frame with its mine count: s.t.chosen, s.t.reason.

    OK, or a status of the engine: from GROW on enlarge s.t.p.general and call again; any other
    says that the engine has no answer, and then nothing is chosen.
    """
    status: cython.int
    s.t.chosen = -1
    s.t.candidates = 0
    s.t.rows = 0
    s.t.mines = mines
    s.first.looks.count = 0
    status = read(s.t.p, marks, 0, mines, trust)
    if status == OK:
        status = answer(s.t.p)
    if status:
        return status
    write_odds(s.t.p)
    s.t.ln_placements = s.t.p.ln_placements
    if take_certain(s.t) or finish(s.t):
        return OK
    weigh(s.first, mines)
    _look_around(s.t, s.t.p)
    status = _weigh_fifties(s.t, s.t.p)
    if status:
        return status
    if s.t.coin_tosses and _toss(s.t, s.t.p):
        return OK
    _sort(s, s.first)
    return _decide(s, s.t, s.first, s.first.looks, s.t.p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sort(s: Shrewd, v: Learner) -> cython.void:
    """Order the candidates by falling value; equal ones stay as they are, the safest first."""
    i: cython.int
    j: cython.int
    for i in range(v.looks.count):
        j = i
        while j and v.value[s.order[j - 1]] < v.value[i]:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = i


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _decide(s: Shrewd, t: Thought, v: Learner, looks: Looks, p: Position) -> cython.int:
    """Weigh the best candidates once more and choose; OK, or a status of the engine."""
    c: cython.int
    i: cython.int
    place: cython.int
    status: cython.int
    best: cython.double = 0.0
    for i in range(looks.count):
        place = s.order[i]
        c = looks.candidate[place]
        t.candidate[i] = c
        t.bound[c] = v.value[place]
        t.score[c] = -1.0
        if i >= s.keep:
            continue
        status = _promise(s, t, c)
        if status:
            return status
        t.bound[c] = _worth(s, t, v, looks, place)
        if i == 0 or t.bound[c] > best:
            best = t.bound[c]
            t.chosen = c
    t.candidates = looks.count
    t.reason = LEARNED
    for i in range(looks.count):
        if i < s.keep:
            c = t.candidate[i]
            t.score[c] = 1.0 + (t.bound[c] - best)
            if t.score[c] < 0.0:
                t.score[c] = 0.0
    return OK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _promise(s: Shrewd, t: Thought, c: cython.int) -> cython.int:
    """What two moves ahead promise, t.follow and t.sure, where that counts; OK, or a status."""
    status: cython.int
    t.follow[c] = 0.0
    t.sure[c] = 0.0
    if not s.ahead:
        return OK
    status = _weigh(t, t.p, c, -1.0)
    t.follow[c] = t.score[c] / (
        (1.0 + t.influence_weight * t.influence[c] / (1.0 - t.p.odds[c]))
        * (1.0 + t.progress * t.sure[c])
    )
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _worth(s: Shrewd, t: Thought, v: Learner, looks: Looks, place: cython.int) -> cython.double:
    """What a candidate is worth, all things weighed."""
    c: cython.int = looks.candidate[place]
    at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, place) * STRIDE
    worth: cython.double = s.first_weight * v.value[place]
    worth += s.ahead_weight * t.follow[c] + s.influence_weight * t.influence[c]
    if s.decides:
        looks.scalar[at + INFLUENCE] = cython.cast(cython.int, t.influence[c] * 4096.0 + 0.5)
        looks.scalar[at + INFLUENCE + 1] = cython.cast(cython.int, t.follow[c] * 4096.0 + 0.5)
        looks.scalar[at + INFLUENCE + 2] = cython.cast(cython.int, t.sure[c] * 4096.0 + 0.5)
        worth += s.second_weight * evaluate(
            s.second,
            looks.plane,
            looks.table,
            cython.cast(cython.Py_ssize_t, c) * looks.slots,
            looks.scalar,
            at,
        )
    return worth


def run(s: Shrewd, marks, mines: cython.int, trust: cython.bint):
    """`judge` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = judge(s, m, mines, trust)
    return status
