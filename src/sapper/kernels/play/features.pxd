# The types of the attributes; features.py says what they mean.
from sapper.kernels.odds.position cimport Position

cdef class Looks:
    cdef public int slots, most, most_around, count, unknown, interior, mines_left
    cdef public const int[::1] table
    cdef public const unsigned char[::1] corner, edge
    cdef public unsigned char[::1] plane
    cdef public int[::1] distance, queue, need, candidate
    cdef public long long[::1] key
    cdef public short[::1] scalar
    cdef public double least, interior_odds, ratio

cdef void look(Looks v, Position p, int mines) noexcept nogil
cdef void gather(Looks v, Position p) noexcept nogil
cdef void describe(Looks v, Position p, int c, int rank, Py_ssize_t base) noexcept nogil
