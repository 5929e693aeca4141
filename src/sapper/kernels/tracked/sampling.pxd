from sapper.kernels.tracked.state cimport TrackedPosition

cpdef void list_interior(TrackedPosition p) noexcept nogil
cpdef void draw_solution(
    TrackedPosition p, unsigned long long[::1] state, unsigned char[::1] out, Py_ssize_t base
) noexcept nogil
