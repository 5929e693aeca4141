# Names for the arrays that kernels pass to each other; Const arrays are only read. The same names
# are in plain.py and tools/kernel_stubs.py.
ctypedef int[::1] Ints
ctypedef const int[::1] ConstInts
ctypedef const short[::1] ConstShorts
ctypedef unsigned char[::1] Bytes
ctypedef const unsigned char[::1] ConstBytes
ctypedef unsigned long long[::1] Words
ctypedef const unsigned long long[::1] ConstWords
ctypedef double[::1] Doubles
ctypedef const double[::1] ConstDoubles
