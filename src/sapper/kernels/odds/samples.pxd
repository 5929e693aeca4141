from sapper.kernels.odds.position cimport Position

cpdef void list_interior(Position p) noexcept nogil
cpdef void draw(
    Position p, unsigned long long[::1] state, unsigned char[::1] out, Py_ssize_t base
) noexcept nogil
