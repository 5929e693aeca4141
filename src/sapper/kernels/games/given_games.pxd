from sapper.kernels.games.game_state cimport GameState

cdef void continue_game(GameState g) noexcept nogil
cdef int remembered_guess(GameState g) noexcept nogil
cdef void remember_guess(GameState g, int cell) noexcept nogil
