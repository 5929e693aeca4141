from sapper.kernels.arrays cimport ConstInts
from sapper.kernels.tracked.state cimport TrackedPosition

cpdef int read_marks(
    TrackedPosition p, ConstInts marks, Py_ssize_t base, int mines, bint trust_flags
) noexcept nogil
cpdef void remove_component(TrackedPosition p, int f) noexcept nogil
cpdef void remove_components(TrackedPosition p) noexcept nogil
cpdef int set_mark(TrackedPosition p, int cell, int mark) noexcept nogil
