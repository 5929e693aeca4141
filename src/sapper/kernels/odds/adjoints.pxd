from sapper.kernels.odds.workspace cimport Workspace

cpdef int backward(Workspace ws) noexcept nogil
