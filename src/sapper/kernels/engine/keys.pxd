from sapper.kernels.engine.workspace cimport Workspace

cdef int place_fields(Workspace ws, int f, int first_node) noexcept nogil
