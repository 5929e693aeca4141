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
from functools import cached_property, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.position import Position
from sapper.board.symmetries import Symmetry
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import NotationError, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import MEMO_FULL, MINE, PAUSED, REVEALED, SAFE, SHOWS_MINE
from sapper.kernels.players import end_game_search, solution_lists
from sapper.values import check_int, check_type

# Solutions up to which a part is listed to find out whether it is independent.
MAX_INDEPENDENT_ROWS = 2000
STEPS_PER_ROW = 64
# Work (solutions times cells) between two checks of the limit: some hundredths of a second.
WORK_PER_CHECK = 20_000_000
# The initial number of sets in the memo, and the bytes of each.
MEMO_CAPACITY = 1 << 12
MEMO_ENTRY_BYTES = 20
# The logarithm of the number of solutions above which only its order of magnitude is computed.
MAX_LN_SOLUTIONS = 40.0
UNLIMITED = 1 << 62
FOR_AN_ESTIMATE = "for an estimate use win_chance()"


class Solutions:
    """Solutions in rows, covered cells in columns; `cell_of` and `column_of` convert.

    A range of the rows is a set of solutions. Results are memoised by set, for all searches of this
    object. *max_nodes* limits the number of sets that are searched.
    """

    def __init__(
        self,
        search: end_game_search.EndGameSearch,
        cell_of: list[int],
        max_nodes: int | None = None,
    ):
        self.rows = int(search.rows)
        self.cell_of = cell_of
        self.column_of = {cell: column for column, cell in enumerate(cell_of)}
        self._search = search
        end_game_search.restart(search)
        search.max_nodes = UNLIMITED if max_nodes is None else max_nodes

    def use_symmetries(self, symmetries: list[Symmetry]) -> None:
        """Search only one of several sets that are symmetric to each other.

        The symmetries must map the solutions to each other.
        """
        words = end_game_search.random_words(len(symmetries[0]))
        images = []
        for image in symmetries:
            total = np.zeros(self.rows, dtype=np.uint64)
            for cell in self.cell_of:
                total[~self._safe(cell)] += words[image[cell]]
            images.append(end_game_search.mix(total))
        self._search.use_words(np.ascontiguousarray(np.stack(images, 1).ravel()), len(images))

    def wins(self, first: int, stop: int, limit: Limit, floor: int = 0) -> int:
        """Return how many of the rows first to stop - 1 perfect play wins.

        If that is not above *floor*, the result is only an upper bound, at most *floor*.
        """
        search = self._search
        end_game_search.set_root(search, first, stop, floor)
        while True:
            limit.check("the end game is not solved yet")
            search.max_work = search.work + WORK_PER_CHECK
            status = end_game_search.run(search)
            if status == MEMO_FULL:
                self._grow(limit)
            elif status == PAUSED and search.nodes >= search.max_nodes:
                problem = f"the end game has more than {search.max_nodes:,} sets of solutions"
                raise OutOfBudget(problem, remedy="for more of them use endgame(nodes=...)")
            elif status != PAUSED:
                return int(search.answer)

    @property
    def best(self) -> int | None:
        """The cell that the last search found best; None if all cells are equal."""
        column = int(self._search.best_column[1]) if self._search.searched else -1
        return self.cell_of[column] if column >= 0 else None

    def split(self, first: int, stop: int, cell: int) -> list[tuple[int, int]]:
        """Sort the rows first to stop - 1 by what a cell shows, mines last.

        Return the range of the rows for each number that it may show.
        """
        search = self._search
        end_game_search.divide(search, 0, first, stop, self.column_of[cell])
        ends = [first, *(int(search.child_stop[k]) for k in range(search.value_count))]
        return [(a, b) for a, b in pairwise(ends) if a < b]

    def wins_after(self, first: int, stop: int, cell: int, limit: Limit, floor: int = 0) -> int:
        """Return how many of the rows first to stop - 1 are won by revealing that cell first.

        As with `wins`, the number is exact if it is above *floor*.
        """
        parts = self.split(first, stop, cell)
        total = sum(b - a for a, b in parts)
        for a, b in parts:
            if total <= floor:
                break
            total += self.wins(a, b, limit, max(0, floor - total + b - a)) - (b - a)
        return total

    def count_safe_rows(self, cell: int) -> int:
        """Return the number of rows in which a cell is safe."""
        return int(self._safe(cell).sum())

    def _safe(self, cell: int) -> npt.NDArray[np.bool_]:
        start = self.column_of[cell] * self._search.capacity
        shown = np.asarray(self._search.shown)[start : start + self.rows]
        safe: npt.NDArray[np.bool_] = shown != SHOWS_MINE
        return safe

    def _grow(self, limit: Limit) -> None:
        if 5 * MEMO_ENTRY_BYTES * self._search.memo_capacity > limit.memory:
            raise limit.memory_error("the end game has too many positions")
        self._search.grow_memo()


