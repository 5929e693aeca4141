from sapper.kernels.tracked.state cimport TrackedPosition

cpdef int weigh(TrackedPosition p) noexcept nogil
cpdef void backward_pass(TrackedPosition p) noexcept nogil
cpdef void spread(TrackedPosition p, double[::1] probabilities, unsigned char[::1] know, Py_ssize_t base) noexcept nogil
