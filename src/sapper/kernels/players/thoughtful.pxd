# The types of the attributes; thoughtful.py says what they mean.
from sapper.kernels.tracked.state cimport TrackedPosition
from sapper.kernels.players.fifty_fifty cimport FiftyFiftyShapes
from sapper.kernels.players.guessing cimport GuesserState

cdef class ThoughtfulState(GuesserState):
    # the board
    cdef public FiftyFiftyShapes shapes
    cdef public int[::1] straight_start, straight
    # settings
    cdef public double ratio, inner_ratio, blend, influence_weight, progress, enabler_from
    cdef public int few_inner, few_around, small_region, fifty, coin_tosses, domination
    cdef public int look_ahead, max_interior
    # the position at hand
    cdef public int second_choice, candidates, stamp
    cdef public unsigned char[::1] living, near_number
    cdef public double[::1] influence, bound, score, sure, follow, second
    cdef public int[::1] candidate, stamped, scratch, region, queue
    # what a what-if promises
    cdef public double first_best, second_best
    cdef public int best_cell, sure_living, trail_start

cpdef int choose_thoughtful(ThoughtfulState t, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef int check_fifty_fifties(ThoughtfulState t) noexcept nogil
cpdef int look_two_ahead(ThoughtfulState t) noexcept nogil
cpdef int score_cells(
    ThoughtfulState t, const int[::1] marks, int mines, const int[::1] cells, int count
) noexcept nogil
cpdef bint needs_rollouts(ThoughtfulState t, TrackedPosition p) noexcept nogil
cdef int score_candidate(ThoughtfulState t, TrackedPosition p, int c, double best) noexcept nogil
