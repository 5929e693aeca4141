from sapper.kernels.arrays cimport Doubles
from sapper.kernels.engine.workspace cimport Workspace

cpdef int start_leaves(Workspace ws) noexcept nogil
cpdef int forward(Workspace ws) noexcept nogil
cdef double scale(Doubles values, long long first, long long stop) noexcept nogil
