from sapper.kernels.tracked.state cimport TrackedPosition

cpdef int read(
    TrackedPosition p, const int[::1] marks, Py_ssize_t base, int mines, bint trust
) noexcept nogil
cpdef void dissolve(TrackedPosition p, int f) noexcept nogil
cpdef void forget(TrackedPosition p) noexcept nogil
cpdef int follow(TrackedPosition p, int cell, int mark) noexcept nogil
cpdef void save(TrackedPosition p) noexcept nogil
cpdef void take_back(TrackedPosition p) noexcept nogil
