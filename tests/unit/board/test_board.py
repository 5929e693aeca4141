"""Boards: neighbours of the tilings, names of cells, graphs, and refused arguments."""

import networkx
import pytest
from tests.oracle import naive

from sapper import TILINGS, Board, NotationError, Position, Rules, RulesError, SapperError, tiling
from sapper.board.rules import RULES

pytestmark = pytest.mark.plain


# Corners on a torus three cells wide wrap onto both sides of a cell, so it has its own test below.
@pytest.mark.parametrize("size", [(1, 1), (1, 6), (6, 1), (2, 2), (4, 4), (5, 4), (4, 5), (7, 6)])
@pytest.mark.parametrize("name", TILINGS)
def test_neighbours_are_the_cells_whose_outlines_touch(name, size):
    if min(size) >= TILINGS[name].min_size:
        board = tiling(name, *size)
        assert [board.around(c).tolist() for c in board.cells] == naive.neighbours_by_touch(board)


@pytest.mark.parametrize("size", [(3, 3), (3, 5), (4, 7)])
def test_every_cell_of_a_torus_has_eight_different_neighbours(size):
    board = tiling("torus", *size)
    width, height = size
    for cell in board.cells:
        row, column = divmod(cell, width)
        expected = {
            (row + r) % height * width + (column + c) % width
            for r in (-1, 0, 1)
            for c in (-1, 0, 1)
        } - {cell}
        assert board.around(cell).tolist() == sorted(expected)


@pytest.mark.parametrize("name", TILINGS)
def test_largest_number_of_neighbours_of_each_tiling(name):
    assert tiling(name, 9, 5).neighbour_counts.max() == TILINGS[name].max_neighbours


def test_even_rows_of_hexagons_are_shifted_right():
    board = tiling("hexagonal", 3, 3)
    assert board.neighbour_names("r2c1") == ("r1c1", "r1c2", "r2c2", "r3c1", "r3c2")
    assert board.neighbour_names("r1c2") == ("r1c1", "r1c3", "r2c1", "r2c2")


def test_first_triangle_points_up_and_touches_five_in_the_row_below():
    board = tiling("triangular", 9, 4)
    up = board.cell("r2c4")
    assert len({y for _, y in board.outline(up)[1:]}) == 1, "its base is below its tip"
    assert board.neighbour_names(up)[-5:] == ("r3c2", "r3c3", "r3c4", "r3c5", "r3c6")
    assert tiling("triangular-edge", 3, 2).neighbour_names("r1c1") == ("r1c2", "r2c1")


def test_names_and_cells_convert_both_ways():
    board = tiling("square", 30, 16)
    assert (board.name(0), board.name(479)) == ("r1c1", "r16c30")
    assert [board.cell(board.name(c)) for c in board.cells] == list(board.cells)


@pytest.mark.parametrize("name", ["r0c1", "r17c1", "r1c31", "r01c1", "", "r1", "a", "r1c1 "])
def test_unknown_cell_name_is_refused(name):
    with pytest.raises(NotationError, match=r"expected a cell of square 30x16, got '"):
        tiling("square", 30, 16).cell(name)


@pytest.mark.parametrize(
    ("size", "name"),
    [((9, 9), "r5c5"), ((30, 16), "r8c15"), ((1, 1), "r1c1"), ((2, 2), "r1c1"), ((5, 4), "r2c3")],
)
def test_middle_is_at_half_the_size_rounded_up(size, name):
    board = tiling("square", *size)
    assert board.name(board.middle) == name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("square", 0, 5), "at least 1x1, got 0x5"),
        (("square", 5, -1), "at least 1x1, got 5x-1"),
        (("torus", 2, 5), "at least 3x3, got 2x5"),
        (("cubic", 5, 5), "no such tiling 'cubic'"),
        (("square", 10**6, 10**6), "expected at most 16,777,216 cells"),
    ],
)
def test_impossible_board_is_refused(arguments, message):
    with pytest.raises(RulesError, match=message):
        tiling(*arguments)


