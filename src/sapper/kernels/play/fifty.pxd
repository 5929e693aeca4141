# The types of the attributes; fifty.py says what they mean.
from sapper.kernels.odds.position cimport Position

cdef class Shapes:
    cdef public int count, most_unknown
    cdef public int[::1] cell, enabler_start, enabler, of_start, of_shape, by_start, by_shape
    cdef public int[::1] unknown, last_unknown
    cdef public double[::1] chance

cdef int weigh_shapes(Shapes s, Position p, const unsigned char[::1] know) noexcept nogil
cdef double influence_of(Shapes s, int c, double worth_from, int[::1] mark) noexcept nogil
cdef double coin_toss_of(Shapes s, int c) noexcept nogil
