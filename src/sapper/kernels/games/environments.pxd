# The types of the fields; environments.py describes them.
cdef class EnvironmentBatch:
    cdef public const int[::1] offsets, neighbours
    cdef public const signed char[::1] first_click_mask
    cdef public const double[::1] weights
    cdef public int[::1] left, steps, hit, allowed, flood
    cdef public signed char[::1] marks, masks
    cdef public unsigned char[::1] mines, generated, over, won, terminated, truncated
    cdef public unsigned long long[::1] seeds, streams, state
    cdef public double[::1] rewards
    cdef public int cells, actions, mine_count, rule, restricts_first, max_steps, auto_reset
    cdef public dict arrays

cpdef void start_game(EnvironmentBatch b, Py_ssize_t row, unsigned long long seed) noexcept nogil
cpdef void start_next(EnvironmentBatch b, Py_ssize_t row) noexcept nogil
