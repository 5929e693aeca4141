# The types of the attributes; learned.py says what they mean.
from sapper.kernels.players.features cimport Features
from sapper.kernels.players.guessing cimport GuesserState
from sapper.kernels.players.network cimport Network

cdef class LearnedState:
    cdef public GuesserState t
    cdef public Features features
    cdef public Network net
    cdef public double[::1] value

cpdef int choose(LearnedState v, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef void guess_learned(LearnedState v, int mines) noexcept nogil
cpdef bint choose_end_game(LearnedState v, int mines) noexcept nogil
cpdef int evaluate_candidates(LearnedState v, int mines) noexcept nogil
cpdef double value_of(LearnedState v, int c) noexcept nogil
