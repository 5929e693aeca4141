from sapper.kernels.tracked.state cimport TrackedPosition

cpdef void save_state(TrackedPosition p) noexcept nogil
cpdef void restore_state(TrackedPosition p) noexcept nogil
