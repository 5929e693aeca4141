# The types of the fields; playouts.py describes them.
from sapper.kernels.games.game_state cimport GameState
from sapper.kernels.players.learned cimport LearnedState
from sapper.kernels.players.thoughtful cimport ThoughtfulState

cdef class RecordBuffer:
    cdef public unsigned char[::1] patch, hit
    cdef public short[::1] scalar
    cdef public double[::1] probabilities, value
    cdef public int[::1] position_start, position_interior
    cdef public unsigned long long[::1] position_seed
    cdef public int positions, records, failed

cdef class Playouts:
    cdef public GameState game, playout
    cdef public LearnedState game_player, playout_player
    cdef public ThoughtfulState thoughtful
    cdef public RecordBuffer buffer
    # settings
    cdef public int learned, thoughtful_share, random_share, large_interior, large_share, top, max_tried, look_ahead
    # playouts of this layout, by what is revealed
    cdef public const unsigned long long[::1] word
    cdef public unsigned long long[::1] memo_key, path, stream
    cdef public double[::1] memo_value, path_luck
    cdef public int[::1] memo_age
    cdef public int memo_mask, age, path_count
    # the current position
    cdef public int[::1] pick
    cdef public int picked, next_cell
