# The types of the fields; network.py describes them.
from sapper.kernels.arrays cimport ConstBytes, ConstInts, ConstShorts

cdef class Network:
    cdef public int slots, first_size, second_size, scalar_count, image_count
    cdef public const short[::1] rows
    cdef public double scale, last_bias
    cdef public const double[::1] from_scalars, first_bias, middle, second_bias, last, skip
    cdef public const int[::1] image
    cdef public int[::1] sums
    cdef public double[::1] first_layer, second_layer

cdef double evaluate(
    Network net, ConstBytes cell_code, ConstInts table, Py_ssize_t base,
    ConstShorts scalar, Py_ssize_t scalar_base,
) noexcept nogil
