from sapper.kernels.tracked.state cimport TrackedPosition

cdef int add_box(TrackedPosition p, int b) noexcept nogil
