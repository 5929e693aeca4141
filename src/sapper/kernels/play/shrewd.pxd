# The types of the attributes; shrewd.py says what they mean.
from sapper.kernels.odds.position cimport Position
from sapper.kernels.play.learned cimport Learner
from sapper.kernels.play.network cimport Network
from sapper.kernels.play.thoughtful cimport Thought

cdef class Shrewd:
    cdef public Thought t
    cdef public Learner first
    cdef public Network second
    # settings
    cdef public int keep, keep_ahead, ahead, decides
    cdef public double first_weight, second_weight, ahead_weight, influence_weight, margin
    # the frame at hand
    cdef public int kept_count
    cdef public int[::1] order, kept

cpdef int judge(Shrewd s, const int[::1] marks, int mines, bint trust) noexcept nogil
