from sapper.kernels.arrays cimport ConstInts
from sapper.kernels.engine.workspace cimport Workspace

cpdef int read_position(
    Workspace ws, ConstInts offsets, ConstInts neighbours, ConstInts marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int make_boxes(
    Workspace ws, ConstInts offsets, ConstInts neighbours
) noexcept nogil
cpdef void make_components(Workspace ws) noexcept nogil
