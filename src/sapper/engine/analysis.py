"""The exact probabilities of every covered cell, with what is certain.

>>> from sapper.board.position import Position
>>> analysis = analyse(Position.parse("1 # #", mines=1))
>>> analysis.flag, analysis.reveal
(('r1c2',), ('r1c3',))

One position and many, and the value that both give, stand together: longer than most modules.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.position import FLAG, Position
from sapper.board.presentation import MAX_NOTEBOOK_CELLS
from sapper.engine import exact_counts, workspace
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.cell_values import find_values
from sapper.engine.conflicts import contradiction_error
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.codes import MINE, REVEALED, SAFE
from sapper.kernels.engine import pipeline as kernel
from sapper.kernels.tracked import queries
from sapper.values import Frozen, check_int, check_type, frozen

_BOARD_OF = attrgetter("board")
Value = TypeVar("Value", float, Fraction)


def analyse(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Analysis:
    """What follows from a position: certain moves, probabilities, the number of solutions.

    A flag is an opinion, so flagged cells get probabilities as covered cells do; with *trust_flags* they are mines.
    With a mine count every solution of the whole board weighs the same; without one,
    every solution of the frontier does, and the interior has no probabilities.

    Raises Contradiction where there is no solution, and OutOfBudget beyond *budget*
    or when *cancel* is set: time and memory grow quickly with the numbers that are open at once.
    """
    check_type(position, Position, "a position")
    board, limit = position.board, start_limit(budget, cancel)
    if len(board) > workspace.MAX_TRACKED_CELLS:
        return _from_scratch(position, trust_flags, limit)
    with workspace.follow(board, limit) as tracked:
        status = workspace.ask(tracked, position.marks, position.mines, trust_flags, limit)
        if status == workspace.OK:
            probability = workspace.copy_probabilities(tracked, len(board))
            know = workspace.known_cells(tracked, len(board))
            return Analysis(position, probability, know, tracked.ln_solutions, trust_flags, budget)
    return _from_scratch(position, trust_flags, limit)


def _from_scratch(position: Position, trust_flags: bool, limit: Limit) -> Analysis:
    """The answer of the general engine, or the error that tells why there is none."""
    board = position.board
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        status = workspace.run(ws, board, position.marks, position.mines, limit)
        if status == workspace.IMPRECISE:
            return _from_fractions(position, trust_flags, limit)
        if status != workspace.OK:
            raise contradiction_error(ws, position, status, limit)
        probability = workspace.copy_probabilities(ws, len(board))
        know = workspace.known_cells(ws, len(board))
        return Analysis(position, probability, know, ws.ln_solutions, trust_flags, limit)


def analyse_many(
    positions: Sequence[Position],
    *,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> list[Analysis]:
    """`analyse` for many positions, in order, on several threads at once.

    *budget* holds for each position. Quickest where many of the positions have the same board.
    One position that `analyse` would refuse is refused here too, and the whole list with it.
    """
    check_type(positions, Iterable, "positions")
    positions = list(positions)
    if set(map(type, positions)) - {Position}:
        for position in positions:
            check_type(position, Position, "a position")
    check_type(budget, Budget, "a budget")
    threads = check_int(threads, "a number of threads")
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    if len(set(map(id, map(_BOARD_OF, positions)))) == 1:
        return list(_Batch(positions, trust_flags, budget, cancel).analyses(threads))
    answers: list[Any] = [None] * len(positions)
    groups: dict[int, list[int]] = {}
    for i, position in enumerate(positions):
        groups.setdefault(id(position.board), []).append(i)
    for members in groups.values():
        batch = _Batch([positions[i] for i in members], trust_flags, budget, cancel)
        for i, answer in zip(members, batch.analyses(threads), strict=True):
            answers[i] = answer
    return answers


class Analysis(Frozen):
    """What follows from a position. Immutable; exact numbers are computed when they are first read.

    Two are equal when their positions are, and both or neither trust flags.
    """

    def __init__(
        self,
        position: Position,
        probability: npt.NDArray[np.float64],
        know: npt.NDArray[np.uint8],
        ln_solutions: float,
        trust_flags: bool = False,
        budget: Budget = DEFAULT_BUDGET,
    ):
        # Written past __setattr__, as in any frozen class; this way is the quickest.
        fields = self.__dict__
        fields["position"] = position
        fields["probability"] = probability
        fields["ln_solutions"] = ln_solutions
        fields["_know"] = know
        fields["_trust_flags"] = trust_flags
        fields["_budget"] = budget.unstarted()

    position: Position
    probability: npt.NDArray[np.float64]
    """The probabilities as an array: nan where revealed, and in the interior if there is no mine count."""
    ln_solutions: float
    """The natural logarithm of the number of solutions."""
    _know: npt.NDArray[np.uint8]
    _trust_flags: bool
    _budget: Budget

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Analysis)
            and self._trust_flags == other._trust_flags
            and self.position == other.position
        )

    def __hash__(self) -> int:
        return hash((self.position, self._trust_flags))

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the probabilities of a copy are read-only too.
        fields = self.position, self.probability, self._know, self.ln_solutions
        return _rebuild, (*fields, self._trust_flags, self._budget)

    @property
    def trust_flags(self) -> bool:
        """Whether flags were taken for mines."""
        return self._trust_flags

    @cached_property
    def safe_cells(self) -> Ints:
        """The cells that are free in every solution, ascending."""
        return frozen(np.flatnonzero(self._know == SAFE), np.int32)

    @cached_property
    def certain_mine_cells(self) -> Ints:
        """The cells that are mines in every solution, ascending.

        Where flags are trusted, the flagged ones are left out.
        """
        mines = self._know == MINE
        if self._trust_flags:
            mines &= self.position.marks != FLAG
        return frozen(np.flatnonzero(mines), np.int32)

    @cached_property
    def reveal(self) -> tuple[str, ...]:
        """The names of the certain reveals, in cell order."""
        return self.position.names(self.safe_cells)

    @cached_property
    def flag(self) -> tuple[str, ...]:
        """The names of the certain flags, in cell order."""
        return self.position.names(self.certain_mine_cells)

    @cached_property
    def probabilities(self) -> Probabilities[float]:
        """The probability of a mine for every cell that is not revealed, by name or index."""
        return Probabilities(
            self.position, [None if p != p else p for p in self.probability.tolist()]
        )

    @cached_property
    def fractions(self) -> Probabilities[Fraction]:
        """The same as `probabilities`, as exact fractions."""
        values, solutions = exact_counts.fractions(
            self.position, self._trust_flags, self._budget.start()
        )
        # The same count gives both; who reads the solutions next need not count again.
        self.__dict__["solutions"] = solutions
        return Probabilities(self.position, values)

    @cached_property
    def solutions(self) -> int:
        """The exact number of solutions (of the frontier, without a mine count)."""
        return exact_counts.solutions(self.position, self._trust_flags, self._budget.start())

    def _solutions(self, limit: Limit) -> int:
        """The same, counted within a limit where it is not yet known."""
        if "solutions" not in self.__dict__:
            found = exact_counts.solutions(self.position, self._trust_flags, limit)
            self.__dict__["solutions"] = found
        return self.solutions

    def values(
        self, cell: str | int, *, budget: Budget | None = None, cancel: Cancel | None = None
    ) -> dict[int, float] | None:
        """For each number, the probability that the cell is free and shows it.

        They add up to 1 minus the probabilities. None where there are no such probabilities: for a revealed cell,
        and without a mine count for a cell that the interior could add mines to.
        The budget is that of the analysis, once more, unless another is given.
        """
        cell = self.position.board.cell(cell)
        if not self._has_values(cell):
            return None
        safe = 1 - float(self.probability[cell])
        if safe == 0:
            return {}
        limit = start_limit(self._budget if budget is None else budget, cancel)
        values = self._all_values(limit)
        if values is not None:
            return {v: p for v, p in enumerate(values[cell].tolist()) if p > 0}
        weights = self._ln_weights(cell, limit)
        most = max(weights.values())
        total = math.fsum(math.exp(ln - most) for ln in weights.values())
        return {v: safe * math.exp(ln - most) / total for v, ln in weights.items()}

    def value_fractions(
        self, cell: str | int, *, budget: Budget | None = None, cancel: Cancel | None = None
    ) -> dict[int, Fraction] | None:
        """The same as `values`, as exact fractions."""
        limit = start_limit(self._budget if budget is None else budget, cancel)
        cell = self.position.board.cell(cell)
        if not self._has_values(cell):
            return None
        return {
            v: Fraction(
                exact_counts.solutions(
                    self.position.with_marks({cell: v}), self._trust_flags, limit
                ),
                self._solutions(limit),
            )
            for v in (self._ln_weights(cell, limit) if self.probability[cell] < 1 else ())
        }

    def __repr__(self) -> str:
        return (
            f"<Analysis of {self.position!r}: {len(self.safe_cells)} certain reveals, "
            f"{len(self.certain_mine_cells)} certain flags, ln solutions {self.ln_solutions:.6g}>"
        )

    def _repr_svg_(self) -> str | None:
        # An import upwards, as in Position: a notebook asks the analysis for its picture.
        from sapper.render.svg import probability_svg

        few = len(self.position.board) <= MAX_NOTEBOOK_CELLS
        return probability_svg(self.position, self.probabilities) if few else None

    def _has_values(self, cell: int) -> bool:
        p = float(self.probability[cell])
        if p != p:
            return False
        around = self.position.board.around(cell)
        inside = np.isnan(self.probability[around]) & (self._know[around] != REVEALED)
        return not inside.any()

    def _all_values(self, limit: Limit) -> npt.NDArray[np.float64] | None:
        """The numbers of all cells, a row each; None where a component is too wide for them at once."""
        if "_numbers" not in self.__dict__:
            self.__dict__["_numbers"] = find_values(self.position, self._trust_flags, limit)
        found: npt.NDArray[np.float64] | None = self.__dict__["_numbers"]
        return found

    def _ln_weights(self, cell: int, limit: Limit) -> dict[int, float]:
        """ln of the solutions in which the cell is free and shows v, up to a common term."""
        position = self.position
        marks = position.marks.copy()
        found: dict[int, tuple[float, int, int]] = {}
        with workspace.borrow_workspace(limit, self._trust_flags) as ws:
            ws.only_count = True
            for v in range(position.board.neighbour_count(cell) + 1):
                marks[cell] = v
                if workspace.run(ws, position.board, marks, position.mines, limit) == workspace.OK:
                    found[v] = ws.ln_core, ws.interior, ws.mines_left - ws.reference
        if position.mines is None:
            return {v: ln for v, (ln, _, _) in found.items()}
        _, cells, mines = next(iter(found.values()))
        return {v: ln + _ln_binomial_ratio(n, k, cells, mines) for v, (ln, n, k) in found.items()}


class Probabilities(Frozen, Mapping[str, Value | None], Generic[Value]):
    """Values of all cells that are not revealed, read by name or by index, in cell order.

    None stands in the interior where there is no mine count.
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

    def get(self, cell: str | int, default: Any = None) -> Any:
        """The value of a cell; the default where it is revealed or the board has no such cell."""
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


