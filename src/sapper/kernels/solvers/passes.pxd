from sapper.kernels.solvers.human cimport HumanState

cpdef void clear_verdicts(HumanState w) noexcept nogil
cdef void clear_changed(HumanState w, int bit) noexcept nogil
cdef void add_verdict(HumanState w, int c, int verdict) noexcept nogil
cdef void apply_verdicts(HumanState w, int bit) noexcept nogil
cpdef int pass_one(HumanState w) noexcept nogil
cpdef int pass_two(HumanState w) noexcept nogil
cdef int pass_three(HumanState w) noexcept nogil
