"""Contradictory positions: which numbers of a position cannot all be right.

`engine_contradiction` is for the engine, which has just found that a position has no solution.
`solver_contradiction` is for the papers' solvers, which trust flags and ignore the mine count.
Both name a set of numbers from which none can be dropped; `sapper.proofs.prover` finds a
smallest one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import FLAG, Position
from sapper.engine import workspace
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.errors import Contradiction, OutOfBudget
from sapper.kernels.codes import KNOWN_SAFE
from sapper.kernels.engine.workspace import Workspace
from sapper.sentences import CellRef, Piece, joined, plain_text
from sapper.wording import count_text

# With more numbers than this, the search for a small set starts around the cell where the engine
# found the contradiction.
MAX_NUMBERS_AT_ONCE = 64
# The most numbers that a message lists.
MAX_LISTED = 8


def require_solution(position: Position, trust_flags: bool, limit: Limit) -> None:
    """Raise Contradiction if the position has no solution."""
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        ws.count_only = True
        status = workspace.run(ws, position.board, position.marks, position.mines, limit)
        if not _has_solution(status):
            raise engine_contradiction(ws, position, status, limit)


def _has_solution(status: int) -> bool:
    """Return whether a run of the engine found a solution; its probabilities may be imprecise."""
    return status in (workspace.OK, workspace.IMPRECISE)


def require_solution_of_numbers(position: Position, limit: Limit) -> None:
    """Raise Contradiction if the numbers alone, flags trusted, have no solution.

    Does nothing if the engine cannot decide it in half of the remaining time.
    """
    numbers_only = Position(position.board, position.marks)
    try:
        require_solution(numbers_only, True, limit.within(limit.seconds_left / 2))
    except OutOfBudget:
        if limit.cancelled:
            raise


def solver_contradiction(
    position: Position, *numbers: int, limit: Limit | None = None
) -> Contradiction:
    """Return the error for a position that a paper's solver found contradictory at some numbers.

    It names a set of numbers from which none can be dropped, unless that takes too long to find.
    """
    try:
        require_solution_of_numbers(position, limit or DEFAULT_BUDGET.start())
    except Contradiction as error:
        return error
    return contradiction_of_numbers(position, numbers, uses_mine_count=False, trust_flags=True)


def engine_contradiction(
    ws: Workspace, position: Position, status: int, limit: Limit
) -> Contradiction:
    """Return the error for a position in which the last run of *ws* found no solution."""
    bad_cell = int(ws.bad_number)
    finder = _ConflictFinder(ws, position, limit)
    numbers = [int(cell) for cell in position.revealed]
    use_mine_count = status == workspace.WRONG_COUNT
    try:
        if use_mine_count and finder.conflicts(numbers, use_mine_count=False):
            use_mine_count = False
        if not use_mine_count:
            numbers = finder.nearby(numbers, bad_cell)
    except OutOfBudget:
        # All numbers together are a correct answer, and there is no time for a better one.
        if limit.cancelled:
            raise
    return contradiction_of_numbers(
        position, finder.drop_numbers(numbers, use_mine_count), use_mine_count, bool(ws.trust_flags)
    )


class _ConflictFinder:
    """Searches with the engine for numbers that contradict each other, until the limit expires."""

    def __init__(self, ws: Workspace, position: Position, limit: Limit):
        self.ws, self.position, self.limit = ws, position, limit
        ws.count_only = True

    def conflicts(self, numbers: Sequence[int], use_mine_count: bool) -> bool:
        """Return whether these numbers alone (with the mine count) have no solution."""
        mines = self.position.mines if use_mine_count else None
        marks = marks_with_numbers(self.position, numbers)
        status = workspace.run(self.ws, self.position.board, marks, mines, self.limit)
        return not _has_solution(status)

    def nearby(self, numbers: list[int], cell: int) -> list[int]:
        """Return the numbers within a few steps of a cell if they conflict, otherwise all."""
        if len(numbers) <= MAX_NUMBERS_AT_ONCE:
            return numbers
        steps = 2
        while True:
            is_near = _cells_within(self.position.board, cell, steps)
            near_numbers = [number for number in numbers if is_near[number]]
            if len(near_numbers) == len(numbers) or self.conflicts(
                near_numbers, use_mine_count=False
            ):
                return near_numbers
            steps *= 2

    def drop_numbers(self, numbers: list[int], use_mine_count: bool) -> list[int]:
        """Drop numbers while the rest still conflict, until none can be dropped or time is up."""
        smallest = numbers

        def conflicts(rest: list[int]) -> bool:
            nonlocal smallest
            self.limit.check()
            if not self.conflicts(rest, use_mine_count):
                return False
            smallest = rest
            return True

        with suppress(OutOfBudget):
            shrink(numbers, conflicts)
        return smallest


def marks_with_numbers(position: Position, numbers: Sequence[int]) -> Ints:
    """Return marks with only these numbers; the other revealed cells are known to be safe."""
    marks = np.where(position.marks >= 0, KNOWN_SAFE, position.marks).astype(np.int32)
    shown = list(numbers)
    marks[shown] = position.marks[shown]
    return marks


def shrink(items: Sequence[int], is_enough: Callable[[list[int]], bool]) -> list[int]:
    """Return some of the items that are enough, from which no single item can be dropped.

    All items together must be enough. Tries to drop runs of items, the longest first.
    """
    left = list(items)
    size = max(1, len(left) // 2)
    while left:
        start = 0
        while start < len(left):
            rest = left[:start] + left[start + size :]
            if is_enough(rest):
                left = rest
            else:
                start += size
        if size == 1:
            break
        size //= 2
    return left


def _cells_within(board: Board, cell: int, steps: int) -> npt.NDArray[np.bool_]:
    """Return which cells can be reached from a cell in at most *steps* steps."""
    reached = np.zeros(len(board), dtype=bool)
    reached[cell] = True
    newest: Ints = np.array([cell], dtype=np.int32)
    for _ in range(steps):
        if not len(newest):
            break
        near = np.unique(np.concatenate([board.around(int(c)) for c in newest]))
        newest = near[~reached[near]]
        reached[newest] = True
    return reached


def contradiction_of_numbers(
    position: Position, numbers: Sequence[int], uses_mine_count: bool, trust_flags: bool
) -> Contradiction:
    """Return the error for numbers that (with the mine count) cannot all be right."""
    flags = int((position.marks == FLAG).sum()) if trust_flags else 0
    if not numbers:
        sentence: list[Piece] = [_mine_count_problem(position, flags)]
    elif len(numbers) == 1 and not uses_mine_count:
        sentence = _number_problem(position, numbers[0], trust_flags)
    else:
        count = f"a mine count of {position.mines}" if uses_mine_count else ""
        parts = min(len(numbers), MAX_LISTED + 1) + uses_mine_count
        both_or_all = "both" if parts == 2 else "all"
        cannot = f" cannot {both_or_all} be right{' with these flags' if flags else ''}"
        sentence = [_numbers_ref(position, numbers, count), cannot]
    sentence = ["impossible position: ", *sentence]
    text = plain_text(sentence, position.board.names)
    return Contradiction(text, tuple(numbers), uses_mine_count, tuple(sentence))


def _numbers_ref(position: Position, numbers: Sequence[int], count: str = "") -> CellRef:
    """Return a reference to numbers, and to the mine count if it is not empty."""
    values = [int(position.marks[cell]) for cell in numbers]
    shown = list(zip(values, numbers, strict=True))[:MAX_LISTED]
    items: list[tuple[str | int, ...]] = [(f"the {value} at ", cell) for value, cell in shown]
    if len(numbers) > MAX_LISTED:
        items.append((f"{len(numbers) - MAX_LISTED} more numbers",))
    label = f"this {values[0]}" if len(numbers) == 1 else f"the {len(numbers)} outlined numbers"
    if count:
        items.append((count,))
        label += f" and {count}"
    text: list[str | int] = []
    for item in joined(items):
        text += [item] if isinstance(item, str) else item
    return CellRef(tuple(numbers), label, tuple(text))


def _mine_count_problem(position: Position, flags: int) -> str:
    """Say why the mine count alone is wrong."""
    assert position.mines is not None
    if position.mines < flags:
        return f"{count_text(position.mines, 'mine')} for {count_text(flags, 'flag')}"
    covered = len(position.board) - len(position.revealed)
    return f"{count_text(position.mines, 'mine')} for {count_text(covered, 'covered cell')}"


def _number_problem(position: Position, cell: int, trust_flags: bool) -> list[Piece]:
    """Say why a number alone is wrong: too small for its flags, or too large for its neighbours."""
    around = position.marks[position.board.around(cell)]
    flags = int((around == FLAG).sum())
    if trust_flags and flags > position.marks[cell]:
        return [_numbers_ref(position, [cell]), f" has {count_text(flags, 'flag')} around it"]
    covered = int((around < 0).sum())
    has = f"has only {count_text(covered, 'covered cell')}" if covered else "has no covered cell"
    return [_numbers_ref(position, [cell]), f" {has} around it"]
