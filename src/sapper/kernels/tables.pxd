from sapper.kernels.workspace cimport Workspace

cpdef int start_tables(Workspace ws) noexcept nogil
cpdef int forward(Workspace ws) noexcept nogil
cpdef int backward(Workspace ws) noexcept nogil
