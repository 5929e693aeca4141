"""Uniqueness on any graph by python-sat: hints as clauses, one Boolean a blank.

A hint of k around n blanks says: of any k + 1 blanks one is free, of any n - k + 1 one is a mine.
Where that would be too many clauses, python-sat's counters say the same with extra variables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from sapper.errors import Contradiction
from sapper.infer.budget import DEFAULT, Budget, Limit
from sapper.model.board import Ints
from sapper.model.frame import Frame

Clause = list[int]

# Up to 8 neighbours need at most 126 plain clauses, 12 up to 1,716: there a counter is quicker.
MOST_PLAIN_CLAUSES = 300

SOLVER = "glucose4"

CONFLICTS = 20_000
"""Between two looks at the clock: about 0.1 s."""

UNDECIDED = "a table that is not decided"


def placements(frame: Frame, most: int = 2, budget: Budget = DEFAULT) -> list[Ints]:
    """Up to *most* different placements that meet every hint, each as the mines' cells, ascending.

    Flags count as blanks and the mine count is not used: a table speaks by its hints alone.
    None at all is a Contradiction; beyond the budget it is OutOfBudget.
    """
    limit = budget.start()
    frame = frame.without_flags()
    found: list[Ints] = []
    with new_solver() as solver:
        names = Names(len(frame.board))
        for hint in frame.revealed.tolist():
            limit.check(UNDECIDED)
            solver.append_formula(exactly(int(frame.marks[hint]), _blanks(frame, hint), names))
        blanks = [variable(cell) for cell in frame.blanks.tolist()]
        while len(found) < most and ask(solver, limit):
            model = np.array(solver.get_model() or [], dtype=np.int64)
            signs = [x if x <= len(model) and model[x - 1] > 0 else -x for x in blanks]
            found.append(np.array([x - 1 for x in signs if x > 0], dtype=np.int32))
            if not signs:
                break
            solver.add_clause([-x for x in signs])
    if not found:
        raise Contradiction("expected hints that allow a placement, got hints that allow none")
    return found


def variable(cell: int) -> int:
    """The Boolean "this cell is a mine"."""
    return cell + 1


class Names:
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


def ask(solver: Any, limit: Limit, assumptions: Sequence[int] = ()) -> bool:
    """Whether the clauses can be met under these assumptions."""
    while True:
        solver.conf_budget(CONFLICTS)
        answer = solver.solve_limited(assumptions=list(assumptions))
        if answer is not None:
            return bool(answer)
        limit.check(UNDECIDED)


def exactly(count: int, cells: Sequence[int], names: Names) -> Iterable[Clause]:
    """Clauses that say: *count* of these cells are mines."""
    size = len(cells)
    if not 0 <= count <= size:
        return [[]] if not cells else [[variable(cells[0])], [-variable(cells[0])]]
    if math.comb(size, count + 1) + math.comb(size, size - count + 1) <= MOST_PLAIN_CLAUSES:
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


def _blanks(frame: Frame, hint: int) -> list[int]:
    return [int(cell) for cell in frame.board.around(hint) if frame.marks[cell] < 0]