def test_boards_are_compared_by_value_and_immutable():
    assert tiling("square", 5, 4) == tiling("square", 5, 4)
    assert tiling("square", 5, 4) != tiling("torus", 5, 4)
    assert len({tiling("square", 200, 100), tiling("square", 200, 100)}) == 1
    with pytest.raises(ValueError, match="read-only"):
        tiling("square", 5, 4).neighbours[0] = 3


def test_cells_of_a_graph_keep_the_given_order():
    board = Board.from_edges([("b", "a"), ("c", "b"), ("b", "a")], cells=["a", "b", "c", "alone"])
    assert board.names == ("a", "b", "c", "alone")
    assert board.neighbour_names("b") == ("a", "c")
    assert board.neighbour_count(3) == 0
    assert board == Board.from_edges([("a", "b"), ("b", "c")], cells=["a", "b", "c", "alone"])
    assert board != Board.from_edges([("a", "b")], cells=["a", "b", "c", "alone"])


@pytest.mark.parametrize(
    ("edges", "cells", "message"),
    [
        ([("a", "a")], None, "from 'a' to itself"),
        ([("a", "b")], ["a"], "between known cells, got 'b'"),
        ([("a b", "c")], None, "without white space, got 'a b'"),
        ([("a",)], None, "an edge as two names"),
        ([("a", "b")], ["a", "b", "a"], "the cell 'a' occurs twice"),
        ([], None, "a board needs at least one cell"),
    ],
)
def test_impossible_edges_are_refused(edges, cells, message):
    with pytest.raises(ValueError, match=message):
        Board.from_edges(edges, cells)


def test_board_from_a_networkx_graph():
    graph = networkx.petersen_graph()
    board = Board.from_graph(graph)
    assert len(board) == 10
    assert set(board.neighbour_counts) == {3}
    assert {frozenset(e) for e in board.edges()} == {frozenset(e) for e in graph.edges}
    networkx.set_node_attributes(graph, {node: (node, 2) for node in graph}, "pos")
    assert Board.from_graph(graph).point(2) == (2.0, 2.0)
    grid = Board.from_graph(networkx.grid_2d_graph(2, 2))
    assert grid.names == ("(0,0)", "(0,1)", "(1,0)", "(1,1)"), "names have no white space"


@pytest.mark.parametrize("kind", [networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph])
def test_directions_and_repeated_edges_are_ignored(kind):
    board = Board.from_graph(kind([(1, 2), (2, 1), (2, 3), (2, 3)]))
    assert board == Board.from_edges([("1", "2"), ("2", "3")])


@pytest.mark.parametrize("place", ["12", (1,), (float("nan"), 1), None, 3])
def test_pos_attribute_that_is_not_a_point_is_refused(place):
    graph = networkx.path_graph(2)
    networkx.set_node_attributes(graph, {0: place, 1: (1, 1)}, "pos")
    with pytest.raises(NotationError, match="expected a point as two numbers"):
        Board.from_graph(graph)


@pytest.mark.parametrize("cell", [1.5, None, "r9c9"])
def test_cell_outside_the_board_has_no_name(cell):
    with pytest.raises(SapperError, match="expected a cell of square 3x3"):
        tiling("square", 3, 3).name(cell)


@pytest.mark.parametrize("cell", [-1, -2, 9])
def test_index_outside_the_board_is_refused_and_not_counted_from_the_end(cell):
    board = tiling("square", 3, 3)
    position = Position.initial(board)
    calls = [board.cell, board.name, board.around, board.neighbour_count, board.outline]
    calls += [board.point, position.remaining_mines, position.covered_around]
    calls += [Rules(board, 3, rule).mine_free_cells for rule in RULES]
    calls += [lambda index: position.names([index])]
    for call in calls:
        with pytest.raises(NotationError, match=f"expected a cell of square 3x3, got {cell}"):
            call(cell)
