# The types of the fields; no_guess.py describes them.
from sapper.kernels.games.game_state cimport GameState

cdef class NoGuessSearch:
    cdef public GameState game
    cdef public unsigned long long[::1] stream
    cdef public int[::1] kept_order, kept_marks, undeduced, moved_from, moved_to
    cdef public unsigned char[::1] touched, near
    cdef public int max_difficulty, method, stage, opened, kept_opened, moved
    cdef public long long tries, max_tries
