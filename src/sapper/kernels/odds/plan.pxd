from sapper.kernels.odds.workspace cimport Workspace

cpdef int plan(Workspace ws) noexcept nogil
