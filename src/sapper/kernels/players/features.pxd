# The types of the fields; features.py describes them.
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class Features:
    cdef public int slots, max_candidates, max_neighbours, count, unknown, interior, mines_left
    cdef public const int[::1] table
    cdef public const unsigned char[::1] corner, edge
    cdef public unsigned char[::1] cell_code
    cdef public int[::1] distance, queue, need, candidate
    cdef public long long[::1] key
    cdef public short[::1] scalar
    cdef public double least, interior_probability, ratio

cdef void encode_cells(Features v, TrackedPosition p, int mines) noexcept nogil
cdef void list_candidates(Features v, TrackedPosition p) noexcept nogil
cdef void encode_candidate(Features v, TrackedPosition p, int c, int rank, Py_ssize_t base) noexcept nogil
cdef short fixed_point(double x) noexcept nogil
