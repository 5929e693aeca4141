"""Overlays that show probabilities on a position.

A certain cell has a tick or a cross on a background that no probability has. The interior, whose
cells all have the same probability, is faded and labelled once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

from sapper.board.board import Board
from sapper.board.position import FLAG, Position
from sapper.errors import NotationError
from sapper.render import palette
from sapper.render.scene import Overlays
from sapper.wording import percent_label

Probabilities = Mapping[int, float | None] | Mapping[str, float | None]
"""Probabilities by index or by name of the cell."""

# Differences up to this are rounding errors.
ROUNDING = 1e-9


def probability_overlays(
    position: Position, probabilities: Probabilities, best: int | None = None
) -> Overlays:
    """Return backgrounds, glyphs and labels for probabilities; *best* is a guess to outline."""
    by_cell = {position.board.cell(cell): p for cell, p in probabilities.items()}
    bad = next((p for p in by_cell.values() if p is not None and not 0 <= p <= 1), None)
    if bad is not None:
        raise NotationError(f"expected probabilities from 0 to 1, got {bad!r:.60}")
    interior = uniform_interior(position, by_cell)
    labelled = label_cell(position.board, interior) if interior else None
    colours, labels, glyphs = {}, {}, {}
    for cell, p in by_cell.items():
        if p is not None:
            colours[cell] = _background(p, faded=cell in interior)
        if p in (0, 1) and position.marks[cell] != FLAG:
            glyphs[cell] = "certain-mine" if p else "safe"
        elif cell not in interior or cell == labelled:
            labels[cell] = percent_label(p)
    return Overlays(
        colours=colours, labels=labels, glyphs=glyphs, outlined=() if best is None else (best,)
    )


def _background(p: float, *, faded: bool) -> str:
    if p in (0, 1):
        return "certain-mine" if p else "certain-safe"
    return palette.faded(p) if faded else palette.ramp(p)


def uniform_interior(
    position: Position, probabilities: Mapping[int, float | None]
) -> frozenset[int]:
    """Return the uncertain interior cells if there are several, all of the same probability."""
    uncertain = {
        c: probabilities[c]
        for c in position.without_flags().interior.tolist()
        if c in probabilities and probabilities[c] not in (0, 1)
    }
    if len(uncertain) < 2:
        return frozenset()
    first, *others = uncertain.values()
    same = all(
        p is None if first is None else p is not None and abs(p - first) < ROUNDING for p in others
    )
    return frozenset(uncertain) if same else frozenset()


def label_cell(board: Board, cells: Collection[int]) -> int:
    """Return the cell of *cells* that is farthest from all others and from the edge of the board.

    A cell at the edge has fewer neighbours than others. The lowest index wins ties.
    """
    max_neighbours = int(board.neighbour_counts.max())
    steps = {cell: 0 for cell in board.cells if cell not in cells}
    steps |= {cell: 1 for cell in sorted(cells) if board.neighbour_count(cell) < max_neighbours}
    queue = deque(steps)
    while queue:
        cell = queue.popleft()
        for other in board.around(cell).tolist():
            if other not in steps:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return max(cells, key=lambda cell: (steps.get(cell, 0), -cell))
