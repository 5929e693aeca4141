from sapper.kernels.tracked.state cimport TrackedPosition

cpdef int find_values(TrackedPosition p, double[:, ::1] out) noexcept nogil
