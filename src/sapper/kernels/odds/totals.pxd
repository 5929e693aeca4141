from sapper.kernels.odds.position cimport Position

cpdef int weigh(Position p) noexcept nogil
cpdef void pass_back(Position p) noexcept nogil
cpdef void spread(Position p, double[::1] odds, unsigned char[::1] know, Py_ssize_t base) noexcept nogil
