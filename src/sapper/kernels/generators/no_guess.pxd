# The types of the search's attributes; no_guess.py says what they mean.
from sapper.kernels.games.whole_games cimport Arena

cdef class NoGuessSearch:
    cdef public Arena arena
    cdef public unsigned long long[::1] state
    cdef public int[::1] kept_order, kept_marks, stuck, moved_from, moved_to
    cdef public unsigned char[::1] touched, near
    cdef public int reach, method, stage, opened, kept_opened, moved
    cdef public long long tries, most
