"""Uniqueness of paper puzzles on any graph with python-sat, and puzzles with few numbers.

Each covered cell has a Boolean variable. A number k around n covered cells means: of any k + 1
cells one is safe, and of any n - k + 1 one is a mine. Where that would be too many clauses,
python-sat's cardinality encodings with extra variables are used.

Puzzles with few numbers start with every safe cell open; numbers are removed while the solution
stays unique, until no single number can be removed: few numbers, though not always the fewest
possible. A cell whose number is removed becomes covered, so that the solver has to find that it is
safe.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.position import COVERED, Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit
from sapper.errors import Contradiction
from sapper.proofs.paper import PaperSolver

Clause = list[int]

# Plain clauses: at most 126 for 8 neighbours, but 1,716 for 12, where a counter is faster.
MAX_PLAIN_CLAUSES = 300

SAT_SOLVER = "glucose4"

CONFLICTS_PER_CHECK = 20_000
"""The number of conflicts of the SAT solver between two checks of the time: about 0.1 s."""

UNDECIDED = "uniqueness is not decided"


def solutions(
    position: Position, max_count: int = 2, budget: Budget = DEFAULT_BUDGET
) -> list[Ints]:
    """Return up to *max_count* different solutions, each as the mines in ascending order.

    Flags count as covered cells, and the mine count is not used. Raises Contradiction if there is
    no solution, and OutOfBudget beyond the budget.
    """
    limit = budget.start()
    position = position.without_flags()
    mine_sets: list[Ints] = []
    with new_sat_solver() as solver:
        variables = Variables(len(position.board))
        for cell in position.revealed.tolist():
            limit.check(UNDECIDED)
            around = [int(c) for c in position.board.around(cell) if position.marks[c] < 0]
            solver.append_formula(exactly(int(position.marks[cell]), around, variables))
        covered = [variable(cell) for cell in position.covered.tolist()]
        while len(mine_sets) < max_count and is_satisfiable(solver, limit):
            model = np.array(solver.get_model() or [], dtype=np.int64)
            literals = [x if x <= len(model) and model[x - 1] > 0 else -x for x in covered]
            mine_sets.append(np.array([x - 1 for x in literals if x > 0], dtype=np.int32))
            solver.add_clause([-x for x in literals])
    if not mine_sets:
        raise Contradiction("the numbers have no solution")
    return mine_sets


def variable(cell: int) -> int:
    """Return the Boolean variable "this cell is a mine"."""
    return cell + 1


class Variables:
    """Allocates variables beyond those of the cells."""

    def __init__(self, cells: int):
        self.top = cells

    def new(self) -> int:
        """Return an unused variable."""
        self.top += 1
        return self.top


def new_sat_solver() -> Any:
    """Return an incremental SAT solver, which is a context manager."""
    from pysat.solvers import Solver

    return Solver(name=SAT_SOLVER)


def is_satisfiable(solver: Any, limit: Limit, assumptions: Sequence[int] = ()) -> bool:
    """Return whether the clauses can be satisfied under these assumptions."""
    while True:
        solver.conf_budget(CONFLICTS_PER_CHECK)
        answer = solver.solve_limited(assumptions=list(assumptions))
        if answer is not None:
            return bool(answer)
        limit.check(UNDECIDED)


def exactly(count: int, cells: Sequence[int], variables: Variables) -> Iterable[Clause]:
    """Return clauses that say that exactly *count* of these cells are mines."""
    size = len(cells)
    if not 0 <= count <= size:
        return [[]]  # the empty clause, which nothing satisfies
    literals = [variable(cell) for cell in cells]
    if math.comb(size, count + 1) + math.comb(size, size - count + 1) <= MAX_PLAIN_CLAUSES:
        return _plain_clauses(count, literals)
    from pysat.card import CardEnc, EncType

    encoded = CardEnc.equals(
        lits=literals, bound=count, top_id=variables.top, encoding=EncType.totalizer
    )
    variables.top = max(variables.top, encoded.nv)
    clauses: list[Clause] = encoded.clauses
    return clauses


def _plain_clauses(count: int, literals: Sequence[int]) -> Iterator[Clause]:
    for group in combinations(literals, count + 1):
        yield [-x for x in group]
    for group in combinations(literals, len(literals) - count + 1):
        yield list(group)


def fewest_by_sat(layout: Layout, order: Ints, budget: Budget = DEFAULT_BUDGET) -> Ints | None:
    """Try to remove the numbers in this order, and return those that remain, ascending.

    Returns None if the mines are not unique even with all safe cells open.

    One SAT solver is used for all checks: each number is enabled by assuming its selector, and one
    clause requires a solution other than the layout. The solver is called only if small sets of
    numbers do not solve the puzzle, and only for yes or no, so that the result does not depend on
    the solver.
    """
    limit = budget.start()
    paper_solver = PaperSolver(layout.board)
    with new_sat_solver() as solver:
        selectors = _add_clauses(layout, solver, limit)

        def is_unique(marks: Ints) -> bool:
            if paper_solver.numbers_needed(marks):
                return True
            assumptions = [selectors[cell] for cell in np.flatnonzero(marks >= 0).tolist()]
            return not is_satisfiable(solver, limit, assumptions)

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
        disabled = -selectors[cell]
        clauses = exactly(int(layout.numbers[cell]), board.around(cell).tolist(), variables)
        solver.append_formula(
            [[disabled, -variable(cell)], *([disabled, *clause] for clause in clauses)]
        )
    return selectors


def fewest_by_deduction(
    layout: Layout, order: Ints, max_numbers: int, budget: Budget = DEFAULT_BUDGET
) -> Ints | None:
    """Remove numbers while steps of up to *max_numbers* solve the puzzle; see `fewest_by_sat`."""
    solver = PaperSolver(layout.board)
    return _remove_numbers(
        layout, order, budget.start(), lambda marks: bool(solver.numbers_needed(marks, max_numbers))
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
