# The random generator, for other kernels.
cpdef void seed_state(unsigned long long seed, unsigned long long[::1] state) noexcept nogil
cpdef unsigned long long next_word(unsigned long long[::1] state) noexcept nogil
cpdef unsigned long long below(
    unsigned long long[::1] state, unsigned long long bound) noexcept nogil
