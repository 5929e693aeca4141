"""Exact analysis of a position: mine probabilities, certain cells, number of solutions.

>>> from sapper.board.position import Position
>>> analysis = analyse(Position.parse("1 # #", mines=1))
>>> analysis.certain_mines, analysis.safe
(('r1c2',), ('r1c3',))
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.board.presentation import MAX_NOTEBOOK_CELLS
from sapper.engine import workspace
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.cell_values import find_values, ln_weights_of_values
from sapper.engine.conflicts import engine_contradiction
from sapper.engine.exact_counts import count_solutions, exact_probabilities, ln_integer
from sapper.kernels.codes import MINE, REVEALED, SAFE, UNKNOWN
from sapper.values import Frozen, check_type, frozen

PROBABILITY_TOLERANCE = 1e-9
"""The relative difference below which probabilities count as equal; TOLERANCE in the kernels."""

Value = TypeVar("Value", float, Fraction)


def analyse(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Analysis:
    """Find the certain cells, the probability of every covered cell and the number of solutions.

    Flagged cells count as covered; with *trust_flags* they are mines. With a mine count, all
    solutions of the whole board have equal weight; without one, all solutions of the frontier have
    equal weight, and interior cells have no probability.

    Raises Contradiction if there is no solution, and OutOfBudget beyond *budget* or when *cancel*
    is set: time and memory grow quickly with the number of interdependent numbers.
    """
    check_type(position, Position, "a position")
    board, limit = position.board, start_limit(budget, cancel)
    if len(board) > workspace.MAX_TRACKED_CELLS:
        return _analyse_from_scratch(position, trust_flags, limit)
    with workspace.BorrowedTracked(board, limit) as tracked:
        probabilities, known = np.empty(len(board)), np.empty(len(board), np.uint8)
        status = workspace.run_tracked(
            tracked, position.marks, position.mines, trust_flags, limit, (probabilities, known)
        )
        if status == workspace.OK:
            probabilities.setflags(write=False)
            ln_solutions = tracked.ln_solutions
            return Analysis(position, probabilities, known, ln_solutions, trust_flags, budget)
    return _analyse_from_scratch(position, trust_flags, limit)


analyze = analyse
"""The American spelling of `analyse`."""


def _analyse_from_scratch(position: Position, trust_flags: bool, limit: Limit) -> Analysis:
    """Analyse without a tracked position, which works for every board and every position."""
    board = position.board
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        status = workspace.run(ws, board, position.marks, position.mines, limit)
        if status == workspace.IMPRECISE:
            return _analyse_with_integers(position, trust_flags, limit)
        if status != workspace.OK:
            raise engine_contradiction(ws, position, status, limit)
        probabilities = workspace.copy_probabilities(ws, len(board))
        known = workspace.copy_known(ws, len(board))
        return Analysis(position, probabilities, known, ws.ln_solutions, trust_flags, limit)


def _analyse_with_integers(position: Position, trust_flags: bool, limit: Limit) -> Analysis:
    """Analyse with big integers, for counts that exceed the range of floating point."""
    fractions, solutions = exact_probabilities(position, trust_flags, limit)
    probabilities = np.full(len(position.board), math.nan)
    known = np.zeros(len(position.board), dtype=np.uint8)
    for cell, p in enumerate(fractions):
        if position.marks[cell] >= 0:
            known[cell] = REVEALED
        elif p is not None:
            known[cell] = SAFE if p == 0 else MINE if p == 1 else UNKNOWN
            # Rounding must not make an uncertain cell certain.
            uncertain = min(max(float(p), 5e-324), 1 - 2.0**-53)
            probabilities[cell] = p if p in (0, 1) else uncertain
    probabilities.setflags(write=False)
    analysis = Analysis(position, probabilities, known, ln_integer(solutions), trust_flags, limit)
    analysis.__dict__.update(fractions=Probabilities(position, fractions), solutions=solutions)
    return analysis


class Probabilities(Frozen, Mapping[str, Value | None], Generic[Value]):
    """A read-only mapping from covered cells, by name or index, to values; in cell order.

    The value is None in the interior when there is no mine count.
    """

    def __init__(self, position: Position, values: Sequence[Value | None]):
        self._set(_position=position, _values=tuple(values))

    _position: Position
    _values: tuple[Value | None, ...]

    def __getitem__(self, cell: str | int) -> Value | None:
        index = self._position.board.cell(cell)
        if self._position.marks[index] >= 0:
            raise KeyError(cell)
        return self._values[index]

    @property
    def by_cell(self) -> dict[int, Value | None]:
        """The values by cell index."""
        covered = np.flatnonzero(self._position.marks < 0).tolist()
        return {cell: self._values[cell] for cell in covered}

    def get(self, cell: str | int, default: Any = None) -> Any:
        """Return the value of a cell, or *default* if it is revealed or not on the board."""
        if cell not in self:
            return default
        return self[cell]

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __contains__(self, cell: object) -> bool:
        try:
            self[cell]  # type: ignore[index]
        except (KeyError, ValueError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        names, marks = self._position.board.names, self._position.marks
        return (names[int(cell)] for cell in np.flatnonzero(marks < 0))

    def __len__(self) -> int:
        return int((self._position.marks < 0).sum())

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {value}' for name, value in self.items())}}}"


class Analysis(Frozen):
    """The result of analysing a position. Immutable; exact values are computed when first read.

    Two analyses are equal if they have the same position and the same `trust_flags`.
    """

    def __init__(
        self,
        position: Position,
        probability_array: npt.NDArray[np.float64],
        known: npt.NDArray[np.uint8],
        ln_solutions: float,
        trust_flags: bool = False,
        budget: Budget = DEFAULT_BUDGET,
    ):
        # Bypass __setattr__, which a frozen class blocks; this is the fastest way.
        fields = self.__dict__
        fields["position"] = position
        fields["probability_array"] = probability_array
        fields["ln_solutions"] = ln_solutions
        fields["trust_flags"] = trust_flags
        fields["_known"] = known
        fields["_budget"] = budget.unstarted()

    position: Position
    probability_array: npt.NDArray[np.float64]
    """The probabilities by cell: nan where revealed, and in the interior without a mine count."""
    ln_solutions: float
    """The natural logarithm of the number of solutions."""
    trust_flags: bool
    """Whether flags were treated as mines."""
    _known: npt.NDArray[np.uint8]
    _budget: Budget

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Analysis)
            and self.trust_flags == other.trust_flags
            and self.position == other.position
        )

    def __hash__(self) -> int:
        return hash((self.position, self.trust_flags))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = self.position, self.probability_array, self._known, self.ln_solutions
        return _unpickle, (*fields, self.trust_flags, self._budget)

    @cached_property
    def safe_cells(self) -> Ints:
        """The cells that are safe in every solution, ascending."""
        return frozen(np.flatnonzero(self._known == SAFE), np.int32)

    @cached_property
    def certain_mine_cells(self) -> Ints:
        """The cells that are mines in every solution, ascending; trusted flags are among them."""
        return frozen(np.flatnonzero(self._known == MINE), np.int32)

    @cached_property
    def safe(self) -> tuple[str, ...]:
        """The names of the safe cells, in cell order."""
        return self.position.names(self.safe_cells)

    @cached_property
    def certain_mines(self) -> tuple[str, ...]:
        """The names of the certain mines, in cell order."""
        return self.position.names(self.certain_mine_cells)

    @cached_property
    def probabilities(self) -> Probabilities[float]:
        """The probability of a mine in every covered cell, by name or index."""
        values = [None if p != p else p for p in self.probability_array.tolist()]
        return Probabilities(self.position, values)

    @cached_property
    def fractions(self) -> Probabilities[Fraction]:
        """The probabilities as exact fractions."""
        limit = self._budget.start()
        values, solutions = exact_probabilities(self.position, self.trust_flags, limit)
        # The same computation gives the number of solutions.
        self.__dict__["solutions"] = solutions
        return Probabilities(self.position, values)

    @cached_property
    def solutions(self) -> int:
        """The exact number of solutions (of the frontier, without a mine count)."""
        return count_solutions(self.position, self.trust_flags, self._budget.start())

    def values(
        self, cell: str | int, *, budget: Budget | None = None, cancel: Cancel | None = None
    ) -> dict[int, float] | None:
        """Return, for each possible number, the probability that the cell is safe and shows it.

        The probabilities add up to 1 minus the mine probability. Return None for a revealed cell,
        and, without a mine count, for a cell with interior neighbours.
        The default budget is that of the analysis, started again.
        """
        cell = self.position.board.cell(cell)
        if not self._has_values(cell):
            return None
        safe = 1 - float(self.probability_array[cell])
        if safe == 0:
            return {}
        limit = start_limit(self._budget if budget is None else budget, cancel)
        values = self._all_values(limit)
        if values is not None:
            return {v: p for v, p in enumerate(values[cell].tolist()) if p > 0}
        weights = ln_weights_of_values(self.position, cell, self.trust_flags, limit)
        largest = max(weights.values())
        total = math.fsum(math.exp(ln - largest) for ln in weights.values())
        return {v: safe * math.exp(ln - largest) / total for v, ln in weights.items()}

    def value_fractions(
        self, cell: str | int, *, budget: Budget | None = None, cancel: Cancel | None = None
    ) -> dict[int, Fraction] | None:
        """Return the probabilities of `values` as exact fractions."""
        limit = start_limit(self._budget if budget is None else budget, cancel)
        cell = self.position.board.cell(cell)
        if not self._has_values(cell):
            return None
        if self.probability_array[cell] == 1:
            return {}
        position, trust_flags = self.position, self.trust_flags
        if "solutions" not in self.__dict__:
            self.__dict__["solutions"] = count_solutions(position, trust_flags, limit)
        return {
            v: Fraction(
                count_solutions(position.with_marks({cell: v}), trust_flags, limit), self.solutions
            )
            for v in ln_weights_of_values(position, cell, trust_flags, limit)
        }

    def __repr__(self) -> str:
        return (
            f"<Analysis of {self.position!r}: {len(self.safe_cells)} safe cells, "
            f"{len(self.certain_mine_cells)} certain mines, ln solutions {self.ln_solutions:.6g}>"
        )

    def _repr_svg_(self) -> str | None:
        # Imported here because render is a layer above.
        from sapper.render.svg import probability_svg

        if len(self.position.board) > MAX_NOTEBOOK_CELLS:
            return None
        return probability_svg(self.position, self.probabilities.by_cell)

    def _has_values(self, cell: int) -> bool:
        if math.isnan(self.probability_array[cell]):
            return False
        around = self.position.board.around(cell)
        interior = np.isnan(self.probability_array[around]) & (self._known[around] != REVEALED)
        return not interior.any()

    def _all_values(self, limit: Limit) -> npt.NDArray[np.float64] | None:
        """Return a row for each cell as `find_values` does; the rows are cached."""
        if "_value_rows" not in self.__dict__:
            self.__dict__["_value_rows"] = find_values(self.position, self.trust_flags, limit)
        rows: npt.NDArray[np.float64] | None = self.__dict__["_value_rows"]
        return rows


def _unpickle(position: Position, array: Any, known: Any, *rest: Any) -> Analysis:
    """Construct a copy, so that its array is read-only too."""
    return Analysis(position, frozen(array, np.float64), known, *rest)


def tied_for_least(probabilities: npt.NDArray[np.float64]) -> Ints:
    """Return the cells of least probability, ascending; nan is ignored.

    Probabilities that differ by less than one part in 1e9 are tied: equal ones may have been summed
    in a different order.

    >>> tied_for_least(np.array([0.5, 0.25, np.nan, 0.25 + 1e-15])).tolist()
    [1, 3]
    """
    defined: Any = probabilities[~np.isnan(probabilities)]
    threshold = defined.min(initial=np.inf) * (1 + PROBABILITY_TOLERANCE)
    return np.flatnonzero(probabilities <= threshold).astype(np.int32)
