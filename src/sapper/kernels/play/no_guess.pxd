# The types of the search's attributes; no_guess.py says what they mean.
from sapper.kernels.play.games cimport Arena

cdef class Search:
    cdef public Arena arena
    cdef public unsigned long long[::1] state
    cdef public int[::1] kept_order, kept_marks, stuck
    cdef public unsigned char[::1] touched
    cdef public int level, method, stage, opened, kept_opened, from_mine, to_free
    cdef public long long tries, most
