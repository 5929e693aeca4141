# The types of the attributes; rollouts.py says what they mean.
from sapper.kernels.tracked.state cimport TrackedPosition
from sapper.kernels.engine.workspace cimport Workspace
from sapper.kernels.games.whole_games cimport Arena
from sapper.kernels.players.guessing cimport EndGameSolver
from sapper.kernels.players.learned cimport LearnedState
from sapper.kernels.players.thoughtful cimport ThoughtfulState

cdef class RolloutState:
    cdef public Arena arena
    cdef public TrackedPosition p
    cdef public Workspace general
    cdef public ThoughtfulState thoughtful_state
    cdef public LearnedState learned_state
    cdef public EndGameSolver end_game
    # settings
    cdef public int inner
    cdef public double worth
    # the position at hand
    cdef public int[::1] marks
    cdef public int mines, shown
    cdef public unsigned long long position_key
    cdef public unsigned long long[::1] state
    # the sample at hand
    cdef public unsigned char[::1] sample
    cdef public unsigned long long sample_key
    # the roll-out at hand
    cdef public int hit, guess, thinking, resuming
    cdef public double value, probabilities
    cdef public long long guesses, rolled, exact
    # stuck positions on its way, and what is remembered of those of others
    cdef public unsigned long long[::1] path_key
    cdef public double[::1] path_correction
    cdef public unsigned long long[::1] memo_key
    cdef public double[::1] memo_value
    cdef public int[::1] memo_age
    cdef public int memo_capacity, memo_count, age

cpdef int begin_position(
    RolloutState r, const int[::1] marks, int mines, unsigned long long seed
) noexcept nogil
cpdef void next_sample(RolloutState r) noexcept nogil
cpdef void take_sample(RolloutState r, const unsigned char[::1] solution) noexcept nogil
cpdef int roll(RolloutState r, int cell) noexcept nogil
