# The types of the fields; human.py describes them.
from sapper.kernels.arrays cimport ConstInts

cdef class HumanState:
    cdef const int[::1] offsets, neighbours
    cdef int[::1] marks, covered, flags, shared, partners
    cdef int[::1] single_queue, pair_queue, queued, found, verdict, region, least, greatest, size
    cdef long long[::1] tally
    cdef int cells, single_count, pair_count, found_count, of_p, of_both, of_q


cpdef void load_marks(HumanState w) noexcept nogil
cpdef void set_number(HumanState w, int cell, int number) noexcept nogil
cpdef void set_mark(HumanState w, int c, int mark) noexcept nogil
cpdef void reset_solver(HumanState w) noexcept nogil
cpdef int run_single_strategies(HumanState w) noexcept nogil
cpdef int run_strategies(HumanState w) noexcept nogil
cdef int find_partners(HumanState w, int p) noexcept nogil
cdef int pair_conclusions(HumanState w, int p, int q) noexcept nogil
cdef bint are_neighbours(HumanState w, int c, int d) noexcept nogil
cpdef int play_out(HumanState w, ConstInts numbers, int first) noexcept nogil
