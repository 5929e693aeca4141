from sapper.kernels.engine.workspace cimport Workspace

cdef int pair_states(Workspace ws, int a, int b, int c) noexcept nogil
cdef int pair_wide_states(Workspace ws, int a, int b, int c) noexcept nogil
