"""The guess of `learned`: the end game, else the candidate that a network values most.

features   what the network sees; features.candidate[:features.count] are the candidates
value      the network's value of each candidate: only differences are meaningful
shared     whether the tracked position is that of the game, which answers it before a guess

After `evaluate_candidates`, `value_of` gives the value of any other unknown cell of the same
position. Both need a tracked position that is answered, with its probabilities written out.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts
from cython.cimports.sapper.kernels.players.features import (
    Features,
    encode_candidate,
    encode_cells,
    list_candidates,
)
from cython.cimports.sapper.kernels.players.guessing import (
    EndGameSolver,
    GuesserState,
    begin_guess,
    choose_by_end_game,
    choose_certain_or_solved,
)
from cython.cimports.sapper.kernels.players.network import Network, evaluate
from cython.cimports.sapper.kernels.tracked.queries import write_probabilities
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels.declarations import allocate


class CandidateValues:
    """A network's values of the candidates in a tracked position."""

    def __init__(self, tracked: TrackedPosition, features: Features, net: Network):
        self.p = tracked
        self.features = features
        self.net = net
        allocate(self, "value", features.max_candidates + 1)


class LearnedState(GuesserState):
    """The state to guess as `learned` on one board, for use by one thread."""

    def __init__(
        self,
        tracked: TrackedPosition,
        end_game: EndGameSolver,
        values: CandidateValues,
        shared: cython.bint,
    ):
        super().__init__(tracked, end_game)
        self.values = values
        self.shared = shared

    def choose(self, marks: ConstInts, mines: cython.int, trust_flags: cython.bint) -> cython.int:
        """Choose a certain cell, by the end game, or by the network."""
        status: cython.int
        self.values.features.count = 0
        status = choose_certain_or_solved(self, marks, mines, trust_flags)
        if status == codes.OK and self.chosen < 0:
            _choose_by_network(self, mines)
        return status

    def choose_in_game(
        self, marks: ConstInts, mines: cython.int, tracked: cython.bint
    ) -> cython.int:
        """Use the answer in the tracked position if it is that of the game."""
        if not self.shared:
            return self.choose(marks, mines, True)
        if not tracked:
            return codes.IMPRECISE
        write_probabilities(self.p)
        if not choose_end_game(self, mines):
            _choose_by_network(self, mines)
        return codes.OK


@cython.cfunc
@cython.nogil
def _choose_by_network(t: LearnedState, mines: cython.int) -> cython.void:
    t.chosen = evaluate_candidates(t.values, mines)
    t.reason = codes.BY_NETWORK


def choose_end_game(t: LearnedState, mines: cython.int) -> cython.bint:
    """Choose by the end game if it can be searched; return whether a cell was chosen."""
    begin_guess(t, mines)
    t.values.features.count = 0
    return choose_by_end_game(t)


def evaluate_candidates(v: CandidateValues, mines: cython.int) -> cython.int:
    """Evaluate the candidates; return the one of the greatest value, the safest of equals."""
    best: cython.int = 0
    encode_cells(v.features, v.p, mines)
    list_candidates(v.features, v.p)
    for i in range(v.features.count):
        scalar_base = cython.cast(cython.Py_ssize_t, i) * codes.SCALARS
        encode_candidate(v.features, v.p, v.features.candidate[i], i, scalar_base)
        v.value[i] = _value(v, v.features, v.features.candidate[i], scalar_base)
        if v.value[i] > v.value[best]:
            best = i
    return v.features.candidate[best]


def value_of(v: CandidateValues, c: cython.int) -> cython.double:
    """Return the value of an unknown cell of the position that was evaluated last."""
    i: cython.int = 0
    while i < v.features.count and v.features.candidate[i] != c:
        i += 1
    # A cell that is not a candidate has the rank after the last.
    scalar_base = cython.cast(cython.Py_ssize_t, v.features.max_candidates) * codes.SCALARS
    encode_candidate(v.features, v.p, c, i, scalar_base)
    return _value(v, v.features, c, scalar_base)


@cython.cfunc
@cython.nogil
def _value(
    v: CandidateValues, s: Features, c: cython.int, scalar_base: cython.Py_ssize_t
) -> cython.double:
    """Return the value of a cell whose scalars begin at *scalar_base*."""
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, c) * s.slots
    return evaluate(v.net, s.cell_code, s.table, base, s.scalar, scalar_base)
