# The types of the fields; look_ahead.py describes them.
from sapper.kernels.players.features cimport Features
from sapper.kernels.players.fifty_fifty cimport FiftyFiftyShapes
from sapper.kernels.players.guessing cimport GuesserState
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class LookAheadState(GuesserState):
    # the board
    cdef public FiftyFiftyShapes shapes
    cdef public int[::1] two_away_start, two_away
    # settings
    cdef public double ratio, inner_ratio, blend, influence_weight, progress, min_enabler_chance
    cdef public int few_inner, few_around, small_region, coin_tosses, domination
    cdef public int look_ahead, max_interior
    # the current position
    cdef public int second_choice, candidates, stamp
    cdef public unsigned char[::1] living, near_number
    cdef public double[::1] influence, bound, score, certain_next, expected_safety, expected_second_safety
    cdef public double[::1] information
    cdef public int[::1] candidate, stamped, scratch, region, queue
    # the current what-if
    cdef public double first_best, second_best
    cdef public int best_cell, certain_living, trail_start

cdef void classify_cells(LookAheadState t, TrackedPosition p) noexcept nogil
cdef int compute_influence(LookAheadState t, TrackedPosition p) noexcept nogil
cdef double expected_safety_of(LookAheadState t, int c) noexcept nogil
cdef void encode_look_ahead(LookAheadState t, Features v, int c, Py_ssize_t base) noexcept nogil
cdef int score_candidate(LookAheadState t, TrackedPosition p, int c, double best) noexcept nogil
