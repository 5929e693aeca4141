from sapper.kernels.workspace cimport Workspace

cpdef int backward(Workspace ws) noexcept nogil