def check_memory(columns: int, rows: int, limit: Limit) -> None:
    """Raise OutOfBudget if the solutions do not fit into memory."""
    if rows * (3 * columns + 24) > limit.memory:
        raise limit.memory_error(f"a list of {rows:,} solutions")


def check_combinations(columns: int, cells: int, mines: int, limit: Limit) -> None:
    """Raise OutOfBudget if a list of all ways to place the mines does not fit into memory."""
    # By logarithms first: the number itself may have millions of digits.
    ln = math.lgamma(cells + 1) - math.lgamma(mines + 1) - math.lgamma(cells - mines + 1)
    check_ln_solutions(ln, "try a smaller board, or estimate with win_chance()")
    check_memory(columns, math.comb(cells, mines), limit)


def check_ln_solutions(ln: float, remedy: str) -> None:
    """Raise OutOfBudget if no computer has the memory for this many solutions."""
    if ln > MAX_LN_SOLUTIONS:
        problem = f"about 10^{ln / math.log(10):.0f} solutions are too many to search"
        raise OutOfBudget(problem, remedy=remedy)


def make_search(columns: int, rows: int) -> end_game_search.EndGameSearch:
    """Make the state of a search over at most *rows* solutions of *columns* cells."""
    return end_game_search.EndGameSearch(columns, rows, MEMO_CAPACITY)


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
        solve = partial(endgame, trust_flags=self._analysis.trust_flags, budget=self._budget)
        return solve, (self.position,)

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
        return self.win_chances(self._budget.start())

    def win_chances(self, limit: Limit) -> Mapping[int, Fraction]:
        """Return `moves` within the time that is left of a running budget."""
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
    part_lister = _PartLister(position, analysis, trust_flags, limit, nodes)
    solved_parts: list[Part] = []
    mines = position.mines - part_lister.known_mines
    rest = []
    for part in range(part_lister.part_count):
        independent = part_lister.list_independent(part)
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
            solutions = part_lister.list_together(rest, mines, ln_solutions)
            solved_parts.append(_solve(solutions, limit))
    except OutOfBudget as error:
        error.best = tuple(solved_parts)
        raise
    return Endgame(position, analysis, tuple(solved_parts), budget.unstarted())


def _solve(solutions: Solutions, limit: Limit) -> Part:
    wins = solutions.wins(0, solutions.rows, limit)
    best = solutions.best
    if best is None:
        best = min(solutions.cell_of, key=lambda cell: (-solutions.count_safe_rows(cell), cell))
    return Part(solutions, wins, best)


class _PartLister:
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
        self._known = view(known)
        self._limit, self._nodes = limit, nodes
        self._ln_solutions = analysis.ln_solutions
        self._lister = solution_lists.SolutionLister(
            view(board.offsets),
            view(board.neighbours),
            MAX_INDEPENDENT_ROWS,
            STEPS_PER_ROW * MAX_INDEPENDENT_ROWS,
        )
        solution_lists.find_parts(self._lister, view(marks), self._known)
        self.part_count = int(self._lister.part_count)

    def list_independent(self, part: int) -> tuple[Solutions, int] | None:
        """Return the solutions and mines of an independent part, or None for any other."""
        lister = self._lister
        cells = lister.queue[lister.part_start[part] : lister.part_start[part + 1]]
        if self.part_count > 1 and any(lister.interior[cell] for cell in cells):
            return None
        max_rows = min(float(MAX_INDEPENDENT_ROWS), math.exp(min(self._ln_solutions, 30.0)) * 1.01)
        lister.max_rows, lister.max_steps = int(max_rows), STEPS_PER_ROW * MAX_INDEPENDENT_ROWS
        solutions = self._list([part], -1)
        if solutions is None or lister.counts_differ:
            return None
        return solutions, int(lister.listed_mines)

    def list_together(self, parts: list[int], mines: int, ln_solutions: float) -> Solutions:
        """Return the solutions of several parts with this number of mines in all."""
        check_ln_solutions(ln_solutions, FOR_AN_ESTIMATE)
        rows = round(math.exp(ln_solutions))
        check_memory(self._columns(parts), rows, self._limit)
        self._lister.max_rows, self._lister.max_steps = rows, STEPS_PER_ROW * max(rows, 10_000)
        solutions = self._list(parts, mines)
        if solutions is None:
            problem = f"cannot list the {rows:,} solutions of the end game in any budget"
            raise OutOfBudget(problem, remedy=FOR_AN_ESTIMATE)
        return solutions

    def _columns(self, parts: list[int]) -> int:
        starts = self._lister.part_start
        return sum(int(starts[part + 1] - starts[part]) for part in parts)

    def _list(self, parts: list[int], mines: int) -> Solutions | None:
        lister = self._lister
        for part in range(self.part_count):
            lister.selected[part] = part in parts
        columns = self._columns(parts)
        search = make_search(columns, int(lister.max_rows))
        if solution_lists.run(lister, search, self._known, mines):
            return None
        cells = [int(lister.column_cell[i]) for i in range(columns)]
        return Solutions(search, cells, self._nodes)
