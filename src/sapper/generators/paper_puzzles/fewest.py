"""Fewest numbers: take open cells away while the mines stay the only solution.

Starts from every free cell open and ends where no single number can be taken away: few, though not
always the fewest that could be. A cell whose number is taken away becomes covered cell, so that it has to be
found free as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.position import COVERED
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit
from sapper.generators.paper_puzzles.uniqueness import (
    UNDECIDED,
    Variables,
    exactly,
    new_solver,
    satisfiable,
    variable,
)
from sapper.proofs.paper import PaperSolver


def fewest_by_sat(layout: Layout, order: Ints, budget: Budget = DEFAULT_BUDGET) -> Ints | None:
    """The numbers that are left when they are tried in this order, ascending.

    None when even all free cells open do not make the mines unique.

    One solver does it all. Each number is in force while its selector is assumed, and one clause
    asks for a solution that differs from the layout's. It is asked only where small sets of numbers
    do not solve what is left, and only for yes or no: so the answer is the same with every solver.
    """
    limit = budget.start()
    paper = PaperSolver(layout.board)
    marks = np.where(layout.mine_mask == 0, layout.numbers, COVERED).astype(np.int32)
    with new_solver() as solver:
        selectors = _state(layout, solver, limit)

        def unique() -> bool:
            if paper.numbers_needed(marks):
                return True
            kept = [selectors[cell] for cell in np.flatnonzero(marks >= 0).tolist()]
            return not satisfiable(solver, limit, kept)

        if not unique():
            return None
        for cell in order.tolist():
            limit.check(UNDECIDED)
            number = marks[cell]
            marks[cell] = COVERED
            if not unique():
                marks[cell] = number
    return np.flatnonzero(marks >= 0).astype(np.int32)


def _state(layout: Layout, solver: Any, limit: Limit) -> dict[int, int]:
    """Tell the solver all numbers of the layout; answers with the selector of each."""
    board = layout.board
    names = Variables(len(board))
    free = [int(cell) for cell in np.flatnonzero(layout.mine_mask == 0)]
    selectors = {cell: names.new() for cell in free}
    solver.add_clause(
        [variable(c) if layout.mine_mask[c] == 0 else -variable(c) for c in board.cells]
    )
    for cell in free:
        limit.check(UNDECIDED)
        off = -selectors[cell]
        number = exactly(int(layout.numbers[cell]), board.around(cell).tolist(), names)
        solver.append_formula([[off, -variable(cell)], *([off, *clause] for clause in number)])
    return selectors


def fewest_by_replay(
    layout: Layout, order: Ints, most: int, budget: Budget = DEFAULT_BUDGET
) -> Ints | None:
    """The numbers that are left when steps of *most* numbers must still solve the table, ascending.

    None when they do not even with all free cells open.
    """
    limit = budget.start()
    solver = PaperSolver(layout.board)
    marks = np.where(layout.mine_mask == 0, layout.numbers, COVERED).astype(np.int32)
    if not solver.numbers_needed(marks, most):
        return None
    for cell in order.tolist():
        limit.check(UNDECIDED)
        number = marks[cell]
        marks[cell] = COVERED
        if not solver.numbers_needed(marks, most):
            marks[cell] = number
    return np.flatnonzero(marks >= 0).astype(np.int32)
