"""Where to draw the cells of a graph: as it says itself, or by an own placing.

Distances between dots wish to be distances in the graph: their stress is brought down step by step
(Gansner, Koren, North: Graph Drawing by Stress Majorization, 2004), from a start that
depends on the graph alone, so that the same graph is drawn the same way each time.
"""

from __future__ import annotations

import math
from collections import deque
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board

Points = npt.NDArray[np.float64]

# Stress looks at every pair of cells in every step, which beyond this takes seconds.
MAX_STRESS_CELLS = 500
MOST_TRIED = 60
SCATTERED = 16
STEPS = 150
CLEARANCE = 0.35
"""How near a link may come to a cell that it does not join, as a share of the cells' distance."""


def places(board: Board) -> Points:
    """One point a cell (y down), scaled so that nearly all are 1 or more from the nearest."""
    points = _given(board)
    if points is None:
        points = _found(board)
    points = points / _crowding(points)
    return np.asarray(np.round(points - points.min(axis=0), 3))


# A sheet draws the same graph many times. Boards are equal when their cells and neighbours are,
# which is all that these places depend on.
@lru_cache(maxsize=16)
def _found(board: Board) -> Points:
    return _by_stress(board) if len(board) <= MAX_STRESS_CELLS else _sunflower(board)


def _given(board: Board) -> Points | None:
    if board.point(0) is None:
        return None
    points = np.array([board.point(cell) for cell in board.cells], dtype=np.float64)
    return points if np.isfinite(points).all() else None


def _by_stress(board: Board) -> Points:
    """Of several starts, each relaxed, the one whose picture is the least tangled."""
    wish = _distances(board)
    weight = 1 / np.maximum(wish, 1) ** 2
    np.fill_diagonal(weight, 0)
    inverse: Points = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight).astype(np.float64)
    starts = [_along_and_across(wish)]
    if len(board) <= MOST_TRIED:
        starts.append(_circle(len(board)))
        starts += [_scatter(len(board), number) for number in range(SCATTERED)]
    tries = [_relaxed(start, wish, weight, inverse) for start in starts]
    return min(tries, key=lambda points: _tangle(board, points)) if len(tries) > 1 else tries[0]


def _relaxed(points: Points, wish: Points, weight: Points, inverse: Points) -> Points:
    for _ in range(STEPS):
        gap = np.linalg.norm(points[:, None] - points[None], axis=2)
        pull = -weight * wish / np.maximum(gap, 1e-9)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        points = np.asarray(inverse @ (pull @ points))
    return points


def _tangle(board: Board, points: Points) -> int:
    """How much a picture misleads: one for two links that cross, ten for a link that runs under
    a cell it does not join, a hundred for two cells that overlap.
    """
    links = np.array(list(board.edges()), dtype=np.int64).reshape(-1, 2)
    start, step = points[links[:, 0]], points[links[:, 1]] - points[links[:, 0]]
    length = np.maximum((step**2).sum(axis=1), 1e-9)
    # Of each cell the nearest point of each link, as a share of the link's length.
    off = points[None] - start[:, None]
    share = np.clip((off * step[:, None]).sum(axis=2) / length[:, None], 0, 1)
    gap = np.linalg.norm(off - share[:, :, None] * step[:, None], axis=2)
    gap[np.arange(len(links))[:, None], links] = np.inf
    under = np.count_nonzero(gap < CLEARANCE * _crowding(points))
    overlaps = np.count_nonzero(_gaps(points) < 2 * CLEARANCE * _crowding(points)) // 2

    def side(of: Points) -> Points:
        """On which side of each link these points are."""
        off = of[None] - start[:, None]
        return np.sign(np.round(step[:, :1] * off[:, :, 1] - step[:, 1:] * off[:, :, 0], 9))

    apart = side(start) * side(start + step) < 0
    crossings = np.count_nonzero(apart & apart.T) // 2
    return int(crossings + 10 * under + 100 * overlaps)


def _distances(board: Board) -> Points:
    """Steps between all pairs of cells; cells that no path joins are put a little further away."""
    steps = np.full((len(board), len(board)), np.inf)
    np.fill_diagonal(steps, 0)
    steps[np.repeat(board.cells, board.neighbour_counts), board.neighbours] = 1
    for cell in board.cells:  # Floyd and Warshall's: no slower where everybody touches everybody
        np.minimum(steps, steps[:, cell, None] + steps[cell], out=steps)
    far = steps[np.isfinite(steps)].max()
    return np.where(np.isfinite(steps), steps, max(2.0, far / 2 + 1))


def _along_and_across(wish: Points) -> Points:
    """A rough first placing: one axis along the longest path, the other across it.

    A small circle is added, so that cells alike in both get different points to start from.
    """
    a = int(wish[0].argmax())
    b = int(wish[a].argmax())
    along = wish[a] - wish[b]
    c = int((wish[a] + wish[b] - 2 * np.abs(along)).argmax())
    axes = np.column_stack([along / 2, wish[c] - wish[c].mean()])
    return np.asarray(axes + 0.3 * _circle(len(wish)))


def _circle(count: int) -> Points:
    turn = 2 * math.pi * np.arange(count) / count
    return np.column_stack([np.cos(turn), np.sin(turn)])


def _scatter(count: int, number: int) -> Points:
    """Points all over a square without a pattern, different for each number, the same each time."""
    steps = np.arange(1, count + 1) * (number + 1)
    return np.column_stack([steps * math.sqrt(2) % 1, steps * math.sqrt(3) % 1]) * math.sqrt(count)


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
    gap = _gaps(points)
    crowded = float(np.quantile(gap.min(axis=1), 0.1))
    if crowded > 0:
        return crowded
    # Points that coincide leave nothing to scale by: then the closest two that do not.
    apart = gap[(gap > 0) & np.isfinite(gap)]
    return float(apart.min()) if len(apart) else 1.0


def _gaps(points: Points) -> Points:
    """The distances between all pairs of points; infinite from a point to itself."""
    gap = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(gap, np.inf)
    return np.asarray(gap)
