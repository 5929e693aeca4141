# The types of the fields; thoughtful.py describes them.
from sapper.kernels.arrays cimport ConstInts
from sapper.kernels.players.look_ahead cimport LookAheadState

cdef class ThoughtfulState(LookAheadState):
    pass

cpdef int choose_thoughtful(
    ThoughtfulState t, ConstInts marks, int mines, bint trust_flags
) noexcept nogil
cpdef int check_fifty_fifties(ThoughtfulState t) noexcept nogil
cpdef int look_two_ahead(ThoughtfulState t) noexcept nogil
cpdef int score_cells(
    ThoughtfulState t, ConstInts marks, int mines, ConstInts cells, int count
) noexcept nogil
