# The types of the fields; repair.py describes them.
cdef class ProofSearch:
    # sizes and state
    cdef public int numbers, covered, count_row, all_hard, unsatisfied_count, touched_count
    cdef public int stack_top, stack_capacity, excluded_top, depth
    cdef public long long steps_left
    # the running limit
    cdef public int stopped, step_count
    cdef public double deadline
    cdef public const int[::1] cancel
    # the position
    cdef public int[::1] number_start, number_covered, covered_start, covered_number, missing
    cdef public unsigned long long[::1] box, group
    # the current assignment, and the base to restore
    cdef public unsigned char[::1] value, base, fixed, role, is_touched
    cdef public int[::1] unsatisfied, unsatisfied_at, touched, stack, score, excluded
    # proofs: the sets to hit, and the cover that is tried
    cdef public int set_count, set_capacity, item_capacity, relevant_count, taken_count, best_count
    cdef public int stamp, upper_count, near_count, weights_by_distance
    cdef public long long best_cost, budget
    cdef public int[::1] set_start, item, flip_start, flipped, relevant, taken, best, upper
    cdef public int[::1] stamp_of, soft
    cdef public unsigned char[::1] is_taken, is_excluded
    cdef public long long[::1] weight
    # distances on the board
    cdef public int[::1] number_cell, distance, queue, cell_number


cdef bint limit_reached(ProofSearch s) noexcept nogil
cdef void flip(ProofSearch s, int b) noexcept nogil
cdef void restore(ProofSearch s) noexcept nogil
cdef int repair(ProofSearch s) noexcept nogil
