"""Fewest numbers: cover open cells while the solution stays unique.

The search starts with every safe cell open and ends when no single number can be removed: few
numbers, though not always the fewest possible. A cell whose number is removed becomes covered, so
that the solver has to find that it is safe.
"""

from __future__ import annotations

from collections.abc import Callable
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
    """Try to remove the numbers in this order, and return those that remain, ascending.

    Returns None if the mines are not unique even with all safe cells open.

    One SAT solver answers all questions: each number is enabled by assuming its selector, and one
    clause demands a solution other than the layout. The solver is called only if small sets of
    numbers do not solve the puzzle, and only for yes or no, so that the result does not depend on
    the solver.
    """
    limit = budget.start()
    paper = PaperSolver(layout.board)
    with new_solver() as solver:
        selectors = _add_clauses(layout, solver, limit)

        def is_unique(marks: Ints) -> bool:
            if paper.numbers_needed(marks):
                return True
            kept = [selectors[cell] for cell in np.flatnonzero(marks >= 0).tolist()]
            return not satisfiable(solver, limit, kept)

        return _remove_numbers(layout, order, limit, is_unique)


def _add_clauses(layout: Layout, solver: Any, limit: Limit) -> dict[int, int]:
    """Add the clauses of all numbers of the layout, and return the selector of each."""
    board = layout.board
    variables = Variables(len(board))
    safe = [int(cell) for cell in np.flatnonzero(layout.mine_mask == 0)]
    selectors = {cell: variables.new() for cell in safe}
    solver.add_clause(
        [variable(c) if layout.mine_mask[c] == 0 else -variable(c) for c in board.cells]
    )
    for cell in safe:
        limit.check(UNDECIDED)
        off = -selectors[cell]
        number = exactly(int(layout.numbers[cell]), board.around(cell).tolist(), variables)
        solver.append_formula([[off, -variable(cell)], *([off, *clause] for clause in number)])
    return selectors


def fewest_by_deduction(
    layout: Layout, order: Ints, most: int, budget: Budget = DEFAULT_BUDGET
) -> Ints | None:
    """Remove numbers while steps of at most *most* numbers solve the puzzle; see `fewest_by_sat`."""
    solver = PaperSolver(layout.board)
    return _remove_numbers(
        layout, order, budget.start(), lambda marks: bool(solver.numbers_needed(marks, most))
    )


def _remove_numbers(
    layout: Layout, order: Ints, limit: Limit, is_solved: Callable[[Ints], bool]
) -> Ints | None:
    marks = np.where(layout.mine_mask == 0, layout.numbers, COVERED).astype(np.int32)
    if not is_solved(marks):
        return None
    for cell in order.tolist():
        limit.check(UNDECIDED)
        number = marks[cell]
        marks[cell] = COVERED
        if not is_solved(marks):
            marks[cell] = number
    return np.flatnonzero(marks >= 0).astype(np.int32)
