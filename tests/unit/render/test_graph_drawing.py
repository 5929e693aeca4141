"""Points at which the cells of a graph are drawn."""

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import given
from tests.oracle.naive import distances
from tests.strategies import graph_boards

from sapper import Board
from sapper.render.graph_drawing import (
    CLEARANCE,
    MAX_STRESS_CELLS,
    _crossing_penalty,
    _distances,
    _points_by_distance,
    _spacing,
    _spiral_points,
    graph_points,
)

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


def distance_to_link(point, start, end):
    """Return the distance of a point from a line between two others."""
    shares = np.linspace(0, 1, 4001)[:, None]
    return float(np.linalg.norm(start + shares * (end - start) - point, axis=1).min())


def is_left(point, start, end):
    (x, y), (u, v) = end - start, point - start
    return x * v - y * u > 0


def penalty(board, points):
    """Return the penalty of a drawing, counted link by link."""
    links = list(board.edges())
    crossings = sum(
        is_left(points[a], points[c], points[d]) != is_left(points[b], points[c], points[d])
        and is_left(points[c], points[a], points[b]) != is_left(points[d], points[a], points[b])
        for (a, b), (c, d) in combinations(links, 2)
        if not {a, b} & {c, d}
    )
    clearance = CLEARANCE * _spacing(points)
    under = sum(
        distance_to_link(points[cell], points[a], points[b]) < clearance
        for a, b in links
        for cell in board.cells
        if cell not in (a, b)
    )
    overlaps = sum(
        np.linalg.norm(points[a] - points[b]) < 2 * clearance
        for a, b in combinations(board.cells, 2)
    )
    return crossings + 10 * under + 100 * overlaps


def test_penalty_counts_crossings_covered_links_and_overlaps():
    rng = np.random.default_rng(8)
    penalties = []
    for seed in range(12):
        board = Board.from_graph(nx.gnm_random_graph(7, 9, seed))
        points = rng.uniform(0, 4, (7, 2))
        penalties.append(_crossing_penalty(board, points))
        assert penalties[-1] == penalty(board, points)
    assert any(value % 10 for value in penalties) and any(value // 10 % 10 for value in penalties)


def test_planar_graphs_are_drawn_without_crossings():
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 4))
    for graph in (grid, nx.wheel_graph(7), nx.balanced_tree(2, 3), nx.ladder_graph(5)):
        board = Board.from_graph(graph)
        assert _crossing_penalty(board, graph_points(board)) == 0


def test_starting_points_are_spread_along_the_longest_path():
    board = Board.from_graph(nx.path_graph(9))
    points = _points_by_distance(_distances(board))
    assert (np.diff(np.abs(points[:, 0] - points[0, 0])) > 0.5).all()
    # Across it, a ladder has one side up and the other down.
    ladder = Board.from_graph(nx.ladder_graph(6))
    points = _points_by_distance(_distances(ladder))
    assert nearest(points) > 0.2 and np.ptp(points[:, 0]) > 4


def test_many_cells_are_drawn_on_a_sunflower_spiral():
    points = _spiral_points(Board.from_graph(nx.path_graph(40)))
    radii = np.linalg.norm(points, axis=1)
    assert np.allclose(radii**2, np.arange(40) + 0.5)  # equal areas
    turns = np.diff(np.arctan2(points[:, 1], points[:, 0])) / (2 * np.pi) % 1
    assert np.allclose(turns, (3 - np.sqrt(5)) / 2)  # the golden angle


def test_spacing_is_a_low_quantile_of_the_nearest_distances():
    row = np.column_stack([np.arange(10.0) * 3, np.zeros(10)])
    assert _spacing(row) == 3
    assert _spacing(row[:1]) == 1
    assert _spacing(np.zeros((5, 2))) == 1
    # Half of the points coincide with another.
    assert _spacing(np.concatenate([row[:4], row[:4]])) == 3
    grid = np.array([(x, y) for x in range(50) for y in range(50)], float)
    assert abs(_spacing(2 * grid) - 2) < 0.1
