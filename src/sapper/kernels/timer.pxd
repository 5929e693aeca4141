# A monotonic clock that kernels may read without the GIL; in plain mode they use time.monotonic.
cdef extern from * nogil:
    """
    #include <time.h>
    #if defined(_WIN32)
    #include <windows.h>
    static double sapper_now(void) { return GetTickCount64() * 1e-3; }
    #else
    static double sapper_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec + t.tv_nsec * 1e-9;
    }
    #endif
    """
    double now "sapper_now" () noexcept
