"""The registry of solvers. A solver finds certain moves and stops when there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from sapper.board.position import FLAG, Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.conflicts import require_solution_of_numbers
from sapper.registry import Registry
from sapper.solvers.backtracking import backtrack
from sapper.solvers.brute_force import SolutionSearch, brute, brute_board, brute_solve
from sapper.solvers.human import HumanSolver, solve_compiled
from sapper.solvers.hybrid import HybridSolver, search_components
from sapper.solvers.result import Deduction, SolverResult
from sapper.values import check_type

# On boards with more cells the compiled human-like algorithm is used: it finds the same moves in a
# hundredth of the time, but does not report the steps: there would be thousands of them.
MAX_EXPLAINED_CELLS = 20_000


class IncrementalSolver(Protocol):
    """A solver that keeps its conclusions between the moves of a game."""

    def moves(self, limit: Limit) -> list[Deduction]:
        """Return the certain moves that were not returned before."""

    def update(self, changes: Mapping[int, int]) -> None:
        """Set new marks: numbers of revealed cells, flags, covered cells."""


@dataclass(frozen=True)
class Solver:
    """An entry of SOLVERS: `function(position, limit, trust_flags)` solves one position.

    `incremental` creates a solver for a whole game; without it, every position is solved afresh.
    """

    name: str
    about: str
    function: Callable[[Position, Limit, bool], SolverResult]
    incremental: Callable[[Position], IncrementalSolver] | None = None


def _human(position: Position, limit: Limit, trust_flags: bool) -> SolverResult:
    # Pairs of numbers do not show every contradiction, and after one nothing would be certain.
    require_solution_of_numbers(position, limit)
    if len(position.board) > MAX_EXPLAINED_CELLS:
        return solve_compiled(position, limit)
    return SolverResult(position, tuple(HumanSolver(position).moves(limit)))


def _hybrid(position: Position, limit: Limit, trust_flags: bool) -> SolverResult:
    result = _human(position, limit, trust_flags)
    if result:
        return result
    deductions, checked = search_components(position, limit)
    return SolverResult(position, tuple(deductions), checked)


def _exhaustive(
    make_search: Callable[[Position, Limit], SolutionSearch],
    position: Position,
    limit: Limit,
    trust_flags: bool,
) -> SolverResult:
    deduction = brute_solve(position, make_search(position, limit))
    return SolverResult(position, (deduction,) if deduction else (), deduction.solutions_checked)


def _exact(position: Position, limit: Limit, trust_flags: bool) -> SolverResult:
    analysis = analyse(position, budget=limit, trust_flags=trust_flags)
    mines = analysis.certain_mine_cells
    if trust_flags:
        mines = mines[position.marks[mines] != FLAG]
    deduction = Deduction(
        "exact probabilities", tuple(mines.tolist()), tuple(analysis.safe_cells.tolist())
    )
    return SolverResult(position, (deduction,) if deduction else ())


# The papers' solvers always trust flags, and do not use the mine count.
SOLVERS = Registry(
    "solver",
    (
        Solver("human", "strategies 1 to 7 on one or two numbers at a time", _human, HumanSolver),
        Solver(
            "brute-board",
            "every set of covered cells of the board (version 1)",
            partial(_exhaustive, brute_board),
        ),
        Solver(
            "brute",
            "every set of covered cells of the frontier (version 2)",
            partial(_exhaustive, brute),
        ),
        Solver(
            "backtrack",
            "solutions built number by number (version 3)",
            partial(_exhaustive, backtrack),
        ),
        Solver(
            "hybrid",
            "human-like first, backtracking when that finds nothing",
            _hybrid,
            HybridSolver,
        ),
        Solver("exact", "everything that is certain, using the mine count if it is known", _exact),
    ),
)
DEFAULT_SOLVER = "exact"
"""The solver used by default: it finds every certain move."""


def solve(
    position: Position,
    solver: str | Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    *,
    trust_flags: bool = False,
    cancel: Cancel | None = None,
) -> SolverResult:
    """Find certain moves with a solver: one of SOLVERS by name, or your own `Solver`.

    The papers' solvers always trust flags.

    >>> solve(Position.parse("1#"), "human").certain_mines
    ('r1c2',)
    """
    check_type(position, Position, "a position")
    return SOLVERS.find(solver).function(position, start_limit(budget, cancel), trust_flags)
