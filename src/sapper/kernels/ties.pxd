cpdef double quantise(double x) noexcept nogil
cpdef bint at_most(double x, double y) noexcept nogil
cdef double clamp(double probability) noexcept nogil
