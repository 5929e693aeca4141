from sapper.kernels.proofs.repair cimport ProofSearch

cdef void admit(ProofSearch s, int t) noexcept nogil
cdef int lightest(ProofSearch s, int t) noexcept nogil
cdef void cover(ProofSearch s, long long cost) noexcept nogil
