cpdef void count_numbers(
    const int[::1] offsets, const int[::1] neighbours, const unsigned char[::1] mines,
    int[::1] numbers,
) noexcept nogil
