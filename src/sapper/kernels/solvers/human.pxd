cdef class HumanState:
    cdef const int[::1] offsets
    cdef const int[::1] neighbours
    cdef int[::1] marks
    cdef int[::1] covered
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

cpdef void load_marks(HumanState w) noexcept nogil
cpdef void set_number(HumanState w, int cell, int number) noexcept nogil
cpdef void set_mark(HumanState w, int c, int mark) noexcept nogil
cpdef void reset_solver(HumanState w) noexcept nogil
cpdef int run_single_strategies(HumanState w) noexcept nogil
cpdef int run_strategies(HumanState w) noexcept nogil
cdef int find_partners(HumanState w, int p) noexcept nogil
cdef int pair_conclusions(HumanState w, int p, int q) noexcept nogil
cdef bint are_neighbours(HumanState w, int c, int d) noexcept nogil
cpdef int play_out(HumanState w, const int[::1] numbers, int first) noexcept nogil
