"""Points at which to draw the cells of a graph: those in its file, or computed ones.

Computed points minimise the stress, the difference between distances in the picture and in the
graph (Gansner, Koren, North: Graph Drawing by Stress Majorization, 2004). The starting points
depend on the graph alone, so the same graph is always drawn the same way. A link is the line drawn
for an edge.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board

Points = npt.NDArray[np.float64]

# Each iteration computes all pairs of cells, which takes seconds for larger graphs.
MAX_STRESS_CELLS = 500
MAX_MULTI_START_CELLS = 60
RANDOM_STARTS = 16
ITERATIONS = 150
CLEARANCE = 0.35
"""The minimum distance of a link from other cells, as a share of the distance between cells."""


def graph_points(board: Board) -> Points:
    """Return a point for each cell (y down), nearly all at least 1 from the nearest other."""
    given = [board.point(cell) for cell in board.cells]
    points = _computed_points(board) if given[0] is None else np.array(given, dtype=np.float64)
    points = points / _spacing(points)
    return np.asarray(np.round(points - points.min(axis=0), 3))


# Cached because a worksheet draws the same graph many times.
@lru_cache(maxsize=16)
def _computed_points(board: Board) -> Points:
    return _stress_points(board) if len(board) <= MAX_STRESS_CELLS else _spiral_points(board)


def _stress_points(board: Board) -> Points:
    """Minimise the stress from several starts; return the result with the lowest penalty."""
    target = _distances(board)
    weight = 1 / np.maximum(target, 1) ** 2
    np.fill_diagonal(weight, 0)
    inverse: Points = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight).astype(np.float64)
    starts = [_points_by_distance(target)]
    if len(board) <= MAX_MULTI_START_CELLS:
        starts.append(_circle_points(len(board)))
        starts += [_scattered_points(len(board), variant) for variant in range(RANDOM_STARTS)]
    drawings = [_minimise_stress(start, target, weight, inverse) for start in starts]
    if len(drawings) == 1:
        return drawings[0]
    return min(drawings, key=lambda points: _crossing_penalty(board, points))


def _minimise_stress(points: Points, target: Points, weight: Points, inverse: Points) -> Points:
    for _ in range(ITERATIONS):
        distance = np.linalg.norm(points[:, None] - points[None], axis=2)
        laplacian = -weight * target / np.maximum(distance, 1e-9)
        np.fill_diagonal(laplacian, 0)
        np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
        points = np.asarray(inverse @ (laplacian @ points))
    return points


def _crossing_penalty(board: Board, points: Points) -> int:
    """Return a penalty: 1 for a crossing, 10 for a link under another cell, 100 for an overlap."""
    links = np.array(list(board.edges()), dtype=np.int64).reshape(-1, 2)
    start, direction = points[links[:, 0]], points[links[:, 1]] - points[links[:, 0]]
    squared_length = np.maximum((direction**2).sum(axis=1), 1e-9)
    # The nearest point of each link to each cell, as a share of the length of the link.
    offset = points[None] - start[:, None]
    share = (offset * direction[:, None]).sum(axis=2) / squared_length[:, None]
    nearest = np.clip(share, 0, 1)[:, :, None] * direction[:, None]
    distance = np.linalg.norm(offset - nearest, axis=2)
    distance[np.arange(len(links))[:, None], links] = np.inf
    under = np.count_nonzero(distance < CLEARANCE * _spacing(points))
    overlaps = np.count_nonzero(_pairwise_distances(points) < 2 * CLEARANCE * _spacing(points)) // 2

    def side_of_links(ends: Points) -> Points:
        """Return on which side of each link each of these points is: -1, 0 or 1."""
        offset = ends[None] - start[:, None]
        cross = direction[:, :1] * offset[:, :, 1] - direction[:, 1:] * offset[:, :, 0]
        return np.sign(np.round(cross, 9))

    # Two links cross if each separates the ends of the other.
    separated = side_of_links(start) * side_of_links(start + direction) < 0
    crossings = np.count_nonzero(separated & separated.T) // 2
    return int(crossings + 10 * under + 100 * overlaps)


def _distances(board: Board) -> Points:
    """Return the distances between all pairs of cells; unconnected ones get a larger distance."""
    steps = np.full((len(board), len(board)), np.inf)
    np.fill_diagonal(steps, 0)
    steps[np.repeat(board.cells, board.neighbour_counts), board.neighbours] = 1
    for cell in board.cells:  # the Floyd-Warshall algorithm
        np.minimum(steps, steps[:, cell, None] + steps[cell], out=steps)
    diameter = steps[np.isfinite(steps)].max()
    return np.where(np.isfinite(steps), steps, max(2.0, diameter / 2 + 1))


def _points_by_distance(target: Points) -> Points:
    """Return starting points: one axis along the longest path, the other across it.

    A small circle is added, so that no two cells start at the same point.
    """
    start = int(target[0].argmax())
    end = int(target[start].argmax())
    along = target[start] - target[end]
    farthest = int((target[start] + target[end] - 2 * np.abs(along)).argmax())
    axes = np.column_stack([along / 2, target[farthest] - target[farthest].mean()])
    return np.asarray(axes + 0.3 * _circle_points(len(target)))


def _circle_points(count: int) -> Points:
    angle = 2 * math.pi * np.arange(count) / count
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _scattered_points(count: int, variant: int) -> Points:
    """Return quasi-random points in a square, different for each variant."""
    steps = np.arange(1, count + 1) * (variant + 1)
    return np.column_stack([steps * math.sqrt(2) % 1, steps * math.sqrt(3) % 1]) * math.sqrt(count)


def _spiral_points(board: Board) -> Points:
    """Return points on a sunflower spiral, in breadth-first order from cell 0."""
    rank = np.empty(len(board))
    rank[board.breadth_first()] = np.arange(len(board))
    angle = rank * math.pi * (3 - math.sqrt(5))
    return np.column_stack([np.cos(angle), np.sin(angle)]) * np.sqrt(rank + 0.5)[:, None]


def _spacing(points: Points) -> float:
    """Return a low quantile of the distances to the nearest other cell; 1 for one cell."""
    if len(points) < 2:
        return 1.0
    if len(points) > 2_000:
        area = float(np.prod(np.maximum(np.ptp(points, axis=0), 1e-9)))
        return math.sqrt(area / len(points)) or 1.0
    distances = _pairwise_distances(points)
    low = float(np.quantile(distances.min(axis=1), 0.1))
    if low > 0:
        return low
    # Many points coincide: use the closest two that do not.
    positive = distances[(distances > 0) & np.isfinite(distances)]
    return float(positive.min()) if len(positive) else 1.0


def _pairwise_distances(points: Points) -> Points:
    """Return the distances between all pairs of points; infinite on the diagonal."""
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return np.asarray(distances)
