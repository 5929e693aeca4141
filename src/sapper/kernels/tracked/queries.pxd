from sapper.kernels.tracked.state cimport TrackedPosition

cpdef void marks_changed(TrackedPosition p, int mines) noexcept nogil
cpdef int answer(TrackedPosition p) noexcept nogil
cpdef int what_if(TrackedPosition p, int cell, int mark) noexcept nogil
cpdef void write_probabilities(TrackedPosition p) noexcept nogil
cpdef double probability_of(TrackedPosition p, int cell) noexcept nogil
cpdef void save_state(TrackedPosition p) noexcept nogil
cpdef void restore_state(TrackedPosition p) noexcept nogil
