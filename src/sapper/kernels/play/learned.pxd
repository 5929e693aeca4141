# The types of the attributes; learned.py says what they mean.
from sapper.kernels.play.features cimport Looks
from sapper.kernels.play.guessing cimport Guesser
from sapper.kernels.play.network cimport Network

cdef class Learner:
    cdef public Guesser t
    cdef public Looks looks
    cdef public Network net
    cdef public double[::1] value

cpdef int choose(Learner v, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef void decide(Learner v, int mines) noexcept nogil
cpdef bint finish_game(Learner v, int mines) noexcept nogil
cpdef int weigh(Learner v, int mines) noexcept nogil
cpdef double value_of(Learner v, int c) noexcept nogil
