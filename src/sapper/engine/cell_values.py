"""The probabilities of the values of a covered cell: the numbers that it may show if it is safe.

v   a value
ln  the natural logarithm of a number of solutions
n   interior cells
k   mines in the interior
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.tracked import values as kernel


def find_values(
    position: Position, trust_flags: bool, limit: Limit
) -> npt.NDArray[np.float64] | None:
    """Return a row for each cell: the probabilities that it is safe and shows 0, 1, 2, ...

    Returns None where only the general engine can answer, with one run for each value.
    """
    board = position.board
    if len(board) > workspace.MAX_TRACKED_CELLS:
        return None
    rows = np.zeros((len(board), int(board.neighbour_counts.max(initial=0)) + 1))
    with workspace.BorrowedTracked(board, limit) as tracked:
        tracked.allocate_lists()
        status = workspace.run_tracked(tracked, position.marks, position.mines, trust_flags, limit)
        if status == workspace.OK:
            status = kernel.cell_values(tracked, view(rows))
    return rows if status == workspace.OK else None


def ln_weights_of_values(
    position: Position, cell: int, trust_flags: bool, limit: Limit
) -> dict[int, float]:
    """Return ln of the number of solutions in which a cell is safe and shows each possible value.

    The same unknown constant is added to all of them.
    """
    marks = position.marks.copy()
    # For each value: ln of the frontier's solutions, interior cells, and mines left for them.
    runs: dict[int, tuple[float, int, int]] = {}
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        ws.count_only = True
        for v in range(position.board.neighbour_count(cell) + 1):
            marks[cell] = v
            if workspace.run(ws, position.board, marks, position.mines, limit) == workspace.OK:
                runs[v] = ws.ln_frontier, ws.interior, ws.mines_left - ws.reference
    if position.mines is None:
        return {v: ln for v, (ln, _, _) in runs.items()}
    _, cells, mines = next(iter(runs.values()))
    return {v: ln + _ln_binomial_ratio(n, k, cells, mines) for v, (ln, n, k) in runs.items()}


def _ln_binomial_ratio(n: int, k: int, cells: int, mines: int) -> float:
    """Return ln of C(n, k) / C(cells, mines), precise where the two are close."""
    if abs(n - cells) + abs(k - mines) > 10_000:
        return _ln_binomial(n, k) - _ln_binomial(cells, mines)
    # Cells are added first and removed last, so that there are never fewer cells than mines.
    steps = []
    while n < cells:
        # C(n, k) = C(n + 1, k) * (n + 1 - k) / (n + 1)
        steps.append(math.log((n + 1 - k) / (n + 1)))
        n += 1
    while k < mines:
        # C(n, k) = C(n, k + 1) * (k + 1) / (n - k)
        steps.append(math.log((k + 1) / (n - k)))
        k += 1
    while k > mines:
        steps.append(math.log((n - k + 1) / k))
        k -= 1
    while n > cells:
        steps.append(math.log(n / (n - k)))
        n -= 1
    return math.fsum(steps)


def _ln_binomial(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
