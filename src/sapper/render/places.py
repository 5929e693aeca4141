"""Where to draw the cells of a graph: as it says itself, or by an own placing.

Distances between dots wish to be distances in the graph: their stress is brought down step by step
(Gansner, Koren, North: Graph Drawing by Stress Majorization, 2004), from a start that
depends on the graph alone, so that the same graph is drawn the same way each time.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import numpy.typing as npt

from sapper.model.board import Board

Points = npt.NDArray[np.float64]

# Stress needs every pair of cells: half a second at 500 cells, growing with the cube.
MOST_PLACED_BY_STRESS = 500
STEPS = 150


def places(board: Board) -> Points:
    """One point a cell (y down), scaled so that nearly all are 1 or more from the nearest."""
    if board.position(0) is not None:
        points = np.array([board.position(cell) for cell in board.cells], dtype=np.float64)
    elif len(board) <= MOST_PLACED_BY_STRESS:
        points = _by_stress(board)
    else:
        points = _sunflower(board)
    points = points / _crowding(points)
    return np.asarray(np.round(points - points.min(axis=0), 3))


def _by_stress(board: Board) -> Points:
    wish = _distances(board)
    weight = 1 / np.maximum(wish, 1) ** 2
    np.fill_diagonal(weight, 0)
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    points = _start(wish)
    for _ in range(STEPS):
        gap = np.linalg.norm(points[:, None] - points[None], axis=2)
        pull = -weight * wish / np.maximum(gap, 1e-9)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        points = inverse @ (pull @ points)
    return np.asarray(points)


def _distances(board: Board) -> Points:
    """Steps between all pairs of cells; cells that no path joins are put a little further away."""
    near = [board.around(cell).tolist() for cell in board.cells]
    steps = np.full((len(board), len(board)), np.inf)
    for source in board.cells:
        steps[source, source] = 0
        queue = deque([source])
        while queue:
            cell = queue.popleft()
            for other in near[cell]:
                if steps[source, other] == np.inf:
                    steps[source, other] = steps[source, cell] + 1
                    queue.append(other)
    far = steps[np.isfinite(steps)].max()
    return np.where(np.isfinite(steps), steps, max(2.0, far / 2 + 1))


def _start(wish: Points) -> Points:
    """A rough first placing: one axis along the longest path, the other across it.

    A small circle is added, so that cells alike in both get different points to start from.
    """
    a = int(wish[0].argmax())
    b = int(wish[a].argmax())
    along = wish[a] - wish[b]
    across = wish[a] + wish[b] - 2 * np.abs(along)
    c = int(across.argmax())
    turn = 2 * math.pi * np.arange(len(wish)) / len(wish)
    return np.column_stack(
        [along / 2 + 0.3 * np.cos(turn), wish[c] - wish[c].mean() + 0.3 * np.sin(turn)]
    )


def _sunflower(board: Board) -> Points:
    """Cells in the order of a walk outwards from cell 0, on the spiral of a sunflower's seeds."""
    order: list[int] = []
    seen = np.zeros(len(board), dtype=bool)
    for source in board.cells:
        if seen[source]:
            continue
        seen[source] = True
        queue = deque([source])
        while queue:
            cell = queue.popleft()
            order.append(cell)
            for other in board.around(cell).tolist():
                if not seen[other]:
                    seen[other] = True
                    queue.append(other)
    rank = np.empty(len(board))
    rank[order] = np.arange(len(board))
    turn = rank * math.pi * (3 - math.sqrt(5))
    return np.column_stack([np.cos(turn), np.sin(turn)]) * np.sqrt(rank + 0.5)[:, None]


def _crowding(points: Points) -> float:
    """The distance from a crowded cell to its nearest other; 1 where there is none."""
    if len(points) < 2:
        return 1.0
    if len(points) > 2_000:
        area = float(np.prod(np.maximum(np.ptp(points, axis=0), 1e-9)))
        return math.sqrt(area / len(points)) or 1.0
    gap = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(gap, np.inf)
    crowded = float(np.quantile(gap.min(axis=1), 0.1))
    if crowded > 0:
        return crowded
    # Points that coincide leave nothing to scale by: then the closest two that do not.
    apart = gap[(gap > 0) & np.isfinite(gap)]
    return float(apart.min()) if len(apart) else 1.0
