# The types of the attributes; thoughtful.py says what they mean.
from sapper.kernels.odds.position cimport Position
from sapper.kernels.play.endgame cimport Ending
from sapper.kernels.play.fifty cimport Shapes
from sapper.kernels.play.listing cimport Listing

cdef class Thought:
    cdef public Position p
    cdef public Shapes shapes
    cdef public Listing listing
    cdef public Ending ending
    # settings
    cdef public double ratio, inner_ratio, blend, influence_weight, progress, enabler_from
    cdef public double few_placements, thin_placements
    cdef public int few_inner, few_around, small_region, fifty, coin_tosses, domination, apart
    cdef public int look_ahead, most_interior
    cdef public long long most_nodes, most_work
    # the board
    cdef public int[::1] straight_start, straight
    # the frame at hand
    cdef public int mines, stage, reason, chosen, second_choice, candidates, stamp, wins, rows
    cdef public double ln_placements
    cdef public unsigned char[::1] living, near_hint
    cdef public double[::1] influence, bound, score, sure, follow, second
    cdef public int[::1] candidate, stamped, scratch, region, queue
    # what a what-if promises
    cdef public double first_best, second_best
    cdef public int best_cell, sure_living, trail_start

cpdef int think(Thought t, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef int look_two_ahead(Thought t) noexcept nogil
cpdef bint take_certain(Thought t) noexcept nogil
cpdef bint finish(Thought t) noexcept nogil
cpdef int foresee(
    Thought t, const int[::1] marks, int mines, const int[::1] cells, int count
) noexcept nogil
cpdef bint hesitates(Thought t, Position p) noexcept nogil
cdef void _look_around(Thought t, Position p) noexcept nogil
cdef int _weigh_fifties(Thought t, Position p) noexcept nogil
cdef bint _toss(Thought t, Position p) noexcept nogil
cdef int _weigh(Thought t, Position p, int c, double best) noexcept nogil
