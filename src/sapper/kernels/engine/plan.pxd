from sapper.kernels.engine.workspace cimport Workspace

cpdef int plan(Workspace ws) noexcept nogil
