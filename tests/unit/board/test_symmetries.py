"""Symmetries of boards."""

import random
from collections import Counter

import pytest
from tests.oracle.naive import distances, neighbours
from tests.random_positions import KINDS, random_board

from sapper import TILINGS, Board, tiling
from sapper.board.symmetries import orbits, outline_classes, symmetries


def test_number_of_symmetries_of_tilings():
    counts = {
        ("square", 4, 4): 8,
        ("square", 5, 3): 4,
        ("hexagonal", 3, 3): 2,
        ("torus", 5, 5): 200,
    }
    assert {key: len(set(symmetries(tiling(*key)))) for key in counts} == counts


def test_orbits_are_cells_equal_by_symmetry():
    board = tiling("square", 4, 4)
    groups = [[board.name(c) for c in group] for group in orbits(board, symmetries(board))]
    assert groups[0] == ["r1c1", "r1c4", "r4c1", "r4c4"]
    assert [len(group) for group in groups] == [4, 8, 4]
    board = Board.from_edges([("a", "b")], ["a", "b", "c", "d"])
    assert orbits(board, symmetries(board)) == [[0, 1], [2, 3]], "isolated cells are equal"


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_stay_neighbours(kind):
    rng = random.Random(f"symmetry {kind}")
    for _ in range(5):
        board = random_board(kind, rng)
        near = neighbours(board)
        found = symmetries(board, 40)
        assert found[0] == tuple(board.cells)
        for image in found:
            assert sorted(image) == list(board.cells)
            assert all({image[d] for d in near[c]} == near[image[c]] for c in board.cells)


def test_reflections_and_rotations_of_a_square_board_give_its_classes():
    assert outline_classes(tiling("square", 3, 3)) == [[0, 2, 6, 8], [1, 3, 5, 7], [4]]
    assert len(outline_classes(tiling("square", 9, 9))) == 15
    assert len(outline_classes(tiling("square", 30, 16))) == 15 * 8
    without_points = Board.from_edges([("a", "b"), ("b", "c")])
    assert outline_classes(without_points) == [[0], [1], [2]]


@pytest.mark.parametrize("name", TILINGS)
def test_equivalent_cells_have_the_same_distances(name):
    for size in ((4, 4), (5, 4), (4, 5), (5, 5)):
        board = tiling(name, *size)
        groups = outline_classes(board)
        assert sorted(cell for group in groups for cell in group) == list(board.cells)
        for group in groups:
            steps = [Counter(distances(board, cell).values()) for cell in group]
            assert steps == [steps[0]] * len(group)
