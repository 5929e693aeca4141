# The types of the arena's attributes; games.py says what they mean.
from sapper.kernels.ladder.human cimport Ladder
from sapper.kernels.odds.position cimport Position
from sapper.kernels.odds.workspace cimport Workspace
from sapper.kernels.play.learned cimport Learner
from sapper.kernels.play.shrewd cimport Shrewd
from sapper.kernels.play.thoughtful cimport Thought

cdef class Arena:
    cdef public Ladder ladder
    cdef public Position position
    cdef public Thought thought
    cdef public Shrewd shrewd
    cdef public Learner learner
    cdef public const int[::1] offsets, neighbours, may_hold
    cdef public int[::1] marks, allowed, hints, flood, order, log
    cdef public int[:, ::1] out
    cdef public unsigned char[::1] mines
    cdef public unsigned long long[::1] state, luck
    cdef public unsigned long long seed
    cdef public int cells, mine_count, first, player, by_network, checked, logged
    cdef public int phase, outcome, left, guesses, reveals, asked, blunders, log_count
    cdef public Py_ssize_t at

cdef void _start(Arena a) noexcept nogil
cdef int _least_odds(Arena a, Position p, Workspace ws) noexcept nogil
cdef void _reveal(Arena a, int cell) noexcept nogil
cdef void _learn(Arena a, int cell) noexcept nogil
cdef bint _deduce(Arena a) noexcept nogil
cdef void _make_moves(Arena a) noexcept nogil
cdef bint _use_answer(Arena a, Workspace ws) noexcept nogil
cdef int _ask(Arena a, Workspace ws, bint again) noexcept nogil
cdef int _least_odds(Arena a, Position p, Workspace ws) noexcept nogil
