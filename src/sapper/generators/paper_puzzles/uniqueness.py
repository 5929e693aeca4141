"""Uniqueness on any graph by python-sat: numbers as clauses, one Boolean a covered cell.

A number of k around n covered cells says: of any k + 1 covered cells one is free, of any n - k + 1 one is a mine.
Where that would be too many clauses, python-sat's counters say the same with extra variables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit
from sapper.errors import Contradiction

Clause = list[int]

# Up to 8 neighbours need at most 126 plain clauses, 12 up to 1,716: there a counter is quicker.
MAX_PLAIN_CLAUSES = 300

SOLVER = "glucose4"

CONFLICTS = 20_000
"""Between two looks at the clock: about 0.1 s."""

UNDECIDED = "a table that is not decided"


def find_solutions(
    position: Position, most: int = 2, budget: Budget = DEFAULT_BUDGET
) -> list[Ints]:
    """Up to *most* different solutions that meet every number, each as the mines' cells, ascending.

    Flags count as covered cells and the mine count is not used: a table speaks by its numbers alone.
    None at all is a Contradiction; beyond the budget it is OutOfBudget.
    """
    limit = budget.start()
    position = position.without_flags()
    found: list[Ints] = []
    with new_solver() as solver:
        names = Variables(len(position.board))
        for number in position.revealed.tolist():
            limit.check(UNDECIDED)
            solver.append_formula(
                exactly(int(position.marks[number]), _covered(position, number), names)
            )
        covered = [variable(cell) for cell in position.covered.tolist()]
        while len(found) < most and satisfiable(solver, limit):
            model = np.array(solver.get_model() or [], dtype=np.int64)
            signs = [x if x <= len(model) and model[x - 1] > 0 else -x for x in covered]
            found.append(np.array([x - 1 for x in signs if x > 0], dtype=np.int32))
            if not signs:
                break
            solver.add_clause([-x for x in signs])
    if not found:
        raise Contradiction("expected numbers that allow a solution, got numbers that allow none")
    return found


def variable(cell: int) -> int:
    """The Boolean "this cell is a mine"."""
    return cell + 1


class Variables:
    """Hands out variables beyond those of the cells."""

    def __init__(self, cells: int):
        self.top = cells

    def new(self) -> int:
        """A variable that nobody uses."""
        self.top += 1
        return self.top


def new_solver() -> Any:
    """An incremental solver, to be used in a `with`."""
    from pysat.solvers import Solver

    return Solver(name=SOLVER)


def satisfiable(solver: Any, limit: Limit, assumptions: Sequence[int] = ()) -> bool:
    """Whether the clauses can be met under these assumptions."""
    while True:
        solver.conf_budget(CONFLICTS)
        answer = solver.solve_limited(assumptions=list(assumptions))
        if answer is not None:
            return bool(answer)
        limit.check(UNDECIDED)


def exactly(count: int, cells: Sequence[int], names: Variables) -> Iterable[Clause]:
    """Clauses that say: *count* of these cells are mines."""
    size = len(cells)
    if not 0 <= count <= size:
        return [[]] if not cells else [[variable(cells[0])], [-variable(cells[0])]]
    if math.comb(size, count + 1) + math.comb(size, size - count + 1) <= MAX_PLAIN_CLAUSES:
        return _plain(count, [variable(cell) for cell in cells])
    from pysat.card import CardEnc, EncType

    encoded = CardEnc.equals(
        lits=[variable(cell) for cell in cells],
        bound=count,
        top_id=names.top,
        encoding=EncType.totalizer,
    )
    names.top = max(names.top, encoded.nv)
    clauses: list[Clause] = encoded.clauses
    return clauses


def _plain(count: int, literals: Sequence[int]) -> Iterator[Clause]:
    for group in combinations(literals, count + 1):
        yield [-x for x in group]
    for group in combinations(literals, len(literals) - count + 1):
        yield list(group)


def _covered(position: Position, number: int) -> list[int]:
    return [int(cell) for cell in position.board.around(number) if position.marks[cell] < 0]
