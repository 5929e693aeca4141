from sapper.kernels.proofs.repair cimport Search

cdef void admit(Search s, int t) noexcept nogil
cdef int lightest(Search s, int t) noexcept nogil
cdef void cover(Search s, long long cost) noexcept nogil
