# The types of the fields; end_game_search.py describes them.
cdef class EndGameSearch:
    # the table of solutions
    cdef public int columns, rows, capacity, value_count, stride
    cdef public unsigned char[::1] shown, part_of_row
    cdef public unsigned long long[::1] word, image
    cdef public int images
    cdef public int[::1] order, spare
    # the memo
    cdef public unsigned long long[::1] memo_key
    cdef public int[::1] memo_size, memo_value, memo_age
    cdef public int age, memo_count, memo_capacity
    # the search
    cdef public int depth, searched, answer, answer_exact
    cdef public long long nodes, work, max_nodes, max_work
    cdef public int[::1] first, stop, floor, best, best_column, bound, column, child, total, forced
    cdef public int[::1] living, living_count, safe
    cdef public unsigned long long[::1] key
    cdef public unsigned short[::1] seen, any_seen
    cdef public int[::1] mine_counts
    cdef public int[::1] child_stop, child_value, child_exact, counts
    cdef public unsigned long long[::1] child_key

cpdef void restart(EndGameSearch e) noexcept nogil
cpdef bint index_values(EndGameSearch e) noexcept nogil
cpdef void set_root(EndGameSearch e, int first, int stop, int floor) noexcept nogil
cpdef int search(EndGameSearch e) noexcept nogil
cpdef int divide(EndGameSearch e, int level, int first, int stop, int column) noexcept nogil
