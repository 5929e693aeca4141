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
    inside = uniform_interior(position, by_cell)
    shown_at = label_cell(position.board, inside) if inside else None
    colours, labels, glyphs = {}, {}, {}
    for cell, p in by_cell.items():
        if p is not None:
            colours[cell] = _background(p, cell in inside)
        if p in (0, 1) and position.marks[cell] != FLAG:
            glyphs[cell] = "certain-mine" if p else "safe"
        elif cell not in inside or cell == shown_at:
            labels[cell] = percent_label(p)
    return Overlays(
        colours=colours, labels=labels, glyphs=glyphs, outlined=() if best is None else (best,)
    )


def _background(p: float, inside: bool) -> str:
    if p in (0, 1):
        return "certain-mine" if p else "certain-safe"
    return palette.faded(p) if inside else palette.ramp(p)


def uniform_interior(
    position: Position, probabilities: Mapping[int, float | None]
) -> frozenset[int]:
    """Return the interior cells if several are uncertain and all have the same probability."""
    open_to = {
        c: probabilities[c]
        for c in position.without_flags().interior.tolist()
        if c in probabilities
    }
    values = [p for p in open_to.values() if p not in (0, 1)]
    if len(values) < 2:
        return frozenset()
    first = values[0]
    alike = {
        c
        for c, p in open_to.items()
        if (p is None and first is None)
        or (p is not None and first is not None and abs(p - first) < ROUNDING)
    }
    return frozenset(alike if len(alike) == len(values) else ())


def label_cell(board: Board, cells: Collection[int]) -> int:
    """Return the cell of these that is farthest from other cells and from the edge of the board.

    A cell at the edge has fewer neighbours than others. The lowest index wins ties.
    """
    most = int(board.neighbour_counts.max())
    steps = {cell: 0 for cell in board.cells if cell not in cells}
    steps |= {cell: 1 for cell in sorted(cells) if board.neighbour_count(cell) < most}
    queue = deque(steps)
    while queue:
        cell = queue.popleft()
        for other in board.around(cell).tolist():
            if other not in steps:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return max(cells, key=lambda cell: (steps.get(cell, 0), -cell))
