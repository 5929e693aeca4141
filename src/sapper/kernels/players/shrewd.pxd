# The types of the attributes; shrewd.py says what they mean.
from sapper.kernels.tracked.state cimport TrackedPosition
from sapper.kernels.players.learned cimport LearnedState
from sapper.kernels.players.network cimport Network
from sapper.kernels.players.thoughtful cimport ThoughtfulState

cdef class ShrewdState:
    cdef public ThoughtfulState t
    cdef public LearnedState first
    cdef public Network second
    # settings
    cdef public int keep, keep_ahead, ahead, decides
    cdef public double first_weight, second_weight, ahead_weight, influence_weight, margin
    # the position at hand
    cdef public int kept_count
    cdef public int[::1] order, kept

cpdef int choose_shrewd(ShrewdState s, const int[::1] marks, int mines, bint trust) noexcept nogil
