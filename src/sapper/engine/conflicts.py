"""Why a position is contradictory: numbers of it that cannot all hold.

Three ask, each in its own way. The engine has just failed on a position: `contradiction_error` says at which
numbers. A paper's solver, which trusts flags and leaves the mine count out, ran into a wall: `solver_contradiction`
says what the engine makes of that. And a person wants the smallest set there is: `contradiction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import FLAG, Position
from sapper.engine import workspace
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.subsets import only, shrink
from sapper.errors import Contradiction, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import PROVED, UNKNOWN
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.proofs.search import prove, set_weights
from sapper.proofs.constraints import Constraints, initial_knowledge
from sapper.wording import counted

# Beyond this many numbers the search for a small set starts around the spot where the engine stopped.
NEARBY = 64

# Steps that the search for one smallest set may take; then an irreducible set has to do.
# docs/design/060-how-to-find-smallest-proofs.md has the measurement behind it.
STEPS = 500_000


def contradiction(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Contradiction | None:
    """The error for a contradictory position, with a smallest set of numbers; None for any other position.

    A set without the mine count comes first, then the fewest numbers, then the lowest cells.
    """
    limit = start_limit(budget, cancel)
    try:
        refuse(position, trust_flags, limit)
    except Contradiction as found:
        return smallest(position, trust_flags, found, limit)
    return None


def refuse(position: Position, trust_flags: bool, limit: Limit) -> None:
    """Raise Contradiction if no solution is satisfactory."""
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        ws.only_count = True
        status = workspace.run(ws, position.board, position.marks, position.mines, limit)
        if status not in (workspace.OK, workspace.IMPRECISE):
            raise contradiction_error(ws, position, status, limit)


def require_solution_of_numbers(position: Position, limit: Limit) -> None:
    """Raise Contradiction if no solution meets all numbers, flags trusted.

    A position that the engine cannot decide passes, with at least half of the time left.
    """
    try:
        refuse(Position(position.board, position.marks), True, limit.within(limit.left / 2))
    except OutOfBudget:
        if limit.cancelled:
            raise


def solver_contradiction(
    position: Position, *numbers: int, limit: Limit | None = None
) -> Contradiction:
    """The error for a position on which a paper's solver came to a dead end at these numbers.

    It names a set of numbers of which none can be dropped, unless that takes too long to find.
    """
    try:
        require_solution_of_numbers(position, limit or DEFAULT_BUDGET.start())
    except Contradiction as error:
        return error
    names = position.names(numbers)
    return Contradiction(f"expected numbers that can hold together, got {', '.join(names)}", names)


def smallest(
    position: Position, trust_flags: bool, found: Contradiction, limit: Limit
) -> Contradiction:
    """The error with a smallest set of numbers; the one that was found, if the search ends early."""
    nothing = np.full(len(position.board), UNKNOWN, dtype=np.uint8)
    constraints = Constraints.read(
        position, initial_knowledge(position, trust_flags), found.uses_mine_count
    )
    search = constraints.search(nothing, limit)
    board = position.board
    set_weights(search, view(board.offsets), view(board.neighbours), -1)
    if prove(search, -1, len(constraints.cells), STEPS) != PROVED:
        return found
    numbers = constraints.cells_of(search.best_at, search.best_count)
    text = message(position, list(numbers), found.uses_mine_count, trust_flags)
    return Contradiction(text, position.names(numbers), found.uses_mine_count)


def contradiction_error(
    ws: Workspace, position: Position, status: int, limit: Limit
) -> Contradiction:
    """The error for a position without solution; *ws* has just found that out."""
    bad_cell = int(ws.bad_number)
    asker = _ConflictFinder(ws, position, limit)
    numbers = [int(cell) for cell in position.revealed]
    count = status == workspace.WRONG_COUNT
    try:
        if count and asker.clash(numbers, with_count=False):
            count = False
        if not count:
            numbers = asker.nearby(numbers, bad_cell)
    except OutOfBudget:
        # All numbers together are a true answer, and a late one would be none.
        if limit.cancelled:
            raise
    small = asker.shrink(numbers, count)
    names = position.names(small)
    return Contradiction(message(position, small, count, bool(ws.trust)), names, count)


class _ConflictFinder:
    """Asks the engine whether some of the numbers clash, until its time is over."""

    def __init__(self, ws: Workspace, position: Position, limit: Limit):
        self.ws, self.position, self.limit = ws, position, limit
        ws.only_count = True

    def clash(self, numbers: Sequence[int], with_count: bool) -> bool:
        """Whether these numbers alone (and the mine count) admit no solution."""
        mines = self.position.mines if with_count else None
        marks = only(self.position, numbers)
        status = workspace.run(self.ws, self.position.board, marks, mines, self.limit)
        return status not in (workspace.OK, workspace.IMPRECISE)

    def nearby(self, numbers: list[int], cell: int) -> list[int]:
        """The numbers within a few steps of a cell, if they clash by themselves; else all."""
        if len(numbers) <= NEARBY:
            return numbers
        steps = 2
        while True:
            ball = _cells_within(self.position.board, cell, steps)
            some = [number for number in numbers if ball[number]]
            if len(some) == len(numbers) or self.clash(some, with_count=False):
                return some
            steps *= 2

    def shrink(self, numbers: list[int], with_count: bool) -> list[int]:
        """Numbers that still clash, of which none can be dropped; once time is up, fewer at least."""
        found = numbers

        def clash(rest: list[int]) -> bool:
            nonlocal found
            self.limit.check()
            if not self.clash(rest, with_count):
                return False
            found = rest
            return True

        with suppress(OutOfBudget):
            shrink(numbers, clash)
        return found


def _cells_within(board: Board, cell: int, steps: int) -> npt.NDArray[np.bool_]:
    """Which cells lie within so many steps of a cell."""
    inside = np.zeros(len(board), dtype=bool)
    inside[cell] = True
    edge: Ints = np.array([cell], dtype=np.int32)
    for _ in range(steps):
        if not len(edge):
            break
        near = np.unique(np.concatenate([board.around(int(c)) for c in edge]))
        edge = near[~inside[near]]
        inside[edge] = True
    return inside


def message(position: Position, numbers: list[int], count: bool, trusted: bool) -> str:
    """The line that says which numbers cannot hold together."""
    flags = int((position.marks == FLAG).sum()) if trusted else 0
    if not numbers:
        return _wrong_count(position, flags)
    if len(numbers) == 1 and not count:
        return _wrong_number(position, numbers[0], trusted)
    named = [f"{position.marks[cell]} at {position.board.name(cell)}" for cell in numbers[:8]]
    more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
    what = "numbers" if len(numbers) > 1 else "a number"
    total = f" and a mine count of {position.mines}" if count else ""
    return (
        f"expected {what}{' and a mine count' if count else ''} that can hold together"
        f"{' beside the flags' if flags else ''}, got {', '.join(named)}{more}{total}"
    )


def _wrong_count(position: Position, flags: int) -> str:
    """The mine count alone is wrong: too small for the flags, or too large for the board."""
    assert position.mines is not None
    if position.mines < flags:
        least = f"{counted(flags, 'mine')} for {counted(flags, 'flag')}"
        return f"expected at least {least}, got a mine count of {position.mines}"
    most = counted(len(position.board) - len(position.revealed), "mine")
    return f"expected at most {most}, got a mine count of {position.mines}"


def _wrong_number(position: Position, cell: int, trusted: bool) -> str:
    """A number alone is wrong: too small for its flags, or too large for its neighbours."""
    number, place = int(position.marks[cell]), position.board.name(cell)
    around = position.marks[position.board.around(cell)]
    flags = int((around == FLAG).sum())
    if trusted and flags > number:
        most = counted(number, "flag")
        return f"expected at most {most} around the number {number} at {place}, got {flags}"
    return f"expected at most {int((around < 0).sum())} around {place}, got number {number}"
