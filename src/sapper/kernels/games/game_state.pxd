# The types of the fields; game_state.py describes them.
from sapper.kernels.engine.workspace cimport Workspace
from sapper.kernels.players.guessing cimport GuesserState
from sapper.kernels.solvers.human cimport HumanState
from sapper.kernels.tracked.state cimport TrackedPosition

cdef class GameState:
    cdef public HumanState solver
    cdef public TrackedPosition tracked
    cdef public GuesserState guesser
    cdef public const int[::1] offsets, neighbours, allowed_cells
    cdef public int[::1] marks, shuffled_cells, numbers, flood, order, log, memo_cell
    cdef public int[:, ::1] out
    cdef public unsigned char[::1] mines
    cdef public const int[::1] start_marks
    cdef public const unsigned char[:, ::1] layouts
    cdef public unsigned long long[::1] layout_stream, guess_stream, memo_key
    cdef public unsigned long long seed, position_key
    cdef public int cells, mine_count, first, deduction, guess, check_losses, log_enabled, continues
    cdef public int phase, outcome, safe_left, guesses, reveals, analyses, blunders, log_count
    cdef public int memo_count, memo_index
    cdef public Py_ssize_t game_index

cdef void start_game(GameState g) noexcept nogil
cdef void reset_game(GameState g) noexcept nogil
cdef void reveal(GameState g, int cell) noexcept nogil
cdef void show_number(GameState g, int cell) noexcept nogil
cdef bint deduce(GameState g) noexcept nogil
cdef void make_moves(GameState g) noexcept nogil
cdef bint make_certain_moves(GameState g, Workspace ws) noexcept nogil
cdef int query_engine(GameState g, Workspace ws, bint resuming) noexcept nogil
cdef int least_risk(GameState g, TrackedPosition p, Workspace ws) noexcept nogil
