# The types of the fields; shrewd.py describes them.
from sapper.kernels.players.learned cimport CandidateValues
from sapper.kernels.players.network cimport Network
from sapper.kernels.players.thoughtful cimport ThoughtfulState

cdef class ShrewdState(ThoughtfulState):
    cdef public CandidateValues first_values
    cdef public Network second_network
    # settings
    cdef public int keep, keep_ahead, looks_ahead, has_second
    cdef public double first_weight, second_weight, ahead_weight, influence_bonus, margin
    # the table of openings, sorted by key
    cdef public int max_revealed
    cdef public unsigned long long[::1] opening_key
    cdef public double[::1] opening_ln_solutions
    cdef public int[::1] opening_cell
    # the current position
    cdef public int kept_count, opening
    cdef public int[::1] order, kept
