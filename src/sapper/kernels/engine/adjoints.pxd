from sapper.kernels.engine.workspace cimport Workspace

cpdef int backward(Workspace ws) noexcept nogil
