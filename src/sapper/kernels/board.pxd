from sapper.kernels.arrays cimport Bytes, ConstBytes, ConstInts, Ints, Words

cpdef void seed_state(unsigned long long seed, Words state) noexcept nogil
cpdef unsigned long long cell_key(
    unsigned long long cell, unsigned long long number) noexcept nogil
cpdef unsigned long long next_random(Words state) noexcept nogil
cpdef unsigned long long random_below(
    Words state, unsigned long long bound) noexcept nogil
cpdef void place_mines(
    Words state, Ints allowed, int count, Bytes mines
) noexcept nogil
cpdef void count_numbers(
    ConstInts offsets, ConstInts neighbours, ConstBytes mines,
    Ints numbers,
) noexcept nogil
