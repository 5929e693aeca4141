"""The table of solvers: each finds certain moves of a frame, and stops when there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.odds.analysis import analyse
from sapper.infer.proofs.contradictions import refuse_impossible
from sapper.infer.slagle.backtrack import backtrack
from sapper.infer.slagle.brute import PlacementSearch, brute, brute_board, brute_solve
from sapper.infer.slagle.compiled import quick_moves
from sapper.infer.slagle.human import HumanSolver
from sapper.infer.slagle.hybrid import HybridSolver, search_fronts
from sapper.infer.solution import Deduction, Solution
from sapper.model.family import Family
from sapper.model.frame import Frame
from sapper.values import need

# Cells beyond which the compiled twin answers for the readable algorithm: it gives the same moves
# in a hundredth of the time, but no reasons, of which there would be thousands.
LARGE = 20_000


class GameSolver(Protocol):
    """A solver that goes along with a game: it answers, and is told what changed."""

    def moves(self, limit: Limit) -> list[Deduction]:
        """The certain moves that it has not answered before."""

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""


@dataclass(frozen=True)
class Solver:
    """A row of SOLVERS: `function(frame, limit, trust_flags)` answers one frame.

    `along` starts a solver that keeps what it knows over a game; without it, a game is solved by
    answering frame after frame.
    """

    name: str
    about: str
    function: Callable[[Frame, Limit, bool], Solution]
    along: Callable[[Frame], GameSolver] | None = None


def _human(frame: Frame, limit: Limit, trust_flags: bool) -> Solution:
    # Two hints at a time do not show every clash, and on an impossible frame nothing is certain.
    refuse_impossible(frame, limit)
    if len(frame.board) > LARGE:
        return quick_moves(frame, limit)
    return Solution(frame, tuple(HumanSolver(frame).moves(limit)))


def _hybrid(frame: Frame, limit: Limit, trust_flags: bool) -> Solution:
    solution = _human(frame, limit, trust_flags)
    if solution:
        return solution
    found, placements = search_fronts(frame, limit)
    return Solution(frame, tuple(found), placements)


def _exhaustive(
    version: Callable[[Frame, Limit], PlacementSearch],
    frame: Frame,
    limit: Limit,
    trust_flags: bool,
) -> Solution:
    deduction = brute_solve(frame, version(frame, limit))
    return Solution(frame, (deduction,) if deduction else (), deduction.placements)


def _exact(frame: Frame, limit: Limit, trust_flags: bool) -> Solution:
    analysis = analyse(frame, budget=limit, trust_flags=trust_flags)
    deduction = Deduction(
        "exact odds", tuple(analysis.flag_cells.tolist()), tuple(analysis.reveal_cells.tolist())
    )
    return Solution(frame, (deduction,) if deduction else ())


# The papers' solvers trust flags whatever is asked, and do not use the mine count.
SOLVERS = Family(
    "solver",
    (
        Solver(
            "human",
            "strategies 1 to 7 on one or two hints at a time",
            _human,
            HumanSolver,
        ),
        Solver(
            "brute-board",
            "every set of blanks of the board (version 1)",
            partial(_exhaustive, brute_board),
        ),
        Solver(
            "brute", "every set of blanks of the perimeter (version 2)", partial(_exhaustive, brute)
        ),
        Solver(
            "backtrack",
            "placements built hint by hint (version 3)",
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
USUAL = "exact"
"""The solver that answers unless another is asked for: it finds all that follows."""


def solve(
    frame: Frame,
    solver: str | Solver = USUAL,
    budget: Budget = DEFAULT,
    *,
    trust_flags: bool = False,
    cancel: Cancel | None = None,
) -> Solution:
    """The certain moves that a solver finds on a frame: one of SOLVERS by name, or your own row.

    The papers' solvers trust flags in any case.

    >>> solve(Frame.parse("1#"), "human").flag
    ('r1c2',)
    """
    need(frame, Frame, "a frame")
    return SOLVERS.find(solver).function(frame, started(budget, cancel), trust_flags)
