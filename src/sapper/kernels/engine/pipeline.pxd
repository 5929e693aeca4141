from sapper.kernels.arrays cimport ConstInts
from sapper.kernels.engine.workspace cimport Workspace

cpdef int prepare(
    Workspace ws, ConstInts offsets, ConstInts neighbours, ConstInts marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int weigh_interior(Workspace ws) noexcept nogil
cpdef void write_probabilities(Workspace ws) noexcept nogil
cpdef int analyse(
    Workspace ws, ConstInts offsets, ConstInts neighbours, ConstInts marks,
    Py_ssize_t base, int mines,
) noexcept nogil
cpdef int resume(
    Workspace ws, ConstInts offsets, ConstInts neighbours, ConstInts marks,
    Py_ssize_t base, int mines,
) noexcept nogil
