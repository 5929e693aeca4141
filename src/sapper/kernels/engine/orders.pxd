from sapper.kernels.engine.workspace cimport Workspace

cdef int join_size(Workspace ws, int h, int order) noexcept nogil
cdef void add_to_bucket(Workspace ws, int h, int bucket) noexcept nogil
cdef void remove_from_bucket(Workspace ws, int h) noexcept nogil
cdef void clear_buckets(Workspace ws) noexcept nogil
cdef void write_sequence(Workspace ws, int first, int stop, int order) noexcept nogil
cdef void sort_by_size(Workspace ws, int start, int nodes) noexcept nogil
