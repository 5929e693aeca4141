# The types of the fields; rollouts.py describes them.
from sapper.kernels.arrays cimport ConstInts
from sapper.kernels.engine.workspace cimport Workspace
from sapper.kernels.games.game_state cimport GameState
from sapper.kernels.players.guessing cimport EndGameSolver, GuesserState
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class RolloutState:
    cdef public GameState game
    cdef public TrackedPosition p
    cdef public Workspace general
    cdef public GuesserState guesser
    cdef public EndGameSolver end_game
    # settings
    cdef public int has_guesser
    # the current position
    cdef public int[::1] marks
    cdef public int mines, revealed
    cdef public unsigned long long position_key
    cdef public unsigned long long[::1] stream
    # the current sample
    cdef public unsigned char[::1] sample
    cdef public unsigned long long sample_key
    # the current roll-out
    cdef public int hit, guess, in_guesser, resuming
    cdef public double value, bad_luck, probability
    cdef public long long guesses
    # stuck positions on its path, and the memo
    cdef public unsigned long long[::1] path_key
    cdef public double[::1] path_bad_luck
    cdef public unsigned long long[::1] memo_key
    cdef public double[::1] memo_value, memo_bad_luck
    cdef public int[::1] memo_cell, memo_age
    cdef public int memo_capacity, memo_count, age

cpdef int begin_position(
    RolloutState r, ConstInts marks, int mines, unsigned long long seed
) noexcept nogil
cpdef int roll_out(RolloutState r, int cell) noexcept nogil
