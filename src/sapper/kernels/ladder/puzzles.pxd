# The types of a walk's attributes; puzzles.py says what they mean.
from sapper.kernels.ladder.human cimport Ladder

cdef class Walk:
    cdef public Ladder game
    cdef public Ladder look
    cdef public const int[::1] hints
    cdef public const unsigned char[::1] mines
    cdef public unsigned long long[::1] state
    cdef int[::1] queue
    cdef public int most, left
    cdef bint fresh
