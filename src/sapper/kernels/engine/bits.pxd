# Bits that C compilers count in one instruction; in plain mode int.bit_length does it.
cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    static int sapper_lowest_bit(unsigned long long x) { return __builtin_ctzll(x); }
    #else
    static int sapper_lowest_bit(unsigned long long x) {
        int n = 0;
        while (!(x & 1)) { x >>= 1; n++; }
        return n;
    }
    #endif
    """
    int lowest_bit "sapper_lowest_bit" (unsigned long long x) noexcept
