from sapper.kernels.proofs.repair cimport ProofSearch

cdef void add_set(ProofSearch s, int t) noexcept nogil
cdef int lightest_number(ProofSearch s, int t) noexcept nogil
cdef void find_cover(ProofSearch s, long long cost) noexcept nogil
