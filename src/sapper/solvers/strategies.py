"""Strategies 1 to 7 for one number or a pair of numbers, numbered as in Slagle, §2.1.

p, q      two numbers
missing   the mines that a number still needs besides its flags (the paper's m)
covered   the covered cells around a number (B)
shared    the covered cells around both p and q (I); only_p and only_q are their other ones

min_shared and max_shared are bounds for the number of mines in shared (i_min and i_max).

Example: in the position ``#### / 1211`` take p at r2c1 and q at r2c2. Both touch r1c1 and r1c2, and
p allows one mine there, so the second mine of q is in r1c3: strategy 4.

With the bounds below, the seven strategies find every certain move that a pair of numbers allows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np

from sapper.board.position import COVERED, FLAG, Position
from sapper.solvers.result import Deduction


@dataclass(frozen=True, slots=True)
class Constraint:
    """A number as an equation: `missing` of these covered cells are mines."""

    cell: int
    missing: int
    covered: frozenset[int]

    @property
    def possible(self) -> bool:
        """Whether the number can be satisfied."""
        return 0 <= self.missing <= len(self.covered)


class Pair:
    """Two numbers, and bounds for the mines among the covered cells that they share."""

    __slots__ = ("max_shared", "min_shared", "only_p", "only_q", "p", "q", "shared")

    def __init__(self, p: Constraint, q: Constraint):
        self.p, self.q = p, q
        self.shared = p.covered & q.covered
        self.only_p = p.covered - self.shared
        self.only_q = q.covered - self.shared
        # The paper prints max for the upper bound, with which strategies 3 and 4 never apply,
        # and omits 0 in the lower one, with which 6 and 7 miss moves (docs/errata.md, 1 and 2).
        self.max_shared = min(p.missing, q.missing, len(self.shared))
        self.min_shared = max(0, p.missing - len(self.only_p), q.missing - len(self.only_q))

    @property
    def possible(self) -> bool:
        """Whether both numbers can be satisfied, given that each one can."""
        return self.min_shared <= self.max_shared


def read_constraint(position: Position, cell: str | int) -> Constraint:
    """Return the constraint of a revealed cell, flags trusted."""
    index = position.board.cell(cell)
    return Constraint(
        index, position.remaining_mines(index), frozenset(position.covered_around(index))
    )


def unmet_constraints(position: Position) -> list[Constraint]:
    """Return the constraints of numbers with covered neighbours, and of unsatisfiable ones."""
    board, marks = position.board, position.marks
    covered = board.count_around(marks == COVERED)
    missing = marks - board.count_around(marks == FLAG)
    cells = np.flatnonzero((marks >= 0) & ((covered > 0) | (missing != 0)))
    constraints = []
    for cell in cells.tolist():
        near = board.around(cell)
        covered_cells = frozenset(near[marks[near] == COVERED].tolist())
        constraints.append(Constraint(cell, int(missing[cell]), covered_cells))
    return constraints


def read_pair(position: Position, p: str | int, q: str | int) -> Pair:
    """Return two numbers of a position as a pair, flags trusted."""
    return Pair(read_constraint(position, p), read_constraint(position, q))


def strategy_1(p: Constraint) -> Deduction:
    """Flag all covered cells around a number that needs a mine in each of them."""
    return _flag("strategy 1", p.covered if p.missing == len(p.covered) else (), p)


def strategy_2(p: Constraint) -> Deduction:
    """Reveal all covered cells around a number that needs no more mines."""
    return _reveal("strategy 2", p.covered if p.missing == 0 else (), p)


def strategy_3(pair: Pair) -> Deduction:
    """Flag the cells of p alone if it needs them all, even with the most mines shared."""
    all_mines = pair.p.missing - pair.max_shared == len(pair.only_p)
    return _flag("strategy 3", pair.only_p if all_mines else (), pair.p, pair.q)


def strategy_4(pair: Pair) -> Deduction:
    """Apply strategy 3 with p and q exchanged."""
    all_mines = pair.q.missing - pair.max_shared == len(pair.only_q)
    return _flag("strategy 4", pair.only_q if all_mines else (), pair.p, pair.q)


def strategy_5(pair: Pair) -> Deduction:
    """Flag the shared cells if each of them must be a mine."""
    all_mines = pair.min_shared == len(pair.shared)
    return _flag("strategy 5", pair.shared if all_mines else (), pair.p, pair.q)


def strategy_6(pair: Pair) -> Deduction:
    """Reveal the cells of p alone if the shared ones must hold all its mines."""
    no_mines = pair.min_shared == pair.p.missing
    return _reveal("strategy 6", pair.only_p if no_mines else (), pair.p, pair.q)


def strategy_7(pair: Pair) -> Deduction:
    """Apply strategy 6 with p and q exchanged."""
    no_mines = pair.min_shared == pair.q.missing
    return _reveal("strategy 7", pair.only_q if no_mines else (), pair.p, pair.q)


ONE_NUMBER: tuple[Callable[[Constraint], Deduction], ...] = (strategy_1, strategy_2)
TWO_NUMBERS: tuple[Callable[[Pair], Deduction], ...] = (
    strategy_3,
    strategy_4,
    strategy_5,
    strategy_6,
    strategy_7,
)
STRATEGIES: dict[str, str] = {
    strategy.__name__.replace("_", " "): (strategy.__doc__ or "").partition("\n")[0]
    for strategy in (*ONE_NUMBER, *TWO_NUMBERS)
}


def _flag(by: str, cells: Collection[int], *constraints: Constraint) -> Deduction:
    if not cells:
        return NO_DEDUCTION
    return Deduction(by, flag=tuple(sorted(cells)), number_cells=_cells(constraints))


def _reveal(by: str, cells: Collection[int], *constraints: Constraint) -> Deduction:
    if not cells:
        return NO_DEDUCTION
    return Deduction(by, reveal=tuple(sorted(cells)), number_cells=_cells(constraints))


def _cells(constraints: Iterable[Constraint]) -> tuple[int, ...]:
    return tuple(sorted(constraint.cell for constraint in constraints))


NO_DEDUCTION = Deduction("nothing")
