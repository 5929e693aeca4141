# The types of the fields; guessing.py describes them.
from sapper.kernels.arrays cimport ConstInts
from sapper.kernels.players.end_game_search cimport EndGameSearch
from sapper.kernels.players.solution_lists cimport SolutionLister
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class EndGameSolver:
    cdef public SolutionLister lister
    cdef public EndGameSearch search
    cdef public double max_solutions, max_sparse_solutions
    cdef public int separate_parts

cdef class GuesserState:
    cdef public TrackedPosition p
    cdef public EndGameSolver end_game
    # the current position
    cdef public int mines, chosen, reason, wins, rows
    cdef public double ln_solutions

    cdef int choose(self, ConstInts marks, int mines, bint trust_flags) noexcept nogil
    cdef int choose_in_game(self, ConstInts marks, int mines, bint tracked) noexcept nogil
    cdef bint needs_rollouts(self) noexcept nogil

cpdef int read_position(GuesserState t, ConstInts marks, int mines, bint trust_flags) noexcept nogil
cpdef int choose_certain_or_solved(
    GuesserState t, ConstInts marks, int mines, bint trust_flags
) noexcept nogil
cpdef void begin_guess(GuesserState t, int mines) noexcept nogil
cpdef bint choose_by_end_game(GuesserState t) noexcept nogil
cdef bint list_all_parts(
    SolutionLister s, EndGameSearch e, TrackedPosition p, int mines
) noexcept nogil
