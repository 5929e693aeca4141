"""Classes of equivalent cells."""

import pytest

from sapper import TILINGS, Board, tiling
from sapper.lab.symmetry import cell_classes


def test_a_square_board_has_the_classes_of_its_mirrors_and_turns():
    assert cell_classes(tiling("square", 3, 3)) == [[0, 2, 6, 8], [1, 3, 5, 7], [4]]
    assert len(cell_classes(tiling("square", 9, 9))) == 15
    assert len(cell_classes(tiling("square", 30, 16))) == 15 * 8


@pytest.mark.parametrize("name", TILINGS)
@pytest.mark.parametrize("size", [(4, 4), (5, 4), (4, 5), (5, 5)])
def test_equivalent_cells_have_the_same_distances(name, size):
    board = tiling(name, *size)
    groups = cell_classes(board)
    assert sorted(cell for group in groups for cell in group) == list(board.cells)
    for group in groups:
        assert len({tuple(rings(board, cell)) for cell in group}) == 1


def rings(board, cell):
    seen, ring = {cell}, {cell}
    while ring:
        yield len(ring), sorted(board.neighbour_count(one) for one in ring).__repr__()
        ring = {int(other) for one in ring for other in board.around(one)} - seen
        seen |= ring


def test_on_a_bare_graph_no_two_cells_are_taken_for_alike():
    assert cell_classes(Board.from_edges([("a", "b"), ("b", "c")])) == [[0], [1], [2]]
