from sapper.kernels.solvers.human cimport HumanState

cdef int pass_three(HumanState w) noexcept nogil
