"""A reference check of proofs: no assignment of mines contradicts them."""

from collections.abc import Collection, Iterator
from itertools import combinations

from sapper import Board
from tests.oracle.naive import Solution, neighbours

# The covered cells around a number, and how many of them are mines.
Constraint = tuple[frozenset[int], int]


class TooManySteps(Exception):  # noqa: N818 - a limit of the reference, not an error
    """A search that takes more steps than allowed."""


def solutions_of(constraints: list[Constraint], max_steps: int | None = None) -> Iterator[Solution]:
    """Yield every set of mines that satisfies all constraints, one constraint after the other."""
    steps = 0

    def extend(k: int, mines: Solution, safe: Solution) -> Iterator[Solution]:
        nonlocal steps
        steps += 1
        if max_steps is not None and steps > max_steps:
            raise TooManySteps
        if k == len(constraints):
            yield mines
            return
        cells, count = constraints[k]
        open_cells = cells - mines - safe
        missing = count - len(cells & mines)
        for chosen in combinations(sorted(open_cells), missing) if missing >= 0 else ():
            yield from extend(k + 1, mines | set(chosen), safe | open_cells - set(chosen))

    yield from extend(0, frozenset(), frozenset())


def proves(
    board: Board,
    marks: list[int],
    numbers: Collection[int],
    mines: Collection[int],
    total: int | None,
    cell: int,
    is_mine: bool,
) -> bool:
    """Return whether a cell must be (or not be) a mine, given some numbers and known mines.

    *total* is the mine count where it may be used. Nothing else of the board is used: every other
    covered cell may be a mine or not.
    """
    near = neighbours(board)
    covered = {c for c in board.cells if marks[c] < 0} - set(mines)
    constraints = [(near[n] & covered, marks[n] - len(near[n] & set(mines))) for n in numbers]

    def possible(value: int) -> bool:
        """Return whether the cell can have this value: 1 for a mine, 0 for safe."""
        with_cell = [(frozenset({cell}), value), *constraints]
        rest = len(covered.difference(*(cells for cells, _ in with_cell)))
        return any(
            total is None or 0 <= total - len(mines) - len(placed) <= rest
            for placed in solutions_of(with_cell)
        )

    return cell in covered and possible(int(is_mine)) and not possible(int(not is_mine))