class _Batch:
    """Positions of one board, analysed side by side."""

    def __init__(
        self, positions: list[Position], trust_flags: bool, budget: Budget, cancel: Cancel | None
    ):
        self.positions, self.board = positions, positions[0].board
        self.trust_flags, self.budget, self.cancel = trust_flags, budget, cancel
        cells = len(self.board)
        self.marks = np.empty(cells * len(positions), dtype=np.int32)
        self.mines = np.empty(len(positions), dtype=np.int32)
        queries.copy_positions(positions, cells, view(self.marks), view(self.mines))
        self.probabilities = np.empty(cells * len(positions))
        self.known = np.empty(cells * len(positions), dtype=np.uint8)
        self.ln_solutions = np.empty(len(positions))
        self.statuses = np.empty(len(positions), dtype=np.int32)

    def analyses(self, threads: int) -> Iterator[Analysis]:
        """Run, then hand out the answers in order; what failed is asked again for its error."""
        count = len(self.positions)
        step = max(1, min(1024, -(-count // (4 * threads))))
        pieces = [(i, min(i + step, count)) for i in range(0, count, step)]
        if threads == 1 or len(pieces) == 1:
            self._run(0, count)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda piece: self._run(*piece), pieces))
        cells = len(self.board)
        self.probabilities.setflags(write=False)
        ln_solutions = self.ln_solutions.tolist()
        for i, status in enumerate(self.statuses.tolist()):
            position, here = self.positions[i], slice(i * cells, (i + 1) * cells)
            if status == workspace.OK:
                probabilities, know = self.probabilities[here], self.known[here]
                yield Analysis(
                    position, probabilities, know, ln_solutions[i], self.trust_flags, self.budget
                )
            else:
                yield analyse(
                    position, trust_flags=self.trust_flags, budget=self.budget, cancel=self.cancel
                )

    def _run(self, first: int, past: int) -> None:
        if len(self.board) > workspace.MAX_TRACKED_CELLS:
            self._run_large(first, past)
            return
        limit = self.budget.start(self.cancel)
        with workspace.follow(self.board, limit) as tracked:
            arrays = view(self.marks), view(self.mines), self.trust_flags
            out = tuple(
                map(view, (self.probabilities, self.known, self.ln_solutions, self.statuses))
            )
            while (first := queries.answer_batch(tracked, *arrays, first, past, *out)) < past:
                workspace.enlarge(tracked.general, int(self.statuses[first]), limit)

    def _run_large(self, first: int, past: int) -> None:
        limit = self.budget.start(self.cancel)
        with workspace.borrow_workspace(limit, self.trust_flags) as ws:
            ws.fit(len(self.board), len(self.board.neighbours))
            board = view(self.board.offsets), view(self.board.neighbours)
            out = self.probabilities, self.known, self.ln_solutions, self.statuses
            arrays = (view(self.marks), view(self.mines)), tuple(map(view, out))
            while True:
                first = kernel.run_batch(ws, *board, *arrays[0], first, past, *arrays[1])
                if first == past:
                    return
                workspace.enlarge(ws, int(self.statuses[first]), limit)


def _rebuild(position: Position, probability: Any, know: Any, *rest: Any) -> Analysis:
    return Analysis(position, frozen(probability, np.float64), know, *rest)


def _from_fractions(position: Position, trust_flags: bool, limit: Limit) -> Analysis:
    """The answer by big integers, where floating point could not hold all magnitudes."""
    values, solutions = exact_counts.fractions(position, trust_flags, limit)
    probability = np.full(len(position.board), math.nan)
    know = np.zeros(len(position.board), dtype=np.uint8)
    for cell, p in enumerate(values):
        if position.marks[cell] >= 0:
            know[cell] = REVEALED
        elif p is not None:
            know[cell] = SAFE if p == 0 else MINE if p == 1 else 0
            inside = min(max(float(p), 5e-324), 1 - 2.0**-53)
            probability[cell] = p if p in (0, 1) else inside
    probability.setflags(write=False)
    made = Analysis(position, probability, know, exact_counts.ln(solutions), trust_flags, limit)
    made.__dict__.update(fractions=Probabilities(position, values), solutions=solutions)
    return made


def _ln_binomial_ratio(n: int, k: int, cells: int, mines: int) -> float:
    """ln of C(n, k) / C(cells, mines), to full precision where the two are near each other."""
    if abs(n - cells) + abs(k - mines) > 10_000:
        return _ln_binomial(n, k) - _ln_binomial(cells, mines)
    steps = []
    while n < cells:
        # C(n, k) = C(n + 1, k) * (n + 1 - k) / (n + 1)
        steps.append(math.log((n + 1 - k) / (n + 1)))
        n += 1
    while n > cells:
        steps.append(math.log(n / (n - k)) if n > k else math.inf)
        n -= 1
    while k < mines:
        # C(n, k) = C(n, k + 1) * (k + 1) / (n - k)
        steps.append(math.log((k + 1) / (n - k)))
        k += 1
    while k > mines:
        steps.append(math.log((n - k + 1) / k))
        k -= 1
    return math.fsum(steps)


def _ln_binomial(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
