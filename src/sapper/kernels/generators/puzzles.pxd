# The types of the fields; puzzles.py describes them.
from sapper.kernels.solvers.human cimport HumanState

cdef class PuzzleGame:
    cdef public HumanState game_state
    cdef public HumanState finder_state
    cdef public const int[::1] numbers
    cdef public const unsigned char[::1] mines
    cdef public unsigned long long[::1] stream
    cdef int[::1] queue
    cdef public int numbers_needed, safe_left
    cdef bint position_changed
