"""Points at which the cells of a graph are drawn."""

import networkx as nx
import numpy as np
from hypothesis import given
from tests.oracle.naive import distances
from tests.strategies import graph_boards

from sapper import Board
from sapper.render.graph_drawing import MAX_STRESS_CELLS, _distances, graph_points

GRAPHS = {
    "one cell": nx.empty_graph(1),
    "two cells": nx.path_graph(2),
    "no edges": nx.empty_graph(7),
    "path": nx.path_graph(9),
    "cycle": nx.cycle_graph(15),
    "star": nx.star_graph(9),
    "complete": nx.complete_graph(8),
    "two parts": nx.disjoint_union(nx.cycle_graph(6), nx.path_graph(5)),
    "tree": nx.balanced_tree(2, 5),
    "many cells": nx.path_graph(MAX_STRESS_CELLS + 1),
}


def nearest(points: np.ndarray) -> float:
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    return float(gaps.min())


def test_cells_do_not_overlap():
    for name in GRAPHS:
        points = graph_points(Board.from_graph(GRAPHS[name]))
        assert points.shape == (len(GRAPHS[name]), 2)
        assert np.isfinite(points).all() and points.min() >= 0
        assert nearest(points) > 0.6 or len(points) == 1


def test_graphs_are_drawn_evenly_and_always_the_same_way():
    first, again = (graph_points(Board.from_graph(GRAPHS["tree"])) for _ in range(2))
    assert np.array_equal(first, again)
    points = graph_points(Board.from_graph(GRAPHS["cycle"]))
    radii = np.linalg.norm(points - points.mean(axis=0), axis=1)
    assert radii.max() / radii.min() < 1.05
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 4))
    points = graph_points(Board.from_graph(grid))
    lengths = [np.linalg.norm(points[a] - points[b]) for a, b in grid.edges]
    assert max(lengths) / min(lengths) < 1.4


def test_points_of_the_graph_are_only_scaled():
    points = {"a": (10.0, 5.0), "b": (30.0, 5.0), "c": (10.0, 45.0)}
    board = Board.from_edges([("a", "b"), ("b", "c")], points=points)
    a, b, c = graph_points(board)
    assert np.allclose((c - a)[1] / (b - a)[0], 2)
    assert np.allclose(a, 0)
    board = Board.from_edges([("a", "b")], points={"a": (0.0, 0.0), "b": (0.0, 0.0)})
    assert np.isfinite(graph_points(board)).all()


@given(graph_boards())
def test_target_distances_are_steps_in_the_graph(board):
    target = _distances(board)
    for start in board.cells:
        for end, steps in distances(board, start).items():
            assert target[start, end] == steps
