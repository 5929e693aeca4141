from sapper.kernels.arrays cimport Bytes, Doubles
from sapper.kernels.tracked.state cimport TrackedPosition

cpdef int combine(TrackedPosition p) noexcept nogil
cpdef void backward_pass(TrackedPosition p) noexcept nogil
cpdef void write_cells(
    TrackedPosition p, Doubles probabilities, Bytes known, Py_ssize_t base
) noexcept nogil
