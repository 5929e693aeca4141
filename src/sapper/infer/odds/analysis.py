"""The exact odds of every blank, with what is certain.

>>> from sapper.model.frame import Frame
>>> analysis = analyse(Frame.parse("1 # #", mines=1))
>>> analysis.flag, analysis.reveal
(('r1c2',), ('r1c3',))

One frame and many, and the value that both give, stand together: longer than most modules.
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

from sapper.errors import RulesError
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.odds import engine, integers
from sapper.infer.odds.numbers import find_numbers
from sapper.infer.proofs.contradictions import name_clash
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, SHOWN
from sapper.kernels.odds import asking
from sapper.kernels.odds import stages as kernel
from sapper.model.board import MOST_IN_NOTEBOOK, Ints
from sapper.model.frame import FLAG, Frame
from sapper.values import Frozen, frozen, need, whole

_BOARD_OF = attrgetter("board")
Value = TypeVar("Value", float, Fraction)


def analyse(
    frame: Frame,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Analysis:
    """What follows from a frame: certain moves, odds, the number of satisfactory placements.

    A flag is an opinion, so flagged cells get odds as blanks do; with *trust_flags* they are mines.
    With a mine count every satisfactory placement of the whole board weighs the same; without one,
    every satisfactory placement of the perimeter does, and the interior has no odds.

    Raises Contradiction where there is no satisfactory placement, and OutOfBudget beyond *budget*
    or when *cancel* is set: time and memory grow quickly with the hints that are open at once.
    """
    need(frame, Frame, "a frame")
    board, limit = frame.board, started(budget, cancel)
    if len(board) > engine.MOST_CELLS:
        return _from_scratch(frame, trust_flags, limit)
    with engine.follow(board, limit) as position:
        status = engine.ask(position, frame.marks, frame.mines, trust_flags, limit)
        if status == engine.OK:
            probability = engine.odds_of_cells(position, len(board))
            know = engine.known_cells(position, len(board))
            return Analysis(frame, probability, know, position.ln_placements, trust_flags, budget)
    return _from_scratch(frame, trust_flags, limit)


def _from_scratch(frame: Frame, trust_flags: bool, limit: Limit) -> Analysis:
    """The answer of the general engine, or the error that tells why there is none."""
    board = frame.board
    with engine.borrow(limit, trust_flags) as ws:
        status = engine.run(ws, board, frame.marks, frame.mines, limit)
        if status == engine.IMPRECISE:
            return _from_fractions(frame, trust_flags, limit)
        if status != engine.OK:
            raise name_clash(ws, frame, status, limit)
        probability = engine.odds_of_cells(ws, len(board))
        know = engine.known_cells(ws, len(board))
        return Analysis(frame, probability, know, ws.ln_placements, trust_flags, limit)


def analyse_many(
    frames: Sequence[Frame],
    *,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> list[Analysis]:
    """`analyse` for many frames, in order, on several threads at once.

    *budget* holds for each frame. Quickest where many of the frames have the same board.
    One frame that `analyse` would refuse is refused here too, and the whole list with it.
    """
    need(frames, Iterable, "frames")
    frames = list(frames)
    if set(map(type, frames)) - {Frame}:
        for frame in frames:
            need(frame, Frame, "a frame")
    need(budget, Budget, "a budget")
    threads = whole(threads, "a number of threads")
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    if len(set(map(id, map(_BOARD_OF, frames)))) == 1:
        return list(_Batch(frames, trust_flags, budget, cancel).analyses(threads))
    answers: list[Any] = [None] * len(frames)
    groups: dict[int, list[int]] = {}
    for i, frame in enumerate(frames):
        groups.setdefault(id(frame.board), []).append(i)
    for members in groups.values():
        batch = _Batch([frames[i] for i in members], trust_flags, budget, cancel)
        for i, answer in zip(members, batch.analyses(threads), strict=True):
            answers[i] = answer
    return answers


class Analysis(Frozen):
    """What follows from a frame. Immutable; exact numbers are computed when they are first read.

    Two are equal when their frames are, and both or neither trust flags.
    """

    def __init__(
        self,
        frame: Frame,
        probability: npt.NDArray[np.float64],
        know: npt.NDArray[np.uint8],
        ln_placements: float,
        trust_flags: bool = False,
        budget: Budget = DEFAULT,
    ):
        # Written past __setattr__, as in any frozen class; this way is the quickest.
        fields = self.__dict__
        fields["frame"] = frame
        fields["probability"] = probability
        fields["ln_placements"] = ln_placements
        fields["_know"] = know
        fields["_trust_flags"] = trust_flags
        fields["_budget"] = budget.afresh()

    frame: Frame
    probability: npt.NDArray[np.float64]
    """The odds as an array: nan where revealed, and in the interior if there is no mine count."""
    ln_placements: float
    """The natural logarithm of the number of satisfactory placements."""
    _know: npt.NDArray[np.uint8]
    _trust_flags: bool
    _budget: Budget

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Analysis)
            and self._trust_flags == other._trust_flags
            and self.frame == other.frame
        )

    def __hash__(self) -> int:
        return hash((self.frame, self._trust_flags))

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the odds of a copy are read-only too.
        fields = self.frame, self.probability, self._know, self.ln_placements
        return _rebuild, (*fields, self._trust_flags, self._budget)

    @property
    def trust_flags(self) -> bool:
        """Whether flags were taken for mines."""
        return self._trust_flags

    @cached_property
    def reveal_cells(self) -> Ints:
        """The cells that are free in every satisfactory placement, ascending."""
        return frozen(np.flatnonzero(self._know == FREE), np.int32)

    @cached_property
    def flag_cells(self) -> Ints:
        """The cells that are mines in every satisfactory placement, ascending.

        Where flags are trusted, the flagged ones are left out.
        """
        mines = self._know == MINE
        if self._trust_flags:
            mines &= self.frame.marks != FLAG
        return frozen(np.flatnonzero(mines), np.int32)

    @cached_property
    def reveal(self) -> tuple[str, ...]:
        """The names of the certain reveals, in cell order."""
        return self.frame.names(self.reveal_cells)

    @cached_property
    def flag(self) -> tuple[str, ...]:
        """The names of the certain flags, in cell order."""
        return self.frame.names(self.flag_cells)

    @cached_property
    def odds(self) -> Odds[float]:
        """The probability of a mine for every cell that is not revealed, by name or index."""
        return Odds(self.frame, [None if p != p else p for p in self.probability.tolist()])

    @cached_property
    def fractions(self) -> Odds[Fraction]:
        """The same as `odds`, as exact fractions."""
        values, placements = integers.fractions(self.frame, self._trust_flags, self._budget.start())
        # The same count gives both; who reads the placements next need not count again.
        self.__dict__["placements"] = placements
        return Odds(self.frame, values)

    @cached_property
    def placements(self) -> int:
        """The exact number of satisfactory placements (of the perimeter, without a mine count)."""
        return integers.placements(self.frame, self._trust_flags, self._budget.start())

    def _placements(self, limit: Limit) -> int:
        """The same, counted within a limit where it is not yet known."""
        if "placements" not in self.__dict__:
            found = integers.placements(self.frame, self._trust_flags, limit)
            self.__dict__["placements"] = found
        return self.placements

    def numbers(
        self, cell: str | int, *, budget: Budget | None = None, cancel: Cancel | None = None
    ) -> dict[int, float] | None:
        """For each number, the probability that the cell is free and shows it.

        They add up to 1 minus the odds. None where there are no such odds: for a revealed cell,
        and without a mine count for a cell that the interior could add mines to.
        The budget is that of the analysis, once more, unless another is given.
        """
        cell = self.frame.board.cell(cell)
        if not self._has_numbers(cell):
            return None
        free = 1 - float(self.probability[cell])
        if free == 0:
            return {}
        limit = started(self._budget if budget is None else budget, cancel)
        numbers = self._all_numbers(limit)
        if numbers is not None:
            return {v: p for v, p in enumerate(numbers[cell].tolist()) if p > 0}
        weights = self._ln_weights(cell, limit)
        most = max(weights.values())
        total = math.fsum(math.exp(ln - most) for ln in weights.values())
        return {v: free * math.exp(ln - most) / total for v, ln in weights.items()}

    def number_fractions(
        self, cell: str | int, *, budget: Budget | None = None, cancel: Cancel | None = None
    ) -> dict[int, Fraction] | None:
        """The same as `numbers`, as exact fractions."""
        limit = started(self._budget if budget is None else budget, cancel)
        cell = self.frame.board.cell(cell)
        if not self._has_numbers(cell):
            return None
        return {
            v: Fraction(
                integers.placements(self.frame.with_marks({cell: v}), self._trust_flags, limit),
                self._placements(limit),
            )
            for v in (self._ln_weights(cell, limit) if self.probability[cell] < 1 else ())
        }

    def __repr__(self) -> str:
        return (
            f"<Analysis of {self.frame!r}: {len(self.reveal_cells)} certain reveals, "
            f"{len(self.flag_cells)} certain flags, ln placements {self.ln_placements:.6g}>"
        )

    def _repr_svg_(self) -> str | None:
        # An import upwards, as in Frame: a notebook asks the analysis for its picture.
        from sapper.render.svg import odds_svg

        few = len(self.frame.board) <= MOST_IN_NOTEBOOK
        return odds_svg(self.frame, self.odds) if few else None

    def _has_numbers(self, cell: int) -> bool:
        p = float(self.probability[cell])
        if p != p:
            return False
        around = self.frame.board.around(cell)
        inside = np.isnan(self.probability[around]) & (self._know[around] != SHOWN)
        return not inside.any()

    def _all_numbers(self, limit: Limit) -> npt.NDArray[np.float64] | None:
        """The numbers of all cells, a row each; None where a front is too wide for them at once."""
        if "_numbers" not in self.__dict__:
            self.__dict__["_numbers"] = find_numbers(self.frame, self._trust_flags, limit)
        found: npt.NDArray[np.float64] | None = self.__dict__["_numbers"]
        return found

    def _ln_weights(self, cell: int, limit: Limit) -> dict[int, float]:
        """ln of the placements in which the cell is free and shows v, up to a common term."""
        frame = self.frame
        marks = frame.marks.copy()
        found: dict[int, tuple[float, int, int]] = {}
        with engine.borrow(limit, self._trust_flags) as ws:
            ws.only_count = True
            for v in range(frame.board.neighbour_count(cell) + 1):
                marks[cell] = v
                if engine.run(ws, frame.board, marks, frame.mines, limit) == engine.OK:
                    found[v] = ws.ln_core, ws.interior, ws.mines_left - ws.reference
        if frame.mines is None:
            return {v: ln for v, (ln, _, _) in found.items()}
        _, cells, mines = next(iter(found.values()))
        return {v: ln + _ln_binomial_ratio(n, k, cells, mines) for v, (ln, n, k) in found.items()}


class Odds(Frozen, Mapping[str, Value | None], Generic[Value]):
    """Values of all cells that are not revealed, read by name or by index, in cell order.

    None stands in the interior where there is no mine count.
    """

    def __init__(self, frame: Frame, values: Sequence[Value | None]):
        self._set(_frame=frame, _values=tuple(values))

    _frame: Frame
    _values: tuple[Value | None, ...]

    def __getitem__(self, cell: str | int) -> Value | None:
        index = self._frame.board.cell(cell)
        if self._frame.marks[index] >= 0:
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
        names, marks = self._frame.board.names, self._frame.marks
        return (names[int(cell)] for cell in np.flatnonzero(marks < 0))

    def __len__(self) -> int:
        return int((self._frame.marks < 0).sum())

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {value}' for name, value in self.items())}}}"


class _Batch:
    """Frames of one board, analysed side by side."""

    def __init__(
        self, frames: list[Frame], trust_flags: bool, budget: Budget, cancel: Cancel | None
    ):
        self.frames, self.board = frames, frames[0].board
        self.trust_flags, self.budget, self.cancel = trust_flags, budget, cancel
        cells = len(self.board)
        self.marks = np.empty(cells * len(frames), dtype=np.int32)
        self.mines = np.empty(len(frames), dtype=np.int32)
        asking.gather(frames, cells, view(self.marks), view(self.mines))
        self.odds = np.empty(cells * len(frames))
        self.know = np.empty(cells * len(frames), dtype=np.uint8)
        self.ln_placements = np.empty(len(frames))
        self.statuses = np.empty(len(frames), dtype=np.int32)

    def analyses(self, threads: int) -> Iterator[Analysis]:
        """Run, then hand out the answers in order; what failed is asked again for its error."""
        count = len(self.frames)
        step = max(1, min(1024, -(-count // (4 * threads))))
        pieces = [(i, min(i + step, count)) for i in range(0, count, step)]
        if threads == 1 or len(pieces) == 1:
            self._run(0, count)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda piece: self._run(*piece), pieces))
        cells = len(self.board)
        self.odds.setflags(write=False)
        ln_placements = self.ln_placements.tolist()
        for i, status in enumerate(self.statuses.tolist()):
            frame, here = self.frames[i], slice(i * cells, (i + 1) * cells)
            if status == engine.OK:
                odds, know = self.odds[here], self.know[here]
                yield Analysis(frame, odds, know, ln_placements[i], self.trust_flags, self.budget)
            else:
                yield analyse(
                    frame, trust_flags=self.trust_flags, budget=self.budget, cancel=self.cancel
                )

    def _run(self, first: int, past: int) -> None:
        if len(self.board) > engine.MOST_CELLS:
            self._run_large(first, past)
            return
        limit = self.budget.start(self.cancel)
        with engine.follow(self.board, limit) as position:
            arrays = view(self.marks), view(self.mines), self.trust_flags
            out = tuple(map(view, (self.odds, self.know, self.ln_placements, self.statuses)))
            while (first := asking.ask_batch(position, *arrays, first, past, *out)) < past:
                engine.enlarge(position.general, int(self.statuses[first]), limit)

    def _run_large(self, first: int, past: int) -> None:
        limit = self.budget.start(self.cancel)
        with engine.borrow(limit, self.trust_flags) as ws:
            ws.fit(len(self.board), len(self.board.neighbours))
            board = view(self.board.offsets), view(self.board.neighbours)
            out = self.odds, self.know, self.ln_placements, self.statuses
            arrays = (view(self.marks), view(self.mines)), tuple(map(view, out))
            while True:
                first = kernel.run_batch(ws, *board, *arrays[0], first, past, *arrays[1])
                if first == past:
                    return
                engine.enlarge(ws, int(self.statuses[first]), limit)


def _rebuild(frame: Frame, probability: Any, know: Any, *rest: Any) -> Analysis:
    return Analysis(frame, frozen(probability, np.float64), know, *rest)


def _from_fractions(frame: Frame, trust_flags: bool, limit: Limit) -> Analysis:
    """The answer by big integers, where floating point could not hold all magnitudes."""
    values, placements = integers.fractions(frame, trust_flags, limit)
    probability = np.full(len(frame.board), math.nan)
    know = np.zeros(len(frame.board), dtype=np.uint8)
    for cell, p in enumerate(values):
        if frame.marks[cell] >= 0:
            know[cell] = SHOWN
        elif p is not None:
            know[cell] = FREE if p == 0 else MINE if p == 1 else 0
            inside = min(max(float(p), 5e-324), 1 - 2.0**-53)
            probability[cell] = p if p in (0, 1) else inside
    probability.setflags(write=False)
    made = Analysis(frame, probability, know, integers.ln(placements), trust_flags, limit)
    made.__dict__.update(fractions=Odds(frame, values), placements=placements)
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
