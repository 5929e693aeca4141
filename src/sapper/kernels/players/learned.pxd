# The types of the fields; learned.py describes them.
from sapper.kernels.players.features cimport Features
from sapper.kernels.players.guessing cimport GuesserState
from sapper.kernels.players.network cimport Network
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class CandidateValues:
    cdef public TrackedPosition p
    cdef public Features features
    cdef public Network net
    cdef public double[::1] value

cdef class LearnedState(GuesserState):
    cdef public CandidateValues values
    cdef public int shared

cpdef bint choose_end_game(LearnedState t, int mines) noexcept nogil
cpdef int evaluate_candidates(CandidateValues v, int mines) noexcept nogil
cpdef double value_of(CandidateValues v, int c) noexcept nogil
