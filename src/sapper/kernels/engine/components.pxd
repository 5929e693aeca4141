from sapper.kernels.engine.workspace cimport Workspace

cpdef int read_position(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours, const int[::1] marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int make_boxes(
    Workspace ws, const int[::1] offsets, const int[::1] neighbours
) noexcept nogil
cpdef void make_components(Workspace ws) noexcept nogil
