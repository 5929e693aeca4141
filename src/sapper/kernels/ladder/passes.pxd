# Passes, for other kernels.
from sapper.kernels.ladder.human cimport Ladder

cpdef void forget(Ladder w) noexcept nogil
cpdef int pass_one(Ladder w) noexcept nogil
cpdef int pass_two(Ladder w) noexcept nogil
cdef int pass_three(Ladder w) noexcept nogil
cdef void make_moves(Ladder w, int bit) noexcept nogil
