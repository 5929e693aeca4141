from sapper.kernels.engine.workspace cimport Workspace

cpdef int read(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int weigh(Workspace ws) noexcept nogil
cpdef void spread(Workspace ws) noexcept nogil
cpdef int analyse(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int go_on(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
