"""The table of solvers: each finds certain moves of a position, and stops when there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from sapper.board.position import Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.conflicts import require_solution_of_numbers
from sapper.registry import Registry
from sapper.solvers.backtracking import backtrack
from sapper.solvers.brute_force import SolutionSearch, brute, brute_board, brute_solve
from sapper.solvers.human import HumanSolver
from sapper.solvers.human_compiled import solve_compiled
from sapper.solvers.hybrid import HybridSolver, search_components
from sapper.solvers.result import Deduction, SolverResult
from sapper.values import check_type

# Cells beyond which the compiled twin answers for the readable algorithm: it gives the same moves
# in a hundredth of the time, but no reasons, of which there would be thousands.
LARGE = 20_000


class IncrementalSolver(Protocol):
    """A solver that goes along with a game: it answers, and is told what changed."""

    def moves(self, limit: Limit) -> list[Deduction]:
        """The certain moves that it has not answered before."""

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""


@dataclass(frozen=True)
class Solver:
    """A row of SOLVERS: `function(position, limit, trust_flags)` answers one position.

    `incremental` starts a solver that keeps what it knows over a game; without it, a game is solved by
    answering position after position.
    """

    name: str
    about: str
    function: Callable[[Position, Limit, bool], SolverResult]
    incremental: Callable[[Position], IncrementalSolver] | None = None


def _human(position: Position, limit: Limit, trust_flags: bool) -> SolverResult:
    # Two numbers at a time do not show every clash, and on an impossible position nothing is certain.
    require_solution_of_numbers(position, limit)
    if len(position.board) > LARGE:
        return solve_compiled(position, limit)
    return SolverResult(position, tuple(HumanSolver(position).moves(limit)))


def _hybrid(position: Position, limit: Limit, trust_flags: bool) -> SolverResult:
    solution = _human(position, limit, trust_flags)
    if solution:
        return solution
    found, solutions = search_components(position, limit)
    return SolverResult(position, tuple(found), solutions)


def _exhaustive(
    version: Callable[[Position, Limit], SolutionSearch],
    position: Position,
    limit: Limit,
    trust_flags: bool,
) -> SolverResult:
    deduction = brute_solve(position, version(position, limit))
    return SolverResult(position, (deduction,) if deduction else (), deduction.solutions)


def _exact(position: Position, limit: Limit, trust_flags: bool) -> SolverResult:
    analysis = analyse(position, budget=limit, trust_flags=trust_flags)
    deduction = Deduction(
        "exact probabilities",
        tuple(analysis.certain_mine_cells.tolist()),
        tuple(analysis.safe_cells.tolist()),
    )
    return SolverResult(position, (deduction,) if deduction else ())


# The papers' solvers trust flags whatever is asked, and do not use the mine count.
SOLVERS = Registry(
    "solver",
    (
        Solver(
            "human",
            "strategies 1 to 7 on one or two numbers at a time",
            _human,
            HumanSolver,
        ),
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
        Solver("exact", "everything that follows, with the mine count where there is one", _exact),
    ),
)
DEFAULT_SOLVER = "exact"
"""The solver that answers unless another is asked for: it finds all that follows."""


def solve(
    position: Position,
    solver: str | Solver = DEFAULT_SOLVER,
    budget: Budget = DEFAULT_BUDGET,
    *,
    trust_flags: bool = False,
    cancel: Cancel | None = None,
) -> SolverResult:
    """The certain moves that a solver finds on a position: one of SOLVERS by name, or your own row.

    The papers' solvers trust flags in any case.

    >>> solve(Position.parse("1#"), "human").flag
    ('r1c2',)
    """
    check_type(position, Position, "a position")
    return SOLVERS.find(solver).function(position, start_limit(budget, cancel), trust_flags)
