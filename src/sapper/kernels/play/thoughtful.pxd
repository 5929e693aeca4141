# The types of the attributes; thoughtful.py says what they mean.
from sapper.kernels.odds.position cimport Position
from sapper.kernels.play.fifty cimport Shapes
from sapper.kernels.play.guessing cimport Guesser

cdef class Thought(Guesser):
    # the board
    cdef public Shapes shapes
    cdef public int[::1] straight_start, straight
    # settings
    cdef public double ratio, inner_ratio, blend, influence_weight, progress, enabler_from
    cdef public int few_inner, few_around, small_region, fifty, coin_tosses, domination
    cdef public int look_ahead, most_interior
    # the frame at hand
    cdef public int second_choice, candidates, stamp
    cdef public unsigned char[::1] living, near_hint
    cdef public double[::1] influence, bound, score, sure, follow, second
    cdef public int[::1] candidate, stamped, scratch, region, queue
    # what a what-if promises
    cdef public double first_best, second_best
    cdef public int best_cell, sure_living, trail_start

cpdef int think(Thought t, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef int face_fifties(Thought t) noexcept nogil
cpdef int look_two_ahead(Thought t) noexcept nogil
cpdef int foresee(
    Thought t, const int[::1] marks, int mines, const int[::1] cells, int count
) noexcept nogil
cpdef bint hesitates(Thought t, Position p) noexcept nogil
cdef int _weigh(Thought t, Position p, int c, double best) noexcept nogil
