# The types of the fields; fifty_fifty.py describes them.
from sapper.kernels.arrays cimport ConstBytes, Ints
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class FiftyFiftyShapes:
    cdef public int count, max_unknown
    cdef public int[::1] cell, enabler_start, enabler, member_start, member_shape, enabled_start, enabled_shape
    cdef public int[::1] unknown, last_unknown
    cdef public double[::1] chance

cdef int compute_chances(FiftyFiftyShapes s, TrackedPosition p, ConstBytes known) noexcept nogil
cdef double influence_of(FiftyFiftyShapes s, int c, double min_chance, Ints mark) noexcept nogil
cdef double forced_guess_chance(FiftyFiftyShapes s, int c) noexcept nogil
