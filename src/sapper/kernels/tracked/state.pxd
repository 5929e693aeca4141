# The types of the fields; state.py describes them.
from sapper.kernels.engine.workspace cimport Workspace

cdef class TrackedPosition:
    # settings
    cdef public int max_layer, max_cells
    cdef public Workspace general
    # board
    cdef public const int[::1] offsets, neighbours
    cdef public int[::1] pattern, irregular, by_neighbours
    cdef public int cells, pattern_size, irregular_count, first_regular, regular_stop
    # cells
    cdef public int[::1] marks, covered, flags, component_of, box_of, place, seen, queued, queue, seeds
    cdef public int[::1] trail_cell, trail_mark
    cdef public double[::1] probabilities
    cdef public unsigned char[::1] known
    # the current position
    cdef public int[::1] position
    cdef public int position_known, trusted
    cdef public int mines, has_mine_count, unknown, flagged, known_safe_count, frontier
    cdef public int queue_count, seed_count, trail_count, stamp, rescan, conflict
    # components
    cdef public int live_count, component_end, number_end, box_end, cover_end, member_end
    cdef public int state_end, link_end
    cdef public int[::1] live, component_number, component_number_stop, component_box, component_box_stop, component_state
    cdef public int[::1] component_size
    cdef public int[::1] number_cell, number_need, number_covered, number_left, number_rest, number_shift, number_width
    cdef public int[::1] box_cover, box_cover_stop, box_member, box_size, box_low, box_high
    cdef public int[::1] box_state, box_state_stop, box_known
    cdef public double[::1] box_probability
    cdef public unsigned long long[::1] box_mask
    cdef public int[::1] cover, member, opened, batch, batch_box
    # states and links
    cdef public unsigned long long[::1] key, merge_key
    cdef public double[::1] ways, weight
    cdef public int[::1] first_link, link_from, link_mines, merge_state
    cdef public int component_capacity, number_capacity, box_capacity, member_capacity
    cdef public int state_capacity, link_capacity, total_capacity, layer
    cdef public unsigned long long taken
    # totals
    cdef public double[:, ::1] binomial
    cdef public double[::1] ln_factorial, before, after
    cdef public int[::1] after_start, low_before, high_before
    cdef public int reference, interior, interior_known
    cdef public double ln_solutions, interior_probability, total, nan
    cdef public double[::1] probability_by_mark
    cdef public unsigned char[::1] known_by_mark
    cdef public int answered, used_general, resuming
    cdef public double least, second
    cdef public int safe_count
    # values
    cdef public double[::1] weights, interior_weight, product
    cdef public double[:, ::1] others, counts
    cdef public int[::1] weight_start, interior_ready, others_ready, others_low, others_length, later
    cdef public int weight_end
    # draws and lists
    cdef public int[::1] interior_cells, chosen_state, chosen_mines, box_left, cells_left
    cdef public int interior_count
    # what-ifs
    cdef public int depth, max_depth
    cdef public int[:, ::1] saved, saved_live
