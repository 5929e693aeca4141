"""A smallest set of numbers that contradict each other."""

from __future__ import annotations

import numpy as np

from sapper.board.position import Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.conflicts import make_contradiction, require_solution
from sapper.errors import Contradiction
from sapper.kernels import view
from sapper.kernels.codes import PROVED, UNKNOWN
from sapper.kernels.proofs.search import prove, set_weights
from sapper.proofs.constraints import Constraints, initial_knowledge

STEPS = 500_000
"""Steps of the search for one smallest set; beyond them an irreducible set must do."""


def find_contradiction(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Contradiction | None:
    """Return the error for a contradictory position with a smallest set of numbers, else None.

    A set without the mine count is preferred, then the fewest numbers, then the lowest cells.
    """
    limit = start_limit(budget, cancel)
    try:
        require_solution(position, trust_flags, limit)
    except Contradiction as found:
        return smallest_contradiction(position, trust_flags, found, limit)
    return None


def smallest_contradiction(
    position: Position, trust_flags: bool, found: Contradiction, limit: Limit
) -> Contradiction:
    """Return the error with a smallest set of numbers, or *found* if the search stops early."""
    nothing = np.full(len(position.board), UNKNOWN, dtype=np.uint8)
    known = initial_knowledge(position, trust_flags)
    constraints = Constraints.read(position, known, found.uses_mine_count)
    search = constraints.search(nothing, limit)
    board = position.board
    set_weights(search, view(board.offsets), view(board.neighbours), -1)
    if prove(search, -1, len(constraints.cells), STEPS) != PROVED:
        return found
    numbers = constraints.cells_of(search.best_at, search.best_count)
    return make_contradiction(position, numbers, found.uses_mine_count, trust_flags)
