# The types of the fields; workspace.py describes them.
cdef class Workspace:
    # settings
    cdef public int word_bits, policy, trust_flags, count_only
    cdef public long long check_interval
    cdef public double max_ln_range, accept_below, portfolio_from, seconds, nan
    cdef public int[::1] cancel
    cdef public dict sizes
    # sizes of the current position
    cdef public int cells, edges, words
    cdef public int board_cells, numbers, boxes, components, nodes, first_product, next_join, root_count
    cdef public int unknown_left, mines_left, interior, has_mine_count, rescaling, stage, bad_number
    cdef public int widest, widest_component, hash_bits
    cdef public long long scope_end, state_end, term_end, link_end, part_end, requested, work, hash_age
    cdef public double tilt, ln_solutions, ln_scale, ln_frontier, interior_probability, started, cost
    cdef public int interior_state, reference
    # capacities of the pools
    cdef public long long nodes_capacity, scopes_capacity, states_capacity, keys_capacity, terms_capacity
    cdef public long long links_capacity, parts_capacity, hashes_capacity
    # cells
    cdef public unsigned char[::1] known
    cdef public int[::1] need, unknown, number_of, box_of, stack
    cdef public double[::1] probabilities
    # numbers
    cdef public int[::1] number_cell, number_need, number_size, number_start, number_nodes, box_first
    cdef public int[::1] component_number, component_start, place, mark, next_number, previous_number, bucket, eliminated
    cdef public int[::1] sequence, shift, word, width, bucket_heads
    # boxes
    cdef public int[::1] box_size, box_start, box_next, box_low, box_high, box_state
    cdef public double[::1] box_probability
    cdef public int[::1] box_number, number_box, number_node
    # nodes and scopes
    cdef public int[::1] left, right, parent, scope_open, scope_all, first_state, state_stop, roots
    cdef public long long[::1] scope_start, part_start
    cdef public double[::1] expected_size
    cdef public int[::1] scope_number, scope_in
    # states, terms, links
    cdef public int[::1] lowest, length, link_from, link_to
    cdef public long long[::1] term, part
    cdef public unsigned long long[::1] key, hash, upper, lower, guard, keep, scratch
    cdef public double[::1] value, adjoint


cdef int check_limits(Workspace ws, long long work) noexcept nogil
