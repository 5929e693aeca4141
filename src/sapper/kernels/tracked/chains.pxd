from sapper.kernels.tracked.state cimport TrackedPosition

cpdef int update_components(TrackedPosition p) noexcept nogil
