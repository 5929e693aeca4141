from sapper.kernels.arrays cimport Bytes, Words
from sapper.kernels.tracked.state cimport TrackedPosition

cpdef void list_interior(TrackedPosition p) noexcept nogil
cpdef void draw_solution(
    TrackedPosition p, Words state, Bytes out, Py_ssize_t base
) noexcept nogil
