# The types of the attributes; rollouts.py says what they mean.
from sapper.kernels.odds.position cimport Position
from sapper.kernels.odds.workspace cimport Workspace
from sapper.kernels.play.games cimport Arena
from sapper.kernels.play.guessing cimport EndGame
from sapper.kernels.play.learned cimport Learner
from sapper.kernels.play.thoughtful cimport Thought

cdef class Rollout:
    cdef public Arena arena
    cdef public Position p
    cdef public Workspace general
    cdef public Thought thought
    cdef public Learner learner
    cdef public EndGame end_game
    # settings
    cdef public int inner
    cdef public double worth
    # the frame at hand
    cdef public int[::1] marks
    cdef public int mines, shown
    cdef public unsigned long long frame_key
    cdef public unsigned long long[::1] state
    # the sample at hand
    cdef public unsigned char[::1] sample
    cdef public unsigned long long sample_key
    # the roll-out at hand
    cdef public int hit, guess, thinking, going_on
    cdef public double value, odds
    cdef public long long guesses, rolled, exact
    # stuck frames on its way, and what is remembered of those of others
    cdef public unsigned long long[::1] way_key
    cdef public double[::1] way_lift
    cdef public unsigned long long[::1] memo_key
    cdef public double[::1] memo_value
    cdef public int[::1] memo_age
    cdef public int memo_room, memo_count, age

cpdef int begin_frame(
    Rollout r, const int[::1] marks, int mines, unsigned long long seed
) noexcept nogil
cpdef void next_sample(Rollout r) noexcept nogil
cpdef void take_sample(Rollout r, const unsigned char[::1] placement) noexcept nogil
cpdef int roll(Rollout r, int cell) noexcept nogil
