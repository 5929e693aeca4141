# The types of the arena's attributes; games.py says what they mean.
from sapper.kernels.solvers.human cimport HumanState
from sapper.kernels.tracked.state cimport TrackedPosition
from sapper.kernels.engine.workspace cimport Workspace
from sapper.kernels.players.learned cimport LearnedState
from sapper.kernels.players.shrewd cimport ShrewdState
from sapper.kernels.players.thoughtful cimport ThoughtfulState

cdef class Arena:
    cdef public HumanState solver
    cdef public TrackedPosition tracked
    cdef public ThoughtfulState thoughtful_state
    cdef public ShrewdState shrewd
    cdef public LearnedState learned_state
    cdef public const int[::1] offsets, neighbours, may_hold
    cdef public int[::1] marks, allowed, numbers, flood, order, log
    cdef public int[:, ::1] out
    cdef public unsigned char[::1] mines
    cdef public unsigned long long[::1] state, luck
    cdef public unsigned long long seed
    cdef public int cells, mine_count, first, player, by_network, checked, logged
    cdef public int phase, outcome, left, guesses, reveals, asked, blunders, log_count
    cdef public Py_ssize_t at

cdef void _start(Arena a) noexcept nogil
cdef int _least_risk(Arena a, TrackedPosition p, Workspace ws) noexcept nogil
cdef void _reveal(Arena a, int cell) noexcept nogil
cdef void _learn(Arena a, int cell) noexcept nogil
cdef bint _deduce(Arena a) noexcept nogil
cdef void _make_moves(Arena a) noexcept nogil
cdef bint _use_answer(Arena a, Workspace ws) noexcept nogil
cdef int _ask(Arena a, Workspace ws, bint again) noexcept nogil
cdef int _least_risk(Arena a, TrackedPosition p, Workspace ws) noexcept nogil
