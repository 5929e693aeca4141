# C functions that kernels call without the GIL; plain.py has them in Python.
cdef extern from * nogil:
    """
    #include <time.h>
    #if defined(_WIN32)
    #include <windows.h>
    static inline double sapper_now(void) { return GetTickCount64() * 1e-3; }
    #else
    static inline double sapper_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec + t.tv_nsec * 1e-9;
    }
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    static inline int sapper_lowest_bit(unsigned long long x) { return __builtin_ctzll(x); }
    #else
    static inline int sapper_lowest_bit(unsigned long long x) {
        int n = 0;
        while (!(x & 1)) { x >>= 1; n++; }
        return n;
    }
    #endif
    """
    # Seconds on a monotonic clock.
    double now "sapper_now" () noexcept
    # The index of the lowest bit that is set; x must not be 0.
    int lowest_bit "sapper_lowest_bit" (unsigned long long x) noexcept
