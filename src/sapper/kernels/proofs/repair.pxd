# The types of the search's attributes; repair.py says what they mean.
cdef class Search:
    # sizes and state
    cdef public int hints, blanks, count_row, all_hard, bad_count, touched_count
    cdef public int stack_top, stack_room, barred_top, depth
    cdef public long long nodes
    # the running limit
    cdef public int stopped, steps
    cdef public double until
    cdef public const int[::1] cancel
    # the frame
    cdef public int[::1] hint_start, hint_blank, blank_start, blank_hint, lack
    cdef public unsigned long long[::1] box, group
    # the placement at hand, and the one to come back to
    cdef public unsigned char[::1] value, base, fixed, role, is_touched
    cdef public int[::1] bad, bad_at, touched, stack, score, barred
    # proofs: the sets to hit, and the cover that is tried
    cdef public int set_count, set_room, item_room, relevant_count, taken_count, best_count
    cdef public int stamp, upper_count, near_count, far_mode
    cdef public long long best_cost, patience
    cdef public int[::1] set_start, item, flip_start, flipped, relevant, taken_at, best_at, upper_at
    cdef public int[::1] stamp_of, soft_at
    cdef public unsigned char[::1] is_taken, is_barred
    cdef public long long[::1] weight
    # distances on the board
    cdef public int[::1] hint_cell, distance, queue, cell_hint


cdef bint late(Search s) noexcept nogil
cdef void flip(Search s, int b) noexcept nogil
cdef void restore(Search s) noexcept nogil
cdef int repair(Search s) noexcept nogil
