from sapper.kernels.odds.position cimport Position

cpdef int list_placements(Position p, int most, unsigned char[::1] out) noexcept nogil
