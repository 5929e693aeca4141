# The types of the attributes; guessing.py says what they mean.
from sapper.kernels.odds.position cimport Position
from sapper.kernels.play.endgame cimport Ending
from sapper.kernels.play.listing cimport Listing

cdef class EndGame:
    cdef public Listing listing
    cdef public Ending ending
    cdef public double few_placements, thin_placements
    cdef public int apart

cdef class Guesser:
    cdef public Position p
    cdef public EndGame end_game
    # the frame at hand
    cdef public int mines, chosen, reason, wins, rows
    cdef public double ln_placements

cpdef int open_frame(Guesser t, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef int choose_exactly(Guesser t, const int[::1] marks, int mines, bint trust) noexcept nogil
cpdef void begin_guess(Guesser t, int mines) noexcept nogil
cpdef bint finish(Guesser t) noexcept nogil
cdef bint list_rest(Listing s, Ending e, Position p, int mines) noexcept nogil
