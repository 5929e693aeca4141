# The types of the fields; solution_lists.py describes them.
from sapper.kernels.arrays cimport ConstBytes, ConstInts
from sapper.kernels.players.end_game_search cimport EndGameSearch

cdef class SolutionLister:
    cdef const int[::1] offsets, neighbours
    cdef public int cells, part_count, max_rows
    cdef public long long steps, max_steps
    cdef public int[::1] part_of, queue, part_start, need, left, column_of, column_cell, around
    cdef public unsigned char[::1] interior, mined, selected
    cdef public int listed_mines, counts_differ

cpdef void find_parts(
    SolutionLister s, ConstInts marks, ConstBytes known
) noexcept nogil
cpdef int list_parts(
    SolutionLister s, EndGameSearch e, ConstBytes known, int mines
) noexcept nogil
