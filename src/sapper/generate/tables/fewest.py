"""Fewest hints: take open cells away while the mines stay the only solution.

Starts from every free cell open and ends where no single hint can be taken away: few, though not
always the fewest that could be. A cell whose hint is taken away becomes blank, so that it has to be
found free as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sapper.generate.tables.uniqueness import (
    UNDECIDED,
    Names,
    ask,
    exactly,
    new_solver,
    variable,
)
from sapper.infer.budget import DEFAULT, Budget, Limit
from sapper.infer.ladder.replay import TableSolver
from sapper.model.board import Ints
from sapper.model.frame import BLANK
from sapper.model.layout import Layout


def fewest_by_sat(layout: Layout, order: Ints, budget: Budget = DEFAULT) -> Ints | None:
    """The hints that are left when they are tried in this order, ascending.

    None when even all free cells open do not make the mines unique.

    One solver does it all. Each hint is in force while its selector is assumed, and one clause
    asks for a placement that differs from the layout's. It is asked only where small sets of hints
    do not solve what is left, and only for yes or no: so the answer is the same with every solver.
    """
    limit = budget.start()
    paper = TableSolver(layout.board)
    marks = np.where(layout.mine_mask == 0, layout.hints, BLANK).astype(np.int32)
    with new_solver() as solver:
        selectors = _state(layout, solver, limit)

        def unique() -> bool:
            if paper.hints_needed(marks):
                return True
            kept = [selectors[cell] for cell in np.flatnonzero(marks >= 0).tolist()]
            return not ask(solver, limit, kept)

        if not unique():
            return None
        for cell in order.tolist():
            limit.check(UNDECIDED)
            hint = marks[cell]
            marks[cell] = BLANK
            if not unique():
                marks[cell] = hint
    return np.flatnonzero(marks >= 0).astype(np.int32)


def _state(layout: Layout, solver: Any, limit: Limit) -> dict[int, int]:
    """Tell the solver all hints of the layout; answers with the selector of each."""
    board = layout.board
    names = Names(len(board))
    free = [int(cell) for cell in np.flatnonzero(layout.mine_mask == 0)]
    selectors = {cell: names.new() for cell in free}
    solver.add_clause(
        [variable(c) if layout.mine_mask[c] == 0 else -variable(c) for c in board.cells]
    )
    for cell in free:
        limit.check(UNDECIDED)
        off = -selectors[cell]
        hint = exactly(int(layout.hints[cell]), board.around(cell).tolist(), names)
        solver.append_formula([[off, -variable(cell)], *([off, *clause] for clause in hint)])
    return selectors


def fewest_by_replay(
    layout: Layout, order: Ints, most: int, budget: Budget = DEFAULT
) -> Ints | None:
    """The hints that are left when steps of *most* hints must still solve the table, ascending.

    None when they do not even with all free cells open.
    """
    limit = budget.start()
    solver = TableSolver(layout.board)
    marks = np.where(layout.mine_mask == 0, layout.hints, BLANK).astype(np.int32)
    if not solver.hints_needed(marks, most):
        return None
    for cell in order.tolist():
        limit.check(UNDECIDED)
        hint = marks[cell]
        marks[cell] = BLANK
        if not solver.hints_needed(marks, most):
            marks[cell] = hint
    return np.flatnonzero(marks >= 0).astype(np.int32)
