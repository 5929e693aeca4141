"""Boards: neighbours of the tilings, names of cells, graphs, and refused arguments."""

import networkx
import pytest
from tests.error_messages import assert_refused
from tests.oracle import naive

from sapper import TILINGS, Board, NotationError, Position, Rules, RulesError, tiling
from sapper.board.rules import RULES

pytestmark = pytest.mark.plain

# Corners on a torus three cells wide wrap onto both sides of a cell, so it has its own test below.
SIZES = [(1, 1), (1, 6), (6, 1), (2, 2), (4, 4), (5, 4), (4, 5), (7, 6)]


@pytest.mark.parametrize("name", TILINGS)
def test_neighbours_are_the_cells_whose_outlines_touch(name):
    for size in SIZES:
        if min(size) >= TILINGS[name].min_size:
            board = tiling(name, *size)
            found = [board.around(cell).tolist() for cell in board.cells]
            assert found == naive.neighbours_by_touch(board), size
    assert tiling(name, 9, 5).neighbour_counts.max() == TILINGS[name].max_neighbours


def test_every_cell_of_a_narrow_torus_has_eight_different_neighbours():
    for width, height in ((3, 3), (3, 5), (4, 7)):
        board = tiling("torus", width, height)
        steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
        for cell in board.cells:
            row, column = divmod(cell, width)
            expected = {(row + r) % height * width + (column + c) % width for r, c in steps}
            assert board.around(cell).tolist() == sorted(expected)


def test_even_rows_of_hexagons_are_shifted_right_and_the_first_triangle_points_up():
    board = tiling("hexagonal", 3, 3)
    assert board.neighbour_names("r2c1") == ("r1c1", "r1c2", "r2c2", "r3c1", "r3c2")
    board = tiling("triangular", 9, 4)
    up = board.cell("r2c4")
    assert len({y for _, y in board.outline(up)[1:]}) == 1, "its base is below its tip"
    assert board.neighbour_names(up)[-5:] == ("r3c2", "r3c3", "r3c4", "r3c5", "r3c6")
    assert tiling("triangular-edge", 3, 2).neighbour_names("r1c1") == ("r1c2", "r2c1")


def test_names_and_cells_convert_both_ways():
    board = tiling("square", 30, 16)
    assert (board.name(0), board.name(479)) == ("r1c1", "r16c30")
    assert [board.cell(board.name(c)) for c in board.cells] == list(board.cells)
    unknown = ["r0c1", "r17c1", "r1c31", "r01c1", "", "r1", "a", "r1c1 "]
    assert_refused(board.cell, [(n, "expected a cell of square 30x16, got '") for n in unknown])


def test_middle_is_at_half_the_size_rounded_up():
    middles = {(9, 9): "r5c5", (30, 16): "r8c15", (1, 1): "r1c1", (2, 2): "r1c1", (5, 4): "r2c3"}
    boards = [tiling("square", *size) for size in middles]
    assert [board.name(board.middle) for board in boards] == list(middles.values())


def test_impossible_tiling_is_refused():
    cases = [
        (("square", 0, 5), "at least 1x1, got 0x5"),
        (("square", 5, -1), "at least 1x1, got 5x-1"),
        (("torus", 2, 5), "at least 3x3, got 2x5"),
        (("cubic", 5, 5), "no such tiling 'cubic'"),
        (("square", 10**6, 10**6), "expected at most 16,777,216 cells"),
    ]
    assert_refused(lambda arguments: tiling(*arguments), cases, RulesError)


def test_boards_are_compared_by_value():
    assert tiling("square", 5, 4) == tiling("square", 5, 4) != tiling("torus", 5, 4)
    assert len({tiling("square", 200, 100), tiling("square", 200, 100)}) == 1


def test_cells_of_a_graph_keep_the_given_order():
    board = Board.from_edges([("b", "a"), ("c", "b"), ("b", "a")], cells=["a", "b", "c", "alone"])
    assert board.names == ("a", "b", "c", "alone")
    assert board.neighbour_names("b") == ("a", "c")
    assert board.neighbour_count(3) == 0
    assert board == Board.from_edges([("a", "b"), ("b", "c")], cells=["a", "b", "c", "alone"])
    assert board != Board.from_edges([("a", "b")], cells=["a", "b", "c", "alone"])


def test_impossible_edges_are_refused():
    cases = [
        (([("a", "a")], None), "from 'a' to itself"),
        (([("a", "b")], ["a"]), "between known cells, got 'b'"),
        (([("a b", "c")], None), "without white space, got 'a b'"),
        (([("a",)], None), "an edge as two names"),
        (([("a", "b")], ["b", "a", "c", "a"]), "the cell 'a' occurs twice"),
        (([], None), "a board needs at least one cell"),
    ]
    assert_refused(lambda given: Board.from_edges(*given), cases, ValueError)


def test_board_from_a_networkx_graph():
    graph = networkx.petersen_graph()
    board = Board.from_graph(graph)
    assert set(board.neighbour_counts) == {3}
    assert {frozenset(e) for e in board.edges()} == {frozenset(e) for e in graph.edges}
    networkx.set_node_attributes(graph, {node: (node, 2) for node in graph}, "pos")
    assert Board.from_graph(graph).point(2) == (2.0, 2.0)
    grid = Board.from_graph(networkx.grid_2d_graph(2, 2))
    assert grid.names == ("(0,0)", "(0,1)", "(1,0)", "(1,1)"), "names have no white space"
    for kind in (networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph):
        board = Board.from_graph(kind([(1, 2), (2, 1), (2, 3), (2, 3)]))
        assert board == Board.from_edges([("1", "2"), ("2", "3")]), kind


def test_pos_attribute_that_is_not_a_point_is_refused():
    def board_with_first_node_at(place):
        graph = networkx.path_graph(2)
        networkx.set_node_attributes(graph, {0: place, 1: (1, 1)}, "pos")
        return Board.from_graph(graph)

    wrong = ["12", (1,), (float("nan"), 1), None, 3]
    cases = [(place, "expected a point as two numbers") for place in wrong]
    assert_refused(board_with_first_node_at, cases, NotationError)


def test_cell_outside_the_board_is_refused_and_not_counted_from_the_end():
    board = tiling("square", 3, 3)
    position = Position.initial(board)
    calls = [board.cell, board.name, board.around, board.neighbour_count, board.outline]
    calls += [board.point, position.remaining_mines, position.covered_around]
    calls += [Rules(board, 3, rule).mine_free_cells for rule in RULES]
    calls += [lambda index: position.names([index])]
    for call in calls:
        cases = [(cell, f"expected a cell of square 3x3, got {cell}") for cell in (-1, -2, 9)]
        assert_refused(call, cases, NotationError)
    assert_refused(board.name, [(c, "expected a cell of square 3x3") for c in (1.5, None, "r9c9")])


@pytest.mark.parametrize("name", TILINGS)
def test_names_of_a_large_board_behave_like_a_tuple(name):
    names = tiling(name, 5, 4).names
    listed = tuple(f"r{row}c{column}" for row in range(1, 5) for column in range(1, 6))
    assert tuple(names) == listed and len(names) == 20
    for part in (slice(3, 8), slice(None, None, -1), slice(-4, None), slice(2, 17, 5)):
        assert names[part] == listed[part]
    assert (names[-1], names[7]) == (listed[-1], listed[7])
    for index in (20, -21):
        with pytest.raises(IndexError):
            names[index]
