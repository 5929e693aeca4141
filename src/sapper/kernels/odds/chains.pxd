from sapper.kernels.odds.position cimport Position

cpdef int catch_up(Position p) noexcept nogil
