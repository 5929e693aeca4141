from sapper.kernels.odds.position cimport Position

cpdef void look_again(Position p, int mines) noexcept nogil
cpdef int answer(Position p) noexcept nogil
cpdef int what_if(Position p, int cell, int mark) noexcept nogil
cpdef void write_odds(Position p) noexcept nogil
cpdef double odds_of(Position p, int cell) noexcept nogil
