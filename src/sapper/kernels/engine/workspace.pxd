# The types of the workspace's attributes; workspace.py says what they mean.
cdef class Workspace:
    # settings
    cdef public int word_bits, policy, trust, only_count
    cdef public long long polls
    cdef public double moderate, straight_below, portfolio_from, seconds, nan
    cdef public int[::1] cancel
    cdef public dict sizes
    # sizes of the position at hand
    cdef public int cells, edges, words
    cdef public int board_cells, numbers, boxes, components, nodes, first_product, at, root_count
    cdef public int unknown_left, mines_left, interior, counted, careful, stage, bad_number
    cdef public int widest, widest_component
    cdef public long long scope_end, state_end, term_end, link_end, part_end, wanted, work, hash_age
    cdef public double tilt, ln_solutions, ln_scale, ln_core, interior_probability, started, cost
    cdef public int interior_state, reference
    # rooms of the pools
    cdef public long long nodes_capacity, scopes_capacity, states_capacity, keys_capacity, terms_capacity
    cdef public long long links_capacity, parts_capacity, hashes_capacity
    # cells
    cdef public unsigned char[::1] know
    cdef public int[::1] need, unknown, number_of, box_of, stack
    cdef public double[::1] probabilities
    # numbers
    cdef public int[::1] number_cell, number_need, number_size, number_start, number_nodes, box_first
    cdef public int[::1] component_number, component_start, place, mark, next_number, last_number, bucket, gone
    cdef public int[::1] sequence, shift, word, width, heads
    # boxes
    cdef public int[::1] box_size, box_start, box_next, box_low, box_high, box_state
    cdef public double[::1] box_probability
    cdef public int[::1] box_number, number_box, number_node
    # nodes and scopes
    cdef public int[::1] left, right, parent, scope_open, scope_all, first_state, past_state, roots
    cdef public long long[::1] scope_start, part_start
    cdef public double[::1] guess
    cdef public int[::1] scope_number, scope_in
    # states, terms, links
    cdef public int[::1] lowest, length, link_from, link_to
    cdef public long long[::1] term, part
    cdef public unsigned long long[::1] key, hash, up, low, guard, keep, scratch
    cdef public double[::1] value, adjoint
