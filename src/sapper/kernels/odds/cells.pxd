from sapper.kernels.odds.position cimport Position

cpdef int read(
    Position p, const int[::1] marks, Py_ssize_t base, int mines, bint trust
) noexcept nogil
cpdef void dissolve(Position p, int f) noexcept nogil
cpdef void forget(Position p) noexcept nogil
cpdef int follow(Position p, int cell, int mark) noexcept nogil
cpdef void save(Position p) noexcept nogil
cpdef void take_back(Position p) noexcept nogil
