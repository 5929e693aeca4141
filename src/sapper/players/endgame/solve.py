"""The end game of a position: its exact value and its best reveal, part by part.

The search relies on three facts, besides that only the set of solutions matters:

- A certain reveal never hurts. Its number can be ignored, and the cell must be revealed anyway.
- A covered cell that shows the same number whenever it is safe (a *dead* cell) can wait while
  there is another one: a strategy that reveals it now wins the same solutions if it leaves it to
  the end.
- If all covered cells are dead, nothing more is learned, so a strategy is a fixed list of cells,
  and with the mine count given such a list can win one solution only.

The covered cells are divided into parts that give no information about each other. A part whose
solutions all have the same number of mines is independent of the rest: win chances multiply.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from sapper.board.position import Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import NotationError, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import MINE, REVEALED, SAFE
from sapper.kernels.players import solution_lists as kernel
from sapper.players.endgame.solutions import Solutions, check_memory, make_search
from sapper.values import check_int, check_type

# Solutions up to which a part is listed to find out whether it is independent.
MAX_INDEPENDENT_ROWS = 2000
STEPS_PER_ROW = 64


@dataclass(frozen=True)
class Part:
    """Covered cells that give no information about the others, with all their solutions."""

    _solutions: Solutions
    wins: int
    """How many of the solutions perfect play wins."""
    best: int
    """The cell to reveal first; of equals the one that is safe most often, then the lowest."""

    @property
    def cells(self) -> tuple[int, ...]:
        """Its covered cells, ascending, with the certain ones that carry information about it."""
        return tuple(sorted(self._solutions.cell_of))

    @property
    def solutions(self) -> int:
        """The number of solutions."""
        return self._solutions.rows

    @property
    def value(self) -> Fraction:
        """The chance that perfect play wins this part."""
        return Fraction(self.wins, self._solutions.rows)


@dataclass(frozen=True, repr=False)
class Endgame:
    """The exact chance of winning from a position, and of each reveal.

    Two are equal if their analyses are: everything follows from these.
    """

    position: Position = field(compare=False)
    _analysis: Analysis
    parts: tuple[Part, ...] = field(compare=False)
    _budget: Budget = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Solved again, because the state of the search cannot be pickled.
        return _solve_again, (self.position, self._analysis.trust_flags, self._budget)

    @cached_property
    def value(self) -> Fraction:
        """The chance of winning with perfect play."""
        return math.prod((part.value for part in self.parts), start=Fraction(1))

    @property
    def best(self) -> int | None:
        """A best cell to reveal: a certain one if there is any; None if all is decided."""
        if len(self._analysis.safe_cells):
            return int(self._analysis.safe_cells[0])
        return self.parts[0].best if self.parts else None

    @property
    def solutions(self) -> int:
        """The number of solutions: those of all parts, multiplied."""
        return math.prod(part.solutions for part in self.parts)

    @cached_property
    def moves(self) -> Mapping[int, Fraction]:
        """For each cell that may be safe, the chance of winning by revealing it first."""
        limit = self._budget.start()
        chances = dict.fromkeys(self._analysis.safe_cells.tolist(), self.value)
        for part in self.parts:
            others = self.value / part.value
            for cell in part.cells:
                if cell not in chances:
                    wins = part._solutions.wins_after(0, part.solutions, cell, limit)
                    chances[cell] = others * Fraction(wins, part.solutions)
        return MappingProxyType(dict(sorted(chances.items())))

    def __repr__(self) -> str:
        name = "-" if self.best is None else self.position.board.name(self.best)
        return f"<Endgame of {self.solutions:,} solutions: {self.value} by {name}>"


def endgame(
    position: Position,
    *,
    trust_flags: bool = False,
    nodes: int | None = None,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Endgame:
    """Return the exact end game of a position with its mine count.

    Raises OutOfBudget if there are too many solutions, or more than *nodes* sets of them to search;
    its `best` then holds the independent parts that were solved.

    >>> solved = endgame(Position.parse("# 2 # #", mines=2))
    >>> solved.value, solved.position.board.name(solved.best)
    (Fraction(1, 1), 'r1c4')
    """
    check_type(position, Position, "a position")
    if position.mines is None:
        raise NotationError("the end game of a position without a mine count is unknown")
    nodes = None if nodes is None else check_int(nodes, "a number of sets")
    limit = start_limit(budget, cancel)
    analysis = analyse(position, trust_flags=trust_flags, budget=limit)
    lister = _Lister(position, analysis, trust_flags, limit, nodes)
    solved_parts: list[Part] = []
    mines = position.mines - lister.known_mines
    rest = []
    for part in range(lister.parts):
        independent = lister.list_independent(part)
        if independent is None:
            rest.append(part)
        else:
            solutions, part_mines = independent
            solved_parts.append(_solve(solutions, limit))
            mines -= part_mines
    try:
        if rest:
            ln_solved = sum(math.log(part.solutions) for part in solved_parts)
            ln_solutions = analysis.ln_solutions - ln_solved
            solutions = lister.list_together(rest, mines, ln_solutions)
            solved_parts.append(_solve(solutions, limit))
    except OutOfBudget as error:
        error.best = tuple(solved_parts)
        raise
    return Endgame(position, analysis, tuple(solved_parts), budget.unstarted())


def _solve_again(position: Position, trust_flags: bool, budget: Budget) -> Endgame:
    return endgame(position, trust_flags=trust_flags, budget=budget)


def _solve(solutions: Solutions, limit: Limit) -> Part:
    wins = solutions.wins(0, solutions.rows, limit)
    best = solutions.best
    if best is None:
        best = min(solutions.cell_of, key=lambda cell: (-solutions.count_safe_rows(cell), cell))
    return Part(solutions, wins, best)


class _Lister:
    """The parts of a position and their solutions."""

    def __init__(
        self,
        position: Position,
        analysis: Analysis,
        trust_flags: bool,
        limit: Limit,
        nodes: int | None,
    ):
        board = position.board
        marks = position.marks if trust_flags else position.without_flags().marks
        known = np.zeros(len(board), dtype=np.uint8)
        known[position.marks >= 0] = REVEALED
        known[analysis.certain_mine_cells], known[analysis.safe_cells] = MINE, SAFE
        if trust_flags:
            known[position.flags] = MINE
        self.known_mines = int((known == MINE).sum())
        self._graph = view(board.offsets), view(board.neighbours)
        self._known = view(known)
        self._limit, self._nodes = limit, nodes
        self._ln_solutions = analysis.ln_solutions
        self._listing = kernel.SolutionLister(
            len(board), MAX_INDEPENDENT_ROWS, STEPS_PER_ROW * MAX_INDEPENDENT_ROWS
        )
        kernel.find_parts(self._listing, *self._graph, view(marks), self._known)

    @property
    def parts(self) -> int:
        """The number of parts."""
        return int(self._listing.part_count)

    def list_independent(self, part: int) -> tuple[Solutions, int] | None:
        """Return the solutions and mines of an independent part, or None for any other."""
        listing = self._listing
        start, end = int(listing.part_start[part]), int(listing.part_start[part + 1])
        if self.parts > 1 and any(listing.interior[listing.queue[i]] for i in range(start, end)):
            return None
        most = min(float(MAX_INDEPENDENT_ROWS), math.exp(min(self._ln_solutions, 30.0)) * 1.01)
        listing.max_rows, listing.max_steps = int(most), STEPS_PER_ROW * MAX_INDEPENDENT_ROWS
        solutions = self._list([part], -1)
        if solutions is None or listing.counts_differ:
            return None
        return solutions, int(listing.listed_mines)

    def list_together(self, parts: list[int], mines: int, ln_solutions: float) -> Solutions:
        """Return the solutions of several parts with this number of mines in all."""
        rows = round(math.exp(ln_solutions)) if ln_solutions < 40 else 1 << 60
        check_memory(self._columns(parts), rows, self._limit)
        self._listing.max_rows, self._listing.max_steps = rows, STEPS_PER_ROW * max(rows, 10_000)
        solutions = self._list(parts, mines)
        if solutions is None:
            problem = f"cannot list the {rows:,} solutions of the end game in any budget"
            raise OutOfBudget(problem, way_out="for an estimate use win_chance()")
        return solutions

    def _columns(self, parts: list[int]) -> int:
        starts = self._listing.part_start
        return sum(int(starts[part + 1] - starts[part]) for part in parts)

    def _list(self, parts: list[int], mines: int) -> Solutions | None:
        listing = self._listing
        for part in range(self.parts):
            listing.selected[part] = part in parts
        columns = self._columns(parts)
        search = make_search(columns, int(listing.max_rows))
        if kernel.run(listing, search, *self._graph, self._known, mines):
            return None
        cells = [int(listing.column_cell[i]) for i in range(columns)]
        return Solutions(search, cells, self._nodes)
