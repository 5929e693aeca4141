cdef class Ladder:
    cdef const int[::1] offsets
    cdef const int[::1] neighbours
    cdef int[::1] marks
    cdef int[::1] blanks
    cdef int[::1] flags
    cdef int[::1] shared
    cdef int[::1] partners
    cdef int[::1] active
    cdef int[::1] later
    cdef int[::1] waits
    cdef int[::1] found
    cdef long long[::1] tally
    cdef int cells
    cdef int active_count
    cdef int later_count
    cdef int found_count
    cdef int[::1] verdict
    cdef int[::1] code
    cdef int[::1] least
    cdef int[::1] greatest
    cdef int[::1] size
    cdef int of_p
    cdef int of_both
    cdef int of_q

cpdef void begin(Ladder w) noexcept nogil
cpdef void learn(Ladder w, int cell, int hint) noexcept nogil
cpdef void settle(Ladder w, int c, int mark) noexcept nogil
cpdef void begin_blank(Ladder w) noexcept nogil
cpdef int single_moves(Ladder w) noexcept nogil
cpdef int moves(Ladder w) noexcept nogil
cdef int gather(Ladder w, int p) noexcept nogil
cdef int say_two(Ladder w, int p, int q) noexcept nogil
cdef bint touches(Ladder w, int c, int d) noexcept nogil
cpdef int clear(Ladder w, const int[::1] hints, int first) noexcept nogil
