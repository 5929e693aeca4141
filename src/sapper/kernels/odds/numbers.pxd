from sapper.kernels.odds.position cimport Position

cpdef int find_numbers(Position p, double[:, ::1] out) noexcept nogil
