# The types of the fields; network.py describes them.
cdef class Network:
    cdef public int slots, first_size, second_size, scalar_count, image_count
    cdef public const short[::1] rows
    cdef public double scale, last_bias
    cdef public const double[::1] from_scalars, first_bias, middle, second_bias, last, skip
    cdef public const int[::1] image
    cdef public int[::1] sums
    cdef public double[::1] first_layer, second_layer

cdef double evaluate(
    Network net, const unsigned char[::1] cell_code, const int[::1] table, Py_ssize_t base,
    const short[::1] scalar, Py_ssize_t scalar_base,
) noexcept nogil
