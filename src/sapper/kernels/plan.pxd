from sapper.kernels.workspace cimport Workspace

cpdef int plan(Workspace ws) noexcept nogil
