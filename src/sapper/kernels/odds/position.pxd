# The types of a position's attributes; position.py says what they mean.
from sapper.kernels.odds.workspace cimport Workspace

cdef class Position:
    # settings
    cdef public int most_layer, most_cells
    cdef public Workspace general
    # board
    cdef public const int[::1] offsets, neighbours
    cdef public int[::1] steps, unlike, by_neighbours
    cdef public int cells, step_count, unlike_count, first_alike, past_alike
    # cells
    cdef public int[::1] marks, blanks, flags, front_of, box_of, place, seen, waits, waiting, seeds
    cdef public int[::1] trail_cell, trail_mark
    cdef public double[::1] odds
    cdef public unsigned char[::1] know
    # the frame at hand
    cdef public int[::1] frame
    cdef public int frame_known, trusted
    cdef public int mines, counted, unknown, flagged, open_cells, perimeter
    cdef public int waiting_count, seed_count, trail_count, stamp, scan, clash
    # fronts
    cdef public int live_count, front_end, hint_end, box_end, cover_end, member_end
    cdef public int state_end, link_end
    cdef public int[::1] live, front_hint, front_past_hint, front_box, front_past_box, front_state
    cdef public int[::1] front_cells
    cdef public int[::1] hint_cell, hint_need, hint_blanks, hint_left, hint_rest, hint_shift, hint_width
    cdef public int[::1] box_cover, box_past_cover, box_member, box_size, box_low, box_high
    cdef public int[::1] box_state, box_past_state, box_known
    cdef public double[::1] box_odds
    cdef public unsigned long long[::1] box_mask
    cdef public int[::1] cover, member, opened, batch, batch_box
    # states and links
    cdef public unsigned long long[::1] key, head
    cdef public double[::1] value, worth
    cdef public int[::1] first_link, link_from, link_mines, at
    cdef public int front_rooms, hint_rooms, box_rooms, member_rooms
    cdef public int state_rooms, link_rooms, total_rooms, layer
    cdef public unsigned long long taken
    # totals
    cdef public double[:, ::1] ways
    cdef public double[::1] ln_factorial, before, after
    cdef public int[::1] before_start, after_start, low_before, high_before
    cdef public int reference, low_total, high_total, interior, interior_known
    cdef public double ln_placements, interior_odds, total, nan
    cdef public double[::1] odds_by_mark
    cdef public unsigned char[::1] known_by_mark
    cdef public int answered, by_general, going_on
    cdef public double least, second
    cdef public int free_cells
    # numbers
    cdef public double[::1] worths, inside_worth, product
    cdef public double[:, ::1] others, counts
    cdef public int[::1] worth_start, inside_ready, others_ready, others_low, others_length, later
    cdef public int worth_end
    # draws and lists
    cdef public int[::1] inner, chosen_state, chosen_mines, box_left, cells_left
    cdef public int[::1] order, tried, lacking, open_around
    cdef public int inner_count
    # what-ifs
    cdef public int depth, most_depth
    cdef public int[:, ::1] saved, saved_live
