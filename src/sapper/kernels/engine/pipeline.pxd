from sapper.kernels.engine.workspace cimport Workspace

cpdef int prepare(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int weigh_interior(Workspace ws) noexcept nogil
cpdef void write_probabilities(Workspace ws) noexcept nogil
cpdef int analyse(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int resume(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
