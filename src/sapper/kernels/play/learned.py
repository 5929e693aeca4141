"""The guess of `learned`: the end game, else the candidate that a network values most.

t          the guesser: its position and its end game; t.chosen and t.reason are the answer
looks      what the network sees; looks.candidate[:looks.count] were weighed
value      what the network thinks of each candidate: only differences mean anything

`decide`, `finish_game` and `weigh` start from a position that has been answered, its odds written
out; `choose` reads a frame first. After `weigh` (which `decide` calls where the end game says
nothing) `value_of` values any other unknown cell of the same frame.
"""

import cython
import numpy as np

from sapper.kernels import view

if cython.compiled:
    from cython.cimports.sapper.kernels.codes import BY_NETWORK, OK, SCALARS
    from cython.cimports.sapper.kernels.play.features import Looks, describe, gather, look
    from cython.cimports.sapper.kernels.play.guessing import (
        Guesser,
        begin_guess,
        choose_exactly,
        finish,
    )
    from cython.cimports.sapper.kernels.play.network import Network, evaluate
else:
    from sapper.kernels.codes import BY_NETWORK, OK, SCALARS
    from sapper.kernels.play.features import Looks, describe, gather, look
    from sapper.kernels.play.guessing import Guesser, begin_guess, choose_exactly, finish
    from sapper.kernels.play.network import Network, evaluate


class Learner:
    """One thread's memory for guesses on one board."""

    def __init__(self, t: Guesser, looks: Looks, net: Network):
        self.t = t
        self.looks = looks
        self.net = net
        self.value = view(np.zeros(looks.most + 1))


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def choose(
    v: Learner, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Choose a cell to reveal in a frame with its mine count: v.t.chosen, v.t.reason.

    OK, or a status of the engine: from GROW on enlarge v.t.p.general and call again; any other
    says that the engine has no answer, and then nothing is chosen.
    """
    status: cython.int
    v.looks.count = 0
    status = choose_exactly(v.t, marks, mines, trust)
    if status == OK and v.t.chosen < 0:
        _follow_network(v, mines)
    return status


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def decide(v: Learner, mines: cython.int) -> cython.void:
    """Choose a cell in a position in which nothing is certain."""
    if not finish_game(v, mines):
        _follow_network(v, mines)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _follow_network(v: Learner, mines: cython.int) -> cython.void:
    v.t.chosen = weigh(v, mines)
    v.t.reason = BY_NETWORK


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def finish_game(v: Learner, mines: cython.int) -> cython.bint:
    """Choose by the end game, where it can be searched: whether a cell was chosen."""
    begin_guess(v.t, mines)
    v.looks.count = 0
    return finish(v.t)


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def weigh(v: Learner, mines: cython.int) -> cython.int:
    """Value the candidates of a position; the one of the greatest value, the safest of equals."""
    i: cython.int
    best: cython.int = 0
    at: cython.Py_ssize_t
    look(v.looks, v.t.p, mines)
    gather(v.looks, v.t.p)
    for i in range(v.looks.count):
        at = cython.cast(cython.Py_ssize_t, i) * SCALARS
        describe(v.looks, v.t.p, v.looks.candidate[i], i, at)
        v.value[i] = _value(v, v.looks, v.looks.candidate[i], at)
        if v.value[i] > v.value[best]:
            best = i
    return v.looks.candidate[best]


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def value_of(v: Learner, c: cython.int) -> cython.double:
    """The value of an unknown cell in the frame that was weighed last, candidate or not."""
    i: cython.int = 0
    at: cython.Py_ssize_t
    while i < v.looks.count and v.looks.candidate[i] != c:
        i += 1
    # One that is no candidate has the rank after the last.
    at = cython.cast(cython.Py_ssize_t, v.looks.most) * SCALARS
    describe(v.looks, v.t.p, c, i, at)
    return _value(v, v.looks, c, at)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _value(v: Learner, s: Looks, c: cython.int, at: cython.Py_ssize_t) -> cython.double:
    """The value of a cell whose scalars stand there."""
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, c) * s.slots
    return evaluate(v.net, s.plane, s.table, base, s.scalar, at)


def run(v: Learner, marks, mines: cython.int, trust: cython.bint):
    """`choose` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = choose(v, m, mines, trust)
    return status
