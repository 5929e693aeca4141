"""The guess of `learned`: the end game, else the candidate that a network values most.

t          the guesser: its position and its end game; t.chosen and t.reason are the answer
looks      what the network sees; looks.candidate[:looks.count] were weighed
value      what the network thinks of each candidate: only differences mean anything

`guess_learned`, `choose_end_game` and `evaluate_candidates` start from a position that has been answered, its probabilities written
out; `choose` reads a position first. After `evaluate_candidates` (which `guess_learned` calls where the end game says
nothing) `value_of` values any other unknown cell of the same position.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels.codes import BY_NETWORK, OK, SCALARS
from cython.cimports.sapper.kernels.players.features import (
    Features,
    encode_candidate,
    encode_cells,
    list_candidates,
)
from cython.cimports.sapper.kernels.players.guessing import (
    GuesserState,
    begin_guess,
    choose_by_end_game,
    choose_exactly,
)
from cython.cimports.sapper.kernels.players.network import Network, evaluate

from sapper.kernels import view


class LearnedState:
    """One thread's memory for guesses on one board."""

    def __init__(self, t: GuesserState, features: Features, net: Network):
        self.t = t
        self.features = features
        self.net = net
        self.value = view(np.zeros(features.most + 1))


@cython.ccall
@cython.nogil
def choose(
    v: LearnedState, marks: cython.const[cython.int][::1], mines: cython.int, trust: cython.bint
) -> cython.int:
    """Choose a cell to reveal in a position with its mine count: v.t.chosen, v.t.reason.

    OK, or a status of the engine: from GROW on enlarge v.t.p.general and call again; any other
    says that the engine has no answer, and then nothing is chosen.
    """
    status: cython.int
    v.features.count = 0
    status = choose_exactly(v.t, marks, mines, trust)
    if status == OK and v.t.chosen < 0:
        _follow_network(v, mines)
    return status


@cython.ccall
@cython.nogil
def guess_learned(v: LearnedState, mines: cython.int) -> cython.void:
    """Choose a cell in a position in which nothing is certain."""
    if not choose_end_game(v, mines):
        _follow_network(v, mines)


@cython.cfunc
@cython.nogil
def _follow_network(v: LearnedState, mines: cython.int) -> cython.void:
    v.t.chosen = evaluate_candidates(v, mines)
    v.t.reason = BY_NETWORK


@cython.ccall
@cython.nogil
def choose_end_game(v: LearnedState, mines: cython.int) -> cython.bint:
    """Choose by the end game, where it can be searched: whether a cell was chosen."""
    begin_guess(v.t, mines)
    v.features.count = 0
    return choose_by_end_game(v.t)


@cython.ccall
@cython.nogil
@cython.locals(i=cython.int, at=cython.Py_ssize_t)
def evaluate_candidates(v: LearnedState, mines: cython.int) -> cython.int:
    """Value the candidates of a position; the one of the greatest value, the safest of equals."""
    best: cython.int = 0
    encode_cells(v.features, v.t.p, mines)
    list_candidates(v.features, v.t.p)
    for i in range(v.features.count):
        at = cython.cast(cython.Py_ssize_t, i) * SCALARS
        encode_candidate(v.features, v.t.p, v.features.candidate[i], i, at)
        v.value[i] = _value(v, v.features, v.features.candidate[i], at)
        if v.value[i] > v.value[best]:
            best = i
    return v.features.candidate[best]


@cython.ccall
@cython.nogil
def value_of(v: LearnedState, c: cython.int) -> cython.double:
    """The value of an unknown cell in the position that was weighed last, candidate or not."""
    i: cython.int = 0
    at: cython.Py_ssize_t
    while i < v.features.count and v.features.candidate[i] != c:
        i += 1
    # One that is no candidate has the rank after the last.
    at = cython.cast(cython.Py_ssize_t, v.features.most) * SCALARS
    encode_candidate(v.features, v.t.p, c, i, at)
    return _value(v, v.features, c, at)


@cython.cfunc
@cython.nogil
def _value(v: LearnedState, s: Features, c: cython.int, at: cython.Py_ssize_t) -> cython.double:
    """The value of a cell whose scalars stand there."""
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, c) * s.slots
    return evaluate(v.net, s.plane, s.table, base, s.scalar, at)


def run(v: LearnedState, marks, mines: cython.int, trust: cython.bint):
    """`choose` without the GIL."""
    status: cython.int
    m: cython.const[cython.int][::1] = marks
    with cython.nogil:
        status = choose(v, m, mines, trust)
    return status
