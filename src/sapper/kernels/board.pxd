cpdef void seed_state(unsigned long long seed, unsigned long long[::1] state) noexcept nogil
cdef unsigned long long cell_key(
    unsigned long long cell, unsigned long long number) noexcept nogil
cpdef unsigned long long next_random(unsigned long long[::1] state) noexcept nogil
cpdef unsigned long long random_below(
    unsigned long long[::1] state, unsigned long long bound) noexcept nogil
cpdef void place_mines(
    unsigned long long[::1] state, int[::1] allowed, int count, unsigned char[::1] mines
) noexcept nogil
cpdef void count_numbers(
    const int[::1] offsets, const int[::1] neighbours, const unsigned char[::1] mines,
    int[::1] numbers,
) noexcept nogil
